/**
 * Data of a page in the shape of a JSON Schema, without a model.
 *
 * How: the page's facts are gathered once; each property of the schema is filled from the fact whose name is most like
 * its own and whose value is of its type and format: objects of the page first (JSON-LD, microdata), then labelled
 * values, then what the page says of itself. A list of objects is filled from objects of one kind, or from a table.
 *
 * The law: a value is taken from the page or it is null. Nothing is guessed, and the same page gives the same data.
 */
import type * as Page from "../crawl/page/Page.ts"
import { coerce } from "./coerce.ts"
import { type Facts, gather, type Thing } from "./Facts.ts"
import { isSchema, type Json, type JsonSchema, resolve, typeOf } from "./JsonSchema.ts"
import { likeness } from "./Names.ts"

export interface Input {
  readonly url: string
  /** The page as HTML text; empty where there is none. */
  readonly html: string
  readonly metadata: Page.Page["metadata"]
}

export interface Extracted {
  readonly data: Json
  /** Properties that have a value, and all that were asked for. */
  readonly filled: number
  readonly wanted: number
}

export const extract = (input: Input, schema: JsonSchema | undefined, prompt: string | undefined): Extracted => {
  const facts = gather(input.html, input.url)
  if (schema === undefined) {
    const data = promptedFacts(facts, input, prompt ?? "")
    const count = Object.keys(data).length
    return { data, filled: count, wanted: count }
  }
  const filler = new Filler(facts, input, schema)
  const data = filler.fill(schema, undefined, "", 0)
  return { data: data ?? null, filled: filler.filled, wanted: filler.wanted }
}

const maxDepth = 8
const maxRows = 1000
/** How like a name must be: weaker ones are chance. */
const likeEnough = 0.5

class Filler {
  filled = 0
  wanted = 0
  private readonly facts: Facts
  private readonly input: Input
  private readonly root: JsonSchema

  constructor(facts: Facts, input: Input, root: JsonSchema) {
    this.facts = facts
    this.input = input
    this.root = root
  }

  /** The value for a schema, from one thing where there is one, from the whole page where there is none. */
  fill(written: JsonSchema, from: Thing | undefined, name: string, depth: number): Json | undefined {
    const schema = resolve(written, this.root)
    const type = typeOf(schema)
    if (depth > maxDepth) return undefined
    if (type === "object" && isSchema(schema["properties"])) return this.object(schema["properties"], from, name, depth)
    if (type === "array") return this.list(schema, from, name, depth)
    this.wanted++
    const value = from === undefined ? this.ofPage(name, schema) : this.ofThing(from, name, schema)
    if (value !== undefined) this.filled++
    return value
  }

  private object(properties: JsonSchema, from: Thing | undefined, name: string, depth: number): Json {
    const inner = from === undefined ? undefined : nested(from, name)
    const thing = inner ?? from ?? this.bestThing(properties)
    const entries = Object.entries(properties).map(([key, part]): readonly [string, Json] => {
      const schema = isSchema(part) ? part : {}
      const before = { filled: this.filled, wanted: this.wanted }
      let value = thing === undefined ? undefined : this.fill(schema, thing, key, depth + 1)
      if (isMissing(value) && from === undefined) {
        this.filled = before.filled
        this.wanted = before.wanted
        value = this.fill(schema, undefined, key, depth + 1)
      }
      return [key, value ?? null]
    })
    return Object.fromEntries(entries)
  }

  /** A list of objects: parts of the thing, else things of one kind, else a table. A list of values: as written. */
  private list(schema: JsonSchema, from: Thing | undefined, name: string, depth: number): Json | undefined {
    const items = resolve(isSchema(schema["items"]) ? schema["items"] : {}, this.root)
    const properties = items["properties"]
    if (!isSchema(properties)) {
      this.wanted++
      const values = this.values(from, name).flatMap((value) => coerce(value, items, this.input.url) ?? [])
      if (values.length === 0) return undefined
      this.filled++
      return values.slice(0, maxRows)
    }
    const own = from === undefined ? [] : asThings(bestOf(from, name))
    const rows = own.length > 0 ? own : from === undefined ? this.rows(properties) : []
    if (rows.length === 0) return undefined
    return rows.slice(0, maxRows).map((row) => this.object(properties, row, "", depth + 1))
  }

  /** The objects of one kind, or the rows of a table, that have most of the properties. */
  private rows(properties: JsonSchema): ReadonlyArray<Thing> {
    const kinds = new Map<string, Array<Thing>>()
    for (const thing of this.facts.things) {
      const kind = String(thing["@type"] ?? "")
      const known = kinds.get(kind)
      if (known === undefined) kinds.set(kind, [thing])
      else known.push(thing)
    }
    let best: ReadonlyArray<Thing> = []
    let score = 0
    for (const rows of [...kinds.values(), ...this.facts.tables]) {
      const mean = rows.reduce((sum, row) => sum + covers(row, properties), 0) / rows.length
      const value = mean * Math.min(2, rows.length)
      if (mean >= 0.4 && value > score) {
        best = rows
        score = value
      }
    }
    return best
  }

  private bestThing(properties: JsonSchema): Thing | undefined {
    let best: Thing | undefined
    let score = 0.2
    for (const thing of this.facts.things) {
      const value = covers(thing, properties)
      if (value > score) {
        best = thing
        score = value
      }
    }
    return best
  }

  private ofThing(thing: Thing, name: string, schema: JsonSchema): Json | undefined {
    for (const value of ranked(Object.entries(thing), name)) {
      const found = coerce(value, schema, this.input.url)
      if (found !== undefined) return found
    }
    for (const part of Object.values(thing)) {
      const [inner] = asThings(part)
      const found = inner === undefined ? undefined : coerce(bestOf(inner, name, 0.8) ?? null, schema, this.input.url)
      if (found !== undefined) return found
    }
    return undefined
  }

  private ofPage(name: string, schema: JsonSchema): Json | undefined {
    const { facts, input } = this
    const said: ReadonlyArray<readonly [string, Json]> = [
      ...facts.pairs.map(({ label, value }) => [label, value] as const),
      ...(facts.heading === undefined ? [] : [["heading", facts.heading] as const]),
      ...Object.entries(input.metadata)
    ]
    for (const value of ranked(said, name)) {
      const found = coerce(value, schema, input.url)
      if (found !== undefined) return found
    }
    return likeness(name, "url") >= 0.8 ? coerce(input.url, schema, input.url) : undefined
  }

  private values(from: Thing | undefined, name: string): ReadonlyArray<Json> {
    const found =
      from === undefined
        ? (ranked(
            this.facts.pairs.map(({ label, value }) => [label, value] as const),
            name
          )[0] ?? ranked(Object.entries(this.input.metadata), name)[0])
        : bestOf(from, name)
    if (found === undefined || found === null) return []
    if (Array.isArray(found)) return found
    return typeof found === "string" && found.includes(",") ? found.split(/\s*,\s*/) : [found]
  }
}

const isMissing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (isSchema(value) && Object.values(value).every(isMissing))

/** The share of the properties that a thing has, itself or in its parts. */
const covers = (thing: Thing, properties: JsonSchema): number => {
  const names = Object.keys(properties)
  const has = (name: string): boolean =>
    bestOf(thing, name) !== undefined ||
    Object.values(thing).some((part) => asThings(part).some((inner) => bestOf(inner, name, 0.8) !== undefined))
  return names.filter(has).length / Math.max(1, names.length)
}

/** Values in the order of how like their names are. */
const ranked = (
  entries: ReadonlyArray<readonly [string, Json]>,
  name: string,
  least = likeEnough
): ReadonlyArray<Json> =>
  entries
    .filter(([key]) => !key.startsWith("@"))
    .map(([key, value]) => ({ value, like: likeness(name, key) }))
    .filter(({ like }) => like >= least)
    .sort((a, b) => b.like - a.like)
    .map(({ value }) => value)

const bestOf = (thing: Thing, name: string, least = likeEnough): Json | undefined =>
  ranked(Object.entries(thing), name, least)[0]

const nested = (thing: Thing, name: string): Thing | undefined =>
  name === "" ? undefined : asThings(bestOf(thing, name))[0]

const asThings = (value: Json | undefined): ReadonlyArray<Thing> =>
  Array.isArray(value) ? value.filter(isSchema) : isSchema(value) ? [value] : []

/** Without a schema: the labelled values whose label the prompt names, or all of them where it names none. */
const promptedFacts = (facts: Facts, { metadata }: Input, prompt: string): { readonly [name: string]: Json } => {
  const all: ReadonlyArray<readonly [string, Json]> = [
    ...facts.things.flatMap((thing) =>
      Object.entries(thing).filter(([key, value]) => !key.startsWith("@") && typeof value !== "object")
    ),
    ...facts.pairs.map(({ label, value }) => [label, value] as const),
    ...Object.entries(metadata)
  ]
  const asked = prompt.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const named = all.filter(([key]) => asked.some((word) => likeness(word, key) >= 0.7))
  const found = new Map<string, Json>()
  for (const [key, value] of named.length > 0 ? named : all.slice(0, 200)) if (!found.has(key)) found.set(key, value)
  return Object.fromEntries(found)
}
