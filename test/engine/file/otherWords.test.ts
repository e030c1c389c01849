import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { connectors } from "#connectors/index"
import * as PipelineFile from "#engine/PipelineFile"

/** The hints of a file with these lines, by the path that they are for. */
const hints = async (...lines: ReadonlyArray<string>) => {
  const load = PipelineFile.load("a.yaml", lines.join("\n"), { connectors, env: {}, runDate: new Date(0), runId: "r" })
  const { issues } = await Effect.runPromise(Effect.flip(load))
  return Object.fromEntries(issues.map(({ hint, path }) => [path, hint?.split("; known keys")[0]]))
}

const source = "source: { type: crawl, url: https://a.example }"
const sinks = "sinks: { db: { type: duckdb, path: x.duckdb } }"

describe("a word of another loader", () => {
  it("is answered with ours, for what dlt says", async () => {
    const told = await hints(
      "resource: pages",
      "destination: duckdb",
      "incremental: { cursor_path: updated_at }",
      source,
      "table: { primary_key: url, merge_key: url, max_table_nesting: 2, schema_contract: freeze }",
      "sinks: { db: { type: duckdb, path: x.duckdb, write_disposition: merge, dataset_name: web } }"
    )

    expect(told).toEqual({
      resource: "this is called `source` here: { type: ..., ... }; one file has one",
      destination: "this is called `sinks` here: { NAME: { type: ..., path: ... } }",
      incremental: expect.stringContaining("a source continues at the checkpoint in the destinations"),
      "table.primary_key": "this is called `key` here, in `table`: { key: url }",
      "table.merge_key": "this is called `key` here, in `table`: { key: url }",
      "table.max_table_nesting": "this is called `nested` here: struct, json or tables, in `table`",
      "table.schema_contract": "this is called `contract` here: evolve, quarantine or freeze, in `table`",
      "sinks.db.write_disposition": "this is called `write` here: append, replace, merge or scd2, in each sink",
      "sinks.db.dataset_name": "this is called `schema` here, in each sink"
    })
  })

  it("is answered with ours, for what Sling and crawlers say", async () => {
    const told = await hints(
      "target: duckdb",
      "streams: { pages: {} }",
      "defaults: {}",
      "source: { type: crawl, url: https://a.example, max_depth: 3, max_pages: 5, source_options: {} }",
      "sinks: { db: { type: duckdb, path: x.duckdb, mode: full-refresh, object: pages } }"
    )

    expect(told["target"]).toContain("called `sinks")
    expect(told["streams"]).toContain("one file is one pipeline here")
    expect(told["defaults"]).toContain("write the options into each sink")
    expect(told["source.max_depth"]).toBe("this is called `maxDiscoveryDepth` here, in a crawl")
    expect(told["source.max_pages"]).toBe("this is called `limit` here, in a crawl")
    expect(told["source.source_options"]).toContain("options stand beside `type` here")
    expect(told["sinks.db.mode"]).toContain("called `write` here")
    expect(told["sinks.db.object"]).toBe("this is called `name` here, in `table`: { name: pages }")
  })

  it("is answered with ours where it is a value of write", async () => {
    for (const [theirs, ours] of [
      ["upsert", "merge"],
      ["full-refresh", "replace"],
      ["truncate", "replace"],
      ["snapshot", "scd2"]
    ]) {
      const told = await hints(source, `sinks: { db: { type: duckdb, path: x.duckdb, write: ${theirs} } }`)
      expect(told).toEqual({ "sinks.db.write": `this is called \`${ours}\` here` })
    }
  })

  it("does not take the place of a name that was only not finished", async () => {
    expect(await hints(source, "sink: {}", sinks)).toEqual({ sink: expect.stringContaining("did you mean `sinks`?") })
  })
})
