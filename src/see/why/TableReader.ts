/**
 * Finds rows of a destination's tables by some of their values: with SQL if the destination supports it, otherwise by reading
 * all rows of the table.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CellJson from "#engine/CellJson"
import * as Column from "#engine/Column"
import { literal } from "#engine/Duckdb"
import type * as Pipeline from "#engine/Pipeline"
import { runIdColumn } from "#engine/Pipeline"
import * as Sink from "#engine/Sink"
import { ownRows, sharedTable } from "#engine/sharedTable"
import type * as Table from "#engine/Table"
import { textOf } from "./evidenceRows.ts"

export interface TableReader<R> {
  /** The rows whose columns have these values, as JSON has them; at most a thousand, those of the last run first. */
  readonly find: (
    table: Table.Table,
    values: Readonly<Record<string, unknown>>
  ) => Effect.Effect<ReadonlyArray<Table.Row>, Sink.SinkError, R>
}

const most = 1000

export const open = Effect.fnUntraced(function* <R>(
  pipeline: Pick<Pipeline.Pipeline<R>, "name" | "directory">,
  sink: Sink.Destination<R>
) {
  const { directory, name } = pipeline
  const queries = sink.queries === undefined ? undefined : yield* sink.queries(directory, {})
  const owner = sink.shared === true ? [`${Sink.pipelineColumn.name} = ${literal(Sink.ownerOf(name))}`] : []
  const reader: TableReader<R> = {
    find: Effect.fnUntraced(function* (table, values) {
      if (queries === undefined) {
        const own = sink.shared === true ? sharedTable(table) : table
        const stored = yield* sink.rows(directory, own)
        const rows = (sink.shared === true ? ownRows(pipeline, stored) : stored).map(jsonRow(table.columns))
        return rows
          .filter((row) => Object.entries(values).every(([column, value]) => textOf(row[column]) === textOf(value)))
          .slice(0, most)
      }
      const same = Object.entries(values).map(([column, value]) => {
        const type = Column.named(table.columns, column)?.type._tag ?? "VARCHAR"
        return sameSql(Column.quote(column), type, textOf(value))
      })
      const where = [...same, ...owner]
      const only = where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`
      const lastFirst = Column.named(table.columns, runIdColumn.name) === undefined ? "" : " ORDER BY _run_id DESC"
      const answer = Effect.flatMap(
        queries.ask(`SELECT * FROM ${Column.quote(table.name)}${only}${lastFirst} LIMIT ${most}`),
        ({ columns, rows }) => Effect.map(Stream.runCollect(rows), (chunks) => [...chunks].flat().map(jsonRow(columns)))
      )
      // A table that no run has written yet has no rows.
      return yield* Effect.catchIf(
        answer,
        ({ message }) => /(?:Table with name|relation) .* does not exist/.test(message),
        () => Effect.succeed([])
      )
    })
  }
  return reader
})

/** Whether a column has a value, in SQL that DuckDB and Postgres both read. */
const sameSql = (column: string, type: Column.ColumnType["_tag"], text: string): string => {
  if (type === "VARCHAR") return `${column} = ${literal(text)}`
  if (type !== "TIMESTAMP") return `CAST(${column} AS VARCHAR) = ${literal(text)}`
  // A time can be written in several ways; a text that is not a time matches no row.
  return Number.isNaN(Date.parse(text)) ? "1 = 0" : `${column} = CAST(${literal(text)} AS TIMESTAMP)`
}

const jsonRow = (columns: ReadonlyArray<Column.Column>) => {
  const cells = columns.map(({ name, type }) => [name, CellJson.ofCell(type)] as const)
  return (row: Table.Row): Table.Row => Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])]))
}
