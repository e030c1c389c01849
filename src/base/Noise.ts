/**
 * Finds the parts of a line that change by themselves: time stamps, counters, generated ids.
 *
 * Guarantee: a part that could be a statement is noise only if it is alone, between the ends of the line and signs such as `·`,
 * `|` and brackets. "Built on 3 May 2026" alone is a stamp, and "3,000 visits" alone is a counter; "the mill was built on 3
 * May 1926" and "20 visits a year are paid" are statements. An id is noise if a word names it as an id, or if its letters and
 * digits look generated: a version, a year or a plain number is not an id.
 */

/** Replaces each such part by a placeholder. Undefined: the line has none. Empty: the line has nothing else. */
export const without = (line: string): string | undefined => {
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
  // 1,234 views; Views: 1,234
  [new RegExp(String.raw`\b${number}\s?(?:(?:page ?)?views?|page ?hits|aufrufe|vues)\b`, "giu"), "<count>"],
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
