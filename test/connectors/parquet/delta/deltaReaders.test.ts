import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { manifestOf, selectFrom, stores } from "../lake.ts"
import { load } from "../load.ts"

/** A Python that has deltalake, polars and pandas. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasReaders = spawnSync(python, ["-c", "import deltalake, polars, pandas, pyarrow"]).status === 0
if (!hasReaders) {
  console.warn(
    `SKIPPED: ${python} has not all of deltalake, polars, pandas and pyarrow, so they do not read our Delta tables (MILLRACE_TEST_PYTHON)`
  )
}

const fields = {
  url: Schema.String,
  whole: Schema.NullOr(Schema.Int),
  real: Schema.Finite,
  day: Schema.NullOr(Column.Day),
  moment: Column.Timestamp,
  any: Schema.Unknown,
  exact: Column.Decimal(30, 2),
  truth: Schema.Boolean,
  nested: Schema.Struct({ name: Schema.NullOr(Schema.String), at: Column.Timestamp }),
  list: Schema.NullOr(Schema.Array(Schema.NullOr(Schema.String))),
  _run_id: Schema.String
}
const table = Table.make({
  name: "pages",
  description: "a column of each type",
  schema: Schema.Struct(fields),
  key: ["url"]
})
const rows = (run: number): ReadonlyArray<Table.Row> =>
  Array.from({ length: 20 }, (_, at) => ({
    url: `/${at + run} ü`,
    whole: at % 3 === 0 ? null : at,
    real: at / 3,
    day: at % 5 === 0 ? null : `2026-11-${10 + (at % 4)}`,
    moment: 1_700_000_000_000_001n + BigInt(at % 2),
    any: { at, list: [1, null] },
    exact: "1234567890123456789012345678.25",
    truth: at % 2 === 0,
    nested: { name: at % 2 === 0 ? null : "n", at: 5n },
    list: at % 4 === 0 ? null : ["x", null],
    _run_id: `run${run}`
  }))

const partitions = { none: [], day: ["day"], several: ["day", "moment", "truth"] }
const cases = (["append", "replace", "merge", "scd2"] as const).flatMap((write) =>
  Object.entries(partitions).map(([by, partition]) => ({ write, by, partition }))
)

for (const { write, by, partition } of cases) {
  it.live.skipIf(!hasReaders)(
    `after five runs of ${write}, partitioned by ${by}, all readers find the same rows, now and at each version`,
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const lake = join(directory, "lake")
        const database = yield* Database.open({ threads: 1, memory: "256MB", spill: join(directory, "spill") })
        const states: Array<{ readonly reference: string; readonly version: number }> = []
        for (let run = 0; run < 5; run++) {
          const how = {
            table,
            write,
            at: run + 1,
            options: { partition },
            ...(write === "scd2" ? { fingerprint: ["whole"] } : {})
          }
          yield* load(directory, `run${run}`, { rows: rows(run), ...how })
          const state = Option.getOrThrow(yield* manifestOf(lake)).tables["pages"]
          const files = state?.files.map(({ path }) => Database.literal(`${lake}/${path}`)).join(", ") ?? ""
          const reference = join(directory, `${run}.parquet`)
          const all = selectFrom(state?.columns ?? [], state?.partition ?? [], files)
          yield* database.run(
            `COPY (SELECT * REPLACE ("any"::VARCHAR AS "any") FROM (${all})) TO '${reference}' (FORMAT parquet)`
          )
          states.push({ reference, version: state?.delta?.version ?? -1 })
        }
        const script = join(import.meta.dirname, "deltaReaders.py")
        const asked = states.flatMap(({ reference, version }) => [reference, String(version)])
        const lines = execFileSync(python, [script, join(lake, "pages"), ...asked], { encoding: "utf8" })
          .trim()
          .split("\n")
        expect(lines).toHaveLength(states.length)
        for (const line of lines) {
          const { reference: expected, ...found } = JSON.parse(line)
          for (const [reader, hash] of Object.entries(found)) expect([reader, hash]).toEqual([reader, expected])
        }
        // What `millrace sql` reads is what the manifest says.
        const out = join(directory, "sql.parquet")
        const queries = yield* parquet.with({ path: "lake" }).queries?.(directory, { file: out }) ?? Effect.die("none")
        yield* queries.toParquet("FROM pages")
        const names = [
          ...table.columns.map(({ name }) => name),
          ...(write === "scd2" ? ["valid_from", "valid_to", "is_current"] : [])
        ]
        const select = (file: string) =>
          `SELECT ${names.map((name) => (name === "any" ? `"any"::VARCHAR` : `"${name}"`)).join(", ")} FROM read_parquet('${file}')`
        const last = states.at(-1)?.reference ?? ""
        for (const [one, other] of [[out, last] as const, [last, out] as const]) {
          expect(yield* database.values(`${select(one)} EXCEPT ALL ${select(other)}`)).toEqual([])
        }
      }).pipe(Effect.provide(stores))
  )
}

it.live.skipIf(!hasReaders)("a filter over any column finds the rows that are there", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const wider = Table.make({
      name: "pages",
      description: "a column of each type, and more",
      key: ["url"],
      schema: Schema.Struct({
        ...fields,
        nothing: Schema.NullOr(Schema.String),
        number: Schema.Number,
        long: Schema.String
      })
    })
    const odd = rows(20).map((row, at) => ({
      ...row,
      nothing: null,
      number: at === 0 ? Number.NaN : at / 7,
      long: `${"ü".repeat(400)}${at}`
    }))
    yield* load(directory, "one", { table, rows: rows(0), at: 1 })
    yield* load(directory, "two", { table: wider, rows: odd, at: 2 })
    const script = join(import.meta.dirname, "deltaPredicates.py")
    const found = JSON.parse(execFileSync(python, [script, join(directory, "lake", "pages")], { encoding: "utf8" }))
    expect(found.unequal).toEqual([])
    expect(found.asked).toBeGreaterThan(80)
  }).pipe(Effect.provide(stores))
)

it.live.skipIf(!hasReaders)("the Python of the page about lakes runs", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (let run = 0; run < 4; run++) yield* load(directory, `run${run}`, { table, rows: rows(run), write: "append" })
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/destinations/parquet.md"), "utf8")
    const blocks = [...page.matchAll(/^```python\n(.*?)^```/gms)]
      .map(([, code = ""]) => code)
      .filter((code) => !code.includes("pyiceberg"))
    expect(blocks.length).toBeGreaterThan(0)
    for (const code of blocks) execFileSync(python, ["-c", code], { cwd: directory, encoding: "utf8" })
  }).pipe(Effect.provide(stores))
)
