/**
 * A model's data without what no page says.
 *
 * Guarantee: a fact, which is a name, a number, a date, an address, a URL or a quotation, that no page supports is listed with
 * what the model gave. What rules have found stands in its place, or null; only if it is to be kept, it stays, and the list says
 * so. A judgement, which is a boolean, a choice, or a text that the schema describes as a summary or a category, is the model's
 * own: it stays, and its source says so (`inferred`).
 */

import { pointerOf } from "#base/pointerOf"
import type { Unsupported } from "#contract/Extract"
import { isList, isSchema, type Json, type JsonSchema, resolve, typeOf } from "#contract/JsonSchema"
import type { Source } from "./Candidates.ts"
import { valueAt } from "./Support.ts"

interface Grounded<S> {
  readonly data: Json
  readonly sources: ReadonlyMap<string, S>
  /** JSON pointers of what is null in `data`. */
  readonly missing: ReadonlyArray<string>
  readonly unsupported: ReadonlyArray<Unsupported>
  /** JSON pointers of the judgements in `data`. */
  readonly inferred: ReadonlyArray<string>
}

/** What is wanted of the data: a schema, words, or both. */
interface Wanted {
  readonly schema: JsonSchema | undefined
  readonly prompt: string | undefined
  readonly keepsUnsupported?: boolean | undefined
}

/** What rules have found. */
type ByRules<S> = Pick<Grounded<S>, "data" | "sources" | "missing">

/** `sources` are those of all values in `given`, by JSON pointer. What rules have found takes the place of what is left out. */
export const grounded = <S extends Source>(
  given: Json,
  { keepsUnsupported = false, prompt, schema }: Wanted,
  sources: ReadonlyMap<string, S>,
  rules: ByRules<S>
): Grounded<S> => {
  const known = new Map<string, S>()
  const missing: Array<string> = []
  const unsupported: Array<Unsupported> = []
  const root = schema ?? {}

  /** What stays of a value, which stood at `from` and stands at `to` now. */
  const visit = (value: Json, part: Part, from: string, to: string): Supported => {
    if (isList(value)) return listOf(value, part, from, to)
    if (isSchema(value)) return objectOf(value, part, from, to)
    if (value === null) return none(to)
    const source = sources.get(from)
    const isSupported = source?.supported === true
    const isFact = !isSupported && !isJudgement(value, part, prompt)
    if (isFact) unsupported.push({ path: from, value, ...(keepsUnsupported ? { kept: true } : {}) })
    if (isFact && !keepsUnsupported) return leftOut(to, 1)
    if (source !== undefined) known.set(to, isSupported || isFact ? source : { ...source, inferred: true })
    return { json: value, supported: isSupported ? 1 : 0, removed: 0 }
  }
  const none = (to: string): Supported => {
    missing.push(to)
    return { json: null, supported: 0, removed: 0 }
  }
  /** Rows of a model and of rules are not the same ones, so that only what is in no list is taken from rules. */
  const leftOut = (to: string, removed: number): Supported => {
    const value = /\/\d+(?:\/|$)/.test(to) ? null : (valueAt(rules.data, to) ?? null)
    if (value === null) return { ...none(to), removed }
    const isThere = (pointer: string) => pointer === to || pointer.startsWith(`${to}/`)
    for (const [pointer, source] of rules.sources) if (isThere(pointer)) known.set(pointer, source)
    missing.push(...rules.missing.filter(isThere))
    return { json: value, supported: 1, removed }
  }
  /** An item that lost facts, and of which no page says the rest, is left out. */
  const listOf = (items: ReadonlyArray<Json>, part: Part, from: string, to: string): Supported => {
    const json: Array<Json> = []
    let [supported, removed] = [0, 0]
    for (const [i, item] of items.entries()) {
      const place = pointerOf(to, json.length)
      const before = missing.length
      const one = visit(item, itemOf(part, root), pointerOf(from, i), place)
      supported += one.supported
      removed += one.removed
      if (one.removed === 0 || one.supported > 0) json.push(one.json)
      else {
        missing.length = before
        for (const pointer of known.keys()) if (pointer.startsWith(`${place}/`)) known.delete(pointer)
      }
    }
    return json.length === 0 && removed > 0 ? leftOut(to, removed) : { json, supported, removed }
  }
  const objectOf = (object: JsonSchema, part: Part, from: string, to: string): Supported => {
    let [supported, removed] = [0, 0]
    // What a model leaves out is null, as with rules: the data has the same shape whoever gives it.
    const whole = { ...nullsOf(part.schema), ...object }
    const entries = Object.entries(whole).map(([name, value]): readonly [string, Json] => {
      const one = visit(value, propertyOf(part, name, root), pointerOf(from, name), pointerOf(to, name))
      supported += one.supported
      removed += one.removed
      return [name, one.json]
    })
    return { json: Object.fromEntries(entries), supported, removed }
  }

  const top: Part = { schema: resolve(root, root), words: describing(root), isFree: schema === undefined }
  const { json } = visit(given, top, "", "")
  const inferred = [...known].flatMap(([pointer, source]) => (source.inferred === true ? [pointer] : []))
  return { data: json, sources: known, missing, unsupported, inferred }
}

/** The properties of a schema, each with null. */
const nullsOf = ({ properties }: JsonSchema): JsonSchema =>
  isSchema(properties) ? Object.fromEntries(Object.keys(properties).map((name) => [name, null])) : {}

interface Supported {
  readonly json: Json
  /** How many of its values a page says, and how many were taken out. */
  readonly supported: number
  readonly removed: number
}

/** What is wanted at a place, and the words that say it. */
interface Part {
  readonly schema: JsonSchema
  readonly words: ReadonlyArray<string>
  /** Whether no schema says what is wanted there. */
  readonly isFree: boolean
}

const propertyOf = ({ schema }: Part, name: string, root: JsonSchema): Part => {
  const { properties } = schema
  const own = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  // Without a schema the prompt says what is wanted.
  return {
    schema: isSchema(own) ? resolve(own, root) : {},
    words: [name, ...describing(own)],
    isFree: own === undefined
  }
}

const itemOf = ({ isFree, schema, words }: Part, root: JsonSchema): Part => {
  const { items } = schema
  return { schema: isSchema(items) ? resolve(items, root) : {}, words: [...words, ...describing(items)], isFree }
}

const isJudgement = (
  value: string | number | boolean,
  { isFree, schema, words }: Part,
  prompt: string | undefined
): boolean =>
  typeof value === "boolean" ||
  schema["enum"] !== undefined ||
  schema["const"] !== undefined ||
  (typeof value === "string" &&
    schema["format"] === undefined &&
    (words.some((text) => judging.test(beginning(text))) || (isFree && isProse(value) && judging.test(prompt ?? ""))))

const describing = (schema: Json | undefined): ReadonlyArray<string> =>
  isSchema(schema) && typeOf(schema) !== "object"
    ? [schema["title"], schema["description"]].filter((text) => typeof text === "string")
    : []

/** The words of a name, or of a description, that say what is wanted. */
const beginning = (text: string): string =>
  text
    .replaceAll(/[_-]|(?<=[a-z])(?=[A-Z])/g, " ")
    .split(/[.;,(:\n]/, 1)
    .join("")
    .split(/\s+/, 6)
    .join(" ")

/** A name, a date or an address is shorter. */
const isProse = (text: string): boolean => text.split(/\s+/).length > 8

/** Words by which a text is asked for that a reader makes, and does not copy. */
const judging =
  /\b(?:summar\w+|overview|synopsis|abstract|gist|categor\w+|classif\w+|sentiment|tone|mood|topics?|themes?|tags?|keywords?|descri\w+|explain\w*|explanation|reason\w*|rationale|opinion|assess\w*|evaluat\w*|verdict|judg\w+|conclu\w+|translat\w+|paraphras\w*|rewrit\w*|in (?:one|a few|your own) (?:word|sentence)s?)\b/i
