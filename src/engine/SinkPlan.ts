/**
 * What a sink is opened for: the tables of one run of one pipeline, how each is written, and why a plan or a row is
 * refused.
 *
 * merge needs a key, or a parent that is written with merge or scd2; scd2 needs a key, or a parent that is written with scd2: its
 * rows then have the versions of the parent. This is checked before rows are read.
 */
import * as Column from "./Column.ts"
import { columnsFault } from "./columnsFault.ts"
import * as ListDigest from "./ListDigest.ts"
import type * as Table from "./Table.ts"
import { isOfVisit } from "./Table.ts"
import { historyColumns, isHistory, pipelineColumn, type WriteDisposition } from "./WriteDisposition.ts"
import { mayChange, widen } from "./widen.ts"

/** What a sink is opened for. Its tables already have the system columns. */
export interface Plan {
  /** The name of the pipeline, under which its checkpoint is kept. */
  readonly pipeline: string
  /** The run that is going to write. */
  readonly runId: string
  /** Every table that the run may write, the main one first. */
  readonly tables: ReadonlyArray<TablePlan>
  /** The folder that relative paths start from: the pipeline file's own. */
  readonly directory: string
  /**
   * Whether columns that the destination lacks are added and narrow ones widened (`src/engine/widen.ts`). If not, the
   * destination keeps its columns, and the engine makes sure that every row fits them.
   */
  readonly evolve: boolean
  /** What the run may change, in the words of the user; a destination may keep it. */
  readonly contract?: "evolve" | "quarantine" | "freeze"
  /** Whether this is a replay: rows that an earlier commit of the same run left in the destination are replaced. */
  readonly again?: boolean
  /** Whether the source is read from its beginning again, so that all rows are compared with it. */
  readonly fullRefresh?: boolean
  /**
   * Whether other pipelines write the same tables. The tables then have `pipelineColumn`, which is the first column of
   * each key and joins each child to its parent. A sink that finds rows by more than the key must change only rows of
   * `pipeline`: replace does, and scd2 with `removed: close`.
   */
  readonly shared?: boolean
}

/** One table of a plan, and how it is written. */
export interface TablePlan {
  /** With the system columns. */
  readonly table: Table.Table
  /** How its rows are written. */
  readonly write: WriteDisposition
  /** scd2: the columns whose change makes a new version; absent: the rows have the versions of their parent. */
  readonly fingerprint?: ReadonlyArray<string>
  /** scd2: those of them that the stored table may have and `table` lacks; "all": each that it lacks. Default: none. */
  readonly absent?: ReadonlyArray<string> | "all"
  /** What people should know of how the run changes what a destination has recorded of the table; absent: nothing. */
  readonly notices?: ReadonlyArray<string>
}

/**
 * The pipeline that owns the rows and tables of a pipeline. An interval of a backfill, whose `Plan.pipeline` is such as
 * "docs@20260101T000000Z..20260102T000000Z", belongs to its pipeline, docs. Any other pipeline owns its own.
 *
 * @example
 * ```ts
 * import { Sink } from "millrace"
 *
 * console.log(Sink.ownerOf("docs@20260101T000000Z..20260102T000000Z")) // "docs"
 * ```
 */
export const ownerOf = (pipeline: string): string => pipeline.replace(/@\d{8}T\d{6}Z\.\.\d{8}T\d{6}Z$/, "")

/**
 * Why these tables cannot be written as planned; undefined: they can.
 *
 * @internal
 */
export const planFault = (tables: ReadonlyArray<TablePlan>, isShared = false): string | undefined => {
  for (const { table } of tables) {
    const fault = columnsFault(table.columns) ?? (isShared ? undefined : ownerFault(table))
    if (fault !== undefined) return `table ${table.name}: ${fault}`
  }
  const keyed = tables.filter(({ write }) => write === "merge" || write === "scd2")
  for (const planned of keyed) {
    const { table, write } = planned
    const fault = write === "scd2" ? historyFault(planned, tables) : undefined
    if (fault !== undefined) return fault
    if (table.parent === undefined && table.key.length === 0) {
      return `table ${table.name} has no key to merge by; give it one, or append`
    }
    if (table.parent !== undefined && !keyed.some((other) => other.table.name === table.parent?.table)) {
      return `table ${table.name} cannot merge without its parent ${table.parent.table}; merge both, or append both`
    }
  }
  return undefined
}

/** The next run would take a table with this column for a shared one. */
const ownerFault = ({ columns }: Table.Table): string | undefined => {
  const own = Column.named(columns, pipelineColumn.name)
  return own && `it has a column ${own.name}, which Millrace adds to shared tables; rename it`
}

const historyFault = ({ table, fingerprint }: TablePlan, tables: ReadonlyArray<TablePlan>): string | undefined => {
  const { name, key, parent, columns } = table
  const isVersioned = tables.some((other) => other.table.name === parent?.table && other.write === "scd2")
  if (parent !== undefined && !isVersioned)
    return `table ${name} belongs to ${parent.table}, whose versions it has; write both with scd2, or merge it`
  if (parent === undefined && key.length === 0)
    return `table ${name} has no key to tell versions by; give it one, or append`
  const taken = historyColumns.find(({ name }) => Column.named(columns, name) !== undefined)
  if (taken !== undefined) return `table ${name} has a column ${taken.name}, which scd2 adds; rename it, or merge`
  return fingerprint === undefined && parent === undefined
    ? `table ${name} has no fingerprint; name the columns whose change makes a version`
    : undefined
}

/**
 * Why a history has not the columns of its fingerprint; undefined: it has. A column that is null in all rows of a run may be in no
 * table of the run: then the stored table has it. `storedOf`: the stored columns of a table.
 *
 * @internal
 */
export const fingerprintFault = (
  tables: ReadonlyArray<TablePlan>,
  storedOf: (table: string) => ReadonlyArray<Column.Column>
): string | undefined => {
  for (const { fingerprint = [], table, write } of tables) {
    if (write !== "scd2") continue
    const columns = [...table.columns, ...storedOf(table.name)]
    const isThere = (name: string) => Column.named(columns, name) !== undefined
    const unknown = fingerprint.find((name) => !isThere(name) && !isThere(ListDigest.nameOf(name)))
    if (unknown !== undefined) {
      return `table ${table.name} has no column ${unknown}, which its fingerprint names; name one of its columns`
    }
  }
  return undefined
}

/**
 * The column that identifies a row or its parent and is null in one of these rows, where the write needs it. Undefined: none is.
 *
 * @internal
 */
export const missingKey = ({ table, write }: TablePlan, rows: ReadonlyArray<Table.Row>): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const named = [...table.key, ...Object.keys(table.parent?.on ?? {})]
  return named.find((column) => rows.some((row) => row[column] === null || row[column] === undefined))
}

/**
 * Why these rows cannot be written: in one of them, a column that identifies it or its parent is null. Undefined: they can.
 *
 * @internal
 */
export const rowFault = (plan: TablePlan, rows: ReadonlyArray<Table.Row>): string | undefined => {
  const missing = missingKey(plan, rows)
  return missing && `table ${plan.table.name}: a row has no ${missing}, which ${plan.write} needs; fill it, or append`
}

/**
 * Why a table that exists cannot be written as planned, judged by the names of its columns; undefined: it can.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
 * const stored = [{ name: "id" }, ...Sink.historyColumns]
 * console.log(Sink.storedFault({ table, write: "scd2" }, stored, true)) // undefined
 * console.log(Sink.storedFault({ table, write: "merge" }, stored, true)?.split("; ")[1]) // "write it with scd2, or write another table"
 * ```
 */
export const storedFault = (
  { table, write }: TablePlan,
  stored: ReadonlyArray<{ readonly name: string }>,
  evolve: boolean
): string | undefined => {
  const naming = write === "merge" || write === "scd2" ? [...table.key, ...Object.keys(table.parent?.on ?? {})] : []
  const lacking = naming.find((name) => Column.named(stored, name) === undefined)
  if (lacking !== undefined && !evolve) {
    return `table ${table.name} of the database has no column ${lacking}, which identifies its rows; add it, or use contract: evolve`
  }
  return write !== "scd2" && isHistory(stored) && !isHistory(table.columns)
    ? `table ${table.name} of the database is a history; write it with scd2, or write another table`
    : undefined
}

/**
 * The stored columns of the fingerprint that the run does not write, so that they are null in its rows.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
 * const stored = [{ name: "id" }, { name: "price" }, { name: "_run_id" }, ...Sink.historyColumns]
 * console.log(Sink.absentColumns({ table, write: "scd2", absent: "all" }, stored)) // ["price"]
 * ```
 */
export const absentColumns = (
  { absent = [], table }: TablePlan,
  stored: ReadonlyArray<{ readonly name: string }>
): ReadonlyArray<string> =>
  stored
    .map(({ name }) => name)
    .filter(
      (name) =>
        (absent === "all" || Column.named(absent.map(toNamed), name) !== undefined) &&
        Column.named(table.columns, name) === undefined &&
        Column.named(historyColumns, name) === undefined &&
        !isOfVisit(table, name)
    )

/**
 * Why the stored rows cannot be found by this key: a column of it would be widened, and two of its values could become one.
 * Undefined: they can.
 *
 * @internal
 */
export const widerKeyFault = (
  { table, write }: TablePlan,
  stored: ReadonlyArray<{ readonly name: string; readonly type: Column.ColumnType | undefined }>
): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  for (const name of [...table.key, ...Object.keys(table.parent?.on ?? {})]) {
    const [there, ours] = [Column.named(stored, name)?.type, Column.named(table.columns, name)?.type]
    if (there === undefined || ours === undefined) continue
    const to = widen(there, ours)
    if (!mayChange(there, to)) continue
    return (
      `column ${name} identifies the rows of table ${table.name}: it is ${Column.toSql(there)} there, and this run has ` +
      `${Column.toSql(ours)}, so two of its values could become one ${Column.toSql(to)}; let the run give it as ` +
      `${Column.toSql(there)} or VARCHAR, or write another table`
    )
  }
  return undefined
}

const toNamed = (name: string) => ({ name })

/**
 * The same tables, each parent before its children.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink, Table } from "millrace"
 *
 * const orders = Table.make({ name: "orders", description: "orders", schema: Schema.Struct({ id: Schema.Int }) })
 * const items = Table.make({
 *   name: "items",
 *   description: "what was ordered",
 *   schema: Schema.Struct({ order_id: Schema.Int, article: Schema.String }),
 *   parent: { table: "orders", on: { order_id: "id" } }
 * })
 * const ordered = Sink.parentsFirst([{ table: items }, { table: orders }])
 * console.log(ordered.map(({ table }) => table.name)) // ["orders", "items"]
 * ```
 */
export const parentsFirst = <Of extends { readonly table: Table.Table }>(
  tables: ReadonlyArray<Of>
): ReadonlyArray<Of> => {
  const depth = ({ table }: Of): number => {
    const parent = tables.find((other) => other.table.name === table.parent?.table)
    return parent === undefined ? 0 : 1 + depth(parent)
  }
  return tables.toSorted((a, b) => depth(a) - depth(b))
}
