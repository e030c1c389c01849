import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import type * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { databaseUrl, placeOf } from "./database.ts"
import { query } from "./readTable.ts"

const url = await databaseUrl()
const older = readFileSync(`${import.meta.dirname}/older.sql`, "utf8")

const text: Column.ColumnType = { _tag: "VARCHAR" }
const ofRun: Column.Column = { name: "_run_id", type: text, nullable: false }
const shops: Table.Table = {
  name: "shops",
  description: "places that sell",
  key: ["id"],
  columns: [
    { name: "id", type: { _tag: "BIGINT" }, nullable: false },
    { name: "name", type: text, nullable: true, description: "what is above its door" },
    {
      name: "place",
      type: {
        _tag: "STRUCT",
        fields: [
          { name: "city", type: text, nullable: true },
          { name: "since", type: { _tag: "TIMESTAMP" }, nullable: true }
        ]
      },
      nullable: true
    },
    { name: "tags", type: { _tag: "LIST", of: { name: "item", type: text, nullable: true } }, nullable: true },
    ofRun
  ]
}
const offers: Table.Table = {
  name: "offers",
  description: "what they sell",
  key: [],
  parent: { table: "shops", on: { shop: "id" } },
  columns: [
    { name: "shop", type: { _tag: "BIGINT" }, nullable: false },
    { name: "thing", type: text, nullable: true },
    ofRun
  ]
}
const prices: Table.Table = {
  name: "prices",
  description: "prices",
  key: ["id"],
  columns: [
    { name: "id", type: { _tag: "BIGINT" }, nullable: false },
    { name: "price", type: { _tag: "DECIMAL", precision: 10, scale: 2 }, nullable: true },
    ofRun
  ]
}

const profile = {
  table: "shops",
  column: "id",
  type: "BIGINT",
  rows: 2,
  filled: 2,
  distinct: 2,
  distinct_exact: true,
  length: null,
  min: 1,
  max: 2,
  mean: 1.5,
  quantiles: null,
  top: null
}

describe.skipIf(url === undefined)("a schema that an older version wrote", () => {
  const runId = "run-3"
  /** Loads what the second run said, but one of each; answers where the writer goes on, and the counts. */
  const load = (place: ReturnType<typeof placeOf>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* postgres.with(place).open({
          pipeline: "p",
          runId,
          directory: "/",
          evolve: true,
          tables: [
            { table: shops, write: "merge" },
            { table: offers, write: "merge" },
            { table: prices, write: "scd2", fingerprint: ["price"] }
          ]
        })
        const rows = (table: Table.Table, rows: ReadonlyArray<Table.Row>) =>
          writer.write(
            Table.batch(
              table,
              rows.map((row) => ({ ...row, _run_id: runId }))
            )
          )
        yield* rows(shops, [
          { id: 1n, name: "one", place: { city: "Ulm", since: 0n }, tags: ["a", null] },
          { id: 2n, name: "two 3", place: null, tags: [] }
        ])
        yield* rows(offers, [
          { shop: 1n, thing: "pen" },
          { shop: 1n, thing: "pen" },
          { shop: 2n, thing: "ink 3" }
        ])
        yield* rows(prices, [
          { id: 1n, price: "1.50" },
          { id: 2n, price: "3.00" }
        ])
        const { tables } = yield* writer.commit({
          checkpoint: { runId, state: null },
          run: {
            runId,
            pipeline: "p",
            startedAt: 3000n,
            committedAt: 3001n,
            facts: { pages: 1 },
            rows: {},
            once: "once-3"
          },
          checks: [{ check: "found\0", table: "shops", passed: true, found: "a\0b" }],
          complete: true,
          profiles: [profile]
        })
        return { resume: writer.resume, tables }
      })
    )
  const fresh = Effect.gen(function* () {
    const directory = yield* folder
    const place = placeOf(url ?? "", directory)
    const ask = (sql: string) => Effect.promise(() => query(place.url, sql.replaceAll("$", place.schema)))
    yield* ask(older)
    return { ask, directory, place, sink: postgres.with(place) }
  })

  it.effect("is continued: what is there and the same stays, and the runs of both are one history", () =>
    Effect.gen(function* () {
      const { ask, directory, place, sink } = yield* fresh

      const { resume, tables } = yield* load(place)

      expect(Option.getOrThrow(resume)).toEqual({ runId: "run-2", state: { at: 2 } })
      expect(tables).toMatchObject({
        shops: { written: 1, unchanged: 1 },
        offers: { written: 1, unchanged: 2 },
        prices: { written: 1, unchanged: 1 }
      })
      expect((yield* sink.runs(directory)).map((run) => `${run.runId} ${run.once}`)).toEqual([
        "run-1 once-1",
        "run-2 once-2",
        "run-3 once-3"
      ])
      expect(yield* sink.details?.(directory, ["run-2", "run-3"]) ?? Effect.succeed([])).toMatchObject([
        { checks: [{ found: "2 rows" }], profiles: [{ column: "id" }] },
        { checks: [{ check: "found\\u0000", found: "a\\u0000b" }], profiles: [{ column: "id" }] }
      ])
      expect(yield* ask("SELECT price::text FROM $.prices_current ORDER BY id")).toEqual([
        { price: "1.50" },
        { price: "3.00" }
      ])
      expect(
        yield* ask("SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = '$.shops'::regclass")
      ).toEqual([{ name: `${place.schema}.shops_millrace_key` }])
      expect(yield* ask("SELECT to_regclass('$._millrace_columns') AS there")).toEqual([{ there: null }])
      expect((yield* load(place)).resume).toEqual(Option.some({ runId: "run-3", state: null }))
    })
  )

  it.effect("is continued also where it has no record of columns and of keys of callers", () =>
    Effect.gen(function* () {
      const { ask, directory, place, sink } = yield* fresh
      yield* ask('ALTER TABLE $._millrace_tables DROP COLUMN "columns"; ALTER TABLE $._millrace_runs DROP COLUMN once')
      yield* ask("DROP TABLE $._millrace_profiles")

      expect((yield* load(place)).tables).toMatchObject({ shops: { written: 1, unchanged: 1 } })
      expect(yield* sink.owners?.(directory) ?? Effect.succeed(new Map())).toEqual(
        new Map([
          ["shops", "p"],
          ["offers", "p"],
          ["prices", "p"]
        ])
      )
      expect((yield* sink.runs(directory)).map(({ once }) => once)).toEqual([undefined, undefined, "once-3"])
    })
  )
})
