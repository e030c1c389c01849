/**
 * Compiles the steps of a table to one query, and finds the table after them: its columns, its key and its parent.
 *
 * Each step is first run on an empty table, so an impossible step is reported with its place in the file.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type * as Database from "../Duckdb.ts"
import { describe } from "../describeDuckdb.ts"
import * as Stage from "../Stage.ts"
import * as Step from "../Step.ts"
import type { StoredColumn } from "../StoredTable.ts"
import type * as Table from "../Table.ts"
import { isMoved, movedColumns } from "./followParent.ts"
import { hidden, stepSql } from "./stepSql.ts"
import { names, tryStep } from "./tryStep.ts"

/** A step with its place. */
interface NumberedStep {
  readonly step: Step.Step
  /** Its number in the file. */
  readonly at: number
}

/** The faults of the steps so far, and the names of columns that may exist when those faults are corrected. */
interface StepFindings {
  readonly faults: Array<Stage.Fault>
  readonly doubtful: Set<string>
}

/** The parent of a table, before and after the steps. */
interface Parent {
  readonly source: Table.Table
  readonly table: Table.Table
}

/** The steps as one query, and the table that they make. */
export const compileSteps = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Stage.Plan,
  source: Table.Table,
  steps: ReadonlyArray<NumberedStep>,
  parent: Parent | undefined,
  findings: StepFindings
) {
  const chain = yield* chainOf(database, plan, source, { steps, findings })
  const { key, origins } = chain
  const made = chain.queries.length === 0 ? undefined : joined(chain.queries)
  // In a stage that is opened again, the steps are already taken.
  const whole = plan.reopen ? `SELECT * FROM ${Column.quote(source.name)}` : (made ?? `SELECT * FROM ${came(source)}`)
  const described = yield* Effect.mapError(columnsOf(database, whole), broken(`table ${source.name}`))
  const on = parentColumns(chain.on, parent, plan)
  const changed = changedBy(steps)
  const columns = described.map((column) =>
    describedBy(columnOf(column, source, changed), origins.get(column.name.toLowerCase()))
  )
  const table: Table.Table = {
    ...source,
    key: source === plan.tables[0] && plan.key !== undefined ? plan.key : key,
    columns: parent !== undefined && isMoved(plan, source) ? movedColumns(columns, on, parent.table) : columns,
    ...(source.parent === undefined ? {} : { parent: { table: source.parent.table, on } })
  }
  const lost = [...table.key, ...Object.keys(table.parent?.on ?? {})].find(
    (name) => !table.columns.some((column) => column.name === name)
  )
  if (lost !== undefined && steps.length > 0) {
    const message = `the steps remove ${lost}, which is in the key of ${table.name}; keep it, or name another key`
    if (!findings.doubtful.has(lost)) findings.faults.push({ message, path: ["steps", steps.at(-1)?.at ?? 0] })
    // The table of the source is returned, so that later tables and checks can still be checked.
    return { table: source, sql: undefined }
  }
  return { table, sql: made }
})

/** The queries of steps, and what they make of the names of a table. */
interface Chain {
  /** Queries, each followed by the name of its result. */
  readonly queries: Array<string>
  /** The relation after the last step. */
  from: string
  columns: ReadonlyArray<string>
  key: ReadonlyArray<string>
  on: Readonly<Record<string, string>>
  /** The columns of the source by their present names in lower case. */
  readonly origins: Map<string, Column.Column>
}

const chainOf = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Stage.Plan,
  source: Table.Table,
  { findings, steps }: { readonly steps: ReadonlyArray<NumberedStep>; readonly findings: StepFindings }
) {
  const chain: Chain = {
    queries: [],
    from: came(source),
    columns: source.columns.map(({ name }) => name),
    key: source.key,
    on: source.parent?.on ?? {},
    origins: new Map(source.columns.map((column) => [column.name.toLowerCase(), column]))
  }
  for (const { at, step } of steps) {
    if (!Step.isSql(step)) continue
    const { columns, from } = chain
    const possible = plan.reopen ? step : yield* tryNext(database, { step, at }, chain, findings)
    if (possible === undefined) continue
    followNames(chain, possible)
    chain.from = `s${at}`
    chain.queries.push(stepSql(possible, from, columns), chain.from)
  }
  return chain
})

/** Tries a step after those of a chain, and finds the columns after it. Returns what is possible of it. */
const tryNext = Effect.fnUntraced(function* (
  database: Database.Database,
  { at, step }: NumberedStep,
  chain: Chain,
  findings: StepFindings
) {
  const { columns, from, queries } = chain
  const tried = yield* tryStep(step, {
    from,
    columns,
    path: ["steps", at],
    describe: (query) =>
      Effect.map(columnsOf(database, joined([...queries, query, "described"])), (described) =>
        described.map(({ name }) => name)
      )
  })
  // A step that uses a doubtful name is not reported: it may be right when the first fault is corrected.
  if (!names(JSON.stringify(step), findings.doubtful)) findings.faults.push(...tried.faults)
  for (const name of tried.doubtful) findings.doubtful.add(name)
  chain.columns = tried.columns
  return tried.step
})

/** Updates, for a step, the names of the key, and which names still are columns of the source. */
const followNames = (chain: Chain, { derive = {}, rename = {} }: Pick<Step.Step, "derive" | "rename">): void => {
  const { key, on, origins } = chain
  const renamed = (name: string) => rename[name] ?? name
  chain.key = key.map(renamed)
  chain.on = Object.fromEntries(Object.entries(on).map(([ours, theirs]) => [renamed(ours), theirs]))
  for (const name of Object.keys(derive)) origins.delete(name.toLowerCase())
  const moved = Object.entries(rename).map(
    ([from, to]) => [from.toLowerCase(), to.toLowerCase(), origins.get(from.toLowerCase())] as const
  )
  for (const [from] of moved) origins.delete(from)
  for (const [, to, column] of moved) if (column !== undefined) origins.set(to, column)
}

/** The columns that join a table to its parent, by the names that both have after the steps. */
const parentColumns = (
  on: Readonly<Record<string, string>>,
  parent: Parent | undefined,
  plan: Stage.Plan
): Readonly<Record<string, string>> => {
  if (parent === undefined) return on
  const renames = plan.steps.filter(({ table }) => (table ?? plan.tables[0]?.name) === parent.source.name)
  const follow = (name: string) => renames.reduce((now, { rename }) => rename?.[now] ?? now, name)
  return Object.fromEntries(Object.entries(on).map(([ours, theirs]) => [ours, follow(theirs)]))
}

/** Joins queries, each followed by the name of its result, to one query. */
const joined = (chain: ReadonlyArray<string>): string => {
  const parts: Array<string> = []
  for (let at = 0; at + 1 < chain.length; at += 2) parts.push(`${chain[at + 1]} AS NOT MATERIALIZED (${chain[at]}\n)`)
  return `WITH ${parts.join(", ")} SELECT * FROM ${chain.at(-1)}`
}

/** The columns of a query, without the hidden ones. */
const columnsOf = (database: Database.Database, query: string) =>
  Effect.map(describe(database, `(${query}\n)`), (present) =>
    present.filter(({ name }) => name !== hidden.row && name !== hidden.presence)
  )

/** The columns whose values steps change: they may be null, even if the source's column may not. */
const changedBy = (steps: ReadonlyArray<NumberedStep>): ReadonlySet<string> =>
  new Set(
    steps
      .flatMap(({ step: { derive, mask, rename } }) => [
        ...Object.keys(derive ?? {}),
        ...Object.keys(mask ?? {}),
        ...Object.values(rename ?? {})
      ])
      .map((name) => name.toLowerCase())
  )

const columnOf = (
  { name, sql, type: known }: StoredColumn,
  source: Table.Table,
  changed: ReadonlySet<string>
): Column.Column => {
  const before = source.columns.find((column) => column.name === name)
  const type = known ?? nearest(sql)
  const isSame =
    before !== undefined && Column.toSql(before.type) === Column.toSql(type) && !changed.has(name.toLowerCase())
  return { name, type, nullable: isSame ? before.nullable : true }
}

/** The nearest type for a type of DuckDB that `Column` does not have. */
const nearest = (sql: string): Column.ColumnType => {
  if (/^U?(HUGE|BIG|SMALL|TINY)?INT(EGER)?$/.test(sql))
    return { _tag: sql.includes("HUGE") || sql === "UBIGINT" ? "DOUBLE" : "BIGINT" }
  if (sql.startsWith("TIMESTAMP")) return { _tag: "TIMESTAMP" }
  if (/^(MAP|UNION|STRUCT)\(|\[\d*\]$/.test(sql)) return { _tag: "JSON" }
  return { _tag: "VARCHAR" }
}

/** The relation of the rows of a table before the steps. */
export const came = (table: Table.Table): string => `came.${Column.quote(table.name)}`

export const broken =
  (doing: string) =>
  (cause: Database.DatabaseError): Stage.StageError =>
    new Stage.StageError({ message: `${doing}: ${cause.message}`, path: [], cause })

/**
 * A column with the descriptions of another column and of its fields: a column that was read from SQL has a type and no
 * description.
 *
 * The type stays as it is. Fields are found by their names.
 */
const describedBy = (column: Column.Column, other: Column.Column | undefined): Column.Column => {
  if (other === undefined) return column
  const { description = column.description } = other
  return {
    ...column,
    type: typeBy(column.type, other.type),
    ...(description === undefined ? {} : { description })
  }
}

/** The same for each column, by its name. */
const allDescribedBy = (
  columns: ReadonlyArray<Column.Column>,
  others: ReadonlyArray<Column.Column>
): ReadonlyArray<Column.Column> => columns.map((column) => describedBy(column, Column.named(others, column.name)))

const typeBy = (type: Column.ColumnType, other: Column.ColumnType): Column.ColumnType => {
  if (type._tag === "STRUCT" && other._tag === "STRUCT") {
    return { ...type, fields: allDescribedBy(type.fields, other.fields) }
  }
  return type._tag === "LIST" && other._tag === "LIST" ? { ...type, of: describedBy(type.of, other.of) } : type
}
