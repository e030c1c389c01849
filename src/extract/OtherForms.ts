/**
 * Whether a page says a value in another form than a model gave it: "a thousand" says 1000, "£" says GBP, "45 minutes" says
 * PT45M, "1.5 kg" says 1500 where grams are wanted, "020 7946 0958" says "+44 20 7946 0958".
 *
 * What a page has of each form, and where, is looked for once, when the first value needs it.
 */
import { identity } from "./merge/Part.ts"
import * as Currency from "./value/Currency.ts"
import * as Duration from "./value/Duration.ts"
import * as Measure from "./value/Measure.ts"
import { monthOf } from "./value/Months.ts"
import * as Numeral from "./value/Numeral.ts"
import * as Price from "./value/Price.ts"

/** Where something stands in a text. */
export type Stretch = readonly [from: number, to: number]

interface OtherForms {
  /** Where the text says it. `name` is what the value is called: a unit at its end is the one that is wanted. */
  readonly ofNumber: (value: number, name: string) => Stretch | undefined
  readonly ofText: (value: string) => Stretch | undefined
}

/** `text` is what the page says, `addresses` where it leads: those stand nowhere in the text. */
export const of = (text: string, addresses: ReadonlyArray<string>): OtherForms => {
  const sums = once(() => sumsIn(text))
  const counts = once(() => countsIn(text))
  const codes = once(() => codesIn(text))
  const phones = once(() =>
    Array.from(text.matchAll(phone), (match) => [digitsOf(match[0]), stretchOf(match)] as const)
  )
  const urls = once(() => {
    const written = Array.from(text.matchAll(url), (match) => [identity(match[0]), stretchOf(match)] as const)
    return firsts([...written, ...addresses.map((one) => [identity(one), nowhere] as const)])
  })
  const times = once(() => timesIn(text))
  const months = once(() => monthsIn(text))

  const countOf = (value: number) => sums().numbers.get(value) ?? counts().get(value)
  const measureOf = (value: number, unit: string) =>
    sums().measures.find(({ measure }) => {
      const converted = Measure.convert(measure, unit)
      return converted !== undefined && Math.abs(converted - value) <= 0.005 * Math.abs(value)
    })?.stretch

  const ofNumber = (value: number, name: string): Stretch | undefined => {
    const unit = Measure.unitOf(name.split(/[\W_]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase()))
    return countOf(value) ?? sums().shares.get(value) ?? (unit === undefined ? undefined : measureOf(value, unit))
  }
  const ofText = (value: string): Stretch | undefined => {
    if (isAddress.test(value)) return urls().get(identity(value))
    const spoken = wordsIn(text, value)
    if (spoken !== undefined) return spoken
    if (/^[A-Z]{3}$/.test(value)) return codes().get(value)
    if (/^\d{2}:\d{2}(?::00)?$/.test(value)) return times().get(value.slice(0, 5))
    if (/^\d{4}-\d{2}$/.test(value)) return months().get(value)
    if (phoneAlone.test(value)) return phones().find(([digits]) => isSamePhone(digits, digitsOf(value)))?.[1]
    if (/^-?\d+(?:\.\d+)?$/.test(value)) return countOf(Number(value))
    const seconds = value.startsWith("P") ? Duration.seconds(value) : undefined
    if (seconds !== undefined) return measureOf(seconds, "s")
    const measure = Measure.parse(value)
    const measured = measure === undefined ? undefined : measureOf(measure.value, measure.unit)
    if (measured !== undefined) return measured
    const price = Price.parse(value)
    if (price?.whole !== true || price.currency === undefined || !codes().has(price.currency)) return undefined
    return countOf(price.amount)
  }
  return { ofNumber, ofText }
}

/** Whether a text is a web address. */
export const isAddress = /^https?:\/\//i
const url = /https?:\/\/[^\s"'<>()[\]]*[^\s"'<>()[\].,;:!?]/gi

/** Of what a page leads to, and does not write. */
const nowhere: Stretch = [0, 0]

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

const stretchOf = ({ 0: written, index }: RegExpExecArray): Stretch => [index, index + written.length]

/** Each key with its first place. */
const firsts = <A>(all: Iterable<readonly [A, Stretch]>): ReadonlyMap<A, Stretch> => {
  const places = new Map<A, Stretch>()
  for (const [key, stretch] of all) if (!places.has(key)) places.set(key, stretch)
  return places
}

/** Where the words of a value stand in a text, in their order, whatever stands between words. */
const wordsIn = (text: string, value: string): Stretch | undefined => {
  const words = value.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  if (words.length === 0 || words.length > mostWords) return undefined
  const between = "[^\\p{L}\\p{M}\\p{N}]+"
  const pattern = `(?<![\\p{L}\\p{M}\\p{N}])${words.join(between)}(?![\\p{L}\\p{M}\\p{N}])`
  const match = new RegExp(pattern, "iu").exec(text)
  return match === null ? undefined : stretchOf(match)
}

/** A longer text is no name and no address: the page has it as it is, or it is another one. */
const mostWords = 400

/** Whether a number stands alone in brackets: "(12)" is 12 less than nothing to an accountant. */
export const asSign = (text: string, [from, to]: Stretch): boolean =>
  /\(\s?\p{Sc}?\s?$/u.test(text.slice(Math.max(0, from - 4), from)) &&
  /^\s?[%\p{Sc}]?\s?\)/u.test(text.slice(to, to + 4))

/** Numbers with the words behind them, as numbers, as measures, and as shares: "25 %" is 0.25. */
const sumsIn = (text: string) => {
  const numbers = new Map<number, Stretch>()
  const shares = new Map<number, Stretch>()
  const measures: Array<{ readonly measure: Measure.Measure; readonly stretch: Stretch }> = []
  let before = { from: 0, to: 0, seconds: 0 }
  for (const match of text.matchAll(sum)) {
    const [written] = match
    const stretch = stretchOf(match)
    for (const { to, value } of Numeral.all(written)) {
      if (!numbers.has(value)) numbers.set(value, stretch)
      const share = /^\s?[%％]/.test(written.slice(to)) ? Number((value / 100).toPrecision(12)) : undefined
      if (share !== undefined && !shares.has(share)) shares.set(share, stretch)
    }
    const own = Measure.all(written)
    for (const measure of own) measures.push({ measure, stretch })
    const [time] = own.filter(({ unit }) => Measure.kindOf(unit) === "time")
    if (time === undefined) continue
    // "1 hour and 30 minutes" is one length of time.
    const isNext = before.seconds > 0 && match.index - before.to <= mostBetween
    const seconds = (Measure.convert(time, "s") ?? 0) + (isNext ? before.seconds : 0)
    const from = isNext ? before.from : match.index
    if (isNext) measures.push({ measure: { value: seconds, unit: "s" }, stretch: [from, stretch[1]] })
    before = { from, to: stretch[1], seconds }
  }
  return { numbers, measures, shares }
}

const sum = /(?<![\d.,])\d[\d.,'’ \u00a0\u202f]{0,20}(?:[%％]|[-\u00a0]?[\p{L}µ°²³]{1,16})?/gu
const mostBetween = 6

/** Numbers in English words: "a thousand", "twenty-five", "two hundred and ten". */
const countsIn = (text: string): ReadonlyMap<number, Stretch> => {
  const counts: Array<readonly [number, Stretch]> = []
  const words = Array.from(text.toLowerCase().matchAll(/[a-z]+|[^a-z\s-]+/g))
  let [all, part, isOpen, from, to] = [0, 0, false, 0, 0]
  const end = (): void => {
    if (isOpen) counts.push([all + part, [from, to]])
    ;[all, part, isOpen] = [0, 0, false]
  }
  for (const [i, match] of words.entries()) {
    const [word] = match
    const small = smalls.get(word)
    const scale = scales.get(word)
    const isOne = /^an?$/.test(word) && scales.has(words[i + 1]?.[0] ?? "")
    if (small !== undefined || isOne) part += small ?? 1
    else if (scale !== undefined && scale <= 100) part = Math.max(1, part) * scale
    else if (scale !== undefined) [all, part] = [all + Math.max(1, part) * scale, 0]
    else if (isOpen && word === "and") continue
    else {
      end()
      continue
    }
    if (!isOpen) from = match.index
    isOpen = true
    to = match.index + word.length
  }
  end()
  return firsts(counts)
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
const timesIn = (text: string): ReadonlyMap<string, Stretch> =>
  firsts(
    Array.from(text.matchAll(time), (match) => {
      const [, hour = "", minutes = "00", half = ""] = match
      const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)
      return [`${String(hours).padStart(2, "0")}:${minutes}`, stretchOf(match)] as const
    })
  )

const time = /(?<![\d.:])(\d{1,2})(?:[.:h]([0-5]\d))?(?![\d:])(?:\s?([ap])\.?m\b|(?<=[.:h]\d\d)|\s?(?:uhr|h)\b)/gi

/** Months of a year, as "2019-05". */
const monthsIn = (text: string): ReadonlyMap<string, Stretch> =>
  firsts(
    Array.from(text.matchAll(/(\p{L}{3,12})\.?,?\s(?:de\s)?(\d{4})(?!\d)/gu)).flatMap((match) => {
      const [, word = "", year] = match
      const month = monthOf(word.toLowerCase(), undefined)
      return month === undefined ? [] : [[`${year}-${String(month).padStart(2, "0")}`, stretchOf(match)] as const]
    })
  )

/** The codes of the currencies whose signs, words or codes stand there. */
const codesIn = (text: string): ReadonlyMap<string, Stretch> =>
  firsts(
    Array.from(text.matchAll(/[^\n]{0,100}/g)).flatMap(({ 0: line, index }) =>
      /\p{Nd}|^[^\n]{1,12}$/u.test(line)
        ? Currency.all(line).flatMap(({ from, text: mark, to }) => {
            const code = Currency.codeOf(mark)
            return code === undefined ? [] : [[code, [index + from, index + to]] as const]
          })
        : []
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
