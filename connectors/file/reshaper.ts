/** Converts rows to other columns: missing columns are null, and cells are widened. */
import * as Column from "#engine/Column"
import { cellConverter } from "#engine/convertCell"
import type * as Table from "#engine/Table"

type Columns = ReadonlyArray<Column.Column>

/** Whether files with these columns can be joined without reading their rows. */
export const areSame = (a: Columns, b: Columns): boolean =>
  a.length === b.length &&
  a.every(({ name, type }, at) => b[at]?.name === name && Column.toSql(b[at].type) === Column.toSql(type))

/** Makes the function that converts rows. If a cell does not fit its column, it throws an error that names the column. */
export const reshaper = (
  from: Columns,
  to: Columns
): ((rows: ReadonlyArray<Table.Row>) => ReadonlyArray<Table.Row>) => {
  if (areSame(from, to)) return (rows) => rows
  const cells = to.flatMap(({ name, type }) => {
    const source = Column.named(from, name)
    if (source !== undefined) return [{ name, source: source.name, convert: cellConverter(source.type, type) }]
    // Without it, the cell would be what every object inherits.
    return name in {} ? [{ name, source: name, convert: () => null }] : []
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
