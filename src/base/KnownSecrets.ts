/**
 * The secrets that this process has read for its work, and texts without them: a site can send a secret back, in the address of a
 * redirect or in the reason of a failure, and neither belongs into tables, journals, logs and traces.
 *
 * A secret is found as it is, URL-encoded, in JSON, and in base64. One of less than eight characters is not looked for, as it
 * could be an ordinary word.
 */

/** From now on, texts are shown without this secret; of a URL with a password, also without the password. */
export const remember = (secret: string): void => {
  if (known.has(secret)) return
  known.add(secret)
  const password = URL.parse(secret)?.password ?? ""
  for (const each of [secret, password, decoded(password)]) {
    if (each.length >= leastCharacters) for (const form of formsOf(each)) forms.add(form)
  }
  // The longest first: a URL before its password.
  const longestFirst = Array.from(forms).sort((a, b) => b.length - a.length)
  pattern =
    forms.size === 0
      ? undefined
      : new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g")
}

/** The text without the secrets that are known. */
export const masked = (text: string): string => (pattern === undefined ? text : text.replace(pattern, mask))

/** The address without them; the same object if it has none. */
export const maskedUrl = (url: URL): URL => {
  const text = masked(url.href)
  return text === url.href ? url : (URL.parse(text) ?? new URL("/", url.origin))
}

/** A value as JSON has it, with all its texts masked. */
export const maskedTexts = <A>(value: A): A =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts change, to texts
  pattern === undefined ? value : (maskedIn(value) as A)

const maskedIn = (value: unknown): unknown => {
  if (typeof value === "string") return masked(value)
  if (Array.isArray(value)) return value.map(maskedIn)
  if (typeof value !== "object" || value === null || value.constructor !== Object) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskedIn(member)]))
}

const known = new Set<string>()
const forms = new Set<string>()
let pattern: RegExp | undefined

const mask = "[redacted]"
const leastCharacters = 8

const formsOf = (secret: string): ReadonlyArray<string> => {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const percent = [encoded, encoded.replaceAll("%20", "+"), encodeURI(secret.toWellFormed())]
  const lowerCase = percent.map((text) => text.replace(/%../g, (byte) => byte.toLowerCase()))
  return [secret, JSON.stringify(secret).slice(1, -1), ...percent, ...lowerCase, ...base64Of(secret)]
}

/** Inside a longer text in base64, a secret has three forms. What its neighbours decide is left out. */
const base64Of = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((bytes.length * 8) / 6)
    const base64 = bytes.toString("base64").slice(from, to)
    const urlSafe = bytes.toString("base64url").slice(from, to)
    return [base64, encodeURIComponent(base64), urlSafe]
  })

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
