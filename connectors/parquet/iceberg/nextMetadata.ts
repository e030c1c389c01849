/**
 * The metadata of an Iceberg table after a commit, with the files of its snapshot: from the metadata before and our manifest.
 * Pure: the run that committed and a later one that writes a missing snapshot write the same bytes.
 *
 * Guarantee: a snapshot has the number of the manifest that it shows.
 */
import * as Digest from "#base/Digest"
import { columnsOf } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type { AvroFiles } from "./avroFile.ts"
import { carried, type FileStatistics, nothingKnown } from "./fileStatistics.ts"
import type { Placed } from "./icebergPlace.ts"
import { fieldsOf, idsOf, nameMapping } from "./icebergSchema.ts"
import { type Entry, encodeList, encodeManifest, type Listed, type ManifestHead, Status } from "./manifestFiles.ts"
import { partitionFields, specFor } from "./partitionSpec.ts"
import * as TableMetadata from "./TableMetadata.ts"

/** The input of a snapshot. */
export interface Step {
  /** The location of the lake: an absolute URL. */
  readonly lake: string
  readonly table: string
  readonly manifest: Manifest.Manifest
  readonly state: Placed
  /** The last metadata: names keep their numbers from it. */
  readonly last: { readonly version: number; readonly metadata: TableMetadata.TableMetadata } | undefined
  /** The files of the last metadata; undefined if the new one begins without history. */
  readonly entries: ReadonlyArray<Entry> | undefined
  /** The statistics of files by their paths, for files without statistics in `entries`. */
  readonly statistics: ReadonlyMap<string, FileStatistics>
}

interface Made {
  readonly metadata: TableMetadata.TableMetadata
  /** Files to put before the metadata; their paths are below the lake. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly bytes: Uint8Array }>
}

export const nextMetadata = (avro: AvroFiles, step: Step): Made => {
  const { lake, last, state, table } = step
  const old = last?.metadata
  const ids = idsAfter(old)
  const fields = fieldsOf(columnsOf(state.columns), ids)
  const isContinued = old !== undefined && step.entries !== undefined && isBound(old, fields)
  const [before, entries] = isContinued ? [old, step.entries ?? []] : [undefined, []]

  const schemas = before?.schemas ?? []
  const sameSchema = schemas.find((schema) => JSON.stringify(schema.fields) === JSON.stringify(fields))
  const schema = sameSchema ?? { type: "struct" as const, "schema-id": nextId(schemas, "schema-id"), fields }
  const specs = before?.["partition-specs"] ?? []
  const { last: lastPartition, spec } = specFor(state.partition, fields, specs, old?.["last-partition-id"] ?? 999)
  const head = { schema, spec, partition: partitionFields(spec, fields) ?? [] }
  const { files, snapshot } = snapshotAfter(avro, { ...step, entries }, head, before)
  const { "snapshot-id": id, "timestamp-ms": at } = snapshot
  return {
    files,
    metadata: {
      "format-version": 2,
      "table-uuid": state.iceberg.id,
      location: `${lake}/${table}`,
      "last-sequence-number": id,
      "last-updated-ms": at,
      "last-column-id": ids.last,
      schemas: sameSchema === undefined ? [...schemas, schema] : schemas,
      "current-schema-id": schema["schema-id"],
      "partition-specs": specs.includes(spec) ? specs : [...specs, spec],
      "default-spec-id": spec["spec-id"],
      "last-partition-id": lastPartition,
      "sort-orders": [{ "order-id": 0, fields: [] }],
      "default-sort-order-id": 0,
      properties: {
        "schema.name-mapping.default": nameMapping([...schemas, schema]),
        ...(state.description === undefined ? {} : { comment: state.description })
      },
      "current-snapshot-id": id,
      refs: { main: { "snapshot-id": id, type: "branch" } },
      snapshots: [...(before?.snapshots ?? []), snapshot],
      "snapshot-log": [...(before?.["snapshot-log"] ?? []), { "timestamp-ms": at, "snapshot-id": id }],
      "metadata-log": logAfter(lake, table, before === undefined ? undefined : last)
    }
  }
}

/** The next snapshot, with its files: a manifest of those that live, one of those that are gone, and the list of both. */
const snapshotAfter = (
  avro: AvroFiles,
  step: Step,
  head: ManifestHead,
  before: TableMetadata.TableMetadata | undefined
): { readonly snapshot: TableMetadata.Snapshot; readonly files: Made["files"] } => {
  const { lake, manifest, state, table } = step
  const id = state.iceberg.snapshot
  const change = changeOf(step, head.schema.fields, before && TableMetadata.schemaOf(before)?.fields)
  const files: Array<Made["files"][number]> = []
  const put = (name: string, bytes: Uint8Array): string => {
    const path = `${TableMetadata.folderOf(table)}${name}-${Digest.short(bytes)}.avro`
    files.push({ path, bytes })
    return `${lake}/${path}`
  }
  const listed = [
    { name: "files", head, entries: change.living },
    { name: "removed", head: (before && headOf(before)) ?? head, entries: change.gone }
  ].flatMap((of): ReadonlyArray<Listed> => {
    if (of.entries.length === 0) return []
    const bytes = encodeManifest(avro, of.head, of.entries)
    const path = put(`${id}-${of.name}`, bytes)
    return [{ path, length: bytes.length, spec: of.head.spec["spec-id"], snapshot: id, entries: of.entries }]
  })
  const parent = before?.["current-snapshot-id"]
  const list = put(`snap-${id}`, encodeList(avro, { id, parent }, listed))
  const snapshot = {
    "snapshot-id": id,
    ...(parent === undefined ? {} : { "parent-snapshot-id": parent }),
    "sequence-number": id,
    "timestamp-ms": Math.max(Date.parse(manifest.run.committed_at), before?.["last-updated-ms"] ?? 0),
    "manifest-list": list,
    summary: { ...summaryOf(manifest, change), "millrace.run_id": manifest.run.run_id },
    "schema-id": head.schema["schema-id"]
  }
  return { snapshot, files }
}

/** The columns of a table with their numbers, after its last metadata. */
export const fieldsAfter = (
  old: TableMetadata.TableMetadata | undefined,
  { columns }: Placed
): ReadonlyArray<TableMetadata.Field> => fieldsOf(columnsOf(columns), idsAfter(old))

const idsAfter = (old: TableMetadata.TableMetadata | undefined) =>
  idsOf(old?.schemas ?? [], old?.["last-column-id"] ?? 0)

/** Limited because each metadata file names all snapshots: many of them would need more space than the rows. */
export const maxLogged = 20

/** The log of metadata files with one more. No reader needs it. */
export const logAfter = (
  lake: string,
  table: string,
  last: Step["last"]
): TableMetadata.TableMetadata["metadata-log"] =>
  last === undefined
    ? []
    : [
        ...last.metadata["metadata-log"],
        {
          "timestamp-ms": last.metadata["last-updated-ms"],
          "metadata-file": `${lake}/${TableMetadata.pathOf(table, last.version)}`
        }
      ].slice(-maxLogged)

/** Whether all columns of earlier partition specs still exist with the same types: readers look them up in the present columns. */
const isBound = (old: TableMetadata.TableMetadata, fields: ReadonlyArray<TableMetadata.Field>): boolean => {
  const schema = TableMetadata.schemaOf(old)
  return old["partition-specs"].every((spec) => {
    const [then, now] = [partitionFields(spec, schema?.fields ?? []), partitionFields(spec, fields)]
    return then !== undefined && now !== undefined && JSON.stringify(then) === JSON.stringify(now)
  })
}

const headOf = (metadata: TableMetadata.TableMetadata): ManifestHead | undefined => {
  const [schema, spec] = [TableMetadata.schemaOf(metadata), TableMetadata.specOf(metadata)]
  const partition = schema && spec && partitionFields(spec, schema.fields)
  return schema === undefined || spec === undefined || partition === undefined ? undefined : { schema, spec, partition }
}

interface Change {
  readonly living: ReadonlyArray<Entry>
  readonly gone: ReadonlyArray<Entry>
}

const changeOf = (
  { entries = [], lake, state, statistics: read }: Step,
  fields: ReadonlyArray<TableMetadata.Field>,
  before: ReadonlyArray<TableMetadata.Field> = fields
): Change => {
  const id = state.iceberg.snapshot
  const there = new Map(entries.map((entry) => [entry.path, entry]))
  const living = state.files.map((file): Entry => {
    const path = `${lake}/${file.path}`
    const known = there.get(path)
    there.delete(path)
    const own = read.get(file.path)
    if (known !== undefined) return { ...known, statistics: own ?? carried(known.statistics, before, fields) }
    const partition = { _tag: "Shown", values: file.partition } as const
    const { bytes, rows } = file
    const statistics = own ?? nothingKnown
    return { status: Status.added, snapshot: id, sequence: null, path, rows, bytes, partition, statistics }
  })
  // Removed files need no statistics: no reader looks for rows in them.
  const left = { status: Status.deleted, snapshot: id, statistics: nothingKnown }
  return { living, gone: [...there.values()].map((entry) => ({ ...entry, ...left })) }
}

const summaryOf = ({ run }: Manifest.Manifest, { gone, living }: Change): Readonly<Record<string, string>> => {
  const added = living.filter(({ status }) => status === Status.added)
  const sum = (entries: ReadonlyArray<Entry>, of: "rows" | "bytes") =>
    String(entries.reduce((total, entry) => total + entry[of], 0))
  const isCompaction = run.pipeline === "compact" && run.facts["files_before"] !== undefined
  const ofChange = gone.length === 0 ? "append" : added.length === 0 ? "delete" : "overwrite"
  return {
    operation: isCompaction ? "replace" : ofChange,
    "added-data-files": String(added.length),
    "added-records": sum(added, "rows"),
    "added-files-size": sum(added, "bytes"),
    "deleted-data-files": String(gone.length),
    "deleted-records": sum(gone, "rows"),
    "removed-files-size": sum(gone, "bytes"),
    "total-data-files": String(living.length),
    "total-records": sum(living, "rows"),
    "total-files-size": sum(living, "bytes"),
    "total-delete-files": "0",
    "total-position-deletes": "0",
    "total-equality-deletes": "0"
  }
}

const nextId = <Key extends string>(all: ReadonlyArray<Readonly<Record<Key, number>>>, key: Key): number =>
  all.reduce((most, one) => Math.max(most, one[key]), -1) + 1
