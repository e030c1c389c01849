/**
 * A pipeline: one source, some sinks, and what its user says about the rows between them.
 *
 * Everything a pipeline file can say, `Pipeline.make` can say.
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
  /** Names the pipeline in its destinations: its checkpoint is kept under this name. */
  readonly name: string
  /** The folder that relative paths start from. */
  readonly directory: string
  /** Where rows come from. */
  readonly source: Source.Reader<R>
  /** By name, in the order they commit. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  /** What the user says of the main table; empty: what the source says holds. */
  readonly table: TableOptions
  /** What becomes of the rows on their way, in order. */
  readonly steps: ReadonlyArray<Step.Step>
  /** What has to hold before the commit. */
  readonly checks: ReadonlyArray<Check.Check>
  /** What a run may use; empty: what the source takes by itself. */
  readonly limits: Source.Limits
  /** How long answers are kept. */
  readonly journal: JournalOptions
  /** How often a run commits while it reads; absent: once, at its end. */
  readonly commitEvery?: CommitEvery | undefined
  /** Tables of the source that keep their own name, though the main table has another: a destination has them so. */
  readonly keptNames?: ReadonlyArray<string>
}

/**
 * What the user says about the source's main table, where the source's own word is not enough.
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
  /** The name of the main table; default: the source's. Other tables follow it. */
  readonly name?: string
  /** By the names that columns have after the steps. */
  readonly key?: ReadonlyArray<string>
  /** The columns whose change makes a row a changed one. */
  readonly fingerprint?: ReadonlyArray<string>
  /** What becomes of lists and structs; default: "struct". */
  readonly nested?: Nested
  /** What a run may change in a destination; default: "evolve". */
  readonly contract?: Contract
  /** What one row is, in place of what the source says. */
  readonly description?: string
  /** What columns hold, by the names that they have after the steps. */
  readonly columnDescriptions?: Readonly<Record<string, string>>
}

/** What becomes of lists and structs: columns of those types, JSON columns, or child tables of lists. */
export type Nested = "struct" | "json" | "tables"

/**
 * What a run may change in a destination. evolve: columns are added and widened. quarantine: the destination stays as it
 * is, and rows that do not fit it are rejected. freeze: the run fails. Where there is no table yet, all three make it.
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
  /** What all runs of the pipeline may take. */
  readonly bytes: number
  /** Where other machines reach it; absent: nowhere. */
  readonly shared?: Shared
}

/**
 * Seven days, and two gigabytes.
 *
 * @internal
 */
export const journalDefaults: JournalOptions = { keepMillis: 7 * 24 * 3_600_000, bytes: 2e9 }

/** What `Pipeline.make` makes a pipeline of. */
export interface Parts<R> {
  /** Names the pipeline in its destinations, and its journal. */
  readonly name: string
  /** Where rows come from. */
  readonly source: Source.Reader<R>
  /** Where rows go, by names of yours, in the order they commit. */
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
  /** The folder that relative paths start from; default: the working folder. */
  readonly directory?: string
  /** What you say of the main table; default: what the source says. */
  readonly table?: TableOptions
  /** What becomes of rows on their way, in order; default: nothing. */
  readonly steps?: ReadonlyArray<Step.Step>
  /** What has to hold before the commit; default: nothing. */
  readonly checks?: ReadonlyArray<Check.Check>
  /** What a run may use; default: no limit. */
  readonly limits?: Source.Limits
  /** How long answers are kept; default: seven days, and 2 GB. */
  readonly journal?: Partial<JournalOptions>
  /** How often a run commits while it reads; default: once, at its end. */
  readonly commitEvery?: CommitEvery | undefined
}

/**
 * A pipeline of its parts. `name` names it in its destinations; two pipelines of one name continue each other's runs.
 * Relative paths start from `directory`, default: the working folder.
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

/** The source, told what names a row: by the names that its own table has, before any step. */
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
 * The source's tables under the names that the user wants, before any step. Those beside the main one follow its name,
 * so that two pipelines whose main tables have other names share none.
 *
 * @internal
 */
export const named = <R>(
  pipeline: Pick<Pipeline<R>, "source" | "table" | "keptNames">
): readonly [Table.Table, ...ReadonlyArray<Table.Table>] => {
  const [main, ...others] = pipeline.source.tables
  const { name = main.name } = pipeline.table
  const names = new Map(others.map((table) => [table.name, following(table, main.name, name)]))
  for (const kept of pipeline.keptNames ?? []) names.set(kept, kept)
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

/** `page_links` is `articles_links` of articles, and `extracted__sources` is `products__sources` of products. */
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
