/**
 * The rules of a robots.txt, by RFC 9309.
 *
 * The group that names the crawler applies, otherwise the group of `*`. Groups with the same name are one group. The
 * longest matching pattern decides, and Allow wins a tie. A line that cannot be read is not a rule. `fromAnswer` alone
 * decides what a failed request for the file means.
 */
import * as Effect from "effect/Effect"
import * as CrawlerName from "#base/CrawlerName"

export interface Robots {
  allows(url: string, userAgent: string): boolean
  /** The seconds between two requests, if the file states them. */
  crawlDelay(userAgent: string): number | undefined
  /** Absolute addresses of sitemaps. */
  readonly sitemaps: ReadonlyArray<string>
}

/** The answer for /robots.txt after its redirects; undefined if there was none. */
interface Answer {
  readonly status: number
  readonly text: string
}

/** The rules that an answer implies: a site that cannot answer must not be crawled, one without the file may be. */
export const fromAnswer = (answer: Answer | undefined, url: string): Robots => {
  if (answer === undefined || answer.status >= 500) return disallowAll
  if (answer.status < 200 || answer.status >= 300) return allowAll
  return parse(answer.text, url)
}

/** `url`: where the file was found, the base of relative sitemap URLs. A page in place of the file has no rules. */
const parse = (text: string, url: string): Robots => {
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
  // Sorted by length, Allow before Disallow: the first rule that matches decides.
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

/** The names of a job. */
export interface Names {
  /** Those whose rules it follows, all of them. */
  readonly ruled: ReadonlyArray<string>
  /** That of the crawler. */
  readonly own: string
}

/** The names for requests with these headers of a caller: rules hold for a name that is sent, and for the crawler's own. */
export const namesOf = (headers: Readonly<Record<string, string>> = {}, chosen?: string): Effect.Effect<Names> =>
  Effect.map(CrawlerName.Current, ({ token: own }) => {
    const [, sent] = Object.entries(headers).find(([name]) => name.toLowerCase() === "user-agent") ?? []
    return { ruled: chosen !== undefined ? [chosen] : sent === undefined ? [own] : [own, sent], own }
  })

export const permits = (robots: Robots, url: string, { ruled }: Names): boolean =>
  ruled.every((name) => robots.allows(url, name))

/** The milliseconds between two requests that the file states, a minute at most. */
export const delayMillis = (robots: Robots | undefined, names: ReadonlyArray<string>): number =>
  Math.min(longestKept, Math.max(...names.map((name) => robots?.crawlDelay(name) ?? 0))) * 1000

/**
 * The delay that binds all who ask the host: what the file states for the crawler. Who reads the rules under another name may have
 * a shorter one, but does not slow others down with a longer one: that is kept by its job alone.
 */
export const sharedDelayMillis = (robots: Robots | undefined, { own, ruled }: Names): number =>
  Math.min(delayMillis(robots, ruled), delayMillis(robots, [own]))

export const allowAll: Robots = { allows: () => true, crawlDelay: () => undefined, sitemaps: [] }

const disallowAll: Robots = { allows: () => false, crawlDelay: () => undefined, sitemaps: [] }

interface Group {
  readonly rules: Array<Rule>
  delay: number | undefined
}

interface Rule {
  readonly allow: boolean
  readonly length: number
  /** The texts between the stars. */
  readonly parts: ReadonlyArray<string>
  /** Whether the pattern ends in "$". */
  readonly whole: boolean
}

/** RFC 9309 asks for at least 500 KiB. */
const maxLength = 500 * 1024
const maxDelay = 86_400
/** In seconds: a site that states more is still asked this often. */
const longestKept = 60
const maxSitemaps = 1000

const agentKeys = new Set(["user-agent", "useragent", "user agent"])

/** Spellings that people use. */
const disallowKeys = new Set(["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"])

/** "Key: value # comment"; also "Key value" of exactly two words, without the colon. */
const readField = (line: string): { readonly key: string; readonly value: string } | undefined => {
  const comment = line.indexOf("#")
  const text = (comment === -1 ? line : line.slice(0, comment)).trim()
  const colon = text.indexOf(":")
  if (colon > 0) return { key: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() }
  const words = colon === -1 ? text.split(/\s+/, 3) : []
  return words.length === 2 ? { key: words[0]?.toLowerCase() ?? "", value: words[1] ?? "" } : undefined
}

/** "MillraceBot/1.0 (+https://...)" becomes "millracebot". */
const productToken = (userAgent: string): string => /^[a-z_-]*/.exec(userAgent.trim().toLowerCase())?.[0] ?? ""

const makeRule = (pattern: string, allow: boolean): Rule => {
  const path = normalize(pattern)
  const whole = path.endsWith("$")
  const parts = (whole ? path.slice(0, -1) : path).replaceAll("$", "%24").split(/\*+/)
  return { allow, length: path.length, whole, parts }
}

const pathOf = (url: string): string => {
  const parsed = URL.parse(url)
  // A star of a path is none of a pattern, where it is written as an escape.
  return parsed === null
    ? "/"
    : normalize(parsed.pathname + parsed.search)
        .replaceAll("*", "%2A")
        .replaceAll("$", "%24")
}

/** One spelling for each character: upper-case UTF-8 escapes, and none where they are not needed. */
const normalize = (path: string): string =>
  path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%[\da-f]{2}/gi, (escape) => {
      const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
      return /[\w.~-]/.test(char) ? char : escape.toUpperCase()
    })

/** Each part is searched after the one before. The first match is always enough, so there is no backtracking. */
const matches = (rule: Rule, path: string): boolean => {
  const { parts, whole } = rule
  const first = parts[0] ?? ""
  if (!path.startsWith(first)) return false
  if (parts.length === 1) return !whole || path.length === first.length
  let at = first.length
  for (let i = 1; i < parts.length - 1; i++) {
    const part = parts[i] ?? ""
    const position = path.indexOf(part, at)
    if (position === -1) return false
    at = position + part.length
  }
  const last = parts[parts.length - 1] ?? ""
  return whole ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1
}
