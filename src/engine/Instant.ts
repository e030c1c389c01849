/**
 * Points in time between text (RFC 3339) and cells (microseconds since the epoch, UTC).
 *
 * It uses no clock and no time zone of this machine. A text without an offset is not a point in time. Digits beyond the
 * microsecond are cut off; the leap second 60, which only the last minute of a UTC day has, becomes the first second of
 * the next minute.
 */

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** The microseconds of "2026-11-21T04:23:05.25+01:00"; undefined: the text is not a point in time. */
export const microsOf = (text: string): bigint | undefined => {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = match.slice(7)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 60 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59)
    return undefined
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -60 : 60)
  const seconds = daysBefore(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
  if (second === 60 && seconds % 86_400 !== 0) return undefined
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"))
}

/**
 * "2026-11-21T04:23:05.250Z": with zero, three or six digits after the second. Years below 0 or above 9999 have a sign
 * and six digits. "infinity" and "-infinity" are the values that databases have for no end and no beginning.
 */
export const textOf = (micros: bigint): string => {
  if (micros === endless || micros === -endless) return micros < 0n ? "-infinity" : "infinity"
  const day = micros / dayMicros - (micros % dayMicros < 0n ? 1n : 0n)
  const rest = Number(micros - day * dayMicros)
  const [year, month, date] = civil(Number(day))
  const fraction = two(rest % 1_000_000, 6)
  const shown = fraction === "000000" ? "" : fraction.endsWith("000") ? `.${fraction.slice(0, 3)}` : `.${fraction}`
  const years = year >= 0 && year <= 9999 ? two(year, 4) : `${year < 0 ? "-" : "+"}${two(Math.abs(year), 6)}`
  const seconds = Math.floor(rest / 1_000_000)
  const time = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => two(Math.floor(part), 2)).join(":")
  return `${years}-${two(month, 2)}-${two(date, 2)}T${time}${shown}Z`
}

/** The inverse of `textOf`, also for years of six digits; undefined: the text is not a point in time. */
export const writtenMicrosOf = (text: string): bigint | undefined => {
  if (text === "infinity" || text === "-infinity") return text === "infinity" ? endless : -endless
  const [, sign, digits = "", rest = ""] = /^([+-])(\d{6,7})(-.*)$/.exec(text) ?? []
  if (sign === undefined) return microsOf(text)
  const year = Number(`${sign}${digits}`)
  // The calendar repeats every 400 years, so a year near 2000 stands in for the year itself.
  const near = 2000 + (((year % 400) + 400) % 400)
  const micros = microsOf(`${near}${rest}`)
  return micros === undefined ? undefined : micros + BigInt((year - near) / 400) * 146_097n * dayMicros
}

/** `writtenMicrosOf` for text that Millrace wrote itself; throws if it is not a point in time. */
export const microsOfWritten = (text: string): bigint => {
  const micros = writtenMicrosOf(text)
  if (micros === undefined) throw new Error(`${text} is not a point in time`)
  return micros
}

/** "2026-11-21" from days since 1970-01-01, with the year as `textOf` writes it, or "infinity". */
export const dayTextOf = (days: number): string =>
  Math.abs(days) === endlessDays
    ? textOf(days < 0 ? -endless : endless)
    : textOf(BigInt(days) * dayMicros).slice(0, -midnight.length)

/** The inverse of `dayTextOf`; undefined: the text is not a day. */
export const writtenDaysOf = (text: string): number | undefined => {
  const micros = writtenMicrosOf(text) ?? writtenMicrosOf(`${text}${midnight}`)
  if (micros === endless || micros === -endless) return micros < 0n ? -endlessDays : endlessDays
  return micros === undefined ? undefined : Number(micros / dayMicros)
}

const dayMicros = 86_400_000_000n
const midnight = "T00:00:00Z"

/** "infinity" as databases store it, in microseconds and in days; negative for "-infinity". */
const endless = 2n ** 63n - 1n
const endlessDays = 2 ** 31 - 1

const two = (value: number, digits: number): string => String(value).padStart(digits, "0")

const daysIn = (year: number, month: number): number =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1)

/** Days since 1970-01-01, in the proleptic Gregorian calendar. In the formula, years begin in March. */
export const daysBefore = (year: number, month: number, day: number): number => {
  const from = month > 2 ? year : year - 1
  const era = Math.floor(from / 400)
  const inEra = from - era * 400
  const inYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + inYear - 719_468
}

/** Year, month and day from days since 1970-01-01: the inverse of `daysBefore`. */
const civil = (days: number): readonly [number, number, number] => {
  const from = days + 719_468
  const era = Math.floor(from / 146_097)
  const inEra = from - era * 146_097
  const years = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365
  )
  const inYear = inEra - (years * 365 + Math.floor(years / 4) - Math.floor(years / 100))
  const march = Math.floor((5 * inYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  return [years + era * 400 + (month <= 2 ? 1 : 0), month, inYear - Math.floor((153 * march + 2) / 5) + 1]
}
