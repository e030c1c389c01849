/**
 * What a page says, without what changes by itself: two texts with one meaning are the same page.
 *
 * Noise is what a reader would not call a change: white space, emphasis, stamps of builds and renderings, counters of
 * visitors, "5 minutes ago", session and tracking parameters of links, the year of a copyright, advertisements, and
 * lists that rotate ("related", "trending", "quote of the day"). Words, their order, numbers and prices are never noise.
 * Each line is judged by itself, so a change beside noise still counts.
 */

export interface Text {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly markdown: string
}

/** Equal where two pages say the same. */
export const of = ({ description, markdown, title }: Text): string =>
  [line(title ?? ""), line(description ?? ""), ...lines(markdown).map(({ meaning }) => meaning)].join("\n")

export interface Line {
  /** As it is on the page. */
  readonly text: string
  readonly meaning: string
}

/** The lines that mean something, in order. */
export const lines = (markdown: string): ReadonlyArray<Line> => {
  const kept: Array<Line> = []
  /** Whether what follows belongs to a list that rotates. */
  let isRotating = false
  let isFenced = false
  for (const text of markdown.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(text)) isFenced = !isFenced
    if (isFenced) {
      kept.push({ text, meaning: text.trimEnd() })
      continue
    }
    const meaning = line(text)
    if (meaning === "") continue
    if (isRotatingHead(meaning)) isRotating = true
    else if (isRotating && !isLoose(text)) isRotating = false
    if (!isRotating && !isAdvertisement(meaning)) kept.push({ text, meaning })
  }
  return kept
}

/** One line without its noise; empty where it is nothing else. */
export const line = (text: string): string => {
  let clean = text.normalize("NFC").replaceAll(invisible, "")
  if (clean.includes("](") || clean.includes("://")) clean = clean.replaceAll(address, plainAddress)
  clean = clean.replaceAll(emphasis, "").replace(bullet, "- ").replaceAll(/\s+/g, " ").trim()
  if (!/[\d\p{L}]/u.test(clean)) return /[\p{S}\p{P}]{4,}/u.test(clean) || clean.length < 4 ? "" : clean
  let rest = clean
  let isNoisy = false
  for (const [noise, instead] of noises) {
    const without = clean.replaceAll(noise, instead)
    if (without === clean) continue
    isNoisy = true
    clean = without
    rest = rest.replaceAll(noise, "")
  }
  // A line that is noise alone may come and go.
  if (isNoisy && !/[\d\p{L}]/u.test(rest)) return ""
  return clean.replaceAll(/\s+/g, " ").trim()
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g
const emphasis = /(?<![\p{L}\d\\])(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?<!\\)(?:\*{1,3}|_{1,3})(?![\p{L}\d])/gu
const bullet = /^\s*[-*+•]\s+/

const address = /(?:https?:)?\/\/[^\s)\]<>"]+|(?<=\]\()[^\s)]+/g

/** Parameters that say who came, or that keep copies apart, and not what is asked for. */
const carried =
  /^(?:utm_\w+|[a-z]*sess(?:ion)?_?id|sid|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl|_hs\w+|cb|cachebuster|cache|nocache|nonce|csrf\w*|rnd|rand|ts|timestamp|_t?|ver|v)$/i

/** Variants of one address are one: its scheme, `www.`, `/index.html`, a slash at the end, the order of its parameters. */
const plainAddress = (written: string): string => {
  const [, before = "", query = "", hash = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(written) ?? []
  const path = before
    .replace(/^(?:https?:)?\/\/(?:www\.)?/i, "//")
    .replace(/;jsessionid=.*$/i, "")
    // As Markdown writes the session of ASP.NET, /(S(lit3py55t21z5v55vlm25s55))/
    .replace(/\/%28(?:[asfx]%28[\w-]{1,200}%29)+%29(?=\/)/i, "")
    .replace(/\/(?:index|default)\.(?:html?|php|aspx?|xhtml)$/i, "/")
    .replace(/(?<=.)\/$/, "")
    // A build's own name of a file, as app.3f2a9c1b.png
    .replace(/([.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}(?=\.[a-z0-9]{2,5}$)/i, "$1#")
  const parts = query.split("&").filter((part) => part !== "" && !carried.test(part.split("=", 1).join("")))
  return `${path}${parts.length === 0 ? "" : `?${parts.toSorted().join("&")}`}${hash}`
}

// Amounts are short. Without the limit, a line of digits and commas would be searched again from each digit.
const amount = String.raw`(?:\d[\d.,\u202f]{0,30}\s?[kKmM]?|an?|one|two|three|a few|several|ein(?:e[rnm]?)?|une?|une?a?|hace)`
const unit = String.raw`(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)`
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?`
const day = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:\p{L}+,?\s)?\d{1,2}(?:st|nd|rd|th)?\.?\s\p{L}+\.?,?\s\d{4}|(?:\p{L}+,\s)?\p{L}+\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4})`
const zone = String.raw`(?:\s?(?:Z\b|UTC|GMT|[A-Z]{2,5}\b|[+-]\d{2}:?\d{2}|\([^)]{2,40}\)))*`
const moment = `(?:${day}(?:[T,]?\\s?(?:at\\s|um\\s)?${clock}${zone})?|${clock}${zone})`

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
  // 1,234 views; Views: 1,234; 12 people are viewing this
  [
    new RegExp(
      String.raw`\b${amount}\s?(?:people|users?|visitors?|readers?|members?|guests?|others?)?\s?(?:(?:are |is )?(?:currently )?(?:online|viewing|watching|looking|browsing|reading)(?: (?:at )?(?:this|now|right now)[^.]*)?|(?:page ?)?views?|page ?hits|hits|visits|visitors|reads|aufrufe|vues|visitas)\b`,
      "giu"
    ),
    "<count>"
  ],
  [
    /\b((?:page ?)?views?|page ?hits|hits|visits|visitors?|readers online|users online|aufrufe|vues|visitas)\s?(?::|=)\s?\d[\d.,\s\u202f]*[kKmM]?\b/gi,
    "$1 <count>"
  ],
  [/\b(you are|sie sind) (?:visitor|besucher) (?:number|no\.?|nr\.?|#)?\s?\d[\d.,]*/gi, "$1 <count>"],
  // Generated at 12:01; page rendered in 0.12 s; last updated 3 May 2026 12:00
  [
    new RegExp(
      String.raw`\b((?:page |this page was |last )?(?:generated|rendered|built|compiled|cached|served|retrieved|fetched|loaded|deployed|updated|modified|refreshed|build|build date|build time|as of|stand|server time|current time|local time)(?: (?:on|at|am|um|le))?:?)\s?${moment}`,
      "giu"
    ),
    "$1 <time>"
  ],
  [
    /\b((?:page |this page was )?(?:generated|rendered|served|loaded|created|executed|processed) in) [\d.,]+\s?(?:ms|s|secs?|seconds|milliseconds)\b(?:[^.]{0,40}\bquer(?:y|ies)\b)?/gi,
    "$1 <time>"
  ],
  // Build 3f2a9c1; request id: …; ref. of an error page
  [
    /\b((?:build|revision|commit|request|trace|session|correlation|transaction|ray|csrf|nonce|token|deployment|instance|pod|node|served by)(?:[ -]?(?:id|hash|no\.?|number|token|key))?)(?:\s?[:=#]\s?|\s)(?=[\w.-]*\d)[\w.+/=-]{5,}/gi,
    "$1 <id>"
  ],
  [/((?:©|\(c\)|copyright)\s?(?:©\s?)?)(?:\d{4}\s?[–-]\s?)?\d{4}\b/gi, "$1<year>"]
]

const rotating =
  /^#{0,6}\s*(?:related|recommended|recommendations|you (?:may|might) (?:also )?(?:like|enjoy)|trending|most (?:read|popular|viewed|shared)|popular (?:posts|articles|stories|now|right now)|sponsored|advertisements?|promoted|more (?:from|like this|stories)|people also|recently viewed|customers (?:also|who)|from our partners|around the web|(?:quote|tip|fact|word|joke|picture|photo|deal|saying) of the (?:day|week)|did you know)\b/i

/** The beginning of a list that rotates: a heading or a line of a few words. */
const isRotatingHead = (meaning: string): boolean =>
  meaning.length <= 60 && rotating.test(meaning) && !/[.!?]$/.test(meaning.replace(/did you know\??/i, ""))

/** What such a list is made of: links, items, pictures, short lines. A heading or a paragraph ends it. */
const isLoose = (text: string): boolean => {
  const trimmed = text.trim()
  if (/^#{1,6}\s/.test(trimmed)) return false
  return /^(?:[-*+•>]|\d+[.)])\s/.test(trimmed) || /^!?\[/.test(trimmed) || trimmed.length <= 40
}

const isAdvertisement = (meaning: string): boolean =>
  /^(?:[-#>]\s*)?\[?(?:advertisement|advertising|anzeige|publicité|publicidad|sponsored(?: (?:content|by|post).*)?|ad)\]?:?(?: .*)?$/i.test(
    meaning
  ) && meaning.length <= 160
