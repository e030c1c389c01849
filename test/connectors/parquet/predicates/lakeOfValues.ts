/**
 * A lake with a column of each type, whose values are those that statistics get wrong, and its states: what each run left,
 * and what readers ask of it.
 *
 * Values come in the order of their pool, a few rows each, so files and row groups have different bounds, and each run has
 * values that others have not.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { manifestOf } from "../lake.ts"
import { load } from "../load.ts"

/** A column, and its values in about the order of their bounds. */
interface Kind {
  readonly schema: Schema.Top
  readonly pool: ReadonlyArray<unknown>
}

const url = (length: number) => `https://example.com/${"ü/漢".repeat(length)}`
const moments = [
  -62_135_596_800_000_000n,
  -2_208_988_800_000_001n,
  -1n,
  0n,
  1n,
  1_700_000_000_000_001n,
  1_700_000_000_000_999n,
  253_402_300_799_999_999n
]

const kinds: Readonly<Record<string, Kind>> = {
  text: {
    schema: Schema.String,
    pool: [
      "",
      " ",
      "'q\"\\",
      "NULL",
      "Zürich",
      "a",
      "a\u0000b",
      "aa",
      "b",
      "é",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "𐀀",
      "😀"
    ]
  },
  /** Beyond the bounds of footers (512 bytes) and of Iceberg (16 and 128 characters). */
  long: {
    schema: Schema.String,
    pool: [
      "a".repeat(511),
      "a".repeat(512),
      "a".repeat(513),
      `${"a".repeat(600)}b`,
      `${"a".repeat(600)}c`,
      `${url(200)}1`,
      `${url(200)}2`,
      "\u{10ffff}".repeat(140),
      `${"\u{10ffff}".repeat(140)}a`
    ]
  },
  /** Beyond Iceberg's 16 characters, within the 512 bytes of footers. */
  middle: {
    schema: Schema.String,
    pool: [
      "ü".repeat(16),
      `${"ü".repeat(16)}a`,
      `${"ü".repeat(16)}b`,
      "\ud7ff".repeat(17),
      `${"\ud7ff".repeat(17)}z`,
      "😀".repeat(20),
      "\u{10ffff}".repeat(16),
      "\u{10ffff}".repeat(17)
    ]
  },
  truth: { schema: Schema.Boolean, pool: [false, true] },
  whole: {
    schema: Schema.BigInt,
    pool: [
      -(2n ** 63n),
      -(2n ** 53n) - 1n,
      -1n,
      0n,
      1n,
      2n ** 31n,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 2n,
      2n ** 63n - 1n
    ]
  },
  real: {
    schema: Schema.Number,
    pool: [
      -Infinity,
      -Number.MAX_VALUE,
      -1.5,
      -Number.MIN_VALUE,
      -0,
      0,
      Number.MIN_VALUE,
      0.1,
      0.1 + 0.2,
      Number.MAX_VALUE,
      Infinity,
      NaN
    ]
  },
  finite: { schema: Schema.Number, pool: [-1e300, -2.5, -0.1, 0.1, 0.30000000000000004, 2.5, 1e15, 1e300] },
  zero: { schema: Schema.Number, pool: [-0, 0, -0, 5e-324] },
  cents: {
    schema: Column.Decimal(5, 2),
    pool: ["-999.99", "-0.01", "0.00", "0.01", "9.99", "10.00", "999.98", "999.99"]
  },
  exact: {
    schema: Column.Decimal(18, 2),
    pool: [
      "-9999999999999999.99",
      "-1.00",
      "-0.01",
      "0.00",
      "0.01",
      "90071992547409.93",
      "9999999999999999.98",
      "9999999999999999.99"
    ]
  },
  huge: {
    schema: Column.Decimal(38, 10),
    pool: [
      `-${"9".repeat(28)}.${"9".repeat(10)}`,
      "-18446744073709551616.0000000000",
      "-0.0000000001",
      "0.0000000000",
      "0.0000000001",
      "18446744073709551616.0000000001",
      `${"9".repeat(28)}.${"9".repeat(9)}8`,
      `${"9".repeat(28)}.${"9".repeat(10)}`
    ]
  },
  day: {
    schema: Column.Day,
    pool: [
      "0001-01-01",
      "1582-10-04",
      "1582-10-15",
      "1969-12-31",
      "1970-01-01",
      "2026-11-21",
      "9999-12-30",
      "9999-12-31"
    ]
  },
  moment: { schema: Column.Timestamp, pool: moments },
  any: {
    schema: Schema.Unknown,
    pool: [false, 0, 1e300, "", "null", [], [null], {}, { a: null }, { deep: [{ ü: "\u0000" }] }]
  },
  struct: {
    schema: Schema.Struct({
      name: Schema.NullOr(Schema.String),
      n: Schema.NullOr(Schema.BigInt),
      real: Schema.NullOr(Schema.Number),
      at: Schema.NullOr(Column.Timestamp),
      exact: Schema.NullOr(Column.Decimal(38, 10)),
      inner: Schema.NullOr(Schema.Struct({ day: Schema.NullOr(Column.Day) }))
    }),
    pool: Array.from({ length: 8 }, (_, at) => ({
      name: at === 7 ? null : ["", "a", "ü", "😀"][at % 4],
      n: at === 6 ? null : BigInt(at - 3) * 2n ** 60n,
      real: at === 5 ? NaN : at === 4 ? null : at / 3,
      at: at === 2 ? null : moments[at],
      exact: at === 1 ? null : `${at - 4}.0000000001`,
      inner: at === 0 ? null : { day: at === 3 ? null : `202${at}-01-01` }
    }))
  },
  list: { schema: Schema.Array(Schema.NullOr(Schema.String)), pool: [[], [null], ["a"], ["a", null, "ü"]] },
  structs: {
    schema: Schema.Array(Schema.NullOr(Schema.Struct({ n: Schema.NullOr(Schema.BigInt) }))),
    pool: [[], [null], [{ n: null }], [{ n: 1n }, { n: 2n ** 62n }]]
  },
  Größe: { schema: Schema.BigInt, pool: [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n] }
}

/** Columns that partition, or would. Their values come together, so that there are few folders. */
const folders: Readonly<Record<string, Kind>> = {
  of_text: { schema: Schema.String, pool: ["a", "b c", "ü=%/", "null"] },
  of_whole: { schema: Schema.BigInt, pool: [-1n, 0n, 2n ** 53n + 1n, 7n] },
  of_truth: { schema: Schema.Boolean, pool: [true, false, true, false] },
  of_day: { schema: Column.Day, pool: ["0001-01-01", "1969-12-31", "2026-11-21", "9999-12-31"] },
  of_moment: { schema: Column.Timestamp, pool: [-1n, 0n, 1_700_000_000_000_001n, 253_402_300_799_999_999n] },
  of_exact: { schema: Column.Decimal(10, 2), pool: ["0.00", "0.01", "1.50", "99999999.99"] }
}

/** Values that some readers of partitions read in another way, or refuse. */
const oddFolders: Readonly<Record<string, Kind>> = {
  odd_text: { schema: Schema.String, pool: ["", "__HIVE_DEFAULT_PARTITION__", "x", " "] },
  odd_exact: { schema: Column.Decimal(10, 2), pool: ["-0.01", "-99999999.99", "0.50", "7.00"] },
  odd_real: { schema: Schema.Number, pool: [0.1, -1.5, 1e300, 5e-324] }
}

/** Names that SQL, paths and Delta take for something else. */
const oddNames: Readonly<Record<string, Kind>> = Object.fromEntries(
  ["net price", "a.b", "a,b;c", 'quo"te', "select", "it's", "Ärger "].map((name, at) => [
    name,
    { schema: Schema.BigInt, pool: Array.from({ length: 8 }, (_, n) => BigInt(n * 10 + at)) }
  ])
)

/** How a table lies in the lake: which columns partition it, and which it has beside those of each type. */
export interface Layout {
  readonly partition: ReadonlyArray<string>
  readonly more: Readonly<Record<string, Kind>>
  /** Whether readers are asked of a column. The bounds of one do not depend on where its file lies. */
  readonly isAsked: (column: string) => boolean
}

const oddLayout = (more: Layout["more"], partition: Layout["partition"]): Layout => ({
  partition,
  more,
  isAsked: (name) => ["id", "valid_from", "real"].includes(name) || Object.hasOwn(more, name)
})

export const layouts = {
  whole: { partition: [], more: {}, isAsked: (name) => !Object.hasOwn(folders, name) },
  "in folders": {
    partition: Object.keys(folders),
    more: {},
    isAsked: (name) => !Object.hasOwn(kinds, name) || ["text", "real", "moment"].includes(name)
  },
  "in odd folders": oddLayout(oddFolders, Object.keys(oddFolders)),
  "with odd names": oddLayout(oddNames, [])
} satisfies Record<string, Layout>

/** What a run knows of: a column comes in the second, and one is wider from the third on. */
const tableOf = (run: number, more: Layout["more"]): Table.Table => {
  const nullable = (of: Readonly<Record<string, Kind>>) =>
    Object.fromEntries(Object.entries(of).map(([name, { schema }]) => [name, Schema.NullOr(schema)]))
  return Table.make({
    name: "cells",
    description: "a column of each type",
    key: ["id"],
    schema: Schema.Struct({
      id: Schema.BigInt,
      ...nullable(kinds),
      ...nullable(folders),
      ...nullable(more),
      nothing: Schema.NullOr(Schema.String),
      /** Null in all rows of some runs. */
      sometimes: Schema.NullOr(Schema.BigInt),
      widened: Schema.NullOr(run < 2 ? Schema.Int : Schema.Number),
      ...(run === 0 ? {} : { later: Schema.NullOr(Schema.String) })
    })
  })
}

const rowsPerRun = 24

const rowsOf = (run: number, write: Sink.WriteDisposition, more: Layout["more"]): ReadonlyArray<Table.Row> =>
  Array.from({ length: rowsPerRun }, (_, n) => {
    const at = run * 5 + Math.floor(n / 3)
    const drawn = (of: Readonly<Record<string, Kind>>, place: number) =>
      Object.fromEntries(
        Object.entries(of).map(([name, { pool }]) => [name, pool[place % (pool.length + 1)] ?? null] as const)
      )
    return {
      // Runs of merge and scd2 change rows of others, and bring some.
      id: BigInt(write === "append" ? run * rowsPerRun + n : run * 8 + n),
      ...drawn(kinds, at),
      ...drawn(folders, run + Math.floor(n / 8)),
      ...drawn(more, run + Math.floor(n / 8)),
      nothing: null,
      sometimes: run % 2 === 0 ? null : BigInt(at),
      widened: n % 4 === 0 ? null : run < 2 ? n - 9 : n / 8 - 2 ** 52,
      ...(run === 0 ? {} : { later: n % 5 === 0 ? null : `later ${at}` })
    }
  })

/** A column or a field of a struct, by the names that lead to it, and its type in SQL. */
export interface Asked {
  readonly path: ReadonlyArray<string>
  readonly type: string
}

/** A state of the table, as the readers find it. Paths are absolute. */
export interface State {
  readonly name: string
  readonly table: string
  readonly delta: number
  readonly snapshot: number
  /** The `read.sql` of this state. */
  readonly sql: string
  readonly files: ReadonlyArray<string>
  readonly partition: ReadonlyArray<string>
  /** What tells rows apart. */
  readonly identity: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Asked>
}

export const writes = ["append", "replace", "merge", "scd2"] as const

const minute = 60_000

/**
 * Five runs, a compaction and a vacuum. The states are those that the vacuum left: all but the first.
 */
export const statesOf = Effect.fnUntraced(function* (
  directory: string,
  write: Sink.WriteDisposition,
  { isAsked, more, partition }: Layout
) {
  const sink = parquet.with({ path: "lake", partition })
  const states: Array<State> = []
  for (let run = 0, at = 1; run < 5; run++, at++) {
    // Every other run makes a file of each group of rows, so a file has values that its neighbours have not.
    const options = { iceberg: true, partition, row_group: 7, ...(run % 2 === 0 ? { rotate: 1 } : {}) }
    const versions = write === "scd2" ? { fingerprint: Object.keys(kinds) } : {}
    const rows = rowsOf(run, write, more)
    yield* load(directory, `run${run}`, { table: tableOf(run, more), rows, write, at, options, ...versions })
    states.push(yield* stateOf(directory, `run ${run + 1}`))
    if (run !== 2) continue
    yield* TestClock.setTime(++at * minute)
    yield* sink.compact?.(directory, { below: 10_000_000 }) ?? Effect.die("it cannot compact")
    states.push(yield* stateOf(directory, "compact"))
  }
  yield* TestClock.setTime(7 * minute)
  // The first state ended five minutes ago.
  const vacuumed = yield* sink.vacuum?.(directory, { retain: 4.5 * minute, dryRun: false }) ?? Effect.die("no vacuum")
  if (write !== "append") expect(vacuumed.files).toBeGreaterThan(0)
  return states.slice(1).map((state) => ({
    ...state,
    columns: state.columns.filter(({ path: [name = ""] }) => isAsked(name))
  }))
})

const stateOf = Effect.fnUntraced(function* (directory: string, name: string) {
  const lake = join(directory, "lake")
  const { tables, version } = Option.getOrThrow(yield* manifestOf(lake))
  const state = Option.getOrThrow(Option.fromNullishOr(tables["cells"]))
  const sql = join(directory, `${version}.sql`)
  writeFileSync(sql, readFileSync(join(lake, "read.sql")))
  const names = state.columns.map((column) => column.name)
  const known = tableOf(1, {}).columns
  return {
    name,
    table: join(lake, "cells"),
    delta: state.delta?.version ?? -1,
    snapshot: state.iceberg?.snapshot ?? -1,
    sql,
    files: state.files.map(({ path }) => join(lake, path)),
    partition: state.partition,
    identity: ["id", ...names.filter((one) => one === "valid_from")],
    columns: state.columns.flatMap((column) => [
      { path: [column.name], type: column.type },
      ...fieldsIn([column.name], Column.named(known, column.name)?.type)
    ])
  } satisfies State
})

const fieldsIn = (path: ReadonlyArray<string>, type: Column.ColumnType | undefined): ReadonlyArray<Asked> =>
  type?._tag === "STRUCT"
    ? type.fields.flatMap((field) => {
        const own = [...path, field.name]
        return [{ path: own, type: Column.toSql(field.type) }, ...fieldsIn(own, field.type)]
      })
    : []
