/**
 * The stored table of a run: makes it, and changes an existing one so that it takes the rows. It is undone with its transaction.
 *
 * Columns are added where they are missing. A column that is too narrow, or that refuses null, is changed in its place if the
 * dialect can (`SqlDialect.alter`). Otherwise the table is made again: its rows are copied in their order, and what goes with it
 * (`SqlDialect.belongings`) is made again.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type { SinkError } from "../Commit.ts"
import * as Sink from "../Sink.ts"
import * as StoredTable from "../StoredTable.ts"
import { changeText, widen } from "../widen.ts"
import * as Comments from "./comments.ts"
import { copyRows } from "./copyRows.ts"
import { hideCurrent } from "./currentView.ts"
import * as LedgerTable from "./LedgerTable.ts"
import { type DescribedColumn, refused, type SqlDatabase } from "./SqlDatabase.ts"
import * as TableRegistry from "./TableRegistry.ts"

/** The columns of a table, with `historyColumns` for scd2. */
const columnsOf = ({ table, write }: Sink.TablePlan): ReadonlyArray<Column.Column> =>
  write === "scd2" ? [...table.columns, ...Sink.historyColumns] : table.columns

/** Creates the table. `foreign`: columns of somebody else that it keeps. */
export const createTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  planned: Sink.TablePlan,
  foreign: ReadonlyArray<DescribedColumn> = []
): Effect.fn.Return<void, SinkError> {
  const columns = columnsOf(planned)
  const definitions = [
    ...columns.map((column) => LedgerTable.definition(database, column)),
    ...foreign.map((column) => storedDefinition(database, column))
  ]
  yield* database.run(`CREATE TABLE ${database.spelling.table(planned.table.name)} (${definitions.join(", ")})`)
  yield* TableRegistry.retype(database, planned.table.name, columns, planned.table)
})

/** The definition of a stored column, as far as the catalog knows it. */
const storedDefinition = (
  { dialect }: SqlDatabase,
  { default: preset, name, nullable, sql, type }: DescribedColumn
): string => {
  const constraint = type === undefined ? "" : (dialect.constraint?.(name, type) ?? "")
  return `${Column.quote(name)} ${sql}${nullable ? "" : " NOT NULL"}${preset === undefined ? "" : ` DEFAULT (${preset})`}${constraint}`
}

export interface Fitting {
  readonly evolve: boolean
  readonly claimed: TableRegistry.Claimed | undefined
  /** The column that tells stored rows apart. */
  readonly rowId: string
}

/** Changes an existing table so that it takes the rows of a run. */
export const fitTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  planned: Sink.TablePlan,
  present: ReadonlyArray<DescribedColumn>,
  { claimed, evolve, rowId }: Fitting
): Effect.fn.Return<void, SinkError> {
  const { table, write } = planned
  const { spelling } = database
  const target = spelling.table(table.name)
  const fault = StoredTable.fault(planned, present, evolve, yield* isEmpty(database, target))
  if (fault !== undefined) return yield* refused(database, fault)
  const becomesHistory = write === "scd2" && !Sink.isHistory(present)
  if (becomesHistory) yield* refuseRepeatedKeys(database, planned)
  const coming = [...(evolve ? table.columns : []), ...(becomesHistory ? Sink.historyColumns : [])]
  if (evolve || becomesHistory) yield* alter(database, planned, present, { coming, rowId })
  yield* Comments.describeTable(database, table)
  if (becomesHistory) {
    yield* database.run(`UPDATE ${target} SET valid_from = ${spelling.moment(0n)}, is_current = TRUE`)
  }
  const { name } = Sink.pipelineColumn
  const fresh = Column.named(table.columns, name) !== undefined && Column.named(present, name) === undefined
  if (fresh && claimed !== undefined) {
    yield* database.run(`UPDATE ${target} SET ${name} = ${spelling.literal(claimed.owner)}`)
  }
})

export const isEmpty = (database: SqlDatabase, target: string) =>
  Effect.map(database.rows(`SELECT 1 FROM ${target} LIMIT 1`), (rows) => rows.length === 0)

const refuseRepeatedKeys = (database: SqlDatabase, { table }: Sink.TablePlan) => {
  const key = table.key.map(Column.quote).join(", ")
  const target = database.spelling.table(table.name)
  const sql = `SELECT 1 FROM ${target} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`
  return database.take([{ _tag: "Refuse", message: StoredTable.repeatedKeys(table), sql }])
}

/** Adds missing columns, widens columns that are too narrow, and drops NOT NULL from columns that the run may leave null. */
const alter = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { table }: Sink.TablePlan,
  present: ReadonlyArray<DescribedColumn>,
  { coming, rowId }: { readonly coming: ReadonlyArray<Column.Column>; readonly rowId: string }
): Effect.fn.Return<void, SinkError> {
  const { dialect } = database
  const strict = StoredTable.tooStrict(table, present)
  const after = present.map((there): DescribedColumn => {
    const ours = Column.named(coming, there.name)
    const to = ours === undefined || there.type === undefined ? there.type : widen(there.type, ours.type)
    const isWidened =
      to !== undefined &&
      there.type !== undefined &&
      ours !== undefined &&
      (Column.toSql(to) !== Column.toSql(there.type) || dialect.isNarrow?.(there.sql, there.type) === true)
    const nullable = there.nullable || strict.includes(there.name)
    return isWidened
      ? { ...there, type: { ...to }, sql: dialect.type(to, there.sql), nullable }
      : { ...there, nullable }
  })
  const widened = after.filter(({ type }, at) => type !== present[at]?.type)
  const added = coming.filter(({ name }) => Column.named(present, name) === undefined)
  if (dialect.alter !== undefined) {
    const clauses = yield* clausesOf(database, table.name, present, after)
    const additions = added.map((column) => addition(database, { ...column, nullable: true }))
    yield* alterInPlace(database, table.name, [...additions, ...clauses])
    return yield* TableRegistry.retype(database, table.name, [
      ...widened.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }])),
      ...added
    ])
  }
  const isOther = after.some(
    ({ nullable, type }, at) => type !== present[at]?.type || nullable !== present[at]?.nullable
  )
  if (isOther) yield* rebuild(database, table.name, present, after, rowId)
  yield* TableRegistry.retype(
    database,
    table.name,
    widened.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]))
  )
  for (const column of added) {
    yield* database.run(
      `ALTER TABLE ${database.spelling.table(table.name)} ${addition(database, { ...column, nullable: true })}`
    )
  }
  yield* TableRegistry.retype(database, table.name, added)
})

const addition = (database: SqlDatabase, column: Column.Column) =>
  `ADD COLUMN ${LedgerTable.definition(database, column)}`

/** The changes of columns in their place. It fails if a value would change. */
const clausesOf = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string,
  before: ReadonlyArray<DescribedColumn>,
  after: ReadonlyArray<DescribedColumn>
): Effect.fn.Return<ReadonlyArray<string>, SinkError> {
  const { cast, loses } = database.dialect
  const clauses: Array<string> = []
  for (const [at, { name, nullable, sql, type }] of after.entries()) {
    const [there, quoted] = [before[at], Column.quote(name)]
    if (there?.type !== undefined && type !== undefined && there.type !== type) {
      const loss = loses?.(quoted, there.type, type)
      const losing = `SELECT ${database.spelling.text(quoted)} FROM ${database.spelling.table(table)} WHERE ${loss} LIMIT 1`
      const [lost] = loss === undefined ? [] : yield* database.rows(losing)
      if (lost !== undefined) {
        const value = String(lost[0]).slice(0, 100)
        return yield* refused(database, `table ${table}: column ${name}: ${value} ${changeText(there.type, type)}`)
      }
      if (sql !== there.sql) {
        const value = cast === undefined ? quoted : cast(quoted, there.type, type, sql)
        clauses.push(`ALTER COLUMN ${quoted} TYPE ${sql} USING ${value}`)
      }
    }
    if (nullable && there?.nullable === false) clauses.push(`ALTER COLUMN ${quoted} DROP NOT NULL`)
  }
  return clauses
})

/** Changes a table in its place. The view of its current rows goes first, if it would be in the way. */
const alterInPlace = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string,
  clauses: ReadonlyArray<string>
): Effect.fn.Return<void, SinkError> {
  if (clauses.some((clause) => /^(?:DROP COLUMN|ALTER .* TYPE) /s.test(clause))) yield* hideCurrent(database, table)
  if (clauses.length === 0) return
  for (const statement of database.dialect.alter?.(table, clauses) ?? []) yield* database.run(statement)
})

/** Gives a table without rows, in its place, the columns of a run and no others. */
export const reshapeTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { table }: Sink.TablePlan,
  present: ReadonlyArray<DescribedColumn>
): Effect.fn.Return<void, SinkError> {
  const { dialect } = database
  const fits = (there: DescribedColumn, { name, type }: Column.Column): boolean =>
    name === there.name &&
    there.type !== undefined &&
    there.sql === dialect.type(type) &&
    Column.toSql(there.type) === Column.toSql(type)
  const gone = present.filter((there) => !table.columns.some((column) => fits(there, column)))
  const fresh = table.columns.filter((column) => !present.some((there) => fits(there, column)))
  const strictness = table.columns.flatMap(({ name, nullable }) => {
    const there = fresh.some((column) => column.name === name) ? undefined : present.find((own) => own.name === name)
    if (there === undefined || there.nullable === nullable) return []
    return [`ALTER COLUMN ${Column.quote(name)} ${nullable ? "DROP" : "SET"} NOT NULL`]
  })
  yield* alterInPlace(database, table.name, [
    ...gone.map(({ name }) => `DROP COLUMN ${Column.quote(name)}`),
    ...fresh.map((column) => addition(database, column)),
    ...strictness
  ])
  yield* Comments.note(database, table.name, table.columns, table)
})

/** Makes the table again with other types. */
const rebuild = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string,
  before: ReadonlyArray<DescribedColumn>,
  after: ReadonlyArray<DescribedColumn>,
  rowId: string
): Effect.fn.Return<void, SinkError> {
  const { dialect, spelling } = database
  const [target, next] = [spelling.table(table), spelling.table(`_millrace_next_${table}`)]
  const belongings = dialect.belongings === undefined ? [] : yield* database.rows(dialect.belongings(table))
  yield* database.run(`DROP TABLE IF EXISTS ${next}`)
  yield* database.run(`CREATE TABLE ${next} (${after.map((column) => storedDefinition(database, column)).join(", ")})`)
  yield* copyRows(database, {
    table,
    from: `${target} ORDER BY ${rowId}`,
    into: next,
    columns: after.map(({ name, sql, type }, at) => ({ from: name, into: name, type: before[at]?.type, to: type, sql }))
  })
  yield* database.run(spelling.drop(table))
  yield* database.run(`ALTER TABLE ${next} RENAME TO ${Column.quote(table)}`)
  for (const [statement] of belongings) {
    if (typeof statement === "string") yield* database.run(statement)
  }
})
