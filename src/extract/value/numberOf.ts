/**
 * The number that a text says, in the unit or currency that is wanted.
 *
 * There must be one number, and the text beside it must not mean something else: a day, a range or a name with digits
 * does not count.
 */
import { asciiDigits } from "./asciiDigits.ts"
import * as Day from "./Day.ts"
import * as Duration from "./Duration.ts"
import type { Expected, Fit } from "./Expected.ts"
import * as Measure from "./Measure.ts"
import * as Numeral from "./Numeral.ts"
import type { PageLocale } from "./PageLocale.ts"
import * as Price from "./Price.ts"

/** Words that are a number where they stand alone: the class of a rating is `Three`. */
const words = "zero one two three four five six seven eight nine ten".split(" ")

export const numberOf = (data: string | number | boolean, expected: Expected, setting: PageLocale): Fit | undefined => {
  const { kind, mayBeZero, unit } = expected
  if (kind === "money" && mayBeZero !== true && Price.isNone(String(data))) return undefined
  if (typeof data === "number") return { json: data, fit: 1 }
  if (typeof data === "boolean" || data.length > 80) return undefined
  const text = asciiMinus(asciiDigits(data.trim()), setting.language)
  // A minus behind its number, and a sum in brackets, may say less than nothing and may not.
  if (/\d-$/.test(text) || (kind === "money" && /^\(.*\)$/.test(text))) return undefined
  const plain = plainNumber.test(text) ? Number(text) : undefined
  if (plain !== undefined) return { json: plain, fit: 1 }
  const word = words.indexOf(text.toLowerCase())
  if (word !== -1) return { json: word, fit: 0.9 }
  if (kind === "duration" || (unit !== undefined && Measure.kindOf(unit) === "time")) {
    const seconds = Duration.seconds(Duration.parse(text, setting.language) ?? "")
    const json = seconds === undefined ? undefined : Measure.convert({ value: seconds, unit: "s" }, unit ?? "s")
    if (json !== undefined) return { json, fit: 0.9 }
  }
  if (unit !== undefined) return inUnit(text, unit, setting)
  if (Day.all(text).length > 0 && kind !== "money") return undefined
  if (kind === "text" && percentAlone.test(asciiDigits(text))) {
    const [share] = Numeral.all(text)
    return share === undefined
      ? undefined
      : { json: Numeral.isNegative(text, share) ? -share.value : share.value, fit: 0.9 }
  }
  return withoutUnit(text, expected, setting)
}

const inUnit = (text: string, unit: string, { language }: PageLocale): Fit | undefined => {
  const measure = Measure.parse(text, language)
  const json = measure === undefined ? undefined : Measure.convert(measure, unit)
  if (json !== undefined) return { json, fit: 1 }
  // "1.2 kg (2.6 lb)": what stands there in the unit itself is not converted.
  const measures = Measure.all(text, language)
  const own = measures.find((one) => Measure.isSame(one.unit, unit)) ?? measures[0]
  const stated = own === undefined ? undefined : Measure.convert(own, unit)
  if (stated !== undefined && alternatives.test(text)) return { json: stated, fit: 0.9 }
  // In a column of kilograms a number is one of them.
  const [only, second] = Numeral.all(text)
  const isPlain = measure === undefined && second === undefined && bounded.test(text)
  if (only !== undefined && isPlain) return { json: only.value, fit: 0.8 }
  const rate = rateOf.exec(text)
  const some = rate?.[1] === undefined ? undefined : Measure.parse(rate[1], language)
  const each = some === undefined ? undefined : Measure.convert(some, unit)
  return each === undefined ? undefined : { json: each, fit: 0.9 }
}

/** A sum, or a number of what the property is named after. */
const withoutUnit = (text: string, { currency, kind }: Expected, setting: PageLocale): Fit | undefined => {
  const price = Price.parse(text, setting.currency === undefined ? {} : { currency: setting.currency })
  if (price === undefined || price.upTo !== undefined) return undefined
  if (currency !== undefined && price.currency !== undefined && price.currency !== currency) return undefined
  // "Was $120.00 Now $60.00", "£725,000 (3 beds)" say one price, beside its currency.
  const isOnePrice = kind === "money" && price.beside === true && price.role === undefined && price.several !== true
  // "EUR 20,00 (inkl. 19 % MwSt.)" says one sum.
  const numbers = Numeral.all(text).filter(
    ({ to }) => price.mark === undefined || !/^\s?%/.test(text.slice(to, to + 2))
  )
  if (numbers.length === 0 && kind !== "money") return undefined
  if (price.whole) return { json: price.amount, fit: 1 }
  if (isOnePrice) return { json: price.amount, fit: numbers.length > 1 ? 0.8 : 0.9 }
  if (numbers.length > 1) return undefined
  if (numberAlone.test(text)) return { json: price.amount, fit: 1 }
  if (bounded.test(text)) return { json: price.amount, fit: 0.8 }
  const measure = Measure.parse(text, setting.language)
  if (measure !== undefined) return { json: measure.value, fit: 0.9 }
  // "about 40 people" says one number; "Room B12" says none.
  return /\p{L}\d|\d\p{L}{3}/u.test(text.replace(/^[約约]/, "")) ? undefined : { json: price.amount, fit: 0.6 }
}

/** The same measure in two units, one behind the other or in brackets. */
const alternatives = /^[\d.,\s]+\p{L}{1,16}\.?\s*(?:[([/|≈=]|or\s)\s*[\d.,\s]+\p{L}{1,16}\.?\s*[)\]]?$/u
const plainNumber = /^[-+]?(?:\d{1,15}|\d{0,15}\.(?:\d{1,2}|\d{4,15}))$/
/** "up to 2", "bis 31,5": a bound is the number of its row. */
const bounded =
  /^(?:up to|at most|max\.?|min\.?|from|over|under|less than|more than|bis(?: zu)?|ab|über|unter|maximal|jusqu['’]à|à partir de|hasta|desde|fino a|da|[<>≤≥~≈])\s?[\d.,'’\s\u00a0\u202f]+$/i
/** "18 hours a week": so much each time. */
const rateOf = /^(.{1,30}?)\s?(?:\b(?:a|an|per|each|pro|par|por|al)\s|\/)\s?\p{L}{1,12}$/u
export const numberAlone = /^[-+−–－]?[\d.,'’\s\u00a0\u202f]+%?$/
/** The number of a share, as a column of shares has it. */
const percentAlone = /^[-+−–－]?\s?[\d.,'’\s]+[%％٪]$/

/**
 * Signs that mean minus, as the minus of ASCII: "△12.5" of Japan is "-12.5". Marks of the direction of writing, which
 * stand between a sign and its number, are left out.
 */
export const asciiMinus = (text: string, language: string | undefined): string => {
  const plain = text.replaceAll(/\p{Cf}/gu, "").replaceAll(/[−‑﹣－](?=\s?[\d\p{Sc}.,])/gu, "-")
  const triangle = triangles.find(([of]) => of.test(language ?? ""))?.[1]
  return (triangle === undefined ? plain : plain.replaceAll(triangle, "-")).replaceAll(fallen, "-")
}

/** A share behind a triangle that points down has fallen; what one that points up means differs outside Japan. */
const fallen = /▼\s?(?=[\d.,]+\s?[%％])/g
const triangles: ReadonlyArray<readonly [language: RegExp, signs: RegExp]> = [
  [/^ja\b/i, /[△▲]\s?(?=[\d¥￥.])/g],
  [/^ko\b/i, /△\s?(?=[\d₩.])/g]
]
