/**
 * The evidence of an extracted value: the rows of `TABLE__sources` whose path points to its row and column.
 *
 * A source is named by the JSON pointer of its value, `/offers/0/price`; the tables have `products__offers`, `_index` 0 and
 * the column `price`. So names are compared as columns are named, and numbers with the positions of the row.
 */
import * as ColumnName from "#engine/ColumnName"
import type * as Table from "#engine/Table"

/** The table with the evidence of a table, and the table that its rows belong to; undefined: it has none. */
export const evidenceTable = (
  table: Table.Table,
  all: ReadonlyArray<Table.Table>
): { readonly sources: Table.Table; readonly main: Table.Table } | undefined => {
  const main = all.find(({ name }) => name === (table.parent?.table ?? table.name))
  const sources =
    main && all.find(({ name, parent }) => name === `${main.name}__sources` && parent?.table === main.name)
  return main === undefined || sources === undefined || sources === table ? undefined : { main, sources }
}

/** What evidence of the row is asked by: the columns that name the main row, with its values. */
export const evidenceKey = (
  { main, sources }: { readonly main: Table.Table; readonly sources: Table.Table },
  table: Table.Table,
  row: Table.Row
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(evidenceColumns({ main, sources }, table)).map(([own, theirs]) => [own, row[theirs]])
  )

/** The columns of the evidence that name the main row, each with the column of the table that has its value. */
export const evidenceColumns = (
  { main, sources }: { readonly main: Table.Table; readonly sources: Table.Table },
  table: Table.Table
): Readonly<Record<string, string>> => {
  // A child of the main table names its main row by the same columns as the sources do, or by its own names for them.
  const named = new Map(
    Object.entries(table === main ? {} : (table.parent?.on ?? {})).map(([own, theirs]) => [theirs, own])
  )
  return Object.fromEntries(
    Object.entries(sources.parent?.on ?? {}).flatMap(([own, theirs]) => {
      const column = table === main ? theirs : named.get(theirs)
      return column === undefined ? [] : [[own, column] as const]
    })
  )
}

/** Whether the value of a source is that of a row and a column, or a part of it. */
export const isEvidenceFor = (
  pointer: string,
  of: {
    readonly main: Pick<Table.Table, "name">
    readonly table: Pick<Table.Table, "name">
    readonly row: Table.Row
    readonly column: string
  }
): boolean => {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  const names = steps.filter((step) => !/^\d+$/.test(step)).map(ColumnName.snake)
  const positions = steps.filter((step) => /^\d+$/.test(step)).map(Number)
  const inside = of.table.name === of.main.name ? [] : of.table.name.slice(of.main.name.length + 2).split("__")
  const column = of.column.replace(/__count$/, "")
  // The items of a list of plain values are in a column that is called value.
  const wanted = [...inside, ...(column === "value" && inside.length > 0 ? [] : column.split("__"))]
  if (!wanted.every((name, at) => names[at] === name)) return false
  return positionsOf(of.row).every((position, at) => positions[at] === position)
}

/** The positions of a row of a child table, the outermost first. */
const positionsOf = (row: Table.Row): ReadonlyArray<number> => {
  const outer = Object.keys(row)
    .filter((name) => /^_parent_index(_\d+)?$/.test(name))
    .toSorted((a, b) => depthOf(b) - depthOf(a))
  return [...outer, "_index"].flatMap((name) =>
    row[name] === undefined || row[name] === null ? [] : [Number(row[name])]
  )
}

const depthOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 1)
