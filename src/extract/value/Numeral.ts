/**
 * Numbers as people write them: "1.299,00", "1 299.5", "1'049,95", ".75", "1.2M", "3,4 million", "١٬٢٣٤٫٥".
 *
 * A lone separator before exactly three digits groups thousands, any other last separator is the decimal separator,
 * unless the setting says which it is. The caller must refuse digits of dates, versions and percentages.
 */
import { asciiDigits } from "./asciiDigits.ts"

export interface Numeral {
  readonly value: number
  /** Characters of the text that it stands in. */
  readonly from: number
  readonly to: number
}

/** All numbers of a text in their order, at most a few. */
export const all = (text: string, most = 8): ReadonlyArray<Numeral> => {
  const found: Array<Numeral> = []
  for (const match of asciiDigits(text.slice(0, maxText)).matchAll(written)) {
    const digits = (match[0] ?? "").replace(trailing, "")
    const value = parse(digits)
    if (value === undefined) continue
    const from = match.index
    const to = from + digits.length
    const times = scale.exec(text.slice(to, to + 16))
    const factor = times === null ? 1 : factorOf(times)
    found.push({ value: scaled(value, factor), from, to: factor === 1 ? to : to + (times?.[0].length ?? 0) })
    if (found.length === most) break
  }
  return found
}

/** Digits with separators, as a number. */
export const parse = (text: string, decimal?: "." | ","): number | undefined => {
  const digits = asciiDigits(text).replaceAll(blank, "")
  const comma = digits.lastIndexOf(",")
  const point = digits.lastIndexOf(".")
  const last = Math.max(comma, point)
  const mark = decimal ?? (isDecimal(digits, last, comma !== -1 && point !== -1) ? digits[last] : undefined)
  const at = mark === undefined ? -1 : digits.lastIndexOf(mark)
  const whole = (at === -1 ? digits : digits.slice(0, at)).replaceAll(/[.,]/g, "")
  const part = at === -1 ? "" : digits.slice(at + 1).replaceAll(/[.,]/g, "")
  const number = Number(`${whole === "" ? "0" : whole}${part === "" ? "" : `.${part}`}`)
  return /\d/.test(digits) && Number.isFinite(number) ? number : undefined
}

/** With a minus sign before it that is none of a range or a word. */
export const isNegative = (text: string, { from }: Numeral): boolean =>
  /(?:^|[\s(:€$£])[-−][€$£]?$/.test(text.slice(Math.max(0, from - 4), from))

const isDecimal = (digits: string, last: number, both: boolean): boolean => {
  if (last === -1) return false
  if (both) return digits.indexOf(digits[last] ?? "") === last
  const decimals = digits.length - last - 1
  const isAlone = digits.indexOf(digits[last] ?? "") === last
  // "0.125" and ".750" group nothing; "1.234" does.
  return isAlone && (decimals !== 3 || /^-?0?[.,]/.test(digits))
}

/** Multiplied so that 1.2 million is 1200000, without dust of binary fractions. */
const scaled = (value: number, factor: number): number =>
  factor === 1 ? value : Number((value * factor).toPrecision(15))

const factorOf = (match: RegExpExecArray): number => factors[(match[1] ?? match[2] ?? "").toLowerCase()] ?? 1

const maxText = 400

/** Groups may be apart by a blank only where three digits follow. */
const written =
  /(?:\d{1,3}(?:['’ \u00a0\u202f\u2009]\d{3})+(?!\d)(?:[.,]\d+)?|[.,]?\d(?:\d|[.,](?=\d)|[.,] (?=\d{2}(?!\d)))*(?:['’]\d{3})*(?:[.,]\d+)?)/g

const trailing = /[.,\s]+$/
const blank = /['’\s\u00a0\u202f\u2009]/g

/** "1.2M" is a scale, "1.2 m" a length. */
const scale =
  /^(?:([kKMB])(?![\p{L}\d])|[ \u00a0]?((?:[Mm]illions?|MILLION|[Mm]io\.?|[Mm]n|[Bb]illion|[Mm]rd\.?|[Bb]n|[Tt]housand|[Tt]sd\.?))(?!\p{L}))/u

const factors: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  tsd: 1e3,
  "tsd.": 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  millions: 1e6,
  mio: 1e6,
  "mio.": 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  mrd: 1e9,
  "mrd.": 1e9
}
