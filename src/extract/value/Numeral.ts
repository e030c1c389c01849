/**
 * Numbers as people write them: "1.299,00", "1 299.5", "1'049,95", ".75", "1.2M", "3,4 million", "1万2800",
 * "١٬٢٣٤٫٥".
 *
 * A lone separator before exactly three digits groups thousands, any other last separator is the decimal separator,
 * unless the setting says which it is. The caller must refuse digits of dates, versions and percentages.
 */
import { asciiDigits } from "./asciiDigits.ts"
import * as Scale from "./Scale.ts"

export interface Numeral {
  readonly value: number
  /** Characters of the text that it stands in. */
  readonly from: number
  readonly to: number
}

/** All numbers of a text in their order, at most a few. */
export const all = (text: string, most = 8): ReadonlyArray<Numeral> => {
  const found: Array<Numeral> = []
  const ascii = asciiDigits(text.slice(0, maxText))
  for (const match of ascii.matchAll(written)) {
    if (match.index < (found.at(-1)?.to ?? 0)) continue
    const { digits, part } = withPart(match[0])
    const whole = digits === "" ? 0 : parse(digits)
    if (whole === undefined) continue
    const value = whole + part
    const from = match.index
    const to = from + (part === 0 ? digits.length : match[0].length)
    found.push({ from, ...Scale.behind(ascii, value, to) })
    if (found.length === most) break
  }
  return found
}

/** "2½" is 2 and its half. */
const withPart = (text: string): { readonly digits: string; readonly part: number } => {
  const [sign = ""] = fraction.exec(text) ?? []
  const [over, under] = sign.normalize("NFKD").split("⁄").map(Number)
  const part = over === undefined || under === undefined ? 0 : Number((over / under).toPrecision(12))
  return { digits: text.replace(fraction, "").replace(trailing, ""), part }
}

/** Digits with separators, as a number. */
export const parse = (text: string, decimal?: "." | ","): number | undefined => {
  const digits = asciiDigits(text).replaceAll(blank, "")
  const comma = digits.lastIndexOf(",")
  const point = digits.lastIndexOf(".")
  const last = Math.max(comma, point)
  const mark = decimal ?? (isDecimal(digits, last, comma !== -1 && point !== -1) ? digits[last] : undefined)
  const at = mark === undefined ? -1 : digits.lastIndexOf(mark)
  const groups = (at === -1 ? digits : digits.slice(0, at)).split(/[.,]/)
  // "1.2.3" is a version; in India groups have two digits, and the last three.
  const [, ...further] = groups
  const areGroups = further.every(({ length }, i) => length === 3 || (length === 2 && i < further.length - 1))
  if (further.length > 1 && !areGroups) return undefined
  const whole = groups.join("")
  const part = at === -1 ? "" : digits.slice(at + 1).replaceAll(/[.,]/g, "")
  const number = Number(`${whole === "" ? "0" : whole}${part === "" ? "" : `.${part}`}`)
  return /\d/.test(digits) && Number.isFinite(number) ? number : undefined
}

/** Whether a minus sign stands before it, and not the hyphen of a range or a word. */
export const isNegative = (text: string, { from }: Numeral): boolean =>
  /(?:^|[\s(:€$£])[-−－][€$£]?$|^–$/.test(text.slice(Math.max(0, from - 4), from))

const isDecimal = (digits: string, last: number, both: boolean): boolean => {
  if (last === -1) return false
  if (both) return digits.indexOf(digits[last] ?? "") === last
  const decimals = digits.length - last - 1
  const isAlone = digits.indexOf(digits[last] ?? "") === last
  // "0.125" and ".750" group nothing; "1.234" does.
  return isAlone && (decimals !== 3 || /^-?0?[.,]/.test(digits))
}

const maxText = 400

/** Groups may be apart by a blank only where three digits follow. */
const written =
  /(?:\d{1,3}(?:['’ \u00a0\u202f\u2009]\d{3})+(?!\d)(?:[.,]\d+)?|[.,]?\d(?:\d|[.,](?=\d)|[.,] (?=\d{2}(?!\d)))*(?:['’]\d{3})*(?:[.,]\d+)?)(?: ?[¼-¾⅐-⅞])?|[¼-¾⅐-⅞]/g

const fraction = /[¼-¾⅐-⅞]$/
const trailing = /[.,\s]+$/
const blank = /['’\s\u00a0\u202f\u2009]/g
