import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { parquet } from "#connectors/parquet/index"
import { s3 as store } from "#connectors/s3/index"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as ObjectStore from "#engine/ObjectStore"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { s3 } from "../../../services/s3.ts"
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

/** What a lake is by its manifest, as one file, and the snapshot that shows it. */
interface Reference {
  readonly file: string
  readonly snapshot: number
}

const referenceOf = Effect.fnUntraced(function* (directory: string, database: Database.Database) {
  const lake = join(directory, "lake")
  const manifest = Option.getOrThrow(yield* manifestOf(lake))
  const state = manifest.tables["pages"]
  const { columns = [], files: named = [], partition = [] } = state ?? {}
  const files = named.map(({ path }) => Database.literal(`${lake}/${path}`)).join(", ")
  const file = join(directory, `${manifest.version}.parquet`)
  const json = columns.filter(({ type }) => type === "JSON").map(({ name }) => `"${name}"::VARCHAR AS "${name}"`)
  const replaced = json.length === 0 ? "" : `REPLACE (${json.join(", ")})`
  const empty = columns.map(({ name, type }) => `NULL::${type} AS "${name}"`).join(", ")
  const all = named.length === 0 ? `SELECT ${empty} LIMIT 0` : selectFrom(columns, partition, files)
  yield* database.run(`COPY (SELECT * ${replaced} FROM (${all})) TO '${file}' (FORMAT parquet)`)
  return { file, snapshot: state?.iceberg?.snapshot ?? -1 }
})

/** Every reader finds in each snapshot what its reference has. */
const agree = (lake: string, references: ReadonlyArray<Reference>): void => {
  const script = join(import.meta.dirname, "icebergReaders.py")
  const asked = references.flatMap(({ file, snapshot }) => [file, String(snapshot)])
  const output = execFileSync(python, [script, join(lake, "pages"), ...asked], { encoding: "utf8" })
  const lines = output.trim().split("\n")
  expect(lines).toHaveLength(references.length)
  for (const line of lines) {
    const { reference: expected, ...found } = JSON.parse(line)
    for (const [reader, hash] of Object.entries(found)) expect([reader, hash]).toEqual([reader, expected])
  }
}

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
        const states: Array<Reference> = []
        for (let run = 0; run < 5; run++) {
          yield* load(directory, `run${run}`, {
            table,
            rows: rows(run),
            write,
            at: run + 1,
            options: { partition, iceberg: true },
            ...(write === "scd2" ? { fingerprint: ["whole"] } : {})
          })
          states.push(yield* referenceOf(directory, database))
        }
        agree(lake, states)
      }).pipe(Effect.provide(stores))
  )
}

it.live.skipIf(!hasReaders)(
  "readers find all snapshots of a table that changed its columns, was empty, and whose partition has odd values",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const lake = join(directory, "lake")
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: join(directory, "spill") })
      const states: Array<Reference> = []
      const run = Effect.fnUntraced(function* (
        schema: Schema.Struct.Fields,
        rows: ReadonlyArray<Table.Row>,
        write: "append" | "replace",
        partition: ReadonlyArray<string> = []
      ) {
        const changed = Table.make({ name: "pages", description: "", schema: Schema.Struct(schema) })
        const at = states.length + 1
        yield* load(directory, `run${at}`, { table: changed, rows, write, at, options: { iceberg: true, partition } })
        states.push(yield* referenceOf(directory, database))
      })
      const url = Schema.NullOr(Schema.String)
      yield* run({ url, n: Schema.Int }, [], "append")
      yield* run({ url, n: Schema.Int }, [{ url: "/a", n: 1 }], "append")
      const nested = Schema.NullOr(Schema.Struct({ a: Schema.Int }))
      yield* run({ url, n: Schema.Int, nested }, [{ url: "/b", n: 2, nested: { a: 1 } }], "append")
      const wider = Schema.NullOr(Schema.Struct({ a: Schema.Int, b: url }))
      yield* run({ url, n: Schema.Finite, nested: wider }, [{ url: "/c", n: 0.5, nested: { a: 1, b: "x" } }], "append")
      yield* run({ n: Schema.Int }, [{ n: 4 }], "replace")
      yield* run({ n: Schema.Int, url }, [{ n: 5, url: "/d" }], "replace")
      const odd = [null, "a b", "ü=%/x", "?#&+é", "'\"\\", "100%25"].map((value, n) => ({ n, url: value }))
      yield* run({ n: Schema.Int, url }, odd, "replace", ["url"])
      agree(lake, states)

      const moved = join(directory, "moved lake")
      yield* Effect.promise(() => Fs.rename(lake, moved))
      yield* parquet.with({ path: "moved lake" }).compact?.(directory, { below: 1 }) ?? Effect.die("none")
      agree(moved, states.slice(-1))
    }).pipe(Effect.provide(stores))
)

it.live.skipIf(!hasReaders)("the Python of the page about lakes that asks PyIceberg runs", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (let run = 0; run < 4; run++) {
      yield* load(directory, `run${run}`, { table, rows: rows(run), write: "append", options: { iceberg: true } })
    }
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/destinations/parquet.md"), "utf8")
    const blocks = [...page.matchAll(/^```python\n(.*?)^```/gms)].flatMap(([, code = ""]) =>
      code.includes("pyiceberg") ? [code] : []
    )
    expect(blocks).toHaveLength(1)
    for (const code of blocks) execFileSync(python, ["-c", code], { cwd: directory, encoding: "utf8" })
  }).pipe(Effect.provide(stores))
)

it.live.skipIf(!hasReaders)("PyIceberg skips files that cannot have the rows asked for, and finds the rows", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (let run = 0; run < 4; run++) {
      const own = rows(run).map((row) => ({ ...row, url: `${"/long".repeat(40)}/${run}${row["url"]}` }))
      yield* load(directory, `run${run}`, { table, rows: own, write: "append", options: { iceberg: true } })
    }
    const code = `
import sys
from pyiceberg.expressions import EqualTo, GreaterThanOrEqual
from pyiceberg.table import StaticTable
table = StaticTable.from_metadata(sys.argv[1])
for asked in [EqualTo("_run_id", "run2"), GreaterThanOrEqual("_run_id", "run2"), EqualTo("url", sys.argv[2]), EqualTo("url", "a")]:
    scan = table.scan(row_filter=asked)
    print(len(list(scan.plan_files())), scan.to_arrow().num_rows)
`
    const url = `${"/long".repeat(40)}/3/5 ü`
    const found = execFileSync(python, ["-c", code, join(directory, "lake/pages"), url], { encoding: "utf8" })
    // All addresses begin alike for longer than a bound is, so by them no file can be told from another.
    expect(found.trim().split("\n")).toEqual(["1 20", "2 40", "4 1", "0 0"])
  }).pipe(Effect.provide(stores))
)

it.live.skipIf(!hasReaders || s3 === undefined)(
  "PyIceberg reads a table in a bucket, partitioned, at each snapshot",
  () =>
    Effect.gen(function* () {
      const { access = {}, fresh = () => "", url = "" } = s3 ?? {}
      const [directory, lake] = [yield* folder, fresh()]
      const bucket = Layer.succeed(ObjectStore.ObjectStores, { open: () => store.open(lake, access) })
      for (let run = 0; run < 3; run++) {
        const of = { table, rows: rows(run), options: { iceberg: true, partition: ["day"] } }
        yield* Effect.provide(load(directory, `run${run}`, of), bucket)
      }
      const code = `
import sys
from pyiceberg.table import StaticTable
of = {"s3.endpoint": sys.argv[2], "s3.access-key-id": "test", "s3.secret-access-key": "testsecret", "s3.region": "us-east-1"}
table = StaticTable.from_metadata(sys.argv[1], of)
for snapshot in table.snapshots():
    found = table.scan(snapshot_id=snapshot.snapshot_id).to_arrow()
    print(snapshot.snapshot_id, found.num_rows, sorted({str(day) for day in found["day"].to_pylist()}))
`
      const found = execFileSync(python, ["-c", code, `${lake}/pages`, url], { encoding: "utf8" })
      const days = "['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', 'None']"
      expect(found.trim().split("\n")).toEqual([`1 20 ${days}`, `2 21 ${days}`, `3 22 ${days}`])
    })
)
