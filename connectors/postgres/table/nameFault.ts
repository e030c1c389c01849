/** Finds names that Postgres would cut or refuse: two columns with the same first 63 bytes would become one. */
import type * as Table from "#engine/Table"

/** Why Postgres cannot have the names of a table; undefined: it can. */
export const nameFault = ({ columns, name }: Table.Table): string | undefined => {
  if (isLong(name))
    return `table ${name}: its name has more than ${mostBytes} bytes, which Postgres would cut; rename it`
  const long = columns.find((column) => isLong(column.name))
  if (long !== undefined) {
    return `table ${name}: the name of column ${long.name} has more than ${mostBytes} bytes, which Postgres would cut; rename it`
  }
  const taken = columns.find((column) => systemColumns.includes(column.name))
  if (taken !== undefined) {
    return `table ${name}: every table of Postgres has a column ${taken.name} of its own; rename it`
  }
  return columns.length > mostColumns
    ? `table ${name} has ${columns.length} columns, and Postgres takes at most ${mostColumns}`
    : undefined
}

export const isLong = (name: string): boolean => Buffer.byteLength(name) > mostBytes

const mostBytes = 63
/** The maximum of Postgres is 1,600, and Millrace adds a few columns. */
const mostColumns = 1590
const systemColumns = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]
