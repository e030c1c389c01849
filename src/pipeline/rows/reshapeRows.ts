/** Rows of some columns as rows of others: what a commit does where a table and a run have other columns. */
import type * as Column from "../Column.ts"
import type * as Table from "../Table.ts"
import { cellConverter } from "./convertCell.ts"
import { setCell } from "./setCell.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>

/** Rows of some columns as rows of others. Throws where a cell is of no use there, and says which. */
export const reshaped = (rows: Rows, from: Columns, to: Columns): Rows => {
  const cells = to.flatMap(({ name, type }) => {
    const source = exactly(from, name)
    return source === undefined ? [] : [[name, cellConverter(source.type, type)] as const]
  })
  /** The column that a cell is put into: what says where, if the cell is refused. */
  let at = ""
  const rowOf = (row: Table.Row): Table.Row => {
    const made: Record<string, unknown> = {}
    for (const [name, convert] of cells) {
      at = name
      setCell(made, name, convert(row[name] ?? null))
    }
    return made
  }
  return rethrown(
    () => `column ${at}`,
    () => rows.map(rowOf)
  )
}

/** The cells of a row are found by the names that it has, so letters of another case make another column. */
export const exactly = (columns: Columns, name: string) => columns.find((column) => column.name === name)

/** What fails says where. */
export const rethrown = <A>(where: () => string, run: () => A): A => {
  try {
    return run()
  } catch (cause) {
    throw new Error(`${where()}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
