/**
 * The manifest after a commit, from the one before and the tables of the commit. Pure.
 *
 * Guarantee: tables and pipelines that this run does not know are carried over as they are.
 */
import { createHash } from "node:crypto"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import { headOf, placeAfter } from "../delta/deltaPlace.ts"
import { icebergAfter } from "../iceberg/icebergPlace.ts"
import { columnsOf, hasHistory } from "../manifest/columnsAfter.ts"
import * as Manifest from "../manifest/Manifest.ts"
import * as Partition from "../manifest/Partition.ts"
import type { Options } from "../options.ts"

export const nextManifest = (commit: {
  readonly base: Option.Option<Manifest.Manifest>
  readonly run: Sink.RunRecord
  readonly checks: ReadonlyArray<Sink.CheckRecord>
  readonly profiles?: Sink.Commit["profiles"]
  readonly writer: string
  /** The tables that the commit changed, and the checkpoints that it moved. */
  readonly tables: Readonly<Record<string, Manifest.TableState>>
  readonly checkpoints: Manifest.Manifest["checkpoints"]
  /** The last version of each existing Delta log. */
  readonly heads: ReadonlyMap<string, number>
  /** Whether the tables of the commit are Iceberg tables too; default: as before. */
  readonly iceberg?: boolean | undefined
  /** The pipeline that each table belongs to; default: as before. */
  readonly owners?: ReadonlyMap<string, string>
}): Manifest.Manifest => {
  const base = Option.getOrUndefined(commit.base)
  const { run, checks, profiles = [] } = commit
  const owners = commit.owners === undefined ? base?.owners : Object.fromEntries(commit.owners)
  const version = (base?.version ?? 0) + 1
  return {
    format: "millrace-manifest-1",
    version,
    previous: base?.version ?? null,
    writer: commit.writer,
    run: {
      run_id: run.runId,
      pipeline: run.pipeline,
      started_at: Partition.isoFromMicros(run.startedAt),
      committed_at: Partition.isoFromMicros(run.committedAt),
      facts: run.facts,
      rows: run.rows,
      ...(run.once === undefined ? {} : { once: run.once })
    },
    ...(checks.length === 0 ? {} : { checks }),
    ...(profiles.length === 0 ? {} : { profiles }),
    checkpoints: { ...base?.checkpoints, ...commit.checkpoints },
    tables: Object.fromEntries(
      Object.entries({ ...base?.tables, ...commit.tables }).map(([name, state]) => {
        const id = idOf([commit.writer, run.runId, name])
        const before = base?.tables[name]
        const wanted = commit.tables[name] === undefined ? undefined : commit.iceberg
        const iceberg = icebergAfter(before, state, { version, id, wanted })
        // What another program may have added to the log of a table that this commit does not change, is for its own run to refuse.
        const isLeft = commit.tables[name] === undefined && before?.delta !== undefined
        const delta = placeAfter(before, state, isLeft ? before.delta.version : headOf(commit.heads, name), id)
        const isSame = before !== undefined && before.delta?.version === delta.version
        const next = { ...(isSame ? describedAs(before, state) : state), delta }
        if (iceberg === undefined) delete next.iceberg
        else next.iceberg = iceberg
        return [name, next] as const
      })
    ),
    ...(owners === undefined ? {} : { owners })
  }
}

/** A new description alone makes no new version: it is written with the next one. */
const describedAs = (
  { columns, description }: Manifest.TableState,
  state: Manifest.TableState
): Manifest.TableState => ({
  ...Struct.omit(state, ["description"]),
  columns,
  ...(description === undefined ? {} : { description })
})

/** A unique id, as a UUID. It is unique because the writer id is random. */
const idOf = (parts: ReadonlyArray<string>): string =>
  createHash("sha256")
    .update(JSON.stringify(parts))
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5")

/** The state of a table for a manifest. */
export const tableState = (
  table: Pick<Manifest.TableState, "key" | "partition" | "description" | "registry">,
  columns: ReadonlyArray<Column.Column>,
  files: ReadonlyArray<Manifest.DataFile>
): Manifest.TableState => {
  const named = Manifest.columnsOf(columns)
  return {
    columns: named,
    ...(table.registry === undefined ? {} : { registry: table.registry }),
    ...(table.description === undefined || table.description === "" ? {} : { description: table.description }),
    schema_hash: Manifest.hashOf(named),
    key: table.key,
    partition: table.partition,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files
  }
}

/**
 * Why these tables cannot be added to the stored ones, if so. A shared table is never replaced as a whole. A table that is
 * replaced and keeps its columns may be partitioned in another way.
 */
export const schemaFault = (
  base: Option.Option<Manifest.Manifest>,
  { evolve, shared, tables }: Pick<Sink.Plan, "evolve" | "shared" | "tables">,
  options: Options
): string | undefined => {
  for (const planned of tables) {
    const before = Option.getOrUndefined(base)?.tables[planned.table.name]
    const isReplaced = planned.write === "replace" && shared !== true
    if (before === undefined || (isReplaced && evolve)) continue
    const partition = isReplaced
      ? before.partition
      : Partition.columnsOf(planned.table, options.partition ?? []).map(({ name }) => name)
    const fault = besideFault(before, planned, partition)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Why rows of a run cannot be stored beside the present ones, if so. */
export const besideFault = (
  before: Manifest.TableState,
  { table, write }: Sink.TablePlan,
  partition: ReadonlyArray<string>
): string | undefined => {
  const foreign = before.columns.find((column) => columnsOf([column]).length === 0)
  if (foreign !== undefined) {
    return `column ${foreign.name} of table ${table.name} is ${foreign.type} in the files, which this version of millrace does not know; replace`
  }
  const isOwn = Sink.historyColumns.some(({ name }) => Column.named(table.columns, name) !== undefined)
  if (write !== "scd2" && !(write === "replace" && isOwn) && hasHistory(before)) {
    return `table ${table.name} is a history in the files and this run says ${write}, which would mix versions with rows; keep scd2, or replace`
  }
  if (partition.join() !== before.partition.join()) {
    const listed = (columns: ReadonlyArray<string>) => (columns.length === 0 ? "nothing" : columns.join(", "))
    return `table ${table.name} is partitioned by ${listed(before.partition)} and this run says ${listed(partition)}; keep it, or replace`
  }
  return undefined
}
