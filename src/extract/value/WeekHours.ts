/**
 * Reads days of the week and the hours of a day from opening hours: "Mon–Fri", "Sa & So"; "8:00 – 18:00", "closed".
 */
import { weekdayOf } from "./Months.ts"

/** The days in a text; Monday is 0. Empty if the text has anything else. */
export const daysIn = (text: string, language: string | undefined): ReadonlyArray<number> => {
  if (text.length > maxText) return []
  const found: Array<number> = []
  let isRange = false
  const spaced = text
    .replaceAll(/-feiras?\b/gi, "")
    .replaceAll(dash, " – ")
    .replaceAll(/[,;&+/:・、至]/g, partOf)
  for (const part of spaced.split(/\s+/)) {
    if (part === "" || joins.has(part.toLowerCase())) continue
    if (part === "–" || upTo.has(part.toLowerCase())) {
      if (isRange || found.length === 0) return []
      isRange = true
      continue
    }
    const day = weekdayOf(part, language) ?? eastAsian(part)
    if (day === undefined) return []
    if (isRange) found.push(...between(found.at(-1) ?? day, day))
    else found.push(day)
    isRange = false
  }
  return isRange || new Set(found).size < found.length ? [] : found
}

const maxText = 60
const dash = /\s*[-–—~〜～]\s*/gi
/** "周一至周五" is a range; the other signs separate days. */
const partOf = (sign: string): string => (sign === "至" ? " – " : " ")
const upTo: ReadonlySet<string> = new Set("to bis au à a al t/m tot through thru until по إلى".split(" "))
const joins: ReadonlySet<string> = new Set("and und et y e en и و de du le from von".split(" "))

/** "月", "月曜日", "周一", "월요일". */
const eastAsian = (word: string): number | undefined => {
  const [, japanese = "?", chinese = "?", korean = "?"] =
    /^(?:([月火水木金土日])(?:曜日?)?|(?:周|星期|週|礼拜)([一二三四五六日])|([월화수목금토일])(?:요일)?)$/u.exec(
      word
    ) ?? []
  const day = Math.max(
    "月火水木金土日".indexOf(japanese),
    "一二三四五六日".indexOf(chinese),
    "월화수목금토일".indexOf(korean)
  )
  return day === -1 ? undefined : day
}

/** The days after the first, up to the last. */
const between = (from: number, to: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let day = (from + 1) % 7; found.length < 7; day = (day + 1) % 7) {
    found.push(day)
    if (day === to) return found
  }
  return found
}

/** Whether a text is the hours of a day and nothing else. */
export const areHours = (text: string): boolean => text.length <= maxText && (closed.test(text) || isTimes(text))

/** The start and the end of "8:00 am – 6 pm"; undefined unless the text has exactly one such range. */
export const endsOf = (text: string): readonly [opens: string, closes: string] | undefined => {
  const [one, other] = text.length <= maxText ? [...text.matchAll(ranges)] : []
  const [all, opens = "", closes = ""] = one ?? []
  return all === undefined || other !== undefined || !isTimes(text) ? undefined : [opens.trim(), closes.trim()]
}

const isTimes = (text: string): boolean => {
  const rest = text
    .replaceAll(ranges, "")
    .replaceAll(/\b(?:and|und|et|y|e|en|from|von|de|uur|uhr|hrs?|h)\b|[\s,;/&+().:]|и|с/giu, "")
  return rest === "" && text.search(ranges) !== -1
}

const time = "(\\d{1,2}(?:[:.h]\\d{2}|時(?:\\d{2}分)?)?\\s?(?:[ap]\\.?m\\.?|uhr|h\\b)?)"
const ranges = new RegExp(
  `(?<![\\d:.])${time}\\s?(?:[-–—~〜～]|to|bis|à|a|al|tot|until|до|إلى)\\s?${time}(?![\\d:.]\\d)`,
  "giu"
)

const closed =
  /^(?:closed|geschlossen|ruhetag|ferm[ée]e?|cerrado|chiuso|gesloten|fechado|encerrado|stängt|lukket|zamknięte|nieczynne|закрыто|выходной|定休日|休業日?|休館日?|closed all day|مغلق|open 24 hours|24 hours|24h)$/iu
