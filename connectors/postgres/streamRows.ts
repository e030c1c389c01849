/** The rows of a query in chunks, for results larger than memory. A transaction is open meanwhile. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import { reading } from "#engine/SqlCell"
import type * as Table from "#engine/Table"
import { dialect } from "./dialect.ts"
import { ServerError } from "./failure.ts"
import type { Connection } from "./server/Connection.ts"

type Texts = ReadonlyArray<string | null>

/** Streams the rows of a query as texts. */
export const streamTexts = (
  connection: Connection,
  query: string
): Stream.Stream<ReadonlyArray<Texts>, ServerError> => {
  const declare = `DECLARE ${cursor} NO SCROLL CURSOR FOR ${query}`
  const pages = Stream.paginate(firstCount, (count) =>
    Effect.map(
      connection.answer(`FETCH ${count} FROM ${cursor}`),
      ({ rows }): readonly [ReadonlyArray<ReadonlyArray<Texts>>, Option.Option<number>] => [
        rows.length === 0 ? [] : [rows],
        rows.length === count ? Option.some(nextCount(rows)) : Option.none()
      ]
    )
  )
  return Stream.unwrap(Effect.as(connection.run(declare), pages)).pipe(
    Stream.concat(Stream.drain(Stream.fromEffect(connection.run(`CLOSE ${cursor}`))))
  )
}

/** Streams the rows with cells. `columns`: all columns of the query, or some of them. */
export const streamRows = (
  connection: Connection,
  query: string,
  columns: ReadonlyArray<Column.Column>
): Stream.Stream<ReadonlyArray<Table.Row>, ServerError> => {
  const cells = columns.map(({ name, type }) => [name, reading(dialect, type)] as const)
  const rowOf = (texts: Texts): Table.Row =>
    Object.fromEntries(cells.map(([name, read], at) => [name, read(texts[at] ?? null)]))
  const values = columns.map(({ name, type }) => dialect.selected(Column.quote(name), type))
  return Stream.mapEffect(streamTexts(connection, `SELECT ${values.join(", ")} FROM (${query}) AS q`), (rows) =>
    Effect.try({
      try: () => rows.map(rowOf),
      catch: (error) =>
        new ServerError({ message: error instanceof Error ? error.message : String(error), code: "", retryable: false })
    })
  )
}

const cursor = "_millrace_cursor"

/** Rows of pages may be large: as many are fetched as have about this many characters, by those before them. */
const characters = 32 * 1024 * 1024
const firstCount = 50
const mostCount = 1000

const nextCount = (rows: ReadonlyArray<Texts>): number => {
  const size = rows.reduce((sum, row) => row.reduce((own, text) => own + (text?.length ?? 0), sum), 0)
  return Math.max(1, Math.min(mostCount, Math.floor((characters * rows.length) / Math.max(1, size))))
}
