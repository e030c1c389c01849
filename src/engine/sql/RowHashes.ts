/**
 * What is known of the rows that each run wrote: how many are there, and the sum of their hashes. Each commit records what it added and
 * removed, of its own run and of earlier ones, beside what it loaded (`row_hashes` of `_millrace_loads`). So `millrace verify` finds a
 * value that something else has changed, and rows that later runs replaced are no fault.
 *
 * A hash is of the cells that are not null, in any order, so that a column which comes later changes none. What later runs change in
 * old rows is no part of it: the times of a history, and the columns of somebody else.
 *
 * Guarantee: where it is not known what rows should be, they are not compared, and it is said why. The database itself hashes, as it
 * stores the cells: rows whose columns have other types now, or which the database hashed in another way, are not compared.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../Column.ts"
import * as ColumnRegistry from "../ColumnRegistry.ts"
import type { SinkError } from "../Commit.ts"
import * as Sink from "../Sink.ts"
import { storing } from "../SqlCell.ts"
import type { HashedCell, SqlRow } from "../SqlDialect.ts"
import * as Receipts from "./Receipts.ts"
import type { DescribedColumn, SqlDatabase } from "./SqlDatabase.ts"
import * as TableRegistry from "./TableRegistry.ts"

/** Rows and the sum of their hashes, as a text of its digits; null: it is not known. */
const Sum = Schema.Tuple([Schema.Finite, Schema.NullOr(Schema.String)])
type Sum = typeof Sum.Type
const Change = Schema.Struct({ removed: Schema.optionalKey(Sum), added: Schema.optionalKey(Sum) })

/** Why rows that were there before a commit are not compared after it; `none`: no row of them is there. */
const Before = Schema.Literals(["none", "columns", "refreshed"])
type Before = typeof Before.Type

/** What a commit records of a table. */
const Recorded = Schema.Struct({
  /** The hash of some known cells, which says how the database hashed. */
  method: Schema.String,
  columns: Schema.Record(Schema.String, Schema.String),
  before: Schema.optionalKey(Before),
  /** Whether all rows that an earlier attempt at the run left were removed. */
  again: Schema.optionalKey(Schema.Boolean),
  runs: Schema.Record(Schema.String, Change)
})
type Recorded = typeof Recorded.Type

/** What a commit changes in a table, while its steps are taken. */
export interface RowChanges {
  readonly runId: string
  /** The stored columns that are hashed. */
  readonly columns: ReadonlyArray<DescribedColumn>
  /** Whether stored rows get values that the run does not know. */
  readonly isUntold: boolean
  readonly again: boolean
  readonly runs: Map<string, { removed?: Sum; added?: Sum }>
  before: Before | undefined
}

/** The columns of a table that are hashed, of those that Millrace writes. By the run, rows are told apart. */
export const hashedOf = <C extends { readonly name: string }>(columns: ReadonlyArray<C>): ReadonlyArray<C> =>
  columns.filter(({ name }) => name !== "_run_id" && Column.named(Sink.historyColumns, name) === undefined)

/** A hashed cell of a row. */
export const cellOf = (of: string, { name, type }: Pick<DescribedColumn, "name" | "type">): HashedCell => ({
  name: name.toLowerCase(),
  value: `${of}.${Column.quote(name)}`,
  type
})

/** Adds rows of runs, each with their number and the sum of their hashes. */
export const add = ({ runs }: RowChanges, how: "removed" | "added", rows: ReadonlyArray<SqlRow>): void => {
  for (const [run, number, hash] of rows) {
    const count = Number(number)
    if (count === 0 || typeof run !== "string") continue
    const change = runs.get(run) ?? {}
    change[how] = plus(change[how], [count, typeof hash === "string" ? hash : null], 1n)
    runs.set(run, change)
  }
}

/** Notes that the rows of this commit are stored in another way than they were hashed. */
export const forget = ({ runs }: RowChanges): void => {
  for (const change of runs.values()) if (change.added !== undefined) change.added = [change.added[0], null]
}

const plus = ([rows, hash]: Sum = [0, "0"], [moreRows, more]: Sum, sign: 1n | -1n): Sum => [
  rows + Number(sign) * moreRows,
  hash === null || more === null ? null : String(BigInt(hash) + sign * BigInt(more))
]

/** How the database hashes: it may change with its version. */
export const methodOf = ({ dialect, rows, spelling }: SqlDatabase): Effect.Effect<string | undefined, SinkError> => {
  if (spelling.rowsHash === undefined) return Effect.succeed(undefined)
  const cells = specimens.map(([type, cell], at): HashedCell => {
    const value = spelling.literal(storing(dialect, type)(cell))
    return { name: `c${at}`, value: `CAST(${value} AS ${dialect.type(type)})`, type }
  })
  return Effect.map(rows(`SELECT ${spelling.rowsHash(cells)}`), (found) => String(found[0]?.[0]))
}

/** Cells of each kind, and texts of several lengths. */
const specimens: ReadonlyArray<readonly [Column.ColumnType, unknown]> = [
  ...["", "a", "twelve bytes", "a text that is longer than what fits beside its length"].map(
    (text) => [{ _tag: "VARCHAR" }, text] as const
  ),
  [{ _tag: "BIGINT" }, 42n],
  [{ _tag: "DOUBLE" }, 0.1],
  [{ _tag: "BOOLEAN" }, true],
  [{ _tag: "DATE" }, "2026-01-02"],
  [{ _tag: "TIMESTAMP" }, 1_767_312_000_123_456n],
  [{ _tag: "DECIMAL", precision: 9, scale: 2 }, "1.50"],
  [{ _tag: "DECIMAL", precision: 38, scale: 4 }, "123456789012345678901.5000"]
]

/** What is recorded of a commit. `columns`: those that the table has after it. */
export const encode = (
  { again, before, runs }: RowChanges,
  method: string,
  columns: ReadonlyArray<Pick<DescribedColumn, "name" | "sql" | "type">>
): Recorded => ({
  // Where nothing changes, nothing is compared with how it was.
  ...(runs.size === 0 ? { method: "", columns: {} } : { method, columns: shapeOf(columns) }),
  ...(before === undefined ? {} : { before }),
  ...(again ? { again } : {}),
  runs: Object.fromEntries(runs)
})

const shapeOf = (columns: ReadonlyArray<Pick<DescribedColumn, "name" | "sql" | "type">>) =>
  Object.fromEntries(
    hashedOf(columns).map(({ name, sql, type }) => {
      const [spelled, plain] = [TableRegistry.plainSql(sql), type === undefined ? "" : Column.toSql(type)]
      return [name.toLowerCase(), TableRegistry.plainSql(plain) === spelled ? spelled : `${spelled} ${plain}`]
    })
  )

/** What a run should have in a table, or why it is not known. */
type Standing =
  | {
      readonly _tag: "Known"
      readonly sum: Sum
      readonly of: Pick<Recorded, "method" | "columns">
      readonly isChanged: boolean
    }
  | { readonly _tag: "Unknown"; readonly why: Sink.NotCompared }

const unknown = (why: Sink.NotCompared): Standing => ({ _tag: "Unknown", why })

const decode = Schema.decodeUnknownOption(Recorded)

/** The runs of all tables that Millrace writes, each compared with what it recorded. */
export const compare = Effect.fn("sql.compareRows")(function* (
  database: SqlDatabase
): Effect.fn.Return<ReadonlyArray<Sink.ComparedRun>, SinkError> {
  const method = yield* methodOf(database)
  if (method === undefined) return []
  const { fold, rowsHash, table: named } = database.spelling
  const loads = yield* Receipts.loadsOf(database)
  const compared: Array<Sink.ComparedRun> = []
  for (const { registry, table } of yield* TableRegistry.owners(database)) {
    const there = yield* TableRegistry.describe(database, table)
    const written = ColumnRegistry.decode(registry)
    const isOurs = there?.kind === undefined && Column.named(there?.columns ?? [], "_run_id") !== undefined
    if (there === undefined || written === undefined || !isOurs || rowsHash === undefined) continue
    const columns = hashedOf(there.columns).filter(({ name }) => Column.named(written, name) !== undefined)
    const standings = standingsOf(loads.filter((load) => fold(String(load["table_name"])) === fold(table)))
    const cells = columns.map((column) => cellOf("t", column))
    const found = yield* database.rows(
      `SELECT t._run_id, count(*), ${rowsHash(cells)} FROM ${named(table)} AS t WHERE t._run_id IS NOT NULL GROUP BY t._run_id`
    )
    const sums = new Map(found.map(([run, rows, hash]): [string, Sum] => [String(run), [Number(rows), String(hash)]]))
    const now = { method, columns: shapeOf(columns) }
    for (const run of new Set([...standings.keys(), ...sums.keys()])) {
      const result = comparedRun(standings.get(run), sums.get(run) ?? [0, "0"], now)
      if (result !== undefined) compared.push({ table, run, ...result })
    }
  }
  return compared
})

/** What each run should have, by the loads of a table in their order. */
const standingsOf = (loads: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyMap<string, Standing> => {
  const standings = new Map<string, Standing>()
  const forget = (why: Sink.NotCompared) => {
    for (const run of standings.keys()) standings.set(run, unknown(why))
  }
  for (const load of loads) {
    const run = String(load["run_id"])
    const recorded = Option.getOrUndefined(decode(load["row_hashes"]))
    if (recorded === undefined) {
      standings.set(run, unknown("unrecorded"))
      forget("unrecorded")
      continue
    }
    if (recorded.before === "none") standings.clear()
    else if (recorded.before !== undefined) forget(recorded.before)
    if (recorded.again === true) standings.delete(run)
    for (const [id, change] of Object.entries(recorded.runs)) {
      standings.set(id, after(standings.get(id), change, recorded))
    }
  }
  return standings
}

const after = (
  before: Standing | undefined,
  { added, removed }: typeof Change.Type,
  of: Pick<Recorded, "method" | "columns">
): Standing => {
  if (before?._tag === "Unknown") return before
  if (before === undefined && removed !== undefined) return unknown("unrecorded")
  const why = before && before.sum[0] > 0 ? differenceOf(before.of, of) : undefined
  if (why !== undefined) return unknown(why)
  const rest = removed === undefined ? before?.sum : plus(before?.sum, removed, -1n)
  // Of a run without rows nothing is left that could be wrong.
  const sum = plus(rest !== undefined && rest[0] > 0 ? rest : undefined, added ?? [0, "0"], 1n)
  const isChanged = sum[0] > (added?.[0] ?? 0) && (before?.isChanged === true || removed !== undefined)
  return sum[1] === null ? unknown("untold") : { _tag: "Known", sum, of, isChanged }
}

/** Why hashes of two moments cannot be compared. */
const differenceOf = (
  one: Pick<Recorded, "method" | "columns">,
  other: Pick<Recorded, "method" | "columns">
): Sink.NotCompared | undefined => {
  if (one.method !== other.method) return "method"
  const isOther = Object.entries(one.columns).some(([name, type]) => (other.columns[name] ?? type) !== type)
  return isOther ? "columns" : undefined
}

const comparedRun = (
  standing: Standing = unknown("unrecorded"),
  found: Sum,
  now: Pick<Recorded, "method" | "columns">
): Omit<Sink.ComparedRun, "table" | "run"> | undefined => {
  const why = standing._tag === "Unknown" ? standing.why : differenceOf(standing.of, now)
  const [rows, hash] = found
  const known: Sum = standing._tag === "Unknown" ? [0, "0"] : standing.sum
  if (rows === 0 && known[0] === 0) return undefined
  if (standing._tag === "Unknown" || why !== undefined) {
    return rows === 0 ? undefined : { found: wordsOf(found), rows, notCompared: why ?? "unrecorded" }
  }
  const isRight = rows === known[0] && hash === known[1]
  return {
    rows,
    found: wordsOf(found),
    ...(isRight ? {} : { recorded: wordsOf(known), isChanged: standing.isChanged })
  }
}

/** Rows and their hash in a few digits: the sum of 64 bits is enough to tell. */
const wordsOf = ([rows, hash]: Sum): string =>
  `${rows} row${rows === 1 ? "" : "s"}, hash ${BigInt.asUintN(64, BigInt(hash ?? 0))
    .toString(16)
    .padStart(16, "0")}`
