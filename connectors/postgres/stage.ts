/**
 * One table of a run while it is written.
 *
 * Rows wait in a temporary table of the session, which other sessions do not see and which ends with the session. They are
 * copied there by COPY in pieces of some megabytes. Its columns have the types that the table will have at the commit, so that
 * the commit needs no casts.
 */
import * as Effect from "effect/Effect"
import * as CellJson from "#engine/CellJson"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import type { RowError } from "#engine/validateRow"
import { isPlain } from "./columnSql.ts"
import type { CopiedColumn } from "./copy/CopyBuffer.ts"
import * as CopyBuffer from "./copy/CopyBuffer.ts"
import { isMoment, isRefusedByJsonb, jsonbFault, momentFault, nulFault } from "./copy/cellWriter.ts"
import { failure, type ServerError } from "./failure.ts"
import * as Place from "./Place.ts"
import type { Connection } from "./server/Connection.ts"
import type { Prepared } from "./table/prepareTable.ts"
import * as TableShape from "./table/TableShape.ts"

export interface Stage extends Sink.TablePlan {
  /** The SQL name of the table in the database. */
  readonly target: string
  /** The name of the table in messages. */
  readonly said: string
  readonly shape: TableShape.TableShape
  /** The part of the names of its temporary tables that identifies the writer and the table of its plan. */
  readonly scratch: string
  /** Rows and retained keys that are not sent to the server yet. */
  readonly rows: CopyBuffer.CopyBuffer
  readonly keys: CopyBuffer.CopyBuffer
  /** Why the database cannot take a row that fits its table; undefined: it can. */
  readonly rowError: ReturnType<typeof rowFault>
  /** The prepared table, in the transaction of the commit. */
  prepared: Prepared
  /** The number of rows of this commit, with those that still wait in the buffer. */
  written: number
  /** For each batch of parent rows: the number of its first row, and how many rows of this table were written before it. */
  parentBatchOffsets: Array<{ readonly from: number; readonly before: number }>
  /** Whether any key was retained in this run. */
  hasRetained: boolean
}

/** Rows are copied when they have this many bytes. Larger pieces are not faster, and need more memory. */
const pieceBytes = 4_000_000

export const of = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
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
    rows: CopyBuffer.of(shape.columns, isNumbered(planned)),
    keys: CopyBuffer.of(shape.columns.filter(isOfKey), false),
    rowError: rowFault(shape.columns),
    prepared: { lacking: [], foreign: [], isNew: false },
    written: 0,
    parentBatchOffsets: [],
    hasRetained: false
  }
})

/** Whether its staged rows have numbers: for merge and scd2, which use the last row of each key. */
const isNumbered = ({ write }: Sink.TablePlan): boolean => write === "merge" || write === "scd2"

/** Makes the temporary tables for the rows of a commit, and for the retained keys of the run. */
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

/** Takes rows, and sends them to the server when enough of them wait. `stages`: all stages of the run. */
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

/** Adds rows until the buffer is full, and returns the position of the first row that was not added. */
const addUntilFull = (buffer: CopyBuffer.CopyBuffer, rows: ReadonlyArray<Table.Row>, from: number): number => {
  let at = from
  for (; at < rows.length && buffer.bytes < pieceBytes; at++) {
    const row = rows[at]
    if (row !== undefined) buffer.add(row)
  }
  return at
}

/** Sends the waiting rows to the server. */
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

/** Takes keys whose rows this run could not read. A key that the database cannot hold is skipped: it has no stored row. */
export const retainKeys = Effect.fnUntraced(
  function* (connection: Connection, stage: Stage, keys: ReadonlyArray<Table.Row>) {
    if (keys.length === 0 || stage.table.key.length === 0) return
    for (const key of keys) if (stage.rowError(key) === undefined) stage.keys.add(key)
    stage.hasRetained = true
    if (stage.keys.bytes >= pieceBytes) yield* flush(connection, stage)
  },
  (effect, _connection, stage) => Effect.mapError(effect, inTable(stage))
)

/** Removes the rows that an earlier commit of the same run left. For a history, `removeVersions` does more. */
export const clear = (connection: Connection, stage: Stage, runId: string) =>
  hasRunId(stage) ? connection.run(`DELETE FROM ${stage.target} WHERE _run_id = $1`, [runId]) : Effect.succeed(0)

/** Whether its rows have `_run_id`. */
export const hasRunId = ({ shape }: Stage): boolean => shape.columns.some(({ name }) => name === "_run_id")

/** The column with the number of a staged row, from 0. */
export const rowNumber = "_millrace_number"

/** The temporary table of the staged rows. */
export const staged = (stage: Pick<Stage, "scratch">): string => scratch(stage, "staged")

/** The temporary table of the retained keys. */
export const retained = (stage: Pick<Stage, "scratch">): string => scratch(stage, "retained")

/** The name of another temporary table of a stage. */
export const scratch = (stage: Pick<Stage, "scratch">, what: string): string =>
  `pg_temp.${Column.quote(`_millrace_${what}_${stage.scratch}`)}`

/** Makes a temporary table of a query; replaces an older one. */
export const keep = (connection: Connection, name: string, query: string) =>
  Effect.andThen(
    connection.run(`DROP TABLE IF EXISTS ${name}`),
    Effect.andThen(
      connection.run(`CREATE TEMPORARY TABLE ${name} AS ${query}`),
      // Autovacuum does not analyze temporary tables, and plans of joins need the number of rows.
      connection.run(`ANALYZE ${name}`)
    )
  )

export const keyColumns = ({ shape, table }: Stage): ReadonlyArray<TableShape.WrittenColumn> =>
  shape.columns.filter(({ ours }) => table.key.includes(ours))

const keyList = (stage: Stage): string =>
  keyColumns(stage)
    .map(({ name }) => Column.quote(name))
    .join(", ")

/** The list of the columns that the run writes. */
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

/** Why Postgres cannot take a row that fits its columns: some characters and moments. */
type Check = (cell: unknown) => string | undefined

/** Makes the check, which reads only columns that can have such values. */
export const rowFault = (columns: ReadonlyArray<CopiedColumn>): ((row: Table.Row) => RowError | undefined) => {
  const checks = columns.flatMap(({ from, ours, sql, to }) => {
    const check = sql === "jsonb" ? jsonbCheck(from) : checkOf(to)
    return check === undefined ? [] : [{ ours, check }]
  })
  return (row) => {
    for (const { check, ours } of checks) {
      const cell = row[ours]
      const fault = cell === null || cell === undefined ? undefined : check(cell)
      if (fault !== undefined) return { column: ours, message: `column ${ours}: ${fault}` }
    }
    return undefined
  }
}

const checkOf = (type: Column.ColumnType): Check | undefined => {
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" && cell.includes("\0") ? nulFault : undefined)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" && !isMoment(cell) ? momentFault : undefined)
    case "LIST": {
      const check = isPlain(type.of.type) ? checkOf(type.of.type) : undefined
      if (check === undefined) return undefined
      return (cell) => {
        if (!Array.isArray(cell)) return undefined
        for (const item of cell) {
          const fault = check(item)
          if (fault !== undefined) return fault
        }
        return undefined
      }
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "STRUCT":
      return undefined
  }
}

const jsonbCheck = (type: Column.ColumnType): Check => {
  const convert = CellJson.ofCell(type)
  return (cell) => (isRefusedByJsonb(JSON.stringify(convert(cell))) ? jsonbFault : undefined)
}
