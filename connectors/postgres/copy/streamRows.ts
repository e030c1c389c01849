/** The rows of a query in chunks, for results larger than memory. A transaction is open meanwhile. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { ServerError } from "../failure.ts"
import type { Connection } from "../server/Connection.ts"
import { cellReader, selected } from "./cellReader.ts"

/** Streams the rows. `columns`: all columns of the query, or some of them. */
export const streamRows = (
  connection: Connection,
  query: string,
  columns: ReadonlyArray<Column.Column>
): Stream.Stream<ReadonlyArray<Table.Row>, ServerError> => {
  const readers = columns.map(({ name, type }) => [name, cellReader(type)] as const)
  const rowOf = (cells: ReadonlyArray<string | null>): Table.Row =>
    Object.fromEntries(readers.map(([name, read], at) => [name, read(cells[at] ?? null)]))
  const declare = `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns.map(selected).join(", ")} FROM (${query}) AS q`
  const fetch = Effect.flatMap(connection.answer(`FETCH ${each} FROM ${cursor}`), ({ rows }) =>
    Effect.try({
      try: () => rows.map(rowOf),
      catch: (error) =>
        new ServerError({ message: error instanceof Error ? error.message : String(error), code: "", retryable: false })
    })
  )
  const pages = Stream.paginate(0, (at) =>
    Effect.map(fetch, (rows): readonly [ReadonlyArray<ReadonlyArray<Table.Row>>, Option.Option<number>] => [
      rows.length === 0 ? [] : [rows],
      rows.length === each ? Option.some(at + 1) : Option.none()
    ])
  )
  return Stream.unwrap(Effect.as(connection.run(declare), pages)).pipe(
    Stream.concat(Stream.drain(Stream.fromEffect(connection.run(`CLOSE ${cursor}`))))
  )
}

const cursor = "_millrace_cursor"
const each = 1000
