/**
 * What changed in a table of a DuckDB file between two runs, as far as the file still has their states
 * (`src/engine/storedStates.ts`). The file is opened READ_ONLY.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Column from "#engine/Column"
import type * as Difference from "#engine/Difference"
import * as Database from "#engine/Duckdb"
import { columnsIn, describe } from "#engine/describeDuckdb"
import { rowNumber } from "#engine/duckdbCompare"
import * as Sink from "#engine/Sink"
import { type Condition, differencesOf, ofRuns, statesOf } from "#engine/storedStates"
import { failure } from "./failure.ts"
import { openToRead, readersFile } from "./file/ReadersDatabase.ts"
import type { Options } from "./options.ts"
import * as Place from "./Place.ts"

export const differences = Effect.fn("duckdb.differences")(function* (
  options: Options,
  directory: string,
  ask: Difference.DiffRequest
): Effect.fn.Return<Difference.Differences, Sink.SinkError, Scope.Scope> {
  const { table } = ask
  const place = Place.of(options)
  const target = Place.named(place, table.name)
  const file = readersFile(options, directory)
  if (file === undefined) return yield* failure(`${Path.resolve(directory, options.path)} is not there yet`)()
  const failed = failure(`cannot compare table ${table.name} of ${file}`)
  const within = Effect.mapError(failed)
  const database = yield* openToRead(file, { threads: 1, memory: "256MB" })
  if (!(yield* within(Place.has(database, place, table.name)))) {
    return yield* failure(`${file} has no table ${Place.spoken(place, table.name)}`)()
  }
  const columns = columnsIn(yield* within(describe(database, target)))
  const isHistory = Sink.isHistory(columns)
  const early = isHistory ? yield* within(notYetHistory(database, place, ask)) : undefined
  if (early !== undefined) {
    return yield* failure(
      `table ${table.name} of ${file} was no history yet when run ${early} loaded it; name a later`
    )()
  }
  const states = statesOf(ask, columns, isHistory, inForce)
  if (typeof states === "string") return yield* failure(`table ${table.name} of ${file}: ${states}`)()
  const own =
    Column.named(columns, Sink.pipelineColumn.name) === undefined
      ? "TRUE"
      : `${Sink.pipelineColumn.name} = ${Database.literal(ask.to.pipeline)}`
  return yield* differencesOf(database, {
    ask,
    columns,
    states,
    old: relation(ask, columns, `${target} WHERE ${own} AND`, states.old),
    new: relation(ask, columns, `${target} WHERE ${own} AND`, states.new),
    failed
  })
})

/** That one of the two runs which loaded the table before it was a history. */
const notYetHistory = (
  database: Database.Database,
  place: Place.DatabaseLocation,
  { from, table, to }: Difference.DiffRequest
) =>
  Effect.map(
    Database.texts(
      database,
      `SELECT run_id FROM ${Place.named(place, "_millrace_loads")} WHERE table_name = ${Database.literal(table.name)}
        AND ${ofRuns([from.runId, to.runId]).replace("_run_id", "run_id")} AND "write" <> 'scd2' LIMIT 1`
    ),
    ([run]) => run
  )

/** The relation of a state with numbered rows: by DuckDB's rowid, or in the order of the table if a column hides it. */
const relation = (
  { table }: Difference.DiffRequest,
  columns: ReadonlyArray<Column.Column>,
  from: string,
  { runs, where }: Condition
): string => {
  const number = Column.named(columns, "rowid") === undefined ? "rowid" : "row_number() OVER ()"
  const rows = `(SELECT *, ${number} AS ${rowNumber} FROM ${from} (${where}))`
  if (runs === undefined || table.key.length === 0) return rows
  const order = `list_position([${runs.map(Database.literal).join(", ")}], _run_id)`
  const key = table.key.map(Column.quote).join(", ")
  return `(FROM ${rows} QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY ${order} DESC, ${rowNumber} DESC) = 1)`
}

const inForce = (micros: bigint): string => {
  const moment = `make_timestamp(${micros}::BIGINT)`
  return `valid_from <= ${moment} AND (valid_to IS NULL OR valid_to > ${moment})`
}
