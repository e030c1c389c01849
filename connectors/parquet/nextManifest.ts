/**
 * The manifest after a commit, from the one before and the files of the commit. Pure.
 *
 * The law: tables and pipelines that this run does not know are carried over as they are.
 */
import * as Option from "effect/Option"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import * as Manifest from "./Manifest.ts"
import type { Options } from "./Options.ts"
import * as Partition from "./Partition.ts"

export const nextManifest = (of: {
  readonly base: Option.Option<Manifest.Manifest>
  readonly plan: Sink.Plan
  readonly options: Options
  readonly commit: Sink.Commit
  readonly files: ReadonlyArray<readonly [Table.Table, Manifest.DataFile]>
  /** Whether it is the writer's first commit: the one in which replace replaces. */
  readonly first: boolean
  readonly writer: string
}): Manifest.Manifest => {
  const base = Option.getOrUndefined(of.base)
  const { checkpoint, run } = of.commit
  const tables: Record<string, Manifest.TableState> = { ...base?.tables }
  for (const { table, write } of of.plan.tables) {
    const before = write === "replace" && of.first ? undefined : tables[table.name]
    const fresh = of.files.filter(([owner]) => owner.name === table.name).map(([, file]) => file)
    tables[table.name] = tableState(table, before, fresh, of.options)
  }
  return {
    format: "millrace-manifest-1",
    version: (base?.version ?? 0) + 1,
    previous: base?.version ?? null,
    writer: of.writer,
    run: {
      run_id: run.runId,
      pipeline: run.pipeline,
      started_at: Partition.isoFromMicros(run.startedAt),
      committed_at: Partition.isoFromMicros(run.committedAt),
      facts: run.facts,
      rows: run.rows
    },
    checkpoints: {
      ...base?.checkpoints,
      [of.plan.pipeline]: { run_id: checkpoint.runId, state: checkpoint.state ?? null }
    },
    tables
  }
}

/** Why these tables cannot be added to what is there, if so. */
export const schemaFault = (
  base: Option.Option<Manifest.Manifest>,
  tables: ReadonlyArray<Sink.TablePlan>,
  options: Options
): string | undefined => {
  for (const { table, write } of tables) {
    const before = Option.getOrUndefined(base)?.tables[table.name]
    if (before === undefined || write === "replace") continue
    const types = new Map(before.columns.map(({ name, type }) => [name, type]))
    for (const { name, type } of Manifest.columnsOf(table.columns)) {
      const known = types.get(name)
      if (known !== undefined && known !== type) {
        return `column ${name} of table ${table.name} is ${known} in the files and ${type} in this run; rename one, or replace`
      }
    }
    const partition = Partition.columnsOf(table, options.partition ?? []).map(({ name }) => name)
    if (partition.join() !== before.partition.join()) {
      const said = (columns: ReadonlyArray<string>) => (columns.length === 0 ? "nothing" : columns.join(", "))
      return `table ${table.name} is partitioned by ${said(before.partition)} and this run says ${said(partition)}; keep it, or replace`
    }
  }
  return undefined
}

const tableState = (
  table: Table.Table,
  before: Manifest.TableState | undefined,
  fresh: ReadonlyArray<Manifest.DataFile>,
  options: Options
): Manifest.TableState => {
  const ours = Manifest.columnsOf(table.columns)
  const gone = (before?.columns ?? []).filter(({ name }) => !ours.some((column) => column.name === name))
  const columns = [...ours, ...gone]
  const files = [...(before?.files ?? []), ...fresh]
  return {
    columns,
    schema_hash: Manifest.hashOf(columns),
    key: table.key,
    partition: Partition.columnsOf(table, options.partition ?? []).map(({ name }) => name),
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files
  }
}
