/**
 * Currencies: the ISO code that a sign, a word or a code means.
 *
 * A sign that several countries share means the currency that the page names, else the default of the sign ($, £, ¥),
 * else none: "kr" alone is not a currency.
 */
import { own, signs } from "./currencySigns.ts"

/** A currency as it stands in a text. */
export interface Mark {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** All marks of a text in their order. */
export const all = (text: string): ReadonlyArray<Mark> => {
  const found: Array<Mark> = []
  let inWord = false
  for (let at = 0; at < text.length && found.length < 16; at++) {
    const char = text.charAt(at)
    const isOfWord = isLetter(char)
    const some =
      isOfWord && inWord && !(unspaced.has(char) && afterSum.test(text.slice(0, at))) ? undefined : marks.get(char)
    inWord = isOfWord
    const mark = some?.find((one) => text.startsWith(one, at) && isEdged(text, one, at))
    if (mark === undefined) continue
    found.push({ text: mark, from: at, to: at + mark.length })
    at += mark.length - 1
    inWord = isLetter(mark.charAt(mark.length - 1))
  }
  return found
}

/**
 * Words want an edge, so that "kr" is not in "krone"; a code wants a number or a sign beside, or the text for itself. What
 * is a word too, "TOP 10", "ALL 5 colours", wants to end a sum, "5 ALL", or a sum with cents behind: "ALL 5.00".
 */
const isEdged = (text: string, mark: string, at: number): boolean => {
  const end = at + mark.length
  const before = text.slice(Math.max(0, at - 3), at)
  const behind = text.slice(end, end + 24)
  if (capital.test(mark) && !/[\d\p{L}.,–-]\s?$/u.test(before) && !/^\s\d[\d.]*,\d\d(?!\d)/.test(behind)) return false
  if (unspaced.has(mark.charAt(0)) && afterSum.test(text.slice(Math.max(0, at - 8), at))) return true
  if (isWord.has(mark) || codes.has(mark)) {
    const isAlone = text.trim().length === mark.length
    const isBehind = /\d[\s\u00a0\u202f]?$/.test(before)
    if (words.has(mark.toUpperCase())) {
      const isLast = isBehind && /^\s*(?:[.,;:)*/|+-]|$)/.test(behind)
      if (!isAlone && !isLast && !/^[\s:\u00a0]{0,2}\d[\d.,]*[.,]\d\d(?!\d)/.test(behind)) return false
    } else if (!isAlone && !isBehind && !beside.test(behind) && !/[\p{Sc}(][\s]?$|[:-]\s?$/u.test(before)) return false
  }
  return end >= text.length || !isLetter(mark.charAt(mark.length - 1)) || !isLetter(text.charAt(end))
}

const beside = /^[\s:\u00a0\u202f]{0,3}(?:[\d\p{Sc}]|[A-Z]{0,2}\$|[.,]\d)|^\s[-−]\s?\d|^\)|^\s?\/\s?\p{L}/u

/** The first letters of what stands behind a sum without a blank: "12.8万円", "15만원", "350万元起", "2 ล้านบาท". */
const unspaced: ReadonlySet<string> = new Set("円元圆圓원บ")
const afterSum = /(?:[\d０-９][千万萬億亿천만억조兆百]{0,2}|ล้าน|แสน|หมื่น|พัน)\s?$/u
/** "12,50 Euro" is a sum, "Euro 6" a norm. */
const capital = /^Euros?$|^EURO$/

const isLetter = (char: string): boolean => {
  const code = char.charCodeAt(0)
  return code < 128 ? (code > 64 && code < 91) || (code > 96 && code < 123) : letter.test(char)
}

const letter = /\p{L}/u

/** The ISO code; `page` is the code that the page itself names, which decides about shared signs. */
export const codeOf = (mark: string, page?: string): string | undefined => {
  const plain = mark.trim().replaceAll(/\s+/g, "")
  const upper = plain.toUpperCase()
  if (codes.has(upper) && (plain === upper || !words.has(upper))) return upper
  const means = bySign.get(plain) ?? bySign.get(plain.toLowerCase().replace(/\.$/, "")) ?? bySign.get(upper)
  if (means === undefined) return undefined
  return page !== undefined && means.includes(page) ? page : own.has(plain) || means.length === 1 ? means[0] : undefined
}

/** Sums in these have three digits behind the point: "423.923 KD". */
export const hasMills = (mark: string): boolean => mills.has(codeOf(mark) ?? bySign.get(mark)?.[0] ?? "")

/** Whether a mark means one currency everywhere. */
export const meansOne = (mark: string): boolean => bySign.get(mark)?.length === 1

export const isCode = (text: string): boolean => codes.has(text)

const written = signs.flatMap(([, list]) => list.split(" ").map((sign) => sign.replaceAll("_", " ")))

const bySign = new Map<string, ReadonlyArray<string>>()
for (const [means, list] of signs) {
  for (const sign of list.split(" ")) {
    const plain = sign.replaceAll("_", "")
    if (!bySign.has(plain)) bySign.set(plain, means.split(" "))
  }
}

const mills = new Set(["KWD", "BHD", "OMR", "TND", "JOD", "LYD", "IQD"])

/** Codes that stand by themselves in texts, those of old money too. */
const codes = new Set([
  ...Intl.supportedValuesOf("currency"),
  ..."DEM FRF ITL ESP PTE NLG ATS BEF FIM IEP GRD BTC".split(" ")
])

/** Codes that stand on pages as other things more often than as money. */
const words: ReadonlySet<string> = new Set(
  "ALL ANG BAM BOB COP CUP DOP GEL LAK MAD MOP PEN RON SOS TOP TRY XTS XXX".split(" ")
)

/** Codes that stand for money wherever they stand beside a number. */
export const plainCodes: ReadonlyArray<string> = [
  ...Intl.supportedValuesOf("currency").filter((code) => !words.has(code)),
  "RON",
  "TRY"
]

const isWord: ReadonlySet<string> = new Set([
  ...Array.from(codes, (code) => code.toLowerCase()),
  ..."ALL TOP TRY MAD CUP PEN BOB MOP SOS COP R Q ID NT BD DA DT LD JD LE SR RM KM Re Br Ks Sh Sl Esc pound pounds".split(
    " "
  )
])

/** Signs, words and codes by their first character, longest first. */
const marks: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const small = Array.from(codes, (code) => code.toLowerCase())
  const texts = [...new Set([...written, ...codes, ...small, "AU $", "US $", "CA $", "NZ $"])]
  const found = Map.groupBy(texts, (text) => text.charAt(0))
  for (const some of found.values()) some.sort((a, b) => b.length - a.length)
  return found
})()
