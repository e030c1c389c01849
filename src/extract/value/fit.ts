/**
 * A value as a page writes it, as the type, format and meaning that a schema wants.
 *
 * The result is undefined if the text is of another kind, and never a value that the page does not have. The fit is 1 if
 * the text is only this value, and lower if the value was cut out of a longer text.
 */
import { RE2JS } from "re2js"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { typeOf } from "#contract/JsonSchema"
import * as Choice from "./Choice.ts"
import * as Contact from "./Contact.ts"
import * as Currency from "./Currency.ts"
import * as Day from "./Day.ts"
import * as Duration from "./Duration.ts"
import type { Expected, Fit, Kind } from "./Expected.ts"
import * as Instant from "./Instant.ts"
import { numberAlone, numberOf } from "./numberOf.ts"
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
  if (text === "") return undefined
  const formatted = typeof format === "string" ? byFormat(text, format, setting) : undefined
  if (formatted !== undefined) return formatted ?? undefined
  return byKind(text, expected.kind, setting)
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
