/** Requests made at random of an OpenAPI document and nothing else, the same for the same seed; each fits its schema. */
import type { Ajv2020 } from "ajv/dist/2020.js"

type Part = Record<string, any>

export interface MadeRequest {
  readonly method: string
  readonly template: string
  readonly path: string
  readonly body: unknown
}

/** What texts of a format are: those of JSON Schema, and those that the document names itself. */
export type Samples = Readonly<Record<string, ReadonlyArray<string>>>

export const requestsOf = (document: Part, ajv: Ajv2020, samples: Samples, seed: number) => {
  const random = generator(seed)
  const pick = <A>(all: ReadonlyArray<A>): A => {
    const one = all[Math.floor(random() * all.length)]
    if (one === undefined) throw new Error("nothing to choose from")
    return one
  }
  const chance = (part: number) => random() < part
  const resolve = (schema: Part): Part =>
    typeof schema["$ref"] === "string"
      ? resolve(
          schema["$ref"]
            .slice(2)
            .split("/")
            .reduce((at: Part, step: string) => at[step.replaceAll("~1", "/").replaceAll("~0", "~")], document)
        )
      : schema

  const textOf = (schema: Part): string => {
    const { format, maxLength = 40, minLength = 0, pattern } = schema
    const known = samples[format]
    if (known !== undefined) return pick(known)
    const all = [
      "a",
      "",
      "word",
      "two words",
      "ü 漢 🙂",
      "x".repeat(Math.min(maxLength, 500)),
      "0",
      "null",
      "core-2",
      "spark-1-mini",
      "12",
      "<b>",
      "' or 1=1"
    ]
    const fitting = all.filter(
      (text) =>
        text.length >= minLength &&
        text.length <= maxLength &&
        (pattern === undefined || new RegExp(pattern, "u").test(text))
    )
    return pick(fitting)
  }

  const fieldsOf = (schema: Part, depth: number): object => {
    const { additionalProperties, properties = {}, required = [] } = schema
    const wanted = new Set<string>(required)
    const unwanted = new Set<string>()
    const rules: Array<Part> = [...(schema["allOf"] ?? [])]
    for (let rule = rules.shift(); rule !== undefined; rule = rules.shift()) {
      rules.push(...(rule["allOf"] ?? []))
      const choices: ReadonlyArray<Part> | undefined = rule["oneOf"] ?? rule["anyOf"]
      if (choices === undefined) continue
      const chosen = pick(choices)
      for (const name of chosen["required"] ?? []) wanted.add(name)
      if (rule["oneOf"] !== undefined) {
        for (const other of choices)
          if (other !== chosen) for (const name of other["required"] ?? []) unwanted.add(name)
      }
    }
    const names = Object.keys(properties).filter(
      (name) => wanted.has(name) || (!unwanted.has(name) && chance(depth < 2 ? 0.18 : 0.1))
    )
    const own = names.map((name) => [name, valueOf(properties[name], depth + 1, wanted.has(name))])
    const isOpen = Object.keys(properties).length === 0 && additionalProperties !== false
    const free =
      isOpen && chance(0.7)
        ? [
            [
              pick(["a", "name", "x-custom"]),
              typeof additionalProperties === "object" ? valueOf(additionalProperties, depth + 1, true) : "b"
            ]
          ]
        : []
    return Object.fromEntries([...own, ...free])
  }

  const valueOf = (given: Part, depth: number, isWanted: boolean): unknown => {
    const schema = resolve(given)
    const {
      allOf,
      anyOf,
      const: only,
      enum: choices,
      items,
      maxItems = 3,
      maximum,
      minItems = 0,
      minimum,
      type
    } = schema
    if (only !== undefined) return only
    if (Array.isArray(choices)) return pick(choices)
    const union = anyOf ?? schema["oneOf"]
    if (Array.isArray(union)) {
      const some = isWanted ? union.filter((one: Part) => one["type"] !== "null") : union
      return valueOf(pick(some), depth, isWanted)
    }
    switch (type) {
      case "null":
        return null
      case "boolean":
        return chance(0.5)
      case "integer":
        return Math.floor(
          (minimum ?? 0) + random() * Math.min((maximum ?? 1000) - (minimum ?? 0) + 1, pick([1, 10, 2000]))
        )
      case "number":
        return (minimum ?? 0) + random() * Math.min((maximum ?? 1000) - (minimum ?? 0), 100)
      case "string":
        return textOf({ ...Object.assign({}, ...(allOf ?? [])), ...schema })
      case "array": {
        const count = Math.min(maxItems, minItems + Math.floor(random() * (depth > 3 ? 2 : 3)))
        return Array.from({ length: count }, () => valueOf(items ?? {}, depth + 1, true))
      }
      case "object":
        return fieldsOf(schema, depth)
      default:
        return pick<unknown>([1, "a", { a: [null] }, [], true])
    }
  }

  const operations = Object.entries<Part>(document["paths"]).flatMap(([template, methods]) =>
    Object.entries<Part>(methods).map(([method, operation]) => ({ template, method, operation }))
  )
  const validators = new Map<string, (value: unknown) => boolean>()

  const bodyOf = (template: string, method: string, schema: Part): unknown => {
    const place = `openapi.json#/paths/${escaped(template)}/${method}/requestBody/content/application~1json/schema`
    const validate = validators.get(place) ?? ajv.compile({ $ref: place })
    validators.set(place, validate)
    for (let tries = 0; tries < 500; tries++) {
      const body = valueOf(schema, 0, true)
      if (validate(body)) return body
    }
    throw new Error(`no body fits ${method} ${template}`)
  }

  /** One request; `ids`: what ids may be, of things that are there and of none. */
  return (ids: ReadonlyArray<string>): MadeRequest | undefined => {
    const { method, operation, template } = pick(operations)
    const content = operation["requestBody"]?.content
    const json = content?.["application/json"]?.schema
    if (content !== undefined && json === undefined) return undefined
    const parameters: ReadonlyArray<Part> = operation["parameters"] ?? []
    let path = template
    const query = new URLSearchParams()
    for (const { in: place, name, required, schema } of parameters) {
      if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(pick(ids)))
      if (place === "query" && (required === true || chance(0.4))) {
        const value = valueOf(schema, 1, true)
        query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value))
      }
    }
    const body = json === undefined ? undefined : bodyOf(template, method, json)
    return { method: method.toUpperCase(), template, path: query.size === 0 ? path : `${path}?${query}`, body }
  }
}

const escaped = (path: string): string => encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"))

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const generator = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
