/** Rows of some columns as rows of others: a column that they lack is null, and cells become those of a wider type. */
import * as Column from "../../../src/pipeline/Column.ts"
import { cellConverter } from "../../../src/pipeline/rows/convertCell.ts"
import type * as Table from "../../../src/pipeline/Table.ts"

type Columns = ReadonlyArray<Column.Column>

/** Whether files of these columns can be joined as they are. */
export const areSame = (a: Columns, b: Columns): boolean =>
  a.length === b.length &&
  a.every(({ name, type }, at) => b[at]?.name === name && Column.toSql(b[at].type) === Column.toSql(type))

/** Throws where a cell is of no use there, and says which. */
export const reshaper = (
  from: Columns,
  to: Columns
): ((rows: ReadonlyArray<Table.Row>) => ReadonlyArray<Table.Row>) => {
  if (areSame(from, to)) return (rows) => rows
  const cells = to.flatMap(({ name, type }) => {
    const source = Column.named(from, name)
    return source === undefined ? [] : [{ name, source: source.name, convert: cellConverter(source.type, type) }]
  })
  return (rows) =>
    rows.map((row) =>
      Object.fromEntries(
        cells.map(({ convert, name, source }) => {
          try {
            return [name, convert(row[source] ?? null)]
          } catch (cause) {
            throw new Error(`column ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
          }
        })
      )
    )
}
