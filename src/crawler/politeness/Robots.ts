/**
 * The rules of a robots.txt, as RFC 9309 reads them.
 *
 * The group that names the crawler counts, else the group of `*`; groups of one name are one group; the longest pattern
 * that matches decides, and Allow wins a tie. A line that cannot be read is not a rule. `fromAnswer` alone decides what
 * a failed request for the file means.
 */
export interface Robots {
  allows(url: string, userAgent: string): boolean
  /** Seconds between two requests, where the file asks for it. */
  crawlDelay(userAgent: string): number | undefined
  /** Absolute addresses of sitemaps. */
  readonly sitemaps: ReadonlyArray<string>
}

/** What came back for /robots.txt after its redirects; undefined where nothing did. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** The rules that an answer stands for: a site that cannot answer must not be crawled, one that has no file may be. */
export const fromAnswer = (answer: Answer | undefined, url: string): Robots => {
  if (answer === undefined || answer.status >= 500) return disallowAll
  if (answer.status < 200 || answer.status >= 300) return allowAll
  return parse(answer.text, url)
}

/** `url` is where the file was found; relative sitemap addresses resolve against it. A page instead of a file has no rules. */
export const parse = (text: string, url: string): Robots => {
  const groups = new Map<string, Group>()
  const sitemaps = new Set<string>()
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (/^\s*</.test(body)) return allowAll
  let open: Array<Group> = []
  let ruled = false
  for (const line of body.slice(0, maxLength).split(/\r\n|\r|\n/)) {
    const field = readField(line)
    if (field === undefined) continue
    const { key, value } = field
    if (agentKeys.has(key)) {
      if (ruled) open = []
      ruled = false
      const name = /^\*(?:\s|$)/.test(value) ? "*" : productToken(value)
      const group = groups.get(name) ?? { rules: [], delay: undefined }
      groups.set(name, group)
      open.push(group)
    } else if (key === "allow" || disallowKeys.has(key)) {
      ruled = true
      if (value === "" || open.length === 0) continue
      const rule = makeRule(value, key === "allow")
      for (const group of open) group.rules.push(rule)
    } else if (key === "crawl-delay") {
      const delay = Number(value)
      if (value !== "" && delay >= 0) for (const group of open) group.delay ??= Math.min(delay, maxDelay)
    } else if (key === "sitemap" || key === "site-map") {
      const address = value === "" ? null : URL.parse(value, url)
      if (address !== null && /^https?:$/.test(address.protocol) && sitemaps.size < maxSitemaps)
        sitemaps.add(address.href)
    }
  }
  // The longest first, and Allow before Disallow: then the first that matches decides.
  for (const group of groups.values())
    group.rules.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  const groupFor = (userAgent: string): Group | undefined => groups.get(productToken(userAgent)) ?? groups.get("*")
  return {
    allows: (target, userAgent) => {
      const rules = groupFor(userAgent)?.rules
      if (rules === undefined || rules.length === 0) return true
      const path = pathOf(target)
      return path === "/robots.txt" || (rules.find((rule) => matches(rule, path))?.allow ?? true)
    },
    crawlDelay: (userAgent) => groupFor(userAgent)?.delay,
    sitemaps: Array.from(sitemaps)
  }
}

/** The distance that is kept between two requests, in milliseconds: what the file asks for, a minute at most. */
export const delayMillis = (robots: Robots | undefined, userAgent: string): number =>
  Math.min(longestKept, robots?.crawlDelay(userAgent) ?? 0) * 1000

export const allowAll: Robots = { allows: () => true, crawlDelay: () => undefined, sitemaps: [] }

const disallowAll: Robots = { allows: () => false, crawlDelay: () => undefined, sitemaps: [] }

interface Group {
  readonly rules: Array<Rule>
  delay: number | undefined
}

interface Rule {
  readonly allow: boolean
  readonly length: number
  /** What stands between the stars. */
  readonly parts: ReadonlyArray<string>
  /** Whether the pattern ends in "$". */
  readonly whole: boolean
}

/** RFC 9309 asks for at least 500 KiB. */
const maxLength = 500 * 1024
const maxDelay = 86_400
/** Seconds: whoever asks for more is asked this often. */
const longestKept = 60
const maxSitemaps = 1000

const agentKeys = new Set(["user-agent", "useragent", "user agent"])

/** As people write it. */
const disallowKeys = new Set(["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"])

/** "Key: value # comment"; where the colon was forgotten, "Key value" of exactly two words. */
const readField = (line: string): { readonly key: string; readonly value: string } | undefined => {
  const comment = line.indexOf("#")
  const text = (comment === -1 ? line : line.slice(0, comment)).trim()
  const colon = text.indexOf(":")
  if (colon > 0) return { key: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() }
  const words = colon === -1 ? text.split(/\s+/, 3) : []
  return words.length === 2 ? { key: words[0]?.toLowerCase() ?? "", value: words[1] ?? "" } : undefined
}

/** "MillraceBot/1.0 (+https://...)" is known as "millracebot". */
const productToken = (userAgent: string): string => /^[a-z_-]*/.exec(userAgent.trim().toLowerCase())?.[0] ?? ""

const makeRule = (pattern: string, allow: boolean): Rule => {
  const path = normalize(pattern)
  const whole = path.endsWith("$")
  return { allow, length: path.length, whole, parts: (whole ? path.slice(0, -1) : path).split(/\*+/) }
}

const pathOf = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "/" : normalize(parsed.pathname + parsed.search)
}

/** One spelling for each character: UTF-8 in upper-case escapes, and no escape for what needs none. */
const normalize = (path: string): string =>
  path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%[\da-f]{2}/gi, (escape) => {
      const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
      return /[\w.~-]/.test(char) ? char : escape.toUpperCase()
    })

/** Each part is searched after the previous one. The first match is always enough, so nothing is tried again. */
const matches = (rule: Rule, path: string): boolean => {
  const { parts, whole } = rule
  const first = parts[0] ?? ""
  if (!path.startsWith(first)) return false
  if (parts.length === 1) return !whole || path.length === first.length
  let at = first.length
  for (let i = 1; i < parts.length - 1; i++) {
    const part = parts[i] ?? ""
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts[parts.length - 1] ?? ""
  return whole ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1
}
