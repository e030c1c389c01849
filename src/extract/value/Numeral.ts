/**
 * Numbers as people write them: "1.299,00", "1 299.5", "1'049,95", ".75", "1.2M", "3,4 million", "1万2800",
 * "١٬٢٣٤٫٥".
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
  const ascii = asciiDigits(text.slice(0, maxText))
  for (const match of ascii.matchAll(written)) {
    if (match.index < (found.at(-1)?.to ?? 0)) continue
    const { digits, part } = withPart(match[0])
    const whole = digits === "" ? 0 : parse(digits)
    if (whole === undefined) continue
    const value = whole + part
    const from = match.index
    const to = from + (part === 0 ? digits.length : match[0].length)
    found.push({ from, ...scaleBehind(ascii, value, to) })
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

interface Scaled {
  readonly value: number
  /** Where the number ends: behind its words. */
  readonly to: number
}

/**
 * Words that multiply the number before them: "3,4 million", "12 тыс.", "2.3 crore", "1万2800", "1만 5천".
 *
 * A word that means different numbers in different languages, or something else too, counts only beside money.
 *
 * A number of a text whose digits are ASCII, with the words that stand behind it.
 */
const scaleBehind = (text: string, value: number, to: number): Scaled => {
  const next = text.slice(to, to + 4)
  if (counted.test(next)) return counting(text, value, to)
  const match = word.exec(text.slice(to, to + 20))
  const scaleWord = match?.[1] ?? match?.[2]
  if (match === null || scaleWord === undefined || (beside.has(scaleWord) && !money.test(text))) return { value, to }
  const factor = factors.get(scaleWord) ?? factors.get(scaleWord.toLowerCase().replace(/\.$/, "")) ?? 1
  return factor === 1 ? { value, to } : { value: times(value, factor), to: to + match[0].length }
}

/** Multiplied so that 1.2 million is 1200000, without dust of binary fractions. */
const times = (value: number, factor: number): number => Number((value * factor).toPrecision(15))

/**
 * East Asian numbers count in ten thousands, and what is left stands behind: "3億5000万", "1万2,800", "1만 5천". "5千万" is
 * 5000 times 10000.
 */
const counting = (text: string, first: number, from: number): Scaled => {
  let [part, sum, to, least] = [first, 0, from, Number.POSITIVE_INFINITY]
  for (;;) {
    const [scale = ""] = counted.exec(text.slice(to, to + 4)) ?? []
    const factor = factors.get(scale.trim()) ?? 1
    if (factor === 1 || factor >= least) break
    part = times(part, factor)
    to += scale.length
    if (factor < 10_000 && counted.test(text.slice(to, to + 4))) continue
    sum += part
    part = 0
    least = factor
    const rest = /^\s?(\d{1,4}|\d,\d{3})(?![\d.,])/.exec(text.slice(to, to + 8))
    const digits = rest?.[1]?.replace(",", "")
    const isApart = rest !== null && /^\s/.test(rest[0]) && scale.trim() !== "만"
    if (rest === null || digits === undefined || (isApart && !counted.test(text.slice(to + rest[0].length)))) break
    part = Number(digits)
    to += rest[0].length
  }
  return { value: sum + part, to }
}

const counted = /^\s?(?:[千万萬億亿兆천만억조]|百[万萬])(?!\p{Script=Katakana}|円札|ウォン)/u

const words: ReadonlyArray<readonly [factor: number, words: string]> = [
  [
    1e3,
    "k thousand tsd tausend duizend tusen mila mille tys tis tyś тыс тысяч тысячи тысяча тис тисяч тисячі хил ezer mii χιλ χιλιάδες nghìn ngàn ribu ألف آلاف هزار אלף हज़ार हजार হাজার พัน 千 천 bin mil"
  ],
  [1e4, "หมื่น 万 萬 만"],
  [1e5, "lakh lakhs lac lacs लाख লাখ লক্ষ แสน L"],
  [
    1e6,
    "m mn million millions mio millionen millón millones milhão milhões milione milioni miljoen miljoner miljonia miljoonaa miljoona milj mln милн млн миллион миллиона миллионов мільйон мільйона мільйонів милиона millió milion miliony milionów milionů milioane εκατ εκατομμύρια εκατομμύριο milyon triệu juta مليون ملايين میلیون מיליון ล้าน 百万 百萬"
  ],
  [1e7, "crore crores करोड़ কোটি Cr cr"],
  [1e8, "億 亿 억"],
  [
    1e9,
    "b bn billion mrd md milliarden milliarde milliard milliards miljard miljarder mld млрд миллиард миллиарда миллиардов мільярд мільярда мільярдів miliardi miliard miliardy miliardów milliárd miliarde δισ δισεκατομμύρια milyar tỷ tỉ miliar bilhão bilhões مليار میلیارد מיליארד"
  ],
  [1e12, "trillion 兆 조"]
]

const factors: ReadonlyMap<string, number> = new Map(
  words.flatMap(([factor, names]) => names.split(" ").map((name) => [name, factor] as const))
)

/** What means something else where no money is: "3 mil" is thin, "2 bin" has rubbish in it. */
const beside: ReadonlySet<string> = new Set("mil bin L Cr cr mille md".split(" "))
const money = /\p{Sc}|\b(?:TL|lira|kişi|euros?|reais|pesos|Rs|Rp)\b/u

/** "1.2M" is a scale, "1.2 m" a length; "1,5 M€" is a scale again. Thai writes what is counted close behind. */
const word = (() => {
  const long = Array.from(factors.keys()).filter((name) => name.length > 1 || name === "L")
  const names = long.filter((name) => !/^[\u0e00-\u0e7f]/.test(name) && name !== "md")
  const thai = long.filter((name) => /^[\u0e00-\u0e7f]/.test(name))
  const plain = names.map((name) => `${name}|${name.charAt(0).toUpperCase()}${name.slice(1)}|${name.toUpperCase()}`)
  return new RegExp(
    `^(?:([kKMB])(?![\\p{L}\\d])|[ \\u00a0\\u202f]?([kKM](?=€)|Mds?(?=\\s?€)|(?:${plain.join("|")})\\.?(?![\\p{L}\\p{M}])|${thai.join("|")}))`,
    "u"
  )
})()
