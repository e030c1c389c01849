/**
 * A value as a page writes it, as the type, format and meaning that a schema wants.
 *
 * The result is undefined if the text is of another kind, and never a value that the page does not have. The fit is 1 if
 * the text is only this value, and lower if the value was cut out of a longer text.
 */
import { RE2JS } from "re2js"
import { type Json, type JsonSchema, typeOf } from "#contract/JsonSchema"
import { asciiDigits } from "./asciiDigits.ts"
import type { Expected, Fit, Kind } from "./Choice.ts"
import * as Choice from "./Choice.ts"
import * as Contact from "./Contact.ts"
import * as Currency from "./Currency.ts"
import * as Day from "./Day.ts"
import * as Duration from "./Duration.ts"
import * as Instant from "./Instant.ts"
import * as Measure from "./Measure.ts"
import * as Numeral from "./Numeral.ts"
import type { PageLocale } from "./PageLocale.ts"
import * as Price from "./Price.ts"

type Data = string | number | boolean

export const fit = (data: Data, expected: Expected, setting: PageLocale): Fit | undefined => {
  for (const schema of expected.schemas) {
    const found = fitOne(data, schema, expected, setting)
    if (found !== undefined && isAllowed(found.json, schema)) {
      return isWithin(found.json, schema) ? found : { ...found, fit: 0.3 * found.fit }
    }
  }
  return undefined
}

const fitOne = (data: Data, schema: JsonSchema, expected: Expected, setting: PageLocale): Fit | undefined => {
  const choices = schema["const"] === undefined ? schema["enum"] : [schema["const"]]
  if (Array.isArray(choices)) {
    const json = Choice.choose(String(data), choices)
    return json === undefined ? undefined : { json, fit: 1 }
  }
  switch (typeOf(schema)) {
    case "number":
      return numberOf(data, expected, setting)
    case "integer": {
      const found = numberOf(data, expected, setting)
      return found !== undefined && Number.isInteger(found.json) ? found : undefined
    }
    case "boolean": {
      const json = typeof data === "boolean" ? data : typeof data === "number" ? truthOf(data) : Choice.truth(data)
      if (json === undefined) return undefined
      // "sold out" is a yes to `sold_out`, and "yes" is one too.
      const isState = expected.isDenied === true && typeof data === "string" && Choice.kindOf(data) !== undefined
      return { json: isState ? !json : json, fit: 1 }
    }
    case "string":
      if (expected.kind === "money" && expected.mayBeZero !== true && Price.isNone(String(data))) return undefined
      return textOf(data, schema["format"], expected, setting)
    case undefined:
      return typeof data === "string" ? textOf(data, schema["format"], expected, setting) : { json: data, fit: 1 }
    default:
      return undefined
  }
}

const truthOf = (number: number): boolean | undefined => (number === 1 ? true : number === 0 ? false : undefined)

const textOf = (data: Data, format: Json | undefined, expected: Expected, setting: PageLocale): Fit | undefined => {
  const text = String(data).trim()
  if (text === "" || (expected.isCalled === true && isCode(text))) return undefined
  const formatted = typeof format === "string" ? byFormat(text, format, setting) : undefined
  if (formatted !== undefined) return formatted ?? undefined
  return byKind(text, expected.kind, setting)
}

/** "INV-2024-001", "1,250.00": a number, and no name of anybody. "3M" and "Studio 54" are. */
const isCode = (text: string): boolean => {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0
  return digits > 2 && digits >= (text.match(/\p{L}/gu)?.length ?? 0) && !/\p{L}{3}.*\s|\s.*\p{L}{3}/u.test(text)
}

/** null: the format is known and the text is not of it; undefined: it is not known. */
const byFormat = (text: string, format: string, setting: PageLocale): Fit | null | undefined => {
  const only = (json: string | undefined, whole = true): Fit | null =>
    json === undefined ? null : { json, fit: whole ? 1 : 0.7 }
  switch (format) {
    case "uri":
    case "url":
    case "iri":
    case "uri-reference":
      return only(Contact.url(text, setting.url), Contact.looksLikeUrl(text))
    case "email":
    case "idn-email":
      return only(Contact.email(text.replace(/^mailto:/i, "")))
    case "date":
      return text.length > 200 ? null : only(Day.parse(text, setting), Instant.isWhole(text, setting))
    case "date-time":
      return only(Instant.parse(text, setting), Instant.isWhole(text, setting))
    case "time":
      return only(/^(?:T|.*T)?(\d{2}:\d{2}(?::\d{2})?)(?:Z|[+-]\d{2}:?\d{2})?$/.exec(text)?.[1])
    case "duration":
      return only(Duration.parse(text, setting.language))
    case "phone":
    case "tel":
      return only(Contact.phone(text))
    case "uuid":
      return only(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(text)?.[0])
    case "ipv4":
      return only(/^\d{1,3}(?:\.\d{1,3}){3}$/.exec(text)?.[0])
    default:
      return undefined
  }
}

/** A plain string whose name says what it holds. */
const byKind = (text: string, kind: Kind, setting: PageLocale): Fit | undefined => {
  switch (kind) {
    case "date": {
      const whole = text.length <= 200 && Instant.isWhole(text, setting)
      const json = whole ? dateOf(text, setting) : undefined
      if (json !== undefined) return { json, fit: 1 }
      return Day.all(text, setting).length > 0 ? { json: text, fit: 0.6 } : { json: text, fit: 0.3 }
    }
    case "currency": {
      const json = currencyOf(text, setting)
      return json === undefined ? undefined : { json, fit: 1 }
    }
    case "url": {
      const json = Contact.looksLikeUrl(text) ? Contact.url(text, setting.url) : undefined
      return json === undefined ? { json: text, fit: 0.2 } : { json, fit: 1 }
    }
    case "email": {
      const json = Contact.email(text.replace(/^mailto:/i, ""))
      return json === undefined ? undefined : { json, fit: 1 }
    }
    case "phone": {
      const json = Contact.phone(text)
      return json === undefined ? undefined : { json, fit: 1 }
    }
    case "status":
      return {
        json: /^https?:\/\/schema\.org\//.test(text) ? (text.split("/").at(-1) ?? text) : text,
        fit: text.length > 80 ? 0.4 : 1
      }
    case "money":
      return {
        json: text,
        fit:
          Price.parse(text, setting.currency === undefined ? {} : { currency: setting.currency })?.whole === true ||
          numberAlone.test(text)
            ? 1
            : /\p{Nd}/u.test(text) && text.length < 60
              ? 0.6
              : 0.2
      }
    case "number":
      return { json: text, fit: /\p{Nd}/u.test(text) && text.length < 60 ? 1 : 0.3 }
    case "duration":
    case "text":
      return { json: text, fit: 1 }
  }
}

/** The day where only a day is written, else the point in time. */
const dateOf = (text: string, setting: PageLocale): string | undefined => {
  const instant = Instant.parse(text, setting)
  return instant !== undefined && instant.endsWith("T00:00:00Z") && !/\d[:h]\d|T\d/.test(text)
    ? instant.slice(0, 10)
    : instant
}

const currencyOf = (text: string, { currency: page }: PageLocale): string | undefined => {
  if (text.length > 60) return undefined
  const alone = Currency.codeOf(text, page)
  if (alone !== undefined) return alone
  return /\p{Nd}/u.test(text) ? Price.parse(text, page === undefined ? {} : { currency: page })?.currency : undefined
}

/**
 * What is out of bounds is hardly meant, but where nothing else is it is what the page says: the caller's own check tells
 * of it.
 */
const isWithin = (json: Json, schema: JsonSchema): boolean =>
  typeof json !== "number" || (json >= limitOf(schema, "minimum", json) && json <= limitOf(schema, "maximum", json))

/** What else the schema says of a text. */
const isAllowed = (json: Json, schema: JsonSchema): boolean => {
  if (typeof json !== "string") return true
  const { pattern } = schema
  if (json.length < limitOf(schema, "minLength", 0) || json.length > limitOf(schema, "maxLength", json.length))
    return false
  return typeof pattern !== "string" || (compiled(pattern)?.matcher(json).find() ?? true)
}

const limitOf = (schema: JsonSchema, name: string, otherwise: number): number => {
  const value = schema[name]
  return typeof value === "number" ? value : otherwise
}

const patterns = new Map<string, RE2JS | undefined>()

/** In linear time; a pattern that RE2 does not know asks for nothing. */
const compiled = (pattern: string): RE2JS | undefined => {
  if (!patterns.has(pattern)) {
    if (patterns.size > 500) patterns.clear()
    try {
      patterns.set(pattern, pattern.length > 1000 ? undefined : RE2JS.compile(pattern))
    } catch {
      patterns.set(pattern, undefined)
    }
  }
  return patterns.get(pattern)
}

/** Words that are a number where they stand alone: the class of a rating is `Three`. */
const words = "zero one two three four five six seven eight nine ten".split(" ")

/**
 * The number that a text says, in the unit or currency that is wanted.
 *
 * There must be one number, and the text beside it must not mean something else: a day, a range or a name with digits
 * does not count.
 */
const numberOf = (data: string | number | boolean, expected: Expected, setting: PageLocale): Fit | undefined => {
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
const numberAlone = /^[-+−–－]?[\d.,'’\s\u00a0\u202f]+%?$/
/** The number of a share, as a column of shares has it. */
const percentAlone = /^[-+−–－]?\s?[\d.,'’\s]+[%％٪]$/

/**
 * Signs that mean minus, as the minus of ASCII: "△12.5" of Japan is "-12.5". Marks of the direction of writing, which
 * stand between a sign and its number, are left out.
 */
const asciiMinus = (text: string, language: string | undefined): string => {
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
