/**
 * One table of a run while it is written: its rows wait in a temporary table of the connection, with the types that the stored
 * table will have at the commit. Nothing of the user's is changed before the commit.
 *
 * Where the port is direct (`SqlPort.isDirect`), rows of append go into the stored table, and those of replace into the table that
 * will take its place, in the transaction of the commit.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import { SinkError } from "../Commit.ts"
import { cellConverter } from "../convertCell.ts"
import * as LosslessPlan from "../LosslessPlan.ts"
import { ownCellReader } from "../ownCell.ts"
import * as Sink from "../Sink.ts"
import { reading, storing } from "../SqlCell.ts"
import type { SqlDialect, SqlValue } from "../SqlDialect.ts"
import type { Staging, StagingTable, WrittenColumn } from "../SqlPort.ts"
import * as StoredTable from "../StoredTable.ts"
import type * as Table from "../TableShape.ts"
import type { RowError } from "../validateRow.ts"
import { widen } from "../widen.ts"
import { isEmpty } from "./fitTable.ts"
import { type DescribedColumn, refused, type SqlDatabase } from "./SqlDatabase.ts"
import { numberColumn, retained, type StagedTable, staged } from "./StagedTable.ts"
import * as TableRegistry from "./TableRegistry.ts"

export interface SqlStage extends Sink.TablePlan {
  readonly number: number
  /** The columns of the table before the run, without `historyColumns`; undefined: there was none, or it gets those of the run. */
  readonly before: ReadonlyArray<Column.Column> | undefined
  readonly columns: ReadonlyArray<WrittenColumn>
  readonly rowId: string
  /** Whether its rows are written where they stay. */
  readonly isDirect: boolean
  /** The temporary tables of its rows and of its retained keys. */
  readonly rows: StagingTable
  readonly keys: StagingTable
  readonly toRows: Staging
  readonly toKeys: Staging
  readonly rowError: (row: Table.Row) => RowError | undefined
  /** The table as the planner sees it, in the transaction of a commit. */
  current: StagedTable | undefined
  /** The number of the last stored row before this commit, if it is direct. */
  last: bigint
  /** The number of rows of this commit. */
  written: number
  /** Whether any key was retained in this run. */
  hasRetained: boolean
}

/** Makes the stage; it fails if the stored table cannot be written as planned. */
export const find = Effect.fnUntraced(function* (
  database: SqlDatabase,
  planned: Sink.TablePlan,
  { evolve }: Sink.Plan,
  number: number
): Effect.fn.Return<SqlStage, SinkError> {
  const { table, write } = planned
  const { dialect } = database
  const fault = dialect.nameFault?.(table, write)
  if (fault !== undefined) return yield* refused(database, fault)
  const there = yield* TableRegistry.describe(database, table.name)
  if (there?.kind !== undefined) {
    const what = `${/^[aeiou]/.test(there.kind) ? "an" : "a"} ${there.kind}`
    return yield* refused(
      database,
      `table ${table.name}: the database has ${what} of this name; rename it, or write another table`
    )
  }
  const isFresh = there === undefined || (write === "replace" && evolve)
  if (!isFresh) yield* refuseUnfit(database, planned, there.columns, evolve)
  const columns = writtenColumns(dialect, table, isFresh ? undefined : there.columns, evolve)
  const all = [...table.columns, ...(there?.columns ?? [])]
  const untold = dialect.rowIdFault?.(table.name, all, write)
  if (untold !== undefined) return yield* refused(database, untold)
  const rowId = dialect.rowId(all)
  if (rowId === undefined) {
    return yield* refused(
      database,
      `table ${table.name}: its columns have all names by which the database tells rows apart; rename one`
    )
  }
  const before = isFresh ? undefined : write === "scd2" ? Sink.withoutHistory(there.columns) : there.columns
  const place = { number, spelling: database.spelling }
  const isDirect = database.isDirect === true && (write === "append" || (write === "replace" && evolve))
  const into = database.spelling.table(write === "append" ? table.name : nextOf(table))
  const column = isNumbered(planned, dialect) ? numberColumn : undefined
  const rows = { table: table.name, into: isDirect ? into : staged(place), number: column, columns }
  const keys = { table: table.name, into: retained(place), number: undefined, columns: keyOf(planned, columns) }
  const staging = database.staging ?? ((into: StagingTable) => Effect.succeed(loading(database, into)))
  const stage: SqlStage = {
    ...planned,
    number,
    rows,
    keys,
    isDirect,
    toRows: yield* staging(rows),
    toKeys: yield* staging(keys),
    before: before?.flatMap(({ name, nullable, type }) => (type === undefined ? [] : [{ name, type, nullable }])),
    columns,
    rowId,
    rowError: rowError(dialect, columns),
    current: undefined,
    last: -1n,
    written: 0,
    hasRetained: false
  }
  return stage
})

/** The name of the table that takes the place of a replaced one. */
export const nextOf = ({ name }: Table.Table): string => `_millrace_next_${name}`

const refuseUnfit = Effect.fnUntraced(function* (
  database: SqlDatabase,
  planned: Sink.TablePlan,
  present: ReadonlyArray<DescribedColumn>,
  evolve: boolean
): Effect.fn.Return<void, SinkError> {
  const target = database.spelling.table(planned.table.name)
  const unfit = StoredTable.fault(planned, present, evolve, yield* isEmpty(database, target))
  if (unfit !== undefined) return yield* refused(database, unfit)
})

/** The plan under which no stored value changes. */
export const losslessPlan = (database: SqlDatabase, plan: Sink.Plan): Effect.Effect<Sink.Plan, SinkError> =>
  LosslessPlan.of(
    plan,
    ({ table }) => Effect.map(TableRegistry.describe(database, table.name), (there) => there?.columns),
    (table, { from, name, to }) => {
      const { cast, loses } = database.dialect
      const target = database.spelling.table(table)
      if (cast !== undefined) {
        const loss = loses?.(Column.quote(name), from, to)
        if (loss === undefined) return Effect.succeed(false)
        return Effect.map(database.rows(`SELECT 1 FROM ${target} WHERE ${loss} LIMIT 1`), ({ length }) => length > 0)
      }
      const read = reading(database.dialect, from)
      let changes = false
      return database
        .each(`SELECT ${Column.quote(name)} FROM ${target}`, (rows) => {
          changes ||= LosslessPlan.changesAny(
            rows.map(([value]) => ({ [name]: read(value) })),
            { from, name, to }
          )
          return Effect.void
        })
        .pipe(Effect.map(() => changes))
    }
  )

/** The columns of a run that the table has or gets, in the order of the run. */
export const writtenColumns = (
  dialect: SqlDialect,
  table: Table.Table,
  present: ReadonlyArray<DescribedColumn> | undefined,
  evolve: boolean
): ReadonlyArray<WrittenColumn> =>
  table.columns.flatMap((column) => {
    const there = present && Column.named(present, column.name)
    const { name, type } = column
    if (there === undefined) {
      return present === undefined || evolve
        ? [{ name, ours: name, from: type, to: type, sql: dialect.type(type) }]
        : []
    }
    if (there.type === undefined) return []
    const to = evolve ? widen(there.type, type) : there.type
    const isNarrow = evolve && dialect.isNarrow?.(there.sql, there.type) === true
    const isThat = !isNarrow && Column.toSql(to) === Column.toSql(there.type)
    return [{ name: there.name, ours: name, from: type, to, sql: isThat ? there.sql : dialect.type(to, there.sql) }]
  })

/** Whether staged rows have numbers: those by which merge and scd2 find the last row of a key, and by which rows are sorted. */
const isNumbered = ({ write }: Sink.TablePlan, { isUnordered }: SqlDialect): boolean =>
  isUnordered !== true || write === "merge" || write === "scd2"

const keyOf = ({ table, write }: Sink.TablePlan, columns: ReadonlyArray<WrittenColumn>) =>
  write === "append" ? [] : columns.filter(({ ours }) => table.key.includes(ours))

/** Loads rows as the values that the database stores for them. */
const loading = (database: SqlDatabase, { columns, into, number, table }: StagingTable): Staging => {
  const toValues = valuesOf(database.dialect, table, columns)
  const names = [...(number === undefined ? [] : [number]), ...columns.map(({ name }) => Column.quote(name))]
  return {
    add: Effect.fnUntraced(function* (rows, first) {
      for (let at = 0; at < rows.length; at += chunk) {
        const values = yield* Effect.try({
          try: () =>
            rows
              .slice(at, at + chunk)
              .map((row, nth) => [...(number === undefined ? [] : [first + at + nth]), ...toValues(row)]),
          catch: (cause) => refused(database, cause instanceof Error ? cause.message : String(cause))
        })
        yield* database.load(into, names, values)
      }
    }),
    flush: Effect.void
  }
}

/** How many rows are loaded at once. */
const chunk = 1000

const valuesOf = (
  dialect: SqlDialect,
  table: string,
  columns: ReadonlyArray<WrittenColumn>
): ((row: Table.Row) => ReadonlyArray<SqlValue>) => {
  const cells = columns.map(({ from, ours, to }) => {
    const [convert, read, store] = [cellConverter(from, to), ownCellReader(ours), storing(dialect, to)]
    return {
      ours,
      read,
      store: Column.toSql(from) === Column.toSql(to) ? store : (cell: unknown) => store(convert(cell))
    }
  })
  return (row) => {
    let at = ""
    try {
      return cells.map(({ ours, read, store }) => {
        at = ours
        return store(read(row))
      })
    } catch (cause) {
      throw new Error(`table ${table}: column ${at}: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause
      })
    }
  }
}

const rowError = (dialect: SqlDialect, columns: ReadonlyArray<WrittenColumn>): SqlStage["rowError"] => {
  const checks = columns.flatMap(({ from, ours, sql, to }) => {
    const fault = dialect.cellFault?.(to, { from, sql })
    return fault === undefined ? [] : [{ ours, fault, read: ownCellReader(ours) }]
  })
  return (row) => {
    for (const { fault, ours, read } of checks) {
      const cell = read(row)
      const message = cell === null || cell === undefined ? undefined : fault(cell)
      if (message !== undefined) return { column: ours, message: `column ${ours}: ${message}` }
    }
    return undefined
  }
}

/** Makes the temporary tables for the rows of a commit, and for the retained keys of the run. */
export const begin = Effect.fnUntraced(function* (
  database: SqlDatabase,
  stage: SqlStage,
  isFirst: boolean
): Effect.fn.Return<void, SinkError> {
  const { dialect, spelling } = database
  const whole = dialect.type({ _tag: "BIGINT" })
  // Where rows are sorted by their number, it is the key of the table.
  const isKey = dialect.isUnordered !== true
  const create = ({ columns, into, number }: StagingTable) =>
    database.take(
      spelling.createTemporary(into, [
        ...(number === undefined ? [] : [`${number} ${whole}${isKey ? " NOT NULL PRIMARY KEY" : ""}`]),
        ...columns.map(({ name, sql }) => `${Column.quote(name)} ${sql}`)
      ])
    )
  stage.written = 0
  if (!stage.isDirect) yield* create(stage.rows)
  if (isFirst && stage.keys.columns.length > 0) yield* create(stage.keys)
})

/** Takes rows. `first`: the number of the first of them. */
export const write = Effect.fnUntraced(function* (
  stage: SqlStage,
  rows: ReadonlyArray<Table.Row>,
  first: number
): Effect.fn.Return<void, SinkError> {
  yield* stage.toRows.add(rows, first)
  stage.written += rows.length
})

/** Takes keys whose rows this run could not read. A key that the database cannot hold is skipped: it has no stored row. */
export const retainKeys = Effect.fnUntraced(function* (
  stage: SqlStage,
  keys: ReadonlyArray<Table.Row>
): Effect.fn.Return<void, SinkError> {
  if (keys.length === 0 || stage.keys.columns.length === 0) return
  const cells = stage.keys.columns.map(({ from, ours, to }) => [ownCellReader(ours), cellConverter(from, to)] as const)
  const isHeld = (key: Table.Row): boolean => {
    try {
      for (const [read, convert] of cells) convert(read(key))
      return stage.rowError(key) === undefined
    } catch {
      return false
    }
  }
  yield* stage.toKeys.add(keys.filter(isHeld), 0)
  stage.hasRetained = true
})

/** Writes the rows and keys that wait. */
export const flush = ({ toKeys, toRows }: SqlStage): Effect.Effect<void, SinkError> =>
  Effect.andThen(toRows.flush, toKeys.flush)

/** The error of a statement, with the table. `where`: the location, unless it is said already. */
export const inTable =
  ({ table }: Sink.TablePlan, where?: string) =>
  (error: SinkError): SinkError =>
    error.message.includes(`table ${table.name}`)
      ? error
      : new SinkError({
          sink: error.sink,
          message: `table ${table.name}${where === undefined ? "" : ` of ${where}`}: ${error.message}`,
          retryable: error.retryable
        })
