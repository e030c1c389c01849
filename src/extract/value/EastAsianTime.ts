/** Times of day as Chinese, Japanese and Korean write them: "21時40分", "下午3:05", "오후 3시 5분", "15時半", "下午三时". */
import * as EastAsianDay from "./EastAsianDay.ts"

interface Found {
  /** "21:40:00" */
  readonly clock: string
  readonly from: number
  readonly to: number
}

/** The first of a text whose digits are ASCII. */
export const first = (text: string): Found | undefined => {
  for (const match of text.matchAll(written)) {
    const [whole, half, hourText = "", colon, colonSeconds, digits, word, seconds] = match
    const spoken = digits ?? word
    if (whole === "正午") return { clock: "12:00:00", from: match.index, to: match.index + whole.length }
    const hours = EastAsianDay.numberOf(hourText)
    const minutes = /^[半반]$/.test(spoken ?? "") ? 30 : spoken === "一刻" ? 15 : spoken === "三刻" ? 45 : spoken
    // A time with a colon and without its half of the day is everybody's (`Instant`).
    if (half === undefined && colon !== undefined) continue
    const hour = hourOf(hours, half)
    const [minute, second] = [Number(colon ?? minutes ?? 0), Number(colonSeconds ?? seconds ?? 0)]
    if (hour > 23 || minute > 59 || second > 59) continue
    const clock = [hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":")
    return { clock, from: match.index, to: match.index + whole.length }
  }
  return undefined
}

const written =
  /正午|(午前|午後|上午|下午|晚上?|夜|朝|早上|凌晨|中午|오전|오후|저녁)?\s?(?<![\d〇一二三四五六七八九十])(\d{1,2}|[一二三四五六七八九十]{1,3}(?=[時时點点]))(?:[:：](\d{2})(?:[:：](\d{2}))?(?!\d)|\s?[時时點点시](?!間|间|간)\s?(?:(\d{1,2})\s?[分분]|(?:(?<=[時时點点시]\s?)(半|반|一刻|三刻)))?\s?(?:(\d{1,2})\s?[秒초])?)/gu

const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour
  const isLate = /午後|下午|晚|夜|오후|저녁/.test(half) || (half === "中午" && hour < 11)
  if (isLate) return hour < 12 ? hour + 12 : hour
  return hour === 12 && half !== "中午" ? 0 : hour
}
