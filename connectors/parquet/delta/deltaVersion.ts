/**
 * One version of a table's Delta log, made from the manifests before and after it. Pure: the run that committed and
 * a later one that writes a missing version write the same bytes.
 */

import { columnsOf } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import { featuresOf, metadataOf, protocolOf } from "./deltaSchema.ts"
import { type Add, addOf, type Moment, partitionValuesOf, pathOf, type Remove, removeOf } from "./fileActions.ts"

/** A table of a manifest, with its version in its Delta log. */
export interface Versioned extends Manifest.TableState {
  readonly delta: NonNullable<Manifest.TableState["delta"]>
}

export const hasDelta = (state: Manifest.TableState | undefined): state is Versioned => state?.delta !== undefined

/** The version that changes a table from its state in the manifest before to its state in this one. */
export const changeOf = (
  manifest: Manifest.Manifest,
  table: string,
  before: Manifest.TableState | undefined,
  after: Versioned
): Uint8Array => {
  const moment = momentOf(manifest, table, after)
  const old = before && momentOf(manifest, table, before)
  // If a partition column has another type now and its value is written in another way, the file is added again.
  const isSaidSo = (file: Manifest.DataFile) =>
    before?.schema_hash === after.schema_hash ||
    old === undefined ||
    JSON.stringify(partitionValuesOf(file, old.columns)) === JSON.stringify(partitionValuesOf(file, moment.columns))
  const listed = new Set(before?.files.map(({ path }) => path))
  const there = new Set(hasBounds(before) ? [] : before?.files.filter(isSaidSo).map(({ path }) => path))
  const left = new Set(after.files.map(({ path }) => path))
  const gone = (before?.files ?? []).filter(({ path }) => !left.has(path))
  const known = before === undefined ? undefined : featuresOf(before)
  const isSaid = known !== undefined && featuresOf(after).every((feature) => known.includes(feature))
  return linesOf(manifest, [
    ...(isSaid ? [] : [{ protocol: protocolOf(featuresOf(after)) }]),
    ...(before !== undefined && isSameTable(before, after)
      ? []
      : [{ metaData: metadataOf(table, after.delta.id, after) }]),
    ...(old === undefined ? [] : gone.map((file) => ({ remove: removeOf(file, old) }))),
    ...after.files
      .filter(({ path }) => !there.has(path))
      .map((file) => ({
        add: listed.has(file.path) && isSaidSo(file) ? addedAgain(file, moment) : addOf(file, moment)
      }))
  ])
}

/** Whether the log may have bounds of some columns. Then its files are added again without them. */
const hasBounds = (state: Manifest.TableState | undefined): boolean =>
  state !== undefined && state.delta?.bounds !== false

/** A file that the log has, with what it says of it now. Its rows are not new. */
const addedAgain = (file: Manifest.DataFile, moment: Moment): Add => addOf(file, { ...moment, dataChange: false })

/** The version that changes a table to its state in this manifest, from any files (paths) that its log had before. */
export const jumpOf = (
  manifest: Manifest.Manifest,
  table: string,
  active: ReadonlySet<string>,
  after: Versioned
): Uint8Array => {
  const moment = momentOf(manifest, table, after)
  const left = new Set(after.files.map((file) => pathOf(table, file)))
  const gone = [...active].filter((path) => !left.has(path))
  return linesOf(manifest, [
    ...head(table, after),
    ...gone.map((path): { readonly remove: Remove } => ({
      remove: { path, deletionTimestamp: moment.at, dataChange: true }
    })),
    ...after.files.map((file) => ({
      add: active.has(pathOf(table, file)) ? addedAgain(file, moment) : addOf(file, moment)
    }))
  ])
}

/** A version without changes, for one whose manifest is not known any more. */
export const emptyOf = (manifest: Manifest.Manifest): Uint8Array => linesOf(manifest, [])

/** All actions of a checkpoint of a table. */
export const wholeOf = (manifest: Manifest.Manifest, table: string, state: Versioned): ReadonlyArray<object> => {
  const moment = { ...momentOf(manifest, table, state), dataChange: false }
  return [...head(table, state), txnOf(manifest), ...state.files.map((file) => ({ add: addOf(file, moment) }))]
}

const head = (table: string, state: Versioned): ReadonlyArray<object> => [
  { protocol: protocolOf(featuresOf(state)) },
  { metaData: metadataOf(table, state.delta.id, state) }
]

const isSameTable = (before: Manifest.TableState, after: Versioned): boolean =>
  before.schema_hash === after.schema_hash &&
  before.partition.join() === after.partition.join() &&
  before.delta?.id === after.delta.id &&
  saidOf(before) === saidOf(after)

const saidOf = ({ columns, description }: Manifest.TableState): string =>
  JSON.stringify([description, ...columns.map((column) => column.description)])

const momentOf = (manifest: Manifest.Manifest, table: string, { columns }: Manifest.TableState): Moment => ({
  table,
  columns: columnsOf(columns),
  at: Date.parse(manifest.run.committed_at),
  dataChange: !isCompaction(manifest)
})

const isCompaction = ({ run }: Manifest.Manifest): boolean =>
  run.pipeline === "compact" && run.facts["files_before"] !== undefined

const txnOf = ({ version }: Manifest.Manifest) => ({ txn: { appId: "millrace", version } })

const linesOf = (manifest: Manifest.Manifest, actions: ReadonlyArray<object>): Uint8Array => {
  const { run } = manifest
  const info = {
    timestamp: Date.parse(run.committed_at),
    operation: isCompaction(manifest) ? "OPTIMIZE" : "WRITE",
    operationParameters: { pipeline: run.pipeline, run_id: run.run_id },
    engineInfo: "millrace"
  }
  const all = [{ commitInfo: info }, txnOf(manifest), ...actions]
  return new TextEncoder().encode(all.map((action) => `${JSON.stringify(action)}\n`).join(""))
}
