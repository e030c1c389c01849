/**
 * A pipeline: one source, some sinks, and what its user says about the main table.
 *
 * Everything a pipeline file can say, `Pipeline.make` can say.
 */
import * as Column from "./Column.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"
import * as Table from "./Table.ts"

export interface Pipeline<out R> {
  /** Names the pipeline in its destinations: where it goes on from is kept under this name. */
  readonly name: string
  /** The folder that relative paths start from. */
  readonly directory: string
  readonly source: Source.Reader<R>
  /** By name, in the order they commit. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  readonly table: TableOptions
  readonly limits: Source.Limits
}

/** What the user says about the source's main table, where the source's own word is not enough. */
export interface TableOptions {
  readonly name?: string
  readonly key?: ReadonlyArray<string>
}

export const make = <R>(options: {
  readonly name: string
  readonly source: Source.Reader<R>
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  readonly directory?: string
  readonly table?: TableOptions
  readonly limits?: Source.Limits
}): Pipeline<R> => ({ directory: process.cwd(), table: {}, limits: {}, ...options })

/** The column that the engine adds to every table: which run wrote the row. */
export const runIdColumn: Column.Column = { name: "_run_id", type: { _tag: "VARCHAR" }, nullable: false }

/** The tables as they are written: the main one as the user wants it, all with the system columns. */
export const tables = <R>(pipeline: Pipeline<R>): ReadonlyArray<Table.Table> => {
  const [main, ...others] = pipeline.source.tables
  const { name = main.name, key = main.key } = pipeline.table
  const follow = (table: Table.Table): Table.Table =>
    table.parent?.table === main.name ? { ...table, parent: { ...table.parent, table: name } } : table
  return [{ ...main, name, key }, ...others.map(follow)].map((table) => Table.extend(table, [runIdColumn]))
}
