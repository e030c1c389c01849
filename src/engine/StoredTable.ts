/** A table of a database before a run writes it: the columns that a connector finds, and whether the run can use them. */
import * as Column from "./Column.ts"
import * as Sink from "./Sink.ts"
import * as Table from "./Table.ts"

/** A stored column: its name, its type in the database's SQL, and the type of `Column` if there is one for it. */
export interface StoredColumn {
  readonly name: string
  readonly sql: string
  readonly type: Column.ColumnType | undefined
  /** Whether a row may leave it null. */
  readonly nullable: boolean
  /** Whether the database has a default for rows that leave it out. */
  readonly hasDefault: boolean
}

/** Why rows cannot be written into the table; undefined: they can. */
export const fault = (
  { table, write }: Sink.TablePlan,
  stored: ReadonlyArray<StoredColumn>,
  evolve: boolean,
  isEmpty: boolean
): string | undefined => {
  const unknown = table.columns.find(({ name }) => {
    const column = Column.named(stored, name)
    return column !== undefined && column.type === undefined
  })
  if (unknown !== undefined) {
    const there = Column.named(stored, unknown.name)?.sql
    const what = `column ${unknown.name} of table ${table.name} is ${there} in the database`
    return `${what}, which cannot hold the ${Column.toSql(unknown.type)} of this run; rename one, or alter the column`
  }
  const why =
    Sink.storedFault({ table, write }, stored, evolve) ??
    (evolve ? Sink.widerKeyFault({ table, write }, stored) : undefined)
  if (why !== undefined || isEmpty || (write !== "merge" && write !== "scd2")) return why
  // A table that lacks `_pipeline` belongs to one pipeline, which is known, so its rows can get that name.
  const lacking = [...table.key, ...Object.keys(table.parent?.on ?? {})].find(
    (name) => name !== Sink.pipelineColumn.name && Column.named(stored, name) === undefined
  )
  return (
    lacking &&
    `table ${table.name} of the database has no column ${lacking}, which identifies its rows: those that it has ` +
      "would stay beside their new versions; give the column its name back, or add and fill it, or write another table"
  )
}

/** The stored columns that refuse null although rows of the run may leave them null. */
export const tooStrict = (table: Table.Table, stored: ReadonlyArray<StoredColumn>): ReadonlyArray<string> =>
  stored
    .filter(({ hasDefault, name, nullable }) => {
      if (nullable) return false
      const column = Column.named(table.columns, name)
      if (column !== undefined) return column.nullable
      return !hasDefault && Column.named(Sink.historyColumns, name) === undefined
    })
    .map(({ name }) => name)

/**
 * The stored columns that the run does not write, and that have no default: they are null in its rows, which differ from
 * stored rows that have values there. Of a history, those of its fingerprint.
 */
export const notWritten = (planned: Sink.TablePlan, stored: ReadonlyArray<StoredColumn>): ReadonlyArray<string> => {
  const { table, write } = planned
  const filled = stored.filter(({ hasDefault }) => !hasDefault)
  if (write === "scd2") return Sink.absentColumns(planned, filled)
  return filled
    .map(({ name }) => name)
    .filter((name) => !Table.isOfVisit(table, name) && Column.named(table.columns, name) === undefined)
}

/** Why rows cannot be found by a key of which the table has several rows that differ: it had a longer key before. */
export const narrowKey = ({ key, name }: Table.Table): string =>
  `table ${name} has several rows of one ${key.join(", ")}, which would become one row by the key of this run; give it the key back that tells them apart, keep one of each, or write another table`

/** The columns in which rows of one key may differ so that they are not the same row. */
export const tellingColumns = <Stored extends { readonly name: string }>(
  table: Table.Table,
  stored: ReadonlyArray<Stored>
): ReadonlyArray<Stored> => stored.filter(({ name }) => !Table.isOfVisit(table, name))

/** Why a table whose key has several rows cannot become a history. */
export const repeatedKeys = ({ name }: Table.Table): string =>
  `table ${name} of the database has several rows of one key, so it cannot become a history; keep one of each`
