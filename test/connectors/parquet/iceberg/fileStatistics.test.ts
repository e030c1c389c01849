import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AvroFile from "#connectors/parquet/iceberg/avroFile"
import { carried, nothingKnown } from "#connectors/parquet/iceberg/fileStatistics"
import { decodeList, decodeManifest } from "#connectors/parquet/iceberg/manifestFiles"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { stores } from "../lake.ts"
import { load } from "../load.ts"
import { icebergIn } from "./icebergIn.ts"

/** A Python that has PyIceberg. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasPyIceberg = spawnSync(python, ["-c", "import pyiceberg, pyarrow"]).status === 0
if (!hasPyIceberg) {
  console.warn(
    `SKIPPED: ${python} has not both of pyiceberg and pyarrow, so they do not judge what Iceberg is told of columns (MILLRACE_TEST_PYTHON)`
  )
}

const table = Table.make({
  name: "pages",
  description: "a column of each type",
  schema: Schema.Struct({
    url: Schema.String,
    whole: Schema.NullOr(Schema.Int),
    real: Schema.NullOr(Schema.Number),
    strange: Schema.Number,
    day: Column.Day,
    moment: Column.Timestamp,
    exact: Column.Decimal(30, 2),
    cents: Schema.NullOr(Column.Decimal(9, 2)),
    truth: Schema.Boolean,
    title: Schema.String,
    long: Schema.String,
    none: Schema.NullOr(Schema.String),
    any: Schema.Unknown,
    nested: Schema.NullOr(Schema.Struct({ at: Column.Timestamp, inner: Schema.Struct({ n: Schema.Int }) })),
    list: Schema.Array(Schema.Int),
    _run_id: Schema.String
  }),
  key: ["url"]
})
const row = (run: number, at: number) => ({
  url: `/${at + run * 5}`,
  whole: at === 3 ? null : run * 100 - at,
  real: at === 4 ? null : at === 0 ? -0 : run * 10 + at / 8,
  strange: at === 2 && run === 1 ? NaN : run,
  day: `19${69 + run}-12-3${at % 2}`,
  moment: BigInt(run - 1) * 1_000_000n - BigInt(at),
  exact: `-${run}234567890123456789012345678.${10 + at}`,
  cents: at === 0 ? null : `${run}.0${at}`,
  truth: at === 1,
  title: `${"ü".repeat(15)}${run}🙂 and more`,
  long: `${run}`.repeat(600),
  none: null,
  any: { at },
  nested: at === 1 ? null : { at: BigInt(run * 100 + at), inner: { n: -at } },
  list: [at],
  _run_id: `run${run}`
})
const rows = (run: number) => Array.from({ length: 10 }, (_, at) => row(run, at))

/** Three runs, the last two rewriting files of the one before. */
const loaded = Effect.gen(function* () {
  const directory = yield* folder
  for (const run of [1, 2, 3]) {
    const of = { table, rows: rows(run), write: "merge" as const, at: run, options: { iceberg: true } }
    yield* load(directory, `run${run}`, of)
  }
  return directory
}).pipe(Effect.provide(stores))

/** What the last snapshot says of the columns of each file, by their names. */
const statisticsIn = Effect.fnUntraced(function* (lake: string) {
  const avro = yield* AvroFile.load
  const { metadata } = yield* icebergIn(lake, "pages")
  const bytes = (path: string) => readFileSync(path.replace("file://", ""))
  const [snapshot, schema] = [metadata.snapshots.at(-1), metadata.schemas.at(-1)]
  const ids = new Map(schema?.fields.map(({ id, name }) => [name, id]))
  const inner = schema?.fields.find(({ name }) => name === "nested")?.type
  if (typeof inner === "object" && inner.type === "struct")
    for (const { id, name } of inner.fields) ids.set(`nested.${name}`, id)
  return decodeList(avro, bytes(snapshot?.["manifest-list"] ?? ""))
    .filter(({ isLive }) => isLive)
    .flatMap(({ path, sequence }) => decodeManifest(avro, bytes(path), sequence))
    .map(({ rows, statistics }) => ({
      rows,
      of: (name: string) => {
        const at = <Value>(all: ReadonlyArray<{ readonly key: number; readonly value: Value }>) =>
          all.find(({ key }) => key === ids.get(name))?.value
        return {
          values: at(statistics.value_counts),
          nulls: at(statistics.null_value_counts),
          lower: at(statistics.lower_bounds),
          upper: at(statistics.upper_bounds)
        }
      },
      bytes: statistics.column_sizes.length
    }))
})

it.effect("a file says the values, the nulls and the bounds of each column, in the bytes of its type", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.provide(
      load(directory, "run1", { table, rows: rows(1), options: { iceberg: true }, write: "append" }),
      stores
    )

    const [file] = yield* statisticsIn(join(directory, "lake"))
    const bounds = (name: string) => {
      const { lower, upper } = file?.of(name) ?? {}
      return [lower, upper]
    }
    const whole = (value: number | bigint) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(value))
      return bytes
    }
    const real = (value: number) => {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(value)
      return bytes
    }
    expect(file?.of("whole")).toEqual({ values: 10n, nulls: 1n, lower: whole(91), upper: whole(100) })
    expect(bounds("real")).toEqual([real(-0), real(11.125)])
    expect(bounds("moment")).toEqual([whole(-9), whole(0)])
    expect(bounds("day").map((bytes) => bytes?.readInt32LE())).toEqual([363, 364])
    expect(bounds("truth")).toEqual([Buffer.from([0]), Buffer.from([1])])
    expect(bounds("cents").map((bytes) => bytes?.toString("hex"))).toEqual(["65", "6d"])
    expect(bounds("nested.at")).toEqual([whole(100), whole(109)])
    expect(file?.of("nested.at")).toMatchObject({ values: 10n, nulls: 1n })
    // Sixteen characters of a text, as Iceberg's own writers keep: the upper bound is the next text after them.
    expect(bounds("title").map(String)).toEqual([`${"ü".repeat(15)}1`, `${"ü".repeat(15)}2`])
    expect(bounds("url").map(String)).toEqual(["/10", "/9"])
    // A number that is none, and texts that are too long for a footer, have no bounds.
    expect(file?.of("strange")).toEqual({ values: 10n, nulls: 0n, lower: undefined, upper: undefined })
    expect(bounds("long")).toEqual([undefined, undefined])
    expect(file?.of("none")).toEqual({ values: 10n, nulls: 10n, lower: undefined, upper: undefined })
    expect(file?.of("list")).toEqual({ values: undefined, nulls: undefined, lower: undefined, upper: undefined })
    expect(file?.bytes).toBeGreaterThan(14)
  })
)

it.effect("what is known of a file is carried from snapshot to snapshot, also when a column comes", () =>
  Effect.gen(function* () {
    const directory = yield* loaded
    const lake = join(directory, "lake")
    const before = yield* statisticsIn(lake)
    const wider = Table.make({
      name: "pages",
      description: "",
      schema: Schema.Struct({ url: Schema.String, more: Schema.NullOr(Schema.Int), _run_id: Schema.String }),
      key: ["url"]
    })
    const more = { url: "/new", more: 1, _run_id: "run4" }
    yield* load(directory, "run4", { table: wider, rows: [more], write: "append" }).pipe(Effect.provide(stores))

    const after = yield* statisticsIn(lake)
    expect(after).toHaveLength(before.length + 1)
    for (const name of ["whole", "moment", "title", "exact"]) {
      expect(after.slice(0, -1).map(({ of }) => of(name))).toEqual(before.map(({ of }) => of(name)))
    }
    expect(after.at(-1)?.of("more")).toMatchObject({ values: 1n, nulls: 0n })
    // A lake that was switched off and on again, or moved, reads its files anew.
    yield* Effect.promise(() => Fs.rm(join(lake, "pages/metadata"), { recursive: true }))
    yield* Effect.provide(
      parquet.with({ path: "lake" }).compact?.(directory, { below: 1 }) ?? Effect.die("none"),
      stores
    )
    const anew = yield* statisticsIn(lake)
    for (const name of ["url", "whole", "exact", "more"]) {
      expect(anew.map(({ of }) => of(name))).toEqual(after.map(({ of }) => of(name)))
    }
  })
)

it("bounds of a column that has another type now are not carried", () => {
  const field = (type: string) => [{ id: 1, name: "c", required: false, type }]
  const bound = [{ key: 1, value: Buffer.from([1]) }]
  const known = { ...nothingKnown, lower_bounds: bound, upper_bounds: bound }
  expect(carried(known, field("long"), field("long"))).toEqual(known)
  expect(carried(known, field("long"), field("string"))).toEqual(nothingKnown)
})

const judge = `
import sys, math, datetime, decimal
from pyiceberg.expressions import EqualTo, GreaterThan, LessThan, IsNull, NotNull, LessThanOrEqual
from pyiceberg.table import StaticTable
import pyarrow.parquet
table = StaticTable.from_metadata(sys.argv[1])
all_rows = table.scan().to_arrow().to_pylist()
files = table.inspect.files().to_pylist()
for file in files:
    rows = pyarrow.parquet.ParquetFile(file["file_path"].removeprefix("file://")).read().to_pylist()
    for name, said in file["readable_metrics"].items():
        if name not in rows[0] or said is None or "value_count" not in said or said["value_count"] is None:
            continue
        values = [row[name] for row in rows if row[name] is not None]
        assert said["value_count"] == len(rows), (name, said)
        assert said["null_value_count"] == len(rows) - len(values), (name, said)
        if said["lower_bound"] is not None:
            assert said["lower_bound"] <= min(values), (name, said, min(values))
            assert said["upper_bound"] >= max(values), (name, said, max(values))
skipped = 0
for name in ["whole", "real", "day", "moment", "exact", "cents", "truth", "title", "long"]:
    for value in sorted({row[name] for row in all_rows if row[name] is not None}):
        literal = value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else value
        for make, holds in [(EqualTo, lambda x: x == value), (GreaterThan, lambda x: x > value), (LessThan, lambda x: x < value)]:
            scan = table.scan(row_filter=make(name, literal))
            found, expected = len(scan.to_arrow()), sum(row[name] is not None and holds(row[name]) for row in all_rows)
            assert found == expected, (name, value, make, found, expected)
            skipped += len(files) - len(list(scan.plan_files()))
    assert len(table.scan(row_filter=IsNull(name)).to_arrow()) == sum(row[name] is None for row in all_rows), name
plans = lambda expression: len(list(table.scan(row_filter=expression).plan_files()))
print(len(files), skipped > 0, plans(EqualTo("whole", -5000)), plans(NotNull("none")), plans(IsNull("title")))
`

it.live.skipIf(!hasPyIceberg)(
  "PyIceberg finds the same rows by each column as without what is said of it, and skips files",
  () =>
    Effect.gen(function* () {
      const directory = yield* loaded
      for (const run of [4, 5]) {
        const of = { table, rows: rows(run), write: "append" as const, at: run }
        yield* Effect.provide(load(directory, `run${run}`, of), stores)
      }
      const found = execFileSync(python, ["-c", judge, join(directory, "lake/pages")], { encoding: "utf8" })
      expect(found.trim()).toMatch(/^[3-9] True 0 0 0$/)
    })
)
