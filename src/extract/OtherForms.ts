/**
 * Whether a page says a value in another form than a model gave it: "a thousand" says 1000, "£" says GBP, "45 minutes" says
 * PT45M, "1.5 kg" says 1500 where grams are wanted, "020 7946 0958" says "+44 20 7946 0958".
 *
 * What a page has of each form is looked for once, when the first value needs it.
 */
import { identity } from "./merge/Part.ts"
import * as Currency from "./value/Currency.ts"
import * as Duration from "./value/Duration.ts"
import * as Measure from "./value/Measure.ts"
import { monthOf } from "./value/Months.ts"
import * as Numeral from "./value/Numeral.ts"
import * as Price from "./value/Price.ts"

interface OtherForms {
  /** `name` is what the value is called: a unit at its end is the one that is wanted. */
  readonly hasNumber: (value: number, name: string) => boolean
  readonly hasText: (value: string) => boolean
}

/** `text` is what the page says, `addresses` where it leads. */
export const of = (text: string, addresses: ReadonlyArray<string>): OtherForms => {
  const sums = once(() => sumsIn(text))
  const counts = once(() => countsIn(text))
  const codes = once(() => codesIn(text))
  const phones = once(() => Array.from(text.matchAll(phone), ([written]) => digitsOf(written)))
  const urls = once(() => new Set([...addresses, ...Array.from(text.matchAll(url), ([found]) => found)].map(identity)))
  const times = once(() => timesIn(text))
  const months = once(() => monthsIn(text))
  const words = once(() => ` ${wordsOf(text)} `)

  const isCount = (value: number): boolean => sums().numbers.has(value) || counts().has(value)
  const isMeasure = (value: number, unit: string): boolean =>
    sums().measures.some((measure) => {
      const converted = Measure.convert(measure, unit)
      return converted !== undefined && Math.abs(converted - value) <= 0.005 * Math.abs(value)
    })

  const hasNumber = (value: number, name: string): boolean => {
    const unit = Measure.unitOf(name.split(/[\W_]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase()))
    return isCount(value) || sums().shares.has(value) || (unit !== undefined && isMeasure(value, unit))
  }
  const hasText = (value: string): boolean => {
    if (isAddress.test(value)) return urls().has(identity(value))
    const spoken = wordsOf(value)
    if (spoken !== "" && words().includes(` ${spoken} `)) return true
    if (/^[A-Z]{3}$/.test(value)) return codes().has(value)
    if (/^\d{2}:\d{2}(?::00)?$/.test(value)) return times().has(value.slice(0, 5))
    if (/^\d{4}-\d{2}$/.test(value)) return months().has(value)
    if (phoneAlone.test(value)) return phones().some((digits) => isSamePhone(digits, digitsOf(value)))
    if (/^-?\d+(?:\.\d+)?$/.test(value)) return isCount(Number(value))
    const seconds = value.startsWith("P") ? Duration.seconds(value) : undefined
    if (seconds !== undefined) return isMeasure(seconds, "s")
    const measure = Measure.parse(value)
    if (measure !== undefined && isMeasure(measure.value, measure.unit)) return true
    const price = Price.parse(value)
    return price?.whole === true && isCount(price.amount) && price.currency !== undefined && codes().has(price.currency)
  }
  return { hasNumber, hasText }
}

/** Whether a text is a web address. */
export const isAddress = /^https?:\/\//i
const url = /https?:\/\/[^\s"'<>()[\]]*[^\s"'<>()[\].,;:!?]/gi

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

const wordsOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

/** Numbers with the words behind them, as numbers, as measures, and as shares: "25 %" is 0.25. */
const sumsIn = (text: string) => {
  const numbers = new Set<number>()
  const shares = new Set<number>()
  const measures: Array<Measure.Measure> = []
  let before = { to: 0, seconds: 0 }
  for (const match of text.matchAll(sum)) {
    const [written] = match
    for (const { to, value } of Numeral.all(written)) {
      numbers.add(value)
      if (/^\s?[%％]/.test(written.slice(to))) shares.add(Number((value / 100).toPrecision(12)))
    }
    const own = Measure.all(written)
    measures.push(...own)
    const [time] = own.filter(({ unit }) => Measure.kindOf(unit) === "time")
    if (time === undefined) continue
    // "1 hour and 30 minutes" is one length of time.
    const isNext = before.seconds > 0 && match.index - before.to <= mostBetween
    const seconds = (Measure.convert(time, "s") ?? 0) + (isNext ? before.seconds : 0)
    if (isNext) measures.push({ value: seconds, unit: "s" })
    before = { to: match.index + written.length, seconds }
  }
  return { numbers, measures, shares }
}

const sum = /(?<![\d.,])\d[\d.,'’ \u00a0\u202f]{0,20}(?:[%％]|[-\u00a0]?[\p{L}µ°²³]{1,16})?/gu
const mostBetween = 6

/** Numbers in English words: "a thousand", "twenty-five", "two hundred and ten". */
const countsIn = (text: string): ReadonlySet<number> => {
  const found = new Set<number>()
  const words = text.toLowerCase().match(/[a-z]+|[^a-z\s-]+/g) ?? []
  let [all, part, isOpen] = [0, 0, false]
  for (const [i, word] of words.entries()) {
    const small = smalls.get(word)
    const scale = scales.get(word)
    const isOne = /^an?$/.test(word) && scales.has(words[i + 1] ?? "")
    if (small !== undefined || isOne) part += small ?? 1
    else if (scale !== undefined && scale <= 100) part = Math.max(1, part) * scale
    else if (scale !== undefined) [all, part] = [all + Math.max(1, part) * scale, 0]
    else if (!(isOpen && word === "and")) {
      if (isOpen) found.add(all + part)
      ;[all, part, isOpen] = [0, 0, false]
      continue
    }
    isOpen = true
  }
  if (isOpen) found.add(all + part)
  return found
}

const smalls: ReadonlyMap<string, number> = new Map([
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, i) => [word, i] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, i) => [word, 10 * (i + 2)] as const)
])
const scales: ReadonlyMap<string, number> = new Map([
  ["dozen", 12],
  ["hundred", 100],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9]
])

/** Times of a day, as "09:00": "9.00", "9 am" and "9:00 a.m." say it. */
const timesIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(time), ([, hour = "", minutes = "00", half = ""]) => {
      const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)
      return `${String(hours).padStart(2, "0")}:${minutes}`
    })
  )

const time = /(?<![\d.:])(\d{1,2})(?:[.:h]([0-5]\d))?(?![\d:])(?:\s?([ap])\.?m\b|(?<=[.:h]\d\d)|\s?(?:uhr|h)\b)/gi

/** Months of a year, as "2019-05". */
const monthsIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(/(\p{L}{3,12})\.?,?\s(?:de\s)?(\d{4})(?!\d)/gu)).flatMap(([, word = "", year]) => {
      const month = monthOf(word.toLowerCase(), undefined)
      return month === undefined ? [] : [`${year}-${String(month).padStart(2, "0")}`]
    })
  )

/** The codes of the currencies whose signs, words or codes stand there. */
const codesIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(/[^\n]{0,100}/g)).flatMap(([line]) =>
      /\p{Nd}|^[^\n]{1,12}$/u.test(line) ? Currency.all(line).flatMap((mark) => Currency.codeOf(mark.text) ?? []) : []
    )
  )

const phone = /(?<!\d)\+?\(?\d[\d\p{Zs}\p{Pd}()./]{5,24}\d/gu
const phoneAlone = /^(?:tel:)?\+?[\d\s()./-]{7,25}$/
const digitsOf = (written: string): string => written.replaceAll(/\D/g, "")

/** The same number with and without the code of its country. */
const isSamePhone = (one: string, other: string): boolean => {
  const [short = "", long = ""] = [one, other].toSorted((a, b) => a.length - b.length)
  const local = short.replace(/^0/, "")
  return short === long || (local.length >= 7 && long.length - local.length <= 4 && long.endsWith(local))
}
