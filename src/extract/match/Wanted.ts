/**
 * What a schema asks for, read once: single values, lists of values, objects, lists of objects, each with the words that
 * say what it is.
 *
 * References are followed inside the schema and to a limited depth; deeper parts are not asked for.
 */
import { isSchema, type JsonSchema, resolve, typeOf } from "#contract/JsonSchema"
import type { Expected } from "../value/Choice.ts"
import * as Choice from "../value/Choice.ts"
import * as Currency from "../value/Currency.ts"
import * as Measure from "../value/Measure.ts"
import * as Names from "./Names.ts"
import { light } from "./Names.ts"

export type Wanted = One | Many | Whole | Rows

interface WantedBase {
  readonly key: string
  /** Tells wanted things of one schema apart. */
  readonly id: number
  readonly name: Names.Name
  /** Of its `title`, and of the beginning of its `description`. */
  readonly title: Names.Name
  readonly sentence: Names.Name
  /** The names of what it is a part of. */
  readonly around: Names.Name
  readonly required: boolean
}

export interface One extends WantedBase {
  readonly _tag: "One"
  readonly expected: Expected
}

export interface Many extends WantedBase {
  readonly _tag: "Many"
  readonly item: One
  /** Whether the schema wants equal items once. */
  readonly isUnique: boolean
}

export interface Whole extends WantedBase {
  readonly _tag: "Whole"
  readonly parts: ReadonlyArray<Wanted>
}

export interface Rows extends WantedBase {
  readonly _tag: "Rows"
  readonly item: Whole
}

export const of = (root: JsonSchema): Wanted => new Reader(root).read(root, "", [], false, 0)

const maxDepth = 8
const maxParts = 1000

class Reader {
  private count = 0
  private readonly root: JsonSchema

  constructor(root: JsonSchema) {
    this.root = root
  }

  read(written: JsonSchema, key: string, around: Names.Name, required: boolean, depth: number): Wanted {
    const schemas = this.choices(written)
    const schema = schemas[0] ?? {}
    const merged = { ...schema, ...written }
    const name = Names.parse(measured(key))
    const field: WantedBase = {
      key,
      id: this.count++,
      name: isLink(merged) && Names.conceptOf(name)?.kind !== "url" ? Names.parse(`${key} url`) : name,
      title: isCount(merged, name)
        ? Names.parse(`${key} count`)
        : isPlace(merged, name)
          ? Names.parse("rank")
          : textOf(merged["title"], Names.parse),
      sentence: textOf(merged["description"], Names.parseSentence),
      around,
      required
    }
    const type = typeOf(schema)
    const { properties } = schema
    if ((type === "object" || type === undefined) && isSchema(properties) && depth < maxDepth) {
      const inner = [...field.name, ...field.title.filter(({ concept }) => concept !== undefined), ...around].slice(
        0,
        12
      )
      const must = Array.isArray(schema["required"]) ? new Set(schema["required"]) : new Set()
      const parts = Object.entries(properties).flatMap(([name, part]) =>
        this.count < maxParts ? [this.read(isSchema(part) ? part : {}, name, inner, must.has(name), depth + 1)] : []
      )
      return { _tag: "Whole", ...field, parts }
    }
    if (type === "array" && depth < maxDepth) {
      const items = isSchema(schema["items"]) ? schema["items"] : {}
      const item = this.read(items, key, around, required, depth + 1)
      if (item._tag === "Whole") return { _tag: "Rows", ...field, item }
      if (item._tag === "One") return { _tag: "Many", ...field, item, isUnique: schema["uniqueItems"] === true }
    }
    return { _tag: "One", ...field, expected: expectedOf(schemas, field, [merged["description"], merged["title"]]) }
  }

  /** The schema itself, or those that it leaves a choice of. */
  private choices(written: JsonSchema): ReadonlyArray<JsonSchema> {
    const schema = resolve(written, this.root)
    const open = written["$ref"] === undefined ? (written["anyOf"] ?? written["oneOf"]) : undefined
    if (!Array.isArray(open)) return [schema]
    const all = open.filter(isSchema).map((choice) => resolve(choice, this.root))
    const some = all.filter((choice) => choice["type"] !== "null")
    const whole = some.find((choice) => isSchema(choice["properties"]) || typeOf(choice) === "array")
    return whole === undefined ? (some.length === 0 ? [schema] : some) : [whole]
  }
}

/** An address is asked for by what it leads to: `next_page`. */
const isLink = ({ format }: JsonSchema): boolean => typeof format === "string" && /^(?:ur[il]|iri)/.test(format)

/** `reviews` as a number is how many there are. */
const isCount = (schema: JsonSchema, name: Names.Name): boolean =>
  schema["title"] === undefined &&
  /^(?:integer|number)$/.test(String(typeOf(schema))) &&
  counted.has(Names.conceptOf(name)?.id ?? "")

/** A `position` that is a whole number is a place in an order, and no job. */
const isPlace = (schema: JsonSchema, name: Names.Name): boolean =>
  schema["title"] === undefined &&
  typeOf(schema) === "integer" &&
  name.some(({ isHead, word }) => isHead && word === "position")

const counted = new Set(["review", "comment", "person", "offer", "variant", "answer", "question", "ingredient"])

const textOf = (value: unknown, read: (text: string) => Names.Name): Names.Name =>
  typeof value === "string" ? read(value) : []

/** `sentences`: what the schema says of it in words. */
const expectedOf = (
  schemas: ReadonlyArray<JsonSchema>,
  { key, name, title, sentence }: WantedBase,
  sentences: ReadonlyArray<unknown>
): Expected => {
  const concept =
    Names.conceptOf(name) ?? Names.conceptOf(title) ?? (isOpaque(name) ? Names.conceptOf(sentence) : undefined)
  const words = wordsOf(key)
  const last = words.at(-1)?.toUpperCase() ?? ""
  const named = words.length > 1 && Currency.isCode(last) ? last : undefined
  const stated = sentences.map((text) => statedUnit(text, named !== undefined || concept?.kind === "money"))
  const unit =
    (isPhrase(words) ? undefined : Measure.unitOf(words)) ?? stated.find((one) => one.unit !== undefined)?.unit
  const currency = named ?? stated.find((one) => one.currency !== undefined)?.currency
  return {
    schemas,
    kind: currency === undefined ? (concept?.kind ?? "text") : "money",
    ...(concept !== undefined && oftenZero.has(concept.id) ? { mayBeZero: true } : {}),
    ...(isOfSomebody(concept, name) ? { isCalled: true } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
    ...(Choice.truth(words.join(" ")) === false && Choice.kindOf(words.join(" ")) !== undefined
      ? { isDenied: true }
      : {})
  }
}

const somebody: ReadonlySet<string> = new Set([
  "author",
  "person",
  "publisher",
  "seller",
  "organization",
  "customer",
  "payee"
])

/** "payee" and "payee name" are what somebody is called. */
const isOfSomebody = (concept: Names.Name[number]["concept"], name: Names.Name): boolean =>
  somebody.has(concept?.id ?? "") || somebody.has(Names.conceptOf(Names.ofName(name))?.id ?? "")

const oftenZero: ReadonlySet<string> = new Set(["shippingcost"])

const wordsOf = (key: string): ReadonlyArray<string> =>
  key
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}²³]+/u)
    .filter((word) => word !== "")

/** Whether the words mean one thing together, as "opening hours" do. */
const isPhrase = (words: ReadonlyArray<string>): boolean => {
  const name = Names.parse(words.join(" "))
  return name.length === 1 && name[0]?.concept !== undefined
}

/** Without the unit or the currency at its end: `weight_kg` is a weight. */
const measured = (key: string): string => {
  const words = wordsOf(key)
  const last = words.at(-1)?.toUpperCase() ?? ""
  const isMeasured =
    words.length > 1 && !isPhrase(words) && (Measure.unitOf(words) !== undefined || Currency.isCode(last))
  if (!isMeasured) return key
  const rest = words.slice(0, -1)
  // `total_minutes` is a total time.
  const timed = [...rest, "time"]
  if (Measure.kindOf(words.at(-1) ?? "") === "time" && isPhrase(timed)) return timed.join(" ")
  // "weekly hours" are hours.
  return rest.every((word) => light.has(word)) ? key : rest.join(" ")
}

/** A name that says nothing that is known, so that its description must. */
export const isOpaque = (name: Names.Name): boolean => name.every(({ concept }) => concept === undefined)

interface Stated {
  readonly unit?: string
  readonly currency?: string
}

/**
 * The unit or the currency that a schema states for a number, in words: "total time in minutes", "weight (kg)", "in USD".
 *
 * It is stated where a unit stands behind "in", in brackets, behind a last comma, or alone. A word that is a unit and a
 * currency, "in pounds", is what the property is about.
 */
const statedUnit = (sentence: unknown, isMoney: boolean): Stated => {
  if (typeof sentence !== "string") return {}
  const text = sentence.slice(0, maxSentence).trim()
  for (const found of text.matchAll(behind)) {
    const stated = readAs(found[1] ?? found[2] ?? found[3] ?? "", isMoney)
    if (stated !== undefined) return stated
  }
  // "Year" alone is what is asked for, "minutes" is its unit.
  return one.test(text) ? {} : (readAs(text, isMoney) ?? {})
}

const one = /^(?:years?|months?|weeks?|days?|day|hour|minute|second|time)$/i

const maxSentence = 400

/** "in minutes", "as whole minutes", "number of grams"; "(kg)"; ", hours" at the end. */
const behind =
  /(?:\b(?:in|as|en|em|unit:?|units:?|number of|anzahl|nombre de|número de|numero di)\s+(?:(?:whole|full|total|integer|decimal|us|ganzen|vollen)\s+)?)([\p{L}$€£¥²³]{1,16})(?![\p{L}\d])|[([]\s*(?:in\s+)?([\p{L}$€£¥²³]{1,16})\s*[)\]]|,\s*([\p{L}]{1,16})\.?$/giu

const readAs = (word: string, isMoney: boolean): Stated | undefined => {
  const currency = currencyOf(word, isMoney)
  if (currency !== undefined) return { currency }
  const unit = isMoney ? undefined : Measure.unitNamed(word)
  return unit === undefined ? undefined : { unit }
}

/** A currency code is written in capitals: "all" and "top" are words. A word or a sign counts where a sum is asked for. */
const currencyOf = (word: string, isMoney: boolean): string | undefined => {
  if (Currency.isCode(word)) return isMoney || !both.has(word) ? word : undefined
  return isMoney ? Currency.codeOf(/^pounds?(?: sterling)?$/i.test(word) ? "£" : word) : undefined
}

/** Codes that mean other things where no sum is asked for. */
const both: ReadonlySet<string> = new Set(["ALL", "TOP", "TRY", "CUP", "MOP", "PEN", "BOB", "MAD", "COP", "SOS", "GEL"])
