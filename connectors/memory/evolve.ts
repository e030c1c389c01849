/** What the columns of a table are in a run, and rows brought into them. */
import type * as Column from "../../src/pipeline/Column.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { widen } from "../../src/pipeline/widen.ts"
import { converter } from "./convert.ts"

type Columns = ReadonlyArray<Column.Column>

/** The columns that hold both what is there and what comes: widened, and new ones last. */
export const evolve = (present: Columns, coming: Columns): Columns => [
  ...present.map((column) => {
    const other = coming.find(({ name }) => name === column.name)
    return other === undefined ? column : { ...column, type: widen(column.type, other.type) }
  }),
  ...coming.filter(({ name }) => !present.some((column) => column.name === name))
]

/** Rows of some columns as rows of others. Throws where a cell is of no use there, and says which. */
export const reshape = (rows: ReadonlyArray<Table.Row>, from: Columns, to: Columns): ReadonlyArray<Table.Row> => {
  const cells = to.flatMap(({ name, type }) => {
    const source = from.find((column) => column.name === name)
    return source === undefined ? [] : [[name, converter(source.type, type)] as const]
  })
  return rows.map((row) =>
    Object.fromEntries(
      cells.map(([name, convert]) => {
        try {
          return [name, convert(row[name] ?? null)]
        } catch (cause) {
          throw new Error(`column ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
        }
      })
    )
  )
}
