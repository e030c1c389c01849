/**
 * One table of a run while it is written: where its rows wait for the commit, and what the commit has left to do.
 *
 * Rows wait in a temporary table of the session, which nobody else sees and which is gone with it. They go there by COPY in
 * pieces of some megabytes. Its columns have the types that the table will have at the commit, so that this compares and
 * copies without a cast.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import * as CopyBuffer from "./copy/CopyBuffer.ts"
import { rowFault } from "./copy/rowFault.ts"
import { failure, type ServerError } from "./failure.ts"
import type { Connection } from "./server/Connection.ts"
import * as Place from "./server/Place.ts"
import type { Prepared } from "./table/prepareTable.ts"
import * as TableShape from "./table/TableShape.ts"

export interface Stage extends Sink.TablePlan {
  /** The table in the database, as SQL writes it. */
  readonly target: string
  /** The table as messages name it. */
  readonly said: string
  readonly shape: TableShape.TableShape
  /** What its temporary tables are named by: which writer, and which table of its plan. */
  readonly scratch: string
  /** Rows, and retained keys, until they are handed over. */
  readonly rows: CopyBuffer.CopyBuffer
  readonly keys: CopyBuffer.CopyBuffer
  /** What keeps the database from taking a row that fits its table; undefined: nothing. */
  readonly rowError: ReturnType<typeof rowFault>
  /** What the table is in the transaction of the commit. */
  prepared: Prepared
  /** Rows of this commit that were written, also those that still wait here. */
  written: number
  /** For each batch of its parent's rows: the number of the first of them, and how many of ours were written before. */
  parentBatchOffsets: Array<{ readonly from: number; readonly before: number }>
  /** Whether any key was retained in this run. */
  hasRetained: boolean
}

/** How many rows wait before a statement is worth its cost. Larger pieces are not faster, and hold more memory. */
const pieceBytes = 4_000_000

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.Place,
  planned: Sink.TablePlan,
  { evolve, scratch }: { readonly evolve: boolean; readonly scratch: string }
): Effect.fn.Return<Stage, Sink.SinkError> {
  const shape = yield* TableShape.find(connection, place, planned, evolve).pipe(
    Effect.mapError(failure(`table ${planned.table.name}`))
  )
  const { key } = planned.table
  const isOfKey = ({ ours }: TableShape.WrittenColumn) => key.includes(ours)
  return {
    ...planned,
    target: Place.named(place, planned.table.name),
    said: `table ${planned.table.name} of ${place.location}`,
    shape,
    scratch,
    rows: CopyBuffer.make(shape.columns, isNumbered(planned)),
    keys: CopyBuffer.make(shape.columns.filter(isOfKey), false),
    rowError: rowFault(shape.columns),
    prepared: { lacking: [], isNew: false },
    written: 0,
    parentBatchOffsets: [],
    hasRetained: false
  }
})

/** Whether its rows have numbers: of merge and scd2, which take the last of each key. */
const isNumbered = ({ write }: Sink.TablePlan): boolean => write === "merge" || write === "scd2"

/** Makes the place where the rows of a commit wait, and where the keys that the run retains do. */
export const begin = Effect.fnUntraced(
  function* (connection: Connection, stage: Stage, first: boolean) {
    stage.written = 0
    stage.parentBatchOffsets = []
    stage.rows.restart()
    const columns = stage.shape.columns.map(definition)
    yield* createStaging(connection, staged(stage), isNumbered(stage) ? [`${rowNumber} bigint`, ...columns] : columns)
    if (first && stage.write !== "append" && stage.table.key.length > 0) {
      yield* createStaging(connection, retained(stage), keyColumns(stage).map(definition))
    }
  },
  (effect, _connection, stage) => Effect.mapError(effect, inTable(stage))
)

const definition = ({ name, sql }: TableShape.WrittenColumn): string => `${Column.quote(name)} ${sql}`

const createStaging = (connection: Connection, name: string, columns: ReadonlyArray<string>) =>
  Effect.andThen(
    connection.run(`DROP TABLE IF EXISTS ${name}`),
    connection.run(`CREATE TEMPORARY TABLE ${name} (${columns.join(", ")})`)
  )

/** Takes rows, and hands them to the server where enough of them wait. `stages`: those of the whole run. */
export const write = Effect.fnUntraced(
  function* (
    connection: Connection,
    stages: ReadonlyArray<Stage>,
    stage: Stage,
    rows: ReadonlyArray<Table.Row>
  ): Effect.fn.Return<void, ServerError | Sink.SinkError> {
    for (const child of stages) {
      if (child.write === "merge" && child.table.parent?.table === stage.table.name) {
        child.parentBatchOffsets.push({ from: stage.written, before: child.written })
      }
    }
    for (let at = 0; at < rows.length; ) {
      const from = at
      at = yield* Effect.try({
        try: () => addUntilFull(stage.rows, rows, from),
        catch: (error) => failure(`table ${stage.table.name}`)(error)
      })
      stage.written += at - from
      if (stage.rows.bytes >= pieceBytes) yield* flush(connection, stage)
    }
  },
  (effect, _connection, _stages, stage) => Effect.mapError(effect, inTable(stage))
)

/** The place of the first row that did not go in, because enough wait. */
const addUntilFull = (buffer: CopyBuffer.CopyBuffer, rows: ReadonlyArray<Table.Row>, from: number): number => {
  let at = from
  for (; at < rows.length && buffer.bytes < pieceBytes; at++) {
    const row = rows[at]
    if (row !== undefined) buffer.add(row)
  }
  return at
}

/** Hands what waits to the server. */
export const flush = Effect.fnUntraced(
  function* (connection: Connection, stage: Stage) {
    const number = isNumbered(stage) ? `${rowNumber}, ` : ""
    if (stage.rows.rows > 0) yield* copy(connection, `${staged(stage)} (${number}${columnList(stage)})`, stage.rows)
    if (stage.keys.rows > 0) yield* copy(connection, `${retained(stage)} (${keyList(stage)})`, stage.keys)
  },
  (effect, _connection, stage) => Effect.mapError(effect, inTable(stage))
)

const copy = (connection: Connection, into: string, buffer: CopyBuffer.CopyBuffer) =>
  connection.copy(`COPY ${into} FROM STDIN (FORMAT binary)`, buffer.take())

/** Takes keys whose rows this run could not learn. One that the database cannot hold has no row there. */
export const retainKeys = Effect.fnUntraced(
  function* (connection: Connection, stage: Stage, keys: ReadonlyArray<Table.Row>) {
    if (keys.length === 0 || stage.table.key.length === 0) return
    for (const key of keys) if (stage.rowError(key) === undefined) stage.keys.add(key)
    stage.hasRetained = true
    if (stage.keys.bytes >= pieceBytes) yield* flush(connection, stage)
  },
  (effect, _connection, stage) => Effect.mapError(effect, inTable(stage))
)

/** Removes what an earlier commit of this very run left. A history takes more than that. */
export const clear = (connection: Connection, stage: Stage, runId: string) =>
  hasRunId(stage) ? connection.run(`DELETE FROM ${stage.target} WHERE _run_id = $1`, [runId]) : Effect.succeed(0)

/** Whether its rows say by which run they are. */
export const hasRunId = ({ shape }: Stage): boolean => shape.columns.some(({ name }) => name === "_run_id")

/** The number of a row that waits, from 0. */
export const rowNumber = "_millrace_number"

/** Where rows of a table wait. */
export const staged = (stage: Pick<Stage, "scratch">): string => scratch(stage, "staged")

/** The keys of which the run learned nothing. */
export const retained = (stage: Pick<Stage, "scratch">): string => scratch(stage, "retained")

/** A temporary table beside the staged rows of a stage. */
export const scratch = (stage: Pick<Stage, "scratch">, what: string): string =>
  `pg_temp.${Column.quote(`_millrace_${what}_${stage.scratch}`)}`

/** Makes a temporary table of what a query gives, in the place of the one that was there. */
export const keep = (connection: Connection, name: string, query: string) =>
  Effect.andThen(
    connection.run(`DROP TABLE IF EXISTS ${name}`),
    Effect.andThen(
      connection.run(`CREATE TEMPORARY TABLE ${name} AS ${query}`),
      // Nobody else looks after temporary tables, and what is joined is planned by how many rows there are.
      connection.run(`ANALYZE ${name}`)
    )
  )

export const keyColumns = ({ shape, table }: Stage): ReadonlyArray<TableShape.WrittenColumn> =>
  shape.columns.filter(({ ours }) => table.key.includes(ours))

const keyList = (stage: Stage): string =>
  keyColumns(stage)
    .map(({ name }) => Column.quote(name))
    .join(", ")

/** The columns that rows are written into. */
export const columnList = ({ shape }: Stage, alias?: string): string =>
  shape.columns.map(({ name }) => `${alias === undefined ? "" : `${alias}.`}${Column.quote(name)}`).join(", ")

export const inTable =
  (stage: Stage) =>
  (error: ServerError | Sink.SinkError): Sink.SinkError => {
    const lacks = error._tag === "ServerError" && error.code === "23502" ? error.column : undefined
    return lacks === undefined
      ? failure(stage.said)(error)
      : failure(
          `${stage.said}: a row has no ${lacks}, which is NOT NULL in the database; fill it, or alter the column`
        )()
  }
