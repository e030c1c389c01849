/**
 * A pipeline: one source, some sinks, and the user's options for the rows between them.
 *
 * `Pipeline.make` can do everything that a pipeline file can.
 */
import type * as Check from "./Check.ts"
import type * as Column from "./Column.ts"
import type { CommitEvery } from "./CommitEvery.ts"
import type { Shared } from "./Journal.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"
import type * as Step from "./Step.ts"
import * as Table from "./Table.ts"

export type { CommitEvery } from "./CommitEvery.ts"

/** A pipeline with every choice made: what `Run.run` takes. */
export interface Pipeline<out R> {
  /** The name of the pipeline. Destinations keep its checkpoint under this name. */
  readonly name: string
  /** The folder that relative paths start from. */
  readonly directory: string
  /** Where rows come from. */
  readonly source: Source.Reader<R>
  /** Where rows go, by name, in the order in which the sinks commit. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  /** The user's options for the main table. What is not set is as the source has it. */
  readonly table: TableOptions
  /** The steps that change rows between source and sinks, in order. */
  readonly steps: ReadonlyArray<Step.Step>
  /** The checks that must pass before the commit. */
  readonly checks: ReadonlyArray<Check.Check>
  /** What a run may use. */
  readonly limits: Source.Limits
  /** How long the answers of the source are kept. */
  readonly journal: JournalOptions
  /** How often a run commits while it reads; absent: once, at its end. */
  readonly commitEvery?: CommitEvery | undefined
  /** Side tables that keep the source's name although the main table is renamed, because a destination has them so. */
  readonly keptNames?: ReadonlyArray<string>
}

/**
 * The user's options for the main table of the source.
 *
 * @example
 * ```ts
 * import { rows, run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "people" })
 * const table = { name: "members", key: ["id"], contract: "freeze" } as const
 * const report = await run({ source, sinks: { out: memory.with({ name: "m" }) }, table })
 * console.log(report.rows) // { members: 1, members__rejects: 0 }
 * ```
 */
export interface TableOptions {
  /** The name of the main table; default: the source's. Side tables are renamed accordingly. */
  readonly name?: string
  /** The columns that identify a row, by their names after the steps; default: the source's key. */
  readonly key?: ReadonlyArray<string>
  /** The columns that decide whether a row has changed; default: those of the source. */
  readonly fingerprint?: ReadonlyArray<string>
  /** How lists and structs are stored; default: the source's choice, otherwise "struct". */
  readonly nested?: Nested
  /** What a run may change in the tables of a destination; default: "evolve". */
  readonly contract?: Contract
  /** What one row is; default: the source's description. */
  readonly description?: string
  /** What columns hold, by their names after the steps; default: the source's descriptions. */
  readonly columnDescriptions?: Readonly<Record<string, string>>
}

/** How lists and structs are stored. struct: as they are. json: as JSON columns. tables: each list as a child table. */
export type Nested = "struct" | "json" | "tables"

/**
 * What a run may change in the tables of a destination. evolve: columns are added and widened. quarantine: the columns
 * stay as they are, and rows that do not fit are rejected. freeze: the run fails. All three create a table that is missing.
 */
export type Contract = "evolve" | "quarantine" | "freeze"

/**
 * How long the journal of a run that is over is kept: in milliseconds, and in bytes for all runs of the pipeline.
 * Default: seven days, and 2 GB.
 *
 * @example
 * ```ts
 * import { Pipeline, rows } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const journal: Partial<Pipeline.JournalOptions> = { keepMillis: 24 * 3_600_000 }
 * const source = rows([{ id: 1 }], { table: "people" })
 * const made = Pipeline.make({ name: "p", source, sinks: { out: memory.with({ name: "p" }) }, journal })
 * console.log(made.journal) // { keepMillis: 86400000, bytes: 2000000000 }
 * ```
 */
export interface JournalOptions {
  /** Milliseconds after the end of a run; 0: nothing is kept, and no run can be replayed. */
  readonly keepMillis: number
  /** The disk space that all runs of the pipeline may take. */
  readonly bytes: number
  /** A place where other machines reach the journal; absent: it is only on this machine. */
  readonly shared?: Shared
}

/**
 * The default: seven days, and two gigabytes.
 *
 * @internal
 */
export const journalDefaults: JournalOptions = { keepMillis: 7 * 24 * 3_600_000, bytes: 2e9 }

/** The options of `Pipeline.make`. */
export interface Parts<R> {
  /** The name of the pipeline, of its checkpoint in destinations, and of its journal. */
  readonly name: string
  /** Where rows come from. */
  readonly source: Source.Reader<R>
  /** Where rows go, by names that you choose, in the order in which they commit. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  /** The folder that relative paths start from; default: the working folder. */
  readonly directory?: string
  /** Options for the main table; default: as the source has it. */
  readonly table?: TableOptions
  /** The steps that change rows between source and sinks, in order; default: none. */
  readonly steps?: ReadonlyArray<Step.Step>
  /** The checks that must pass before the commit; default: none. */
  readonly checks?: ReadonlyArray<Check.Check>
  /** What a run may use; default: no limits. */
  readonly limits?: Source.Limits
  /** How long the answers of the source are kept; default: seven days, and 2 GB. */
  readonly journal?: Partial<JournalOptions>
  /** How often a run commits while it reads; default: once, at its end. */
  readonly commitEvery?: CommitEvery | undefined
}

/**
 * Makes a pipeline. Destinations know it by `name`: two pipelines with the same name continue each other's runs.
 * Relative paths start from `directory`; default: the working folder.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Engine, Pipeline, rows, Run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const pages = Pipeline.make({
 *   name: "ok_pages",
 *   source: rows([{ url: "/a", status: 200 }, { url: "/b", status: 404 }], { table: "pages", key: "url" }),
 *   sinks: { out: memory.with({ name: "ok_pages" }) },
 *   steps: [{ where: "status = 200" }],
 *   checks: [{ rows: { min: 1 } }]
 * })
 * const report = await Effect.runPromise(Effect.provide(Run.run(pages), Engine.layer))
 * console.log(report.status, report.rows) // "done" { pages: 1, pages__rejects: 0 }
 * ```
 */
export const make = <R>(options: Parts<R>): Pipeline<R> => ({
  directory: process.cwd(),
  table: {},
  steps: [],
  checks: [],
  limits: {},
  ...options,
  source: keyed(options.source, options.table ?? {}, options.steps ?? []),
  journal: { ...journalDefaults, ...options.journal }
})

/** The source with the user's key. Steps may have renamed its columns, so their names before the steps are found first. */
const keyed = <R>(
  source: Source.Reader<R>,
  { key, name = source.tables[0].name }: TableOptions,
  steps: ReadonlyArray<Step.Step>
): Source.Reader<R> => {
  if (key === undefined || source.keyed === undefined) return source
  const own = steps
    .filter(({ table = name }) => table === name)
    .flatMap(({ rename }) => (rename === undefined ? [] : [rename]))
    .toReversed()
  const before = (column: string) =>
    own.reduce((now, rename) => Object.keys(rename).find((old) => rename[old] === now) ?? now, column)
  return source.keyed(key.map(before))
}

/**
 * The column that the engine adds to every table: which run wrote the row.
 *
 * @internal
 */
export const runIdColumn: Column.Column = {
  name: "_run_id",
  type: { _tag: "VARCHAR" },
  nullable: false,
  description: "the run that loaded the row"
}

/**
 * The source's tables under the user's names, before the steps. Side tables are named after the main table, so that two
 * pipelines whose main tables have different names do not write the same side tables.
 *
 * @internal
 */
export const named = <R>(
  pipeline: Pick<Pipeline<R>, "source" | "table" | "keptNames">
): readonly [Table.Table, ...ReadonlyArray<Table.Table>] => {
  const [main, ...others] = pipeline.source.tables
  const { name = main.name } = pipeline.table
  const names = new Map(others.map((table) => [table.name, following(table, main.name, name)]))
  for (const keptName of pipeline.keptNames ?? []) names.set(keptName, keptName)
  names.set(main.name, name)
  const under = (table: Table.Table): Table.Table => ({
    ...table,
    name: names.get(table.name) ?? table.name,
    ...(table.parent === undefined
      ? {}
      : { parent: { ...table.parent, table: names.get(table.parent.table) ?? table.parent.table } })
  })
  return [{ ...main, name }, ...others.map(under)]
}

/** For a main table `articles`, `page_links` becomes `articles_links`, and `pages__tags` becomes `articles__tags`. */
const following = ({ name, suffix }: Table.Table, main: string, wanted: string): string => {
  if (wanted === main) return name
  if (suffix !== undefined) return `${wanted}${suffix}`
  return name.startsWith(`${main}__`) ? `${wanted}${name.slice(main.length)}` : name
}

/**
 * The table with the columns that the engine adds.
 *
 * @internal
 */
export const withRunId = (table: Table.Table): Table.Table => Table.extend(table, [runIdColumn])
