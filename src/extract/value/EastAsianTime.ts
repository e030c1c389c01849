/** Times of day as Chinese, Japanese and Korean write them: "21時40分", "下午3:05", "오후 3시 5분", "午前9時". */

export interface Found {
  /** "21:40:00" */
  readonly clock: string
  readonly from: number
  readonly to: number
}

/** The first of a text whose digits are ASCII. */
export const first = (text: string): Found | undefined => {
  for (const match of text.matchAll(written)) {
    const [whole, half, hours = "", colon, colonSeconds, minutes, seconds] = match
    // A time with a colon and without its half of the day is everybody's (`Instant`).
    if (half === undefined && colon !== undefined) continue
    const hour = hourOf(Number(hours), half)
    const [minute, second] = [Number(colon ?? minutes ?? 0), Number(colonSeconds ?? seconds ?? 0)]
    if (hour > 23 || minute > 59 || second > 59) continue
    const clock = [hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":")
    return { clock, from: match.index, to: match.index + whole.length }
  }
  return undefined
}

const written =
  /(午前|午後|上午|下午|晚上?|早上|凌晨|中午|오전|오후)?\s?(?<!\d)(\d{1,2})(?:[:：](\d{2})(?:[:：](\d{2}))?(?!\d)|\s?[時时點点시](?!間|间|간)\s?(?:(\d{1,2})\s?[分분])?\s?(?:(\d{1,2})\s?[秒초])?)/gu

const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour
  const isLate = /午後|下午|晚|오후/.test(half) || (half === "中午" && hour < 11)
  if (isLate) return hour < 12 ? hour + 12 : hour
  return hour === 12 && half !== "中午" ? 0 : hour
}
