/**
 * What changed in a table between two runs, as far as the database still has their states (`src/engine/storedStates.ts`). The
 * rows of both states are compared in a DuckDB of their own, which spills to a temporary folder, as those of other sinks are.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Column from "../Column.ts"
import { SinkError } from "../Commit.ts"
import type * as Difference from "../Difference.ts"
import * as Duckdb from "../Duckdb.ts"
import { rowNumber } from "../duckdbCompare.ts"
import * as Sink from "../Sink.ts"
import { reading } from "../SqlCell.ts"
import { type Condition, differencesOf, statesOf } from "../storedStates.ts"
import { temporaryFolder } from "../temporaryFolder.ts"
import * as Receipts from "./Receipts.ts"
import { type DescribedColumn, refused, type SqlDatabase } from "./SqlDatabase.ts"
import * as TableRegistry from "./TableRegistry.ts"

export const differences = Effect.fn("sql.differences")(function* (
  database: SqlDatabase,
  ask: Difference.DiffRequest
): Effect.fn.Return<Difference.Differences, SinkError, Scope.Scope> {
  const { from, table, to } = ask
  const place = `table ${table.name} of ${database.location}`
  const failed = (cause: unknown) =>
    cause instanceof SinkError
      ? cause
      : refused(database, `cannot compare ${place}: ${cause instanceof Error ? cause.message : String(cause)}`)
  const there = yield* TableRegistry.describe(database, table.name)
  if (there === undefined || there.kind !== undefined)
    return yield* refused(database, `${database.location} has no table ${table.name}`)
  const columns = there.columns.flatMap(({ name, type }) =>
    type === undefined ? [] : [{ name, type, nullable: true }]
  )
  const isHistory = Sink.isHistory(columns)
  const early = isHistory ? yield* Receipts.notYetHistory(database, table.name, [from.runId, to.runId]) : undefined
  if (early !== undefined) {
    return yield* refused(database, `${place} was no history yet when run ${String(early)} loaded it; name a later`)
  }
  const inForce = (micros: bigint): string => {
    const moment = database.spelling.moment(micros)
    return `valid_from <= ${moment} AND (valid_to IS NULL OR valid_to > ${moment})`
  }
  const states = statesOf(ask, columns, isHistory, inForce)
  if (typeof states === "string") return yield* refused(database, `${place}: ${states}`)
  const folder = yield* Effect.mapError(temporaryFolder("diff"), failed)
  const spill = Path.join(folder, "spill")
  const comparing = yield* Effect.mapError(Duckdb.open({ threads: 1, memory: "256MB", spill }), failed)
  for (const side of ["old", "new"] as const) {
    yield* fetchSide(database, comparing, { ask, columns, stored: there.columns, side, state: states[side], failed })
  }
  return yield* differencesOf(comparing, { ask, columns, states, old: "fetched_old", new: "fetched_new", failed })
})

interface Side {
  readonly ask: Difference.DiffRequest
  readonly columns: ReadonlyArray<Column.Column>
  readonly stored: ReadonlyArray<DescribedColumn>
  readonly side: "old" | "new"
  readonly state: Condition
  readonly failed: (cause: unknown) => SinkError
}

/** Copies the numbered rows of a state into the DuckDB that compares. */
const fetchSide = Effect.fnUntraced(function* (
  database: SqlDatabase,
  comparing: Duckdb.Database,
  { ask, columns, failed, side, state, stored }: Side
): Effect.fn.Return<void, SinkError> {
  const { dialect, spelling } = database
  const { table, to } = ask
  const isShared = Column.named(columns, Sink.pipelineColumn.name) !== undefined
  const own = isShared ? `${Sink.pipelineColumn.name} = ${spelling.literal(to.pipeline)} AND ` : ""
  const names = columns.map(({ name, type }) => spelling.selected(Column.quote(name), type)).join(", ")
  const rowId = dialect.rowId(stored) ?? "1"
  const numbered = [...columns, { name: rowNumber, type: { _tag: "BIGINT" }, nullable: false } as const]
  const into = `fetched_${side}`
  const definitions = numbered.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
  yield* Effect.mapError(comparing.run(`CREATE TABLE ${into} (${definitions.join(", ")})`), failed)
  const feed = yield* Effect.mapError(comparing.feed(numbered), failed)
  const cells = columns.map(({ name, type }) => [name, reading(dialect, type)] as const)
  const rows = `SELECT ${names} FROM ${spelling.table(table.name)} WHERE ${own}(${state.where}) ORDER BY ${rowId}`
  let number = 0
  yield* database.each(rows, (some) => {
    feed.load(
      some.map((row) => ({
        ...Object.fromEntries(cells.map(([name, read], at) => [name, read(row[at])])),
        [rowNumber]: ++number
      }))
    )
    return Effect.mapError(comparing.run(`INSERT INTO ${into} FROM ${feed.call}`), failed)
  })
  if (state.runs === undefined || table.key.length === 0) return
  const key = table.key.map(Column.quote).join(", ")
  const order = `list_position([${state.runs.map(Duckdb.literal).join(", ")}], _run_id)`
  const latest = `FROM ${into} QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY ${order} DESC, ${rowNumber} DESC) = 1`
  yield* Effect.mapError(comparing.run(`CREATE OR REPLACE TABLE ${into} AS ${latest}`), failed)
})
