/**
 * The meaning of a page: its text without noise. If two texts have the same meaning, the page has not changed.
 *
 * Noise is what a reader would not call a change: white space, emphasis, time stamps of builds, visitor counters, "5 minutes
 * ago", session and tracking parameters of links, the year of a copyright, advertisements, and rotating lists ("related",
 * "trending", "quote of the day"). Words, their order, numbers and prices in other lines are never noise. Noise is removed
 * from each line separately, so a change next to noise still counts.
 */

export interface Text {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly markdown: string
}

/** The meaning of a page as text. */
export const of = (page: Text): string =>
  [line(page.title ?? ""), line(page.description ?? ""), ...linesOf(page).map(({ meaning }) => meaning)].join("\n")

/** Whether two pages have the same meaning. Most pages are unchanged, so their texts are compared first. */
export const isSame = (a: Text, b: Text): boolean =>
  (a.markdown === b.markdown && a.title === b.title && a.description === b.description) || of(a) === of(b)

/** The lines of a page that are not only noise. They are kept for each page, because a comparison needs them several times. */
export const linesOf = (page: Text): ReadonlyArray<Line> => {
  const known = read.get(page)
  if (known !== undefined) return known
  const found = lines(page.markdown)
  read.set(page, found)
  return found
}

const read = new WeakMap<Text, ReadonlyArray<Line>>()

export interface Line {
  /** As on the page. */
  readonly text: string
  readonly meaning: string
}

/** The lines of a text that are not only noise, in order. */
export const lines = (markdown: string): ReadonlyArray<Line> => {
  const result: Array<Line> = []
  /** Whether the current lines belong to a rotating list. */
  let isRotating = false
  let isFenced = false
  for (const text of markdown.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(text)) isFenced = !isFenced
    if (isFenced) {
      result.push({ text, meaning: text.trimEnd() })
      continue
    }
    const meaning = line(text)
    if (meaning === "") continue
    if (isRotatingHead(meaning)) isRotating = true
    else if (isRotating && !isLoose(text)) isRotating = false
    if (!isRotating && !isAdvertisement(meaning)) result.push({ text, meaning })
  }
  return result
}

/** A line without its noise; empty: it is only noise. */
export const line = (text: string): string => {
  let clean = text.normalize("NFC").replaceAll(invisible, "")
  if (clean.includes("](") || clean.includes("://")) clean = clean.replaceAll(address, plainAddress)
  clean = clean.replaceAll(emphasis, "").replace(bullet, "- ").replaceAll(/\s+/g, " ").trim()
  // A line of separators only is noise. A line with a tick, a cross or a star is not.
  if (!/[\d\p{L}\p{So}]/u.test(clean)) return /[\p{S}\p{P}]{4,}/u.test(clean) || clean.length < 4 ? "" : clean
  return (withoutNoise(clean) ?? clean).replaceAll(/\s+/g, " ").trim()
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
const emphasis = /(?<![\p{L}\d\\])(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?<!\\)(?:\*{1,3}|_{1,3})(?![\p{L}\d])/gu
const bullet = /^\s*[-*+•]\s+/

const address = /(?:https?:)?\/\/[^\s)\]<>"]+|(?<=\]\()[^\s)]+/g

/** Parameters that identify the visitor or bypass a cache, and do not change which page is requested. */
const carried =
  /^(?:utm_\w+|[a-z]*sess(?:ion)?_?id|sid|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl|_hs\w+|cb|cachebuster|cache|nocache|nonce|csrf\w*|rnd|rand|ts|timestamp|_t?)$/i

/** Parameters that are the version of a file. For a page they may have a meaning: `watch?v=` is a video. */
const ofFiles = /^(?:ver|v)$/i
const isFile = /\.(?:avif|css|gif|ico|jpe?g|m?js|mp4|pdf|png|svg|webp|woff2?)$/i

/** Normalizes an address: scheme, `www.`, `/index.html`, a slash at the end and the order of parameters do not count. */
const plainAddress = (written: string): string => {
  const [, before = "", query = "", hash = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(written) ?? []
  const path = before
    .replace(/^(?:https?:)?\/\/(?:www\.)?/i, "//")
    .replace(/;jsessionid=.*$/i, "")
    // An ASP.NET session, as Markdown writes it: /(S(lit3py55t21z5v55vlm25s55))/
    .replace(/\/%28(?:[asfx]%28[\w-]{1,200}%29)+%29(?=\/)/i, "")
    .replace(/\/(?:index|default)\.(?:html?|php|aspx?|xhtml)$/i, "/")
    .replace(/(?<=.)\/$/, "")
    // A hash of a build in the name of a file: app.3f2a9c1b.png
    .replace(/([.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}(?=\.[a-z0-9]{2,5}$)/i, "$1#")
  const isCarried = (name: string) => carried.test(name) || (ofFiles.test(name) && isFile.test(before))
  const parts = query.split("&").filter((part) => part !== "" && !isCarried(part.split("=", 1).join("")))
  return `${path}${parts.length === 0 ? "" : `?${parts.toSorted().join("&")}`}${hash}`
}

const shown = String.raw`(?:articles?|books?|content|items?|links?|news|pages?|pictures?|posts?|products?|questions?|read(?:ing|s)?|searches|stor(?:y|ies)|topics?|videos?)`
const when = String.raw`(?: (?:for you|now|right now|today|this week|here))?`

/** The whole heading must match: "Recommended for you" begins a rotating list, "Recommended dose: 5 mg" is a statement. */
const rotating = [
  String.raw`(?:related|recommended|popular|sponsored|promoted|trending|most (?:read|popular|viewed|shared)|more(?= stor))(?: ${shown}){1,2}(?: (?:and|&) \p{L}+| (?:by|for|from|in|on|to) [^\d:]*|${when})`,
  String.raw`(?:related|recommended|recommendations|trending|most (?:read|popular|viewed|shared)|sponsored|promoted|advertisements?|recently viewed)${when}`,
  String.raw`most (?:read|popular|viewed|shared) (?:in|on) [^\d:]*`,
  String.raw`popular (?:now|right now|today|this week)`,
  String.raw`you (?:may|might) (?:also )?(?:like|enjoy)[^\d:]*`,
  String.raw`more (?:from [^\d:]*|like this)`,
  String.raw`people also (?:ask|asked|bought|like|liked|read|search(?:ed)? for|viewed)`,
  String.raw`customers (?:also|who) (?:also )?(?:bought|liked|viewed|like)[^\d:]*`,
  String.raw`from our partners|around the web|did you know\??`,
  String.raw`(?:quote|tip|fact|word|joke|picture|photo|deal|saying) of the (?:day|week)\b.*`
].join("|")
const rotatingHead = new RegExp(`^#{0,6}\\s*(?:${rotating})\\s*[:…]?$`, "iu")

/** Whether a line begins a rotating list: a heading or a line of a few words. */
const isRotatingHead = (meaning: string): boolean =>
  meaning.length <= 60 && rotatingHead.test(meaning) && !/[.!?]$/.test(meaning.replace(/did you know\??/i, ""))

/** Whether a line can be part of a rotating list: a link, an item, a picture, a short line. Other lines end the list. */
const isLoose = (text: string): boolean => {
  const trimmed = text.trim()
  if (/^#{1,6}\s/.test(trimmed)) return false
  return /^(?:[-*+•>]|\d+[.)])\s/.test(trimmed) || /^!?\[/.test(trimmed) || trimmed.length <= 40
}

/** Whether a line is marked as an advertisement: by a word alone or before a separator. "Ad hoc" begins a sentence. */
const isAdvertisement = (meaning: string): boolean =>
  meaning.length <= 160 &&
  /^(?:[-#>]\s*)?(?:\[(?:advertisement|advertising|anzeige|publicité|publicidad|sponsored|ad)\].*|(?:advertisement|advertising|anzeige|publicité|publicidad|sponsored(?: (?:content|posts?))?|ad)(?:\s*[:|·–—-](?:\s.*)?)?)$/i.test(
    meaning
  )

/**
 * Finds the parts of a line that change by themselves: time stamps, counters, generated ids.
 *
 * Guarantee: a part that could be a statement is noise only if it is alone, between the ends of the line and signs such as `·`,
 * `|` and brackets. "Built on 3 May 2026" alone is a stamp, and "3,000 visits" alone is a counter; "the mill was built on 3
 * May 1926" and "20 visits a year are paid" are statements. An id is noise if a word names it as an id, or if its letters and
 * digits look generated: a version, a year or a plain number is not an id.
 *
 * Replaces each such part by a placeholder. Undefined: the line has none. Empty: the line has nothing else.
 */
const withoutNoise = (line: string): string | undefined => {
  let [clean, rest] = [line, line]
  let isNoisy = false
  for (const [noise, instead] of noises) {
    const marked = clean.replaceAll(noise, instead)
    if (marked === clean) continue
    isNoisy = true
    clean = marked
    rest = rest.replaceAll(noise, "")
  }
  if (!isNoisy) return undefined
  // A line of noise only may also be added or removed.
  return /[\d\p{L}]/u.test(rest) ? clean : ""
}

// Amounts are short. Without the limit, a line of digits and commas would be searched again from each digit.
const number = String.raw`\d[\d.,\u202f]{0,30}\s?[kKmM]?`
const amount = String.raw`(?:${number}|an?|one|two|three|a few|several|ein(?:e[rnm]?)?|une?|une?a?|hace)`
const unit = String.raw`(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)`
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?`
const day = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:\p{L}+,?\s)?\d{1,2}(?:st|nd|rd|th)?\.?\s\p{L}+\.?,?\s\d{4}|(?:\p{L}+,\s)?\p{L}+\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4})`
const zone = String.raw`(?:\s?(?:Z\b|UTC|GMT|[A-Z]{2,5}\b|[+-]\d{2}:?\d{2}|\([^)]{2,40}\)))*`
const moment = `(?:${day}(?:[T,]?\\s?(?:at\\s|um\\s)?${clock}${zone})?|${clock}${zone})`

/** What must be before and after a part that is alone. */
const begin = String.raw`(?<=^(?:[-#>|]\s{0,2}|\d{1,3}[.)]\s){0,6}|[|·•(]\s?|\s[-–—]\s|[.!?,;]\s)`
const end = String.raw`(?=\s*(?:$|[|·•)]|[.!?](?:\s|$)|\s[-–—]\s))`
const alone = (part: string): RegExp => new RegExp(`(?=\\S)${begin}${part}${end}`, "giu")

/** A generated id: at least seven characters, two letters and two digits, and it does not begin with a year. */
const machineId = String.raw`(?!\d{4}-)(?=(?:[\w-]*?\d){2})(?=(?:[\w-]*?[a-z]){2})[\w-]{7,}(?![.,]?\w)`
const anyId = String.raw`(?=[\w.-]*\d)[\w.+/=-]{5,}`
const joint = String.raw`(?:\s?[:=#]\s?|\s)`

const noises: ReadonlyArray<readonly [RegExp, string]> = [
  // 5 minutes ago, vor 5 Minuten, il y a 3 heures, hace 2 días
  [
    new RegExp(
      String.raw`\b(?:last (?:seen|active|online|visit(?:ed)?|activity):? )?(?:about |over |almost )?${amount}\s?${unit} ago\b`,
      "giu"
    ),
    "<ago>"
  ],
  [/\b(?:just now|moments? ago|(?:earlier )?today at \d{1,2}:\d{2}|yesterday at \d{1,2}:\d{2})\b/gi, "<ago>"],
  [
    /\bvor (?:\d+|eine[rm]?|wenigen) (?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)\b/gi,
    "<ago>"
  ],
  [/\bil y a (?:\d+|une?) (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b/gi, "<ago>"],
  [/\bhace (?:\d+|un[oa]?) (?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)\b/gi, "<ago>"],
  [new RegExp(String.raw`\b\d+\s?(?:s|m|min|h|d) ago\b`, "gi"), "<ago>"],
  // 12 people are viewing this; 3 users online
  [
    new RegExp(
      String.raw`\b${amount}\s?(?:(?:people|users?|visitors?|readers?|members?|guests?|others?)\s(?:(?:are|is)\s)?|(?:are|is)\s)(?:currently\s)?(?:online|viewing|watching|looking|browsing|reading)(?: (?:at )?(?:this|now|right now)[^.]*)?\b`,
      "giu"
    ),
    "<count>"
  ],
  // 1,234 views; 1,234 recent views; Views: 1,234
  [new RegExp(String.raw`\b${number}\s?(?:(?:page ?)?views?|page ?hits|aufrufe|vues)\b`, "giu"), "<count>"],
  [/\b\d[\d.,\u202f]{2,30}\s\p{L}{3,12}\sviews\b/giu, "<count>"],
  [
    /\b((?:page ?)?views?|page ?hits|readers online|users online|aufrufe|vues)\s?(?::|=)\s?\d[\d.,\s\u202f]*[kKmM]?\b/gi,
    "$1 <count>"
  ],
  [alone(String.raw`${number}\s?(?:hits|visits|visitors|reads|visitas|online)`), "<count>"],
  [alone(String.raw`(hits|visits|visitors?|visitas)\s?(?::|=)\s?${number}`), "$1 <count>"],
  [/\b(you are|sie sind) (?:visitor|besucher) (?:number|no\.?|nr\.?|#)?\s?\d[\d.,]*/gi, "$1 <count>"],
  // Last updated 3 May 2026 12:00; page generated at 12:01; Stand: 3.5.2026
  [
    new RegExp(
      String.raw`\b((?:page |this page was |last )(?:generated|rendered|built|compiled|cached|served|retrieved|fetched|loaded|deployed|updated|modified|refreshed)(?: (?:on|at|am|um|le))?:?)\s?${moment}`,
      "giu"
    ),
    "$1 <time>"
  ],
  [
    alone(
      String.raw`((?:generated|rendered|built|compiled|cached|served|retrieved|fetched|loaded|deployed|updated|modified|refreshed|build|build date|build time|as of|stand|server time|current time|local time)(?: (?:on|at|am|um|le))?:?)\s?${moment}`
    ),
    "$1 <time>"
  ],
  [
    /\b((?:page |this page was )?(?:generated|rendered|served|loaded|created|executed|processed) in) [\d.,]+\s?(?:ms|s|secs?|seconds|milliseconds)\b(?:[^.]{0,40}\bquer(?:y|ies)\b)?/gi,
    "$1 <time>"
  ],
  // Build 3f2a9c1; request id: 7f-22-aa1; session 8Hf3kd92
  [
    new RegExp(
      String.raw`\b((?:build|csrf|nonce|served by)(?:[ -]?(?:id|hash|no\.?|number|token|key))?|(?:revision|commit|request|trace|session|correlation|transaction|ray|token|deployment|instance|pod|node)[ -]?(?:id|hash|token|key))${joint}${anyId}`,
      "gi"
    ),
    "$1 <id>"
  ],
  [
    new RegExp(
      String.raw`\b(revision|commit|request|trace|session|correlation|transaction|ray|token|deployment|instance|pod|node)${joint}${machineId}`,
      "gi"
    ),
    "$1 <id>"
  ],
  [/((?:©|\(c\)|copyright)\s?(?:©\s?)?)(?:\d{4}\s?[–-]\s?)?\d{4}\b/gi, "$1<year>"]
]
