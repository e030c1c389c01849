/**
 * What changed in a table of a database between two runs, as far as the database still has their states
 * (`src/engine/storedStates.ts`).
 *
 * The rows of both states are read in one transaction, and compared in a separate DuckDB, which spills to a temporary folder.
 * So tables of any size are compared in the same way as in the other sinks.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Difference from "#engine/Difference"
import * as Database from "#engine/Duckdb"
import { rowNumber } from "#engine/duckdbCompare"
import * as Instant from "#engine/Instant"
import * as Sink from "#engine/Sink"
import { type Condition, differencesOf, ofRuns, statesOf } from "#engine/storedStates"
import { temporaryFolder } from "#engine/temporaryFolder"
import { streamRows } from "./copy/streamRows.ts"
import { failure } from "./failure.ts"
import type { Options } from "./options.ts"
import * as Place from "./Place.ts"
import type { Connection } from "./server/Connection.ts"
import * as catalog from "./server/catalog.ts"
import { openToRead } from "./server/reading.ts"

export const differences = Effect.fn("postgres.differences")(function* (
  options: Options,
  _directory: string,
  ask: Difference.DiffRequest
): Effect.fn.Return<Difference.Differences, Sink.SinkError, Scope.Scope> {
  const { table } = ask
  const { connection, place } = yield* openToRead(options)
  const failed = failure(`cannot compare table ${table.name} of ${place.location}`)
  const within = Effect.mapError(failed)
  if (!(yield* within(catalog.has(connection, place, table.name)))) {
    return yield* failure(`${place.location} has no table ${table.name}`)()
  }
  const present = yield* within(catalog.describe(connection, place, table.name))
  const columns = present.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type, nullable: true }]))
  const isHistory = Sink.isHistory(columns)
  const early = isHistory ? yield* within(notYetHistory(connection, place, ask)) : undefined
  if (early !== undefined) {
    return yield* failure(
      `table ${table.name} of ${place.location} was no history yet when run ${early} loaded it; name a later`
    )()
  }
  const states = statesOf(ask, columns, isHistory, inForce)
  if (typeof states === "string") return yield* failure(`table ${table.name} of ${place.location}: ${states}`)()
  const folder = yield* within(temporaryFolder("diff"))
  const database = yield* within(Database.open({ threads: 1, memory: "256MB", spill: Path.join(folder, "spill") }))
  for (const side of ["old", "new"] as const) {
    yield* within(fetchSide(connection, database, { ask, columns, place, side, state: states[side] }))
  }
  return yield* differencesOf(database, {
    ask,
    columns,
    states,
    old: "fetched_old",
    new: "fetched_new",
    failed
  })
})

interface Side {
  readonly ask: Difference.DiffRequest
  readonly columns: ReadonlyArray<Column.Column>
  readonly place: Place.DatabaseLocation
  readonly side: "old" | "new"
  readonly state: Condition
}

/** Copies the numbered rows of a state into the DuckDB that compares. */
const fetchSide = Effect.fnUntraced(function* (
  connection: Connection,
  database: Database.Database,
  { ask, columns, place, side, state }: Side
) {
  const { table, to } = ask
  const own =
    Column.named(columns, Sink.pipelineColumn.name) === undefined
      ? "true"
      : `${Sink.pipelineColumn.name} = ${Place.literal(to.pipeline)}`
  const from = `${Place.named(place, table.name)} WHERE ${own} AND (${state.where})`
  const numbered = [...columns, { name: rowNumber, type: { _tag: "BIGINT" }, nullable: false } as const]
  const rows = `SELECT *, row_number() OVER (ORDER BY ctid) AS ${rowNumber} FROM ${from}`
  const key = table.key.map(Column.quote).join(", ")
  const latest =
    state.runs === undefined || table.key.length === 0
      ? rows
      : `SELECT DISTINCT ON (${key}) * FROM (${rows}) AS r
          ORDER BY ${key}, array_position(ARRAY[${state.runs.map(Place.literal).join(", ")}]::text[], _run_id) DESC, ${rowNumber} DESC`
  yield* database.run(
    `CREATE TABLE fetched_${side} (${numbered.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`).join(", ")})`
  )
  const feed = yield* database.feed(numbered)
  yield* Stream.runForEach(streamRows(connection, latest, numbered), (some) => {
    feed.load(some)
    return database.run(`INSERT INTO fetched_${side} FROM ${feed.call}`)
  })
})

/** That one of the two runs which loaded the table before it was a history. */
const notYetHistory = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  { from, table, to }: Difference.DiffRequest
) {
  const [row] = yield* connection.rows(
    `SELECT run_id FROM ${Place.named(place, "_millrace_loads")} WHERE table_name = $1
      AND ${ofRuns([from.runId, to.runId]).replace("_run_id", "run_id")} AND "write" <> 'scd2' LIMIT 1`,
    [table.name]
  )
  return row?.["run_id"] ?? undefined
})

const inForce = (micros: bigint): string => {
  const moment = `timestamptz ${Place.literal(Instant.textOf(micros))}`
  return `valid_from <= ${moment} AND (valid_to IS NULL OR valid_to > ${moment})`
}
