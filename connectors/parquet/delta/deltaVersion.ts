/**
 * One version of a table's Delta log, made from the manifests before and after it. Pure: the run that committed and
 * a later one that writes a missing version write the same bytes.
 */
import * as Column from "#engine/Column"
import { decimalText, unscaledOf } from "#engine/cellValue"
import { columnsOf } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"

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

/**
 * A file of a manifest for Delta: its path, the values of its partition, and how many rows it has.
 *
 * Guarantee: a file has bounds for each of its columns or for none. If one column of a file has bounds and another has none,
 * delta-rs takes the other for a column of nulls, and finds no rows in it. Types such as JSON, and values such as NaN, have no
 * bounds, so a file has none. The files themselves have bounds, and readers use those.
 */
interface Add {
  readonly path: string
  readonly partitionValues: Readonly<Record<string, string | null>>
  readonly size: number
  readonly modificationTime: number
  readonly dataChange: boolean
  readonly stats: string
}

interface Remove {
  readonly path: string
  readonly deletionTimestamp: number
  readonly dataChange: boolean
  readonly extendedFileMetadata?: boolean
  readonly partitionValues?: Readonly<Record<string, string | null>>
  readonly size?: number
}

/** What all files of a version have in common. */
interface Moment {
  readonly table: string
  readonly columns: ReadonlyArray<Column.Column>
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly dataChange: boolean
}

const addOf = (file: Manifest.DataFile, { at, columns, dataChange, table }: Moment): Add => ({
  path: pathOf(table, file),
  partitionValues: partitionValuesOf(file, columns),
  size: file.bytes,
  modificationTime: at,
  dataChange,
  stats: JSON.stringify({ numRecords: file.rows })
})

const removeOf = (file: Manifest.DataFile, { at, columns, dataChange, table }: Moment): Remove => ({
  path: pathOf(table, file),
  deletionTimestamp: at,
  dataChange,
  extendedFileMetadata: true,
  partitionValues: partitionValuesOf(file, columns),
  size: file.bytes
})

/** The path of a file below the folder of its table, encoded as in a URL. */
export const pathOf = (table: string, { path }: Pick<Manifest.DataFile, "path">): string =>
  path
    .slice(table.length + 1)
    .split("/")
    .map((part) => encodeURIComponent(part).replaceAll("%3D", "="))
    .join("/")

/** The values of a partition as Delta writes them for columns of these types. */
const partitionValuesOf = (
  { partition }: Pick<Manifest.DataFile, "partition">,
  columns: ReadonlyArray<Column.Column>
): Add["partitionValues"] =>
  Object.fromEntries(
    Object.entries(partition).map(([name, value]) => {
      const type = Column.named(columns, name)?.type
      return [name, value === null || type === undefined ? value : valueOf(type, value)] as const
    })
  )

/** Readers accept a decimal only with the scale of its column. */
const valueOf = (type: Column.ColumnType, value: string): string => {
  if (type._tag === "TIMESTAMP") return timeOf(value)
  const unscaled = type._tag === "DECIMAL" ? unscaledOf(value, type) : undefined
  return type._tag === "DECIMAL" && unscaled !== undefined ? decimalText(unscaled, type.scale) : value
}

/** A timestamp as Delta writes it into a path; also a date, of a column that had dates before. */
const timeOf = (iso: string): string => (iso.length === 10 ? `${iso} 00:00:00` : iso.replace("T", " ").replace("Z", ""))

interface Protocol {
  readonly minReaderVersion: number
  readonly minWriterVersion: number
  readonly readerFeatures?: ReadonlyArray<string>
  readonly writerFeatures?: ReadonlyArray<string>
}

interface DeltaMetadata {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly format: { readonly provider: "parquet"; readonly options: Readonly<Record<string, string>> }
  readonly schemaString: string
  readonly partitionColumns: ReadonlyArray<string>
  readonly configuration: Readonly<Record<string, string>>
}

/** The features that a reader needs beyond Delta's first version. */
const featuresOf = (state: Manifest.TableState): ReadonlyArray<string> => {
  const columns = columnsOf(state.columns)
  return [
    ...(isMapped(columns) ? ["columnMapping"] : []),
    ...(columns.some(({ type }) => hasTime(type)) ? ["timestampNtz"] : [])
  ]
}

/** The lowest versions that can read these features. */
const protocolOf = (features: ReadonlyArray<string>): Protocol => {
  if (features.length === 0) return { minReaderVersion: 1, minWriterVersion: 2 }
  if (features.length === 1 && features[0] === "columnMapping") return { minReaderVersion: 2, minWriterVersion: 5 }
  return { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: features, writerFeatures: features }
}

/**
 * The schema and the properties of a table. Times have no zone in our files: Delta's `timestamp_ntz`. Names that Delta does not
 * allow need a column mapping, in which each column is mapped to its own name: the files do not change.
 */
const metadataOf = (name: string, id: string, state: Manifest.TableState): DeltaMetadata => {
  const columns = columnsOf(state.columns)
  const fields = fieldsOf(columns, isMapped(columns) ? { last: 0 } : undefined)
  const mapping: Readonly<Record<string, string>> = isMapped(columns)
    ? { "delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": String(countOf(columns)) }
    : {}
  return {
    id,
    name,
    ...(state.description === undefined ? {} : { description: state.description }),
    format: { provider: "parquet", options: {} },
    schemaString: JSON.stringify({ type: "struct", fields }),
    partitionColumns: state.partition,
    configuration: mapping
  }
}

const fieldsOf = (columns: ReadonlyArray<Column.Column>, ids: { last: number } | undefined): ReadonlyArray<object> =>
  columns.map(({ description, name, type }) => {
    const metadata = {
      ...(description === undefined ? {} : { comment: description }),
      ...(ids === undefined ? {} : { "delta.columnMapping.id": ++ids.last, "delta.columnMapping.physicalName": name })
    }
    return { name, type: typeOf(type, ids), nullable: true, metadata }
  })

const typeOf = (type: Column.ColumnType, ids: { last: number } | undefined): string | object => {
  switch (type._tag) {
    case "BIGINT":
      return "long"
    case "BOOLEAN":
      return "boolean"
    case "DATE":
      return "date"
    case "DECIMAL":
      return `decimal(${type.precision},${type.scale})`
    case "DOUBLE":
      return "double"
    case "JSON":
    case "VARCHAR":
      return "string"
    case "TIMESTAMP":
      return "timestamp_ntz"
    case "LIST":
      return { type: "array", elementType: typeOf(type.of.type, ids), containsNull: true }
    case "STRUCT":
      return { type: "struct", fields: fieldsOf(type.fields, ids) }
  }
}

/** Whether a name has characters that Delta allows only with a column mapping. */
const isMapped = (columns: ReadonlyArray<Column.Column>): boolean =>
  columns.some(({ name, type }) => /[ ,;{}()\n\t=]/.test(name) || isMapped(within(type)))

const hasTime = (type: Column.ColumnType): boolean =>
  type._tag === "TIMESTAMP" || within(type).some((column) => hasTime(column.type))

const countOf = (columns: ReadonlyArray<Column.Column>): number =>
  columns.reduce((sum, { type }) => sum + 1 + countOf(within(type)), 0)

/** The columns within a nested type. The items of a list have no name, so they get one. */
const within = (type: Column.ColumnType): ReadonlyArray<Column.Column> =>
  type._tag === "STRUCT" ? type.fields : type._tag === "LIST" ? [{ ...type.of, name: "element" }] : []
