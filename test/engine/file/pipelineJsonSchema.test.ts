import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { pipelineJsonSchema } from "#engine/file/pipelineJsonSchema"
import { loadConnectors } from "#engine/loadConnectors"
import { toyConnectors } from "./toyConnectors.ts"

const schema = pipelineJsonSchema(await Effect.runPromise(loadConnectors(toyConnectors)))

it("is a draft-07 schema that is closed and requires a source and sinks", () => {
  expect(schema).toMatchObject({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    required: ["source", "sinks"],
    additionalProperties: false
  })
})

it("picks a source by its type and describes its options", () => {
  expect(schema).toHaveProperty("properties.source.description", "where rows come from")
  expect(schema).toHaveProperty("properties.source.oneOf.0", {
    type: "object",
    description: "the pages of a site",
    additionalProperties: false,
    required: ["type", "url"],
    properties: expect.objectContaining({
      type: { const: "crawl", description: "the pages of a site" },
      url: { type: "string", minLength: 1, description: "where the crawl starts" },
      limit: {
        description: "the most pages",
        default: 10_000,
        anyOf: [
          { type: "integer", minimum: 1, maximum: 100_000 },
          { type: "string", pattern: "^\\$\\{[^}]*\\}$" }
        ]
      },
      token: { type: "string" }
    })
  })
})

it("offers each sink only the writes that it has", () => {
  expect(schema).toHaveProperty("properties.sinks.additionalProperties.oneOf.1.properties.write.enum", [
    "append",
    "replace"
  ])
})

it("takes types of the user's own modules, and no type that nobody has", () => {
  const accepts = new Ajv({ strict: false }).compile(schema)
  const sinks = { out: { type: "own", anything: [1] } }

  expect(accepts({ source: { type: "own", path: "a" }, sinks })).toBe(false)
  expect(accepts({ connectors: ["./own.ts"], source: { type: "own", path: "a" }, sinks })).toBe(true)
  expect(accepts({ connectors: ["./own.ts"], source: { type: "crawl", lmit: 1 }, sinks })).toBe(false)
})

it("closes every mapping of named keys", () => {
  const open: Array<string> = []
  // What a module of the user takes is known to nobody, and `then` only adds to what stands above it.
  const isOpen = (json: object, path: string) =>
    path.startsWith("/then") ||
    JSON.stringify(Reflect.get(json, "properties")).startsWith('{"type":{"type":"string","not"')
  const visit = (json: unknown, path: string): void => {
    if (typeof json !== "object" || json === null) return
    const isClosed = Reflect.get(json, "additionalProperties") !== undefined
    if (Reflect.get(json, "properties") !== undefined && !isClosed && !isOpen(json, path)) open.push(path)
    for (const [key, value] of Object.entries(json)) visit(value, `${path}/${key}`)
  }
  visit(schema, "")
  expect(open).toEqual([])
})
