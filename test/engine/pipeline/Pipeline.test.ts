import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as Pipeline from "#engine/Pipeline"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"

const schema = Schema.Struct({ sku: Schema.String, name: Schema.String })
const things = Table.make({ name: "things", description: "", schema })
const child = (name: string) =>
  Table.make({ name, description: "", parent: { table: "things", on: { sku: "sku" } }, schema })

const source = (keyed: boolean) =>
  Source.make({
    type: "scripted",
    description: "",
    options: Schema.Struct({}),
    state: Schema.Int,
    cursor: Schema.Int,
    keyed,
    tables: (_options, key) => [{ ...things, key: key ?? [] }, child("things__sources"), child("links")],
    fetch: () => Stream.empty,
    decode: () => Effect.succeed([])
  }).with({})

describe("a pipeline", () => {
  it("tells a source that asks for it what names a row, by the names before the steps", () => {
    const steps = [
      { rename: { sku: "article" } },
      { rename: { article: "number" } },
      { rename: { name: "number" }, table: "links" }
    ] as const
    const made = Pipeline.make({
      name: "p",
      source: source(true),
      sinks: {},
      table: { name: "goods", key: ["number"] },
      steps
    })

    expect(made.source.tables[0].key).toEqual(["sku"])
    expect(made.source.options).toBe('[{},["sku"]]')
  })

  it("leaves a source as it is that does not ask, or where the user says nothing", () => {
    const plain = source(false)
    const silent = source(true)

    expect(Pipeline.make({ name: "p", source: plain, sinks: {}, table: { key: ["sku"] } }).source).toBe(plain)
    expect(Pipeline.make({ name: "p", source: silent, sinks: {} }).source).toBe(silent)
  })

  it("calls children that are named after the main table after its new name", () => {
    const made = Pipeline.make({ name: "p", source: source(false), sinks: {}, table: { name: "goods" } })

    expect(Pipeline.named(made).map(({ name, parent }) => [name, parent?.table])).toEqual([
      ["goods", undefined],
      ["goods__sources", "goods"],
      ["links", "goods"]
    ])
  })
})
