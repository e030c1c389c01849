import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Database from "../../../../src/duckdb/Database.ts"
import * as Column from "../../../../src/pipeline/Column.ts"
import * as Table from "../../../../src/pipeline/Table.ts"
import { folder } from "../../../../src/testing/folder.ts"
import { manifestOf, selectFrom, stores } from "../lake.ts"
import { load } from "../load.ts"

/** A Python that has PyIceberg, polars and pandas. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasReaders = spawnSync(python, ["-c", "import pyiceberg, polars, pandas, pyarrow"]).status === 0
if (!hasReaders) {
  console.warn(
    `SKIPPED: ${python} has not all of pyiceberg, polars, pandas and pyarrow, so they do not read our Iceberg tables (MILLRACE_TEST_PYTHON)`
  )
}

const table = Table.make({
  name: "pages",
  description: "a column of each type",
  schema: Schema.Struct({
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
  }),
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
            options: { partition, iceberg: true },
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
          states.push({ reference, version: state?.iceberg?.snapshot ?? -1 })
        }
        const script = join(import.meta.dirname, "icebergReaders.py")
        const asked = states.flatMap(({ reference, version }) => [reference, String(version)])
        const lines = execFileSync(python, [script, join(lake, "pages"), ...asked], { encoding: "utf8" })
          .trim()
          .split("\n")
        expect(lines).toHaveLength(states.length)
        for (const line of lines) {
          const { reference: expected, ...found } = JSON.parse(line)
          for (const [reader, hash] of Object.entries(found)) expect([reader, hash]).toEqual([reader, expected])
        }
      }).pipe(Effect.provide(stores)),
    { timeout: 120_000 }
  )
}
