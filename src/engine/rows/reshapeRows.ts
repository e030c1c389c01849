/** Converts rows to other columns, for a commit to a table whose columns differ from those of the run. */
import type * as Column from "../Column.ts"
import { cellConverter } from "../convertCell.ts"
import { setCell } from "../setCell.ts"
import type * as Table from "../Table.ts"

type Columns = ReadonlyArray<Column.Column>
type Rows = ReadonlyArray<Table.Row>

/** Converts rows from some columns to others. If a cell does not fit its column, it throws an error that names the column. */
export const reshaped = (rows: Rows, from: Columns, to: Columns): Rows => {
  const cells = to.flatMap(({ name, type }) => {
    const source = exactly(from, name)
    if (source !== undefined) return [[name, cellConverter(source.type, type)] as const]
    // Without it, the cell would be what every object inherits.
    return name in {} ? [[name, () => null] as const] : []
  })
  /** The column whose cell is converted now, for the error. */
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

/** The column with exactly this name: the cells of a row are found by name, so upper and lower case are different here. */
export const exactly = (columns: Columns, name: string) => columns.find((column) => column.name === name)

/** Runs a function; an error gets a message that begins with `where`. */
export const rethrown = <A>(where: () => string, run: () => A): A => {
  try {
    return run()
  } catch (cause) {
    throw new Error(`${where()}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
