/**
 * Tables and rows for testing a sink: the values that are easily lost, and a draw of random ones.
 *
 * A random draw is named by its seed, and the seed is in the name of the test that uses it, so a failure can be repeated
 * with MILLRACE_SEED.
 */
import * as Schema from "effect/Schema"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"

/** One column of each type, nested ones too. */
export const everything = Table.make({
  name: "everything",
  description: "one column of each type",
  schema: Schema.Struct({
    id: Schema.Int,
    text: Schema.NullOr(Schema.String),
    truth: Schema.NullOr(Schema.Boolean),
    whole: Schema.NullOr(Schema.BigInt),
    real: Schema.NullOr(Schema.Finite),
    exact: Schema.NullOr(Column.Decimal(18, 2)),
    day: Schema.NullOr(Column.Day),
    moment: Schema.NullOr(Column.Timestamp),
    any: Schema.NullOr(Schema.Unknown),
    nested: Schema.NullOr(
      Schema.Struct({ name: Schema.NullOr(Schema.String), tags: Schema.NullOr(Schema.Array(Schema.String)) })
    ),
    list: Schema.NullOr(
      Schema.Array(Schema.NullOr(Schema.Struct({ at: Schema.NullOr(Column.Timestamp), n: Schema.NullOr(Schema.Int) })))
    )
  })
})

/** A table with a key, and one whose rows belong to it. */
export const pages = Table.make({
  name: "pages",
  description: "pages by their address",
  schema: Schema.Struct({ url: Schema.String, title: Schema.NullOr(Schema.String), version: Schema.Int }),
  key: ["url"]
})

export const links = Table.make({
  name: "links",
  description: "where pages point to",
  schema: Schema.Struct({ page_url: Schema.String, at: Schema.Int, href: Schema.String }),
  parent: { table: "pages", on: { page_url: "url" } }
})

/** A page with what its visit was: its own columns, and a copy of one in its metadata. */
export const visited = Table.make({
  name: "visited",
  description: "pages and how they were visited",
  schema: Schema.Struct({
    url: Schema.String,
    title: Schema.NullOr(Schema.String),
    metadata: Schema.NullOr(Schema.Unknown),
    elapsed_ms: Schema.NullOr(Schema.Int),
    _run_id: Schema.String,
    _fetched_at: Column.Timestamp
  }),
  key: ["url"],
  visit: { elapsed_ms: true, metadata: ["etag", "elapsed"] }
})

const texts = [
  "",
  " ",
  "plain",
  "Zürich — 漢字 — עברית",
  "𝄞 😀 👩‍👩‍👧",
  "\u0001\t\n\r\u001f\u007f\u200b\ufeff",
  `"quoted", 'single', \\ and ; -- not a comment`,
  "NULL",
  "x".repeat(10_000)
]
const wholes = [0n, -1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n) + 1n]
const reals = [0, -1.5, 5e-324, Number.MAX_VALUE, Number.MIN_SAFE_INTEGER, 0.1]
const exacts = ["0.00", "12.50", "-0.01", "9999999999999999.99"]
const days = ["0001-01-01", "1582-10-15", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"]
const moments = days.flatMap((day) => {
  const start = Column.timestampFromMillis(Date.parse(`${day}T00:00:00Z`))
  return [start, start + 86_399_999_999n]
})
const anything = [{}, [], "", 0, false, { deep: { er: [null, { a: "ü" }] } }, ["𝄞", 1.5, true, null]]
const nests = [
  { name: null, tags: null },
  { name: "", tags: [] },
  { name: "𝄞", tags: ["", "b"] }
]
const lists = [
  [],
  [null],
  [
    { at: null, n: null },
    { at: moments[0], n: 1 }
  ],
  [{ at: moments.at(-1), n: -1 }, null]
]

const pools: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  text: texts,
  truth: [true, false],
  whole: wholes,
  real: reals,
  exact: exacts,
  day: days,
  moment: moments,
  any: anything,
  nested: nests,
  list: lists
}

/** Rows that hold each special value, and null in each column, at least once. */
export const special: ReadonlyArray<Table.Row> = Array.from({ length: 13 }, (_, id) => ({
  id,
  ...Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, pool[id % (pool.length + 1)] ?? null]))
}))

/** Random rows of `everything`. */
export const draw = (seed: number, count: number): ReadonlyArray<Table.Row> => {
  const random = randomFrom(seed)
  const pick = (pool: ReadonlyArray<unknown>) => pool[random(pool.length)]
  const text = () =>
    String.fromCodePoint(
      ...Array.from(
        { length: random(40) },
        () => 1 + random(0xd7fe),
        () => 0x10000 + random(0xfffff)
      )
    )
  const cell = (name: string, pool: ReadonlyArray<unknown>) => {
    if (random(8) === 0) return null
    if (name === "text" && random(2) === 0) return text()
    if (name === "list") return Array.from({ length: random(5) }, () => ({ at: pick(moments), n: random(100) }))
    return pick(pool)
  }
  return Array.from({ length: count }, (_, id) => ({
    id,
    ...Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, cell(name, pool)]))
  }))
}

/** The seed of this process's draws. */
export const seed = Number(process.env["MILLRACE_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

/** Whole numbers below a limit, the same ones for the same seed (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** A row with every column of its table: absent is null, and whole numbers are bigint. What two equal rows have in common. */
export const canonical = (table: Table.Table, row: Table.Row): Table.Row =>
  Object.fromEntries(table.columns.map(({ name, type }) => [name, canonicalCell(type, row[name])]))

const canonicalCell = (type: Column.ColumnType, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null
  if (type._tag === "BIGINT") return typeof cell === "number" ? BigInt(cell) : cell
  if (type._tag === "LIST") return Array.isArray(cell) ? cell.map((item) => canonicalCell(type.of.type, item)) : cell
  if (type._tag !== "STRUCT" || typeof cell !== "object") return cell
  return Object.fromEntries(
    type.fields.map((field) => [field.name, canonicalCell(field.type, Reflect.get(cell, field.name))])
  )
}
