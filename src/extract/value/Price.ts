/**
 * A sum of money as a page writes it, with amount and currency apart: "£1.299,00", "1 299,00 €", "US$ 12", "from 26 to 50 €".
 *
 * The number beside a currency is the amount, else the first that is not a percentage (`Sum`); for a range it is the lower
 * end, with the upper end beside it.
 */
import { asciiDigits } from "./asciiDigits.ts"
import * as Currency from "./Currency.ts"
import * as Numeral from "./Numeral.ts"
import * as Sum from "./Sum.ts"

interface Price {
  readonly amount: number
  /** The other end of a range. */
  readonly upTo?: number
  /** ISO code, where it is plain which. */
  readonly currency?: string
  /** The currency as written. */
  readonly mark?: string
  /** Whether the text says a price and nothing else. */
  readonly whole: boolean
  /** Whether the currency stands beside the amount. */
  readonly beside?: true
  /** What the words beside the amount say that it is, where it is not what something costs. */
  readonly role?: Sum.Role
  /** Whether the text says another price as well. */
  readonly several?: true
}

interface Options {
  /** A text that stands beside it and may name the currency. */
  readonly hint?: string
  /** The ISO code that the page names. */
  readonly currency?: string
}

export const parse = (text: string, { hint, currency: page }: Options = {}): Price | undefined => {
  if (text.length > 200) return undefined
  const marks = Currency.all(text)
  const cents = withCentsIn(text)
  const sum = cents === undefined ? Sum.of(text, marks) : undefined
  const found = cents ?? sum?.numeral
  if (found === undefined) return free.test(text) ? { amount: 0, whole: text.length < 12 } : undefined
  const mark = coded(text, marks, nearest(marks, found)) ?? Currency.all(hint ?? "")[0]
  const rest = bare(text, found, marks)
  const upper = marks.length > 0 ? upperEnd(text, found) : undefined
  const digits = text.slice(found.from, found.to)
  // A yen has no cents.
  const isYuan = mark !== undefined && shared.test(mark.text) && /[.,]\d\d$/.test(asciiDigits(digits))
  const currency = mark === undefined ? undefined : codeIn(mark.text, hint, page ?? (isYuan ? "CNY" : undefined))
  const value =
    mark !== undefined && Currency.hasMills(mark.text) ? (Numeral.parse(digits, ".") ?? found.value) : found.value
  // "4.5 to 6 million" is 4.5 million to 6 million.
  const isScaledByUpper = upper !== undefined && scaleOf(text, found) === 1 && value * upper.scale <= upper.value
  const amount = isScaledByUpper ? value * upper.scale : value
  return {
    amount: Numeral.isNegative(text, found) ? -amount : amount,
    whole: mark !== undefined && rest === "",
    ...(cents !== undefined || sum?.isBeside === true ? { beside: true } : {}),
    ...(sum?.role === undefined ? {} : { role: sum.role }),
    ...(sum?.isOneOfMany === true ? { several: true } : {}),
    ...(upper === undefined ? {} : { upTo: upper.value }),
    ...(currency === undefined ? {} : { currency }),
    ...(mark === undefined ? {} : { mark: mark.text })
  }
}

/**
 * Whether a text says no price where one is asked for: nothing, as stands where a price is not known or a cart is empty,
 * and long numbers without a mark or a group, which are those of articles and telephones. What costs nothing says so:
 * "free", "$0".
 */
export const isNone = (text: string): boolean =>
  /^\W*0+(?:[.,]0*)?\W*$/.test(text.replaceAll(/[\p{L}\p{Sc}]/gu, "")) && !isPlainly.test(text)
    ? !free.test(text)
    : /(?<![\d.,])\d{10,}(?![.,]?\d)/.test(text) && parse(text)?.mark === undefined

/** A sum of nothing without cents, as price lists say it. */
const isPlainly = /\p{Sc}\s?0(?![.,\d])|(?<![.,\d])0\s?\p{Sc}/u

/** The sign of China and of Japan. */
export const shared = /^[¥￥]$/

/** A dollar sign means what the text beside it names. */
const codeIn = (mark: string, hint: string | undefined, page: string | undefined): string | undefined => {
  const named = hint === undefined ? undefined : Currency.all(hint).find((one) => Currency.isCode(one.text))
  return Currency.codeOf(mark, named?.text ?? page)
}

/** Where "12€50" and "12 руб. 50 коп." have their cents behind the sign, they are its cents. */
const withCentsIn = (written: string): Numeral.Numeral | undefined => {
  const text = asciiDigits(written)
  const split = withCents.exec(text)
  if (split?.[1] !== undefined) {
    const value = Numeral.parse(`${split[1].replaceAll(/[.,\s]/g, "")}.${split[2]?.padStart(2, "0")}`)
    if (value !== undefined) return { value, from: split.index, to: split.index + split[0].length }
  }
  return undefined
}

const withCents =
  /(\d[\d\s.,]*)(?:€(?=\d)|\s?€\s?(?=\d\d\s*$)|\s?(?:€|euros?|руб(?:\.|л[а-я]+)?|р\.|₽|zł|грн\.?|гривен[ьі]?)\s?(?=\d{1,2}\s?(?:коп|cent|cts?\b|cénts|gr\b|groszy|λεπτ)))(\d{1,2})(?!\d)(?:\s?(?:коп[а-я]*|cent[a-z]*|cts?|gr|groszy)\.?)?/u

/** The mark that stands next to the number; before it where it is as near as the one behind. */
const nearest = (marks: ReadonlyArray<Currency.Mark>, number: Numeral.Numeral): Currency.Mark | undefined => {
  let best: Currency.Mark | undefined
  let least = Number.POSITIVE_INFINITY
  for (const mark of marks) {
    const apart = mark.to <= number.from ? number.from - mark.to : Math.max(0, mark.from - number.to)
    if (apart < least) {
      best = mark
      least = apart
    }
  }
  return best
}

/** A sign that many share means the code, or the word, that stands beside it: "NZD $100", "$1,190.00 AUD", "￥1,299元". */
const coded = (text: string, marks: ReadonlyArray<Currency.Mark>, sign: Currency.Mark | undefined) => {
  if (sign === undefined || Currency.isCode(sign.text.toUpperCase())) return sign
  const code = marks.find(
    (one) =>
      (Currency.isCode(one.text) || (Currency.meansOne(one.text) && !Currency.meansOne(sign.text))) &&
      /^[\s\d.,]*$/.test(text.slice(Math.min(one.to, sign.to), Math.max(one.from, sign.from)))
  )
  return code ?? sign
}

const upperEnd = (text: string, { to, value }: Numeral.Numeral) => {
  const [next] = Numeral.all(text.slice(to))
  if (next === undefined || next.value < value) return undefined
  return /^[^\d]{0,6}(?:[-–—~～〜]|(?<!\p{L})(?:to|bis|a|à|and|until)(?!\p{L}))[^\d]{0,6}$/u.test(
    text.slice(to, to + next.from)
  )
    ? { value: next.value, scale: scaleOf(text.slice(to), next) }
    : undefined
}

/** What the words behind a number multiply it by. */
const scaleOf = (text: string, { from, to, value }: Numeral.Numeral): number => {
  const digits = Numeral.parse(/^[\d.,'’]+/.exec(asciiDigits(text.slice(from, to)))?.[0] ?? "")
  return digits === undefined || digits === 0 ? 1 : value / digits
}

/** What is left of the text beside the number, the currency and what always stands with prices. */
const bare = (text: string, number: Numeral.Numeral, marks: ReadonlyArray<Currency.Mark>): string => {
  const parts = [...text]
  const clear = (from: number, to: number) => {
    for (let i = from; i < to; i++) parts[i] = " "
  }
  if (parts.length !== text.length) return text
  clear(number.from, number.to)
  for (const { from, to } of marks) clear(from, to)
  return parts.join("").replaceAll(courtesy, "").trim()
}

const courtesy =
  /\b(?:from|ab|only|nur|price|each|inc(?:l\.?)? vat|incl?\.? tax|plus vat|\+ vat|inkl\.? mwst\.?|(?:a|per|\/)\s?(?:year|annum|month|hour|day|week))\b|p\.?\s?a\.?|[*.,:;()~+/\s–—-]/gi

const free = /\b(?:free|gratis|kostenlos|gratuite?|gratuito|gratuita|za darmo|бесплатно)\b|免费|無料|무료/i
