/**
 * What a sink is opened for: the tables of one run of one pipeline, how each is written, and why a plan or a row is
 * refused.
 *
 * merge and scd2 need a key, or a parent that is written with them. This is checked before rows are read: a merge
 * without a key has nothing to replace by, and a history without a key has no versions.
 */
import * as Column from "./Column.ts"
import { columnsFault } from "./columnsFault.ts"
import type * as Table from "./Table.ts"
import { historyColumns, isHistory, pipelineColumn, type WriteDisposition } from "./WriteDisposition.ts"

/** What a sink is opened for. Its tables already carry the system columns. */
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
   * Whether columns that the destination lacks are added and narrow ones widened (`Column.widen`). Where not, the
   * destination keeps its columns, and the engine sees to it that every row fits them.
   */
  readonly evolve: boolean
  /** Whether rows of this very run, which an earlier commit of it left there, make way: a replay. */
  readonly again?: boolean
  /**
   * Whether other pipelines write the same tables. The tables then have `pipelineColumn`, which stands first in each key
   * and joins each child to its parent; a sink must keep to rows of `pipeline` where it uses more than the key, as
   * replace does, and scd2 that closes what was not seen.
   */
  readonly shared?: boolean
}

/** One table of a plan, and how it is written. */
export interface TablePlan {
  /** With the system columns. */
  readonly table: Table.Table
  /** What becomes of rows that are there. */
  readonly write: WriteDisposition
  /** scd2: the columns whose change makes a new version. */
  readonly fingerprint?: ReadonlyArray<string>
}

/**
 * The pipeline that owns what a pipeline writes: the one whose interval it is, where it loads one of a backfill, and
 * else itself. `Plan.pipeline` of an interval is "docs@20260101T000000Z..20260102T000000Z"; its rows and tables are
 * those of docs.
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
 * Why these tables cannot be written as planned, if so.
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
    const fault = write === "scd2" ? historyFault(planned) : undefined
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

/** A table that is not shared and has the column would be taken for a shared one by the next run. */
const ownerFault = ({ columns }: Table.Table): string | undefined => {
  const own = Column.named(columns, pipelineColumn.name)
  return own && `it has a column ${own.name}, which Millrace adds to shared tables; rename it`
}

const historyFault = ({ table, fingerprint }: TablePlan): string | undefined => {
  const { name, key, parent, columns } = table
  if (parent !== undefined) return `table ${name} belongs to ${parent.table}, so it has no history of its own; merge it`
  if (key.length === 0) return `table ${name} has no key to tell versions by; give it one, or append`
  const taken = historyColumns.find(({ name }) => Column.named(columns, name) !== undefined)
  if (taken !== undefined) return `table ${name} has a column ${taken.name}, which scd2 adds; rename it, or merge`
  if (fingerprint === undefined)
    return `table ${name} has no fingerprint; name the columns whose change makes a version`
  const unknown = fingerprint.find((name) => Column.named(columns, name) === undefined)
  return unknown && `table ${name} has no column ${unknown}, which its fingerprint names; name one of its columns`
}

/**
 * Why these rows cannot be written, if so: one leaves a column null that names it or its parent.
 *
 * @internal
 */
export const rowFault = ({ table, write }: TablePlan, rows: ReadonlyArray<Table.Row>): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const named = [...table.key, ...Object.keys(table.parent?.on ?? {})]
  const missing = named.find((column) => rows.some((row) => row[column] === null || row[column] === undefined))
  return missing && `table ${table.name}: a row has no ${missing}, which ${write} needs; fill it, or append`
}

/**
 * Why a table that exists cannot be written as planned, judged by the names of its columns; undefined: it can. A table
 * that is replaced can be anything.
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
    return `table ${table.name} of the database has no column ${lacking}, which identifies its rows; let it be added`
  }
  return write !== "scd2" && isHistory(stored) && !isHistory(table.columns)
    ? `table ${table.name} of the database is a history; write it with scd2, or write another table`
    : undefined
}

/**
 * The same tables, each before those that belong to it.
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
