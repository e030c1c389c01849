/**
 * The Avro files of a snapshot: a manifest of the table's files, a manifest of the removed files, and the list of both.
 * (iceberg.apache.org/spec/#manifests)
 */
import * as Schema from "effect/Schema"
import type { AvroFiles, AvroSchema } from "./avroFile.ts"
import type { FileStatistics } from "./fileStatistics.ts"
import { avroName, avroType, avroValue, type PartitionField } from "./partitionSpec.ts"
import type { PartitionSpec, TableSchema } from "./TableMetadata.ts"

/** What becomes of a file in a snapshot. */
export const Status = { existing: 0, added: 1, deleted: 2 } as const

/** A file of a table in a snapshot. */
export interface Entry {
  readonly status: (typeof Status)[keyof typeof Status]
  /** The snapshot that added the file, or removed it. */
  readonly snapshot: number
  /** The sequence number of the snapshot that added the file; null: that of this snapshot. */
  readonly sequence: number | null
  /** The absolute path. */
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly partition: PartitionValues
  readonly statistics: FileStatistics
}

/** The values of a partition, from folder names or from another manifest. */
type PartitionValues =
  | { readonly _tag: "Shown"; readonly values: Readonly<Record<string, string | null>> }
  | { readonly _tag: "Read"; readonly record: unknown }

export interface ManifestHead {
  readonly schema: TableSchema
  readonly spec: PartitionSpec
  readonly partition: ReadonlyArray<PartitionField>
}

export const encodeManifest = (
  avro: AvroFiles,
  { partition, schema, spec }: ManifestHead,
  entries: ReadonlyArray<Entry>
): Uint8Array =>
  avro.encode(
    entrySchema(partition),
    {
      schema: JSON.stringify(schema),
      "schema-id": String(schema["schema-id"]),
      "partition-spec": JSON.stringify(spec.fields),
      "partition-spec-id": String(spec["spec-id"]),
      "format-version": "2",
      content: "data"
    },
    entries.map((entry) => ({
      status: entry.status,
      snapshot_id: BigInt(entry.snapshot),
      sequence_number: entry.sequence === null ? null : BigInt(entry.sequence),
      file_sequence_number: entry.sequence === null ? null : BigInt(entry.sequence),
      data_file: {
        content: 0,
        file_path: entry.path,
        file_format: "PARQUET",
        partition: partitionOf(entry.partition, partition),
        record_count: BigInt(entry.rows),
        file_size_in_bytes: BigInt(entry.bytes),
        ...Object.fromEntries(statistics.map(({ name }) => [name, []] as const)),
        ...entry.statistics
      }
    }))
  )

/** The files of a manifest that are in the table. `sequence`: that of the snapshot that wrote the manifest. */
export const decodeManifest = (avro: AvroFiles, bytes: Uint8Array, sequence: number): ReadonlyArray<Entry> =>
  avro.decode(bytes).flatMap((record) => {
    const { data_file: file, sequence_number: own, snapshot_id: snapshot, status } = decodeEntry(record)
    if (status === Status.deleted) return []
    return {
      status: Status.existing,
      snapshot: Number(snapshot),
      sequence: own === null ? sequence : Number(own),
      path: file.file_path,
      rows: Number(file.record_count),
      bytes: Number(file.file_size_in_bytes),
      partition: { _tag: "Read", record: file.partition },
      statistics: {
        column_sizes: listed(file.column_sizes, isCount),
        value_counts: listed(file.value_counts, isCount),
        null_value_counts: listed(file.null_value_counts, isCount),
        lower_bounds: listed(file.lower_bounds, isBound),
        upper_bounds: listed(file.upper_bounds, isBound)
      }
    }
  })

/** A manifest in the list of a snapshot. */
export interface Listed {
  readonly path: string
  readonly length: number
  readonly spec: number
  readonly snapshot: number
  readonly entries: ReadonlyArray<Entry>
}

export const encodeList = (
  avro: AvroFiles,
  snapshot: { readonly id: number; readonly parent: number | undefined },
  listed: ReadonlyArray<Listed>
): Uint8Array =>
  avro.encode(
    listSchema,
    {
      "snapshot-id": String(snapshot.id),
      "parent-snapshot-id": snapshot.parent === undefined ? "null" : String(snapshot.parent),
      "sequence-number": String(snapshot.id),
      "format-version": "2"
    },
    listed.map(({ entries, length, path, spec, snapshot: added }) => {
      const of = (status: Entry["status"]) => entries.filter((entry) => entry.status === status)
      const rows = (status: Entry["status"]) => BigInt(of(status).reduce((sum, entry) => sum + entry.rows, 0))
      const living = entries.filter(({ status }) => status !== Status.deleted)
      const least = living.reduce((before, { sequence }) => Math.min(before, sequence ?? added), added)
      return {
        manifest_path: path,
        manifest_length: BigInt(length),
        partition_spec_id: spec,
        content: 0,
        sequence_number: BigInt(added),
        min_sequence_number: BigInt(least),
        added_snapshot_id: BigInt(added),
        added_files_count: of(Status.added).length,
        existing_files_count: of(Status.existing).length,
        deleted_files_count: of(Status.deleted).length,
        added_rows_count: rows(Status.added),
        existing_rows_count: rows(Status.existing),
        deleted_rows_count: rows(Status.deleted)
      }
    })
  )

/** The manifests of a list: their paths, and whether they have files that are in the table. */
export const decodeList = (avro: AvroFiles, bytes: Uint8Array) =>
  avro.decode(bytes).map((record) => {
    const found = decodeListed(record)
    return {
      path: found.manifest_path,
      sequence: Number(found.sequence_number),
      isLive: found.added_files_count + found.existing_files_count > 0
    }
  })

const partitionOf = (partition: PartitionValues, fields: ReadonlyArray<PartitionField>): unknown =>
  partition._tag === "Read"
    ? partition.record
    : Object.fromEntries(
        fields.map((field) => [avroName(field.name), avroValue(field, partition.values[field.name])] as const)
      )

interface Keyed<Value> {
  readonly key: number
  readonly value: Value
}

/** A map of numbers in Avro. Each file has hundreds of these values, so they are checked but not copied. */
const listed = <Value>(
  found: unknown,
  isOne: (value: unknown) => value is Keyed<Value>
): ReadonlyArray<Keyed<Value>> => {
  if (found === null || found === undefined) return []
  if (!Array.isArray(found) || !found.every(isOne))
    throw new Error("what a manifest says of columns cannot be understood")
  return found
}

const isKeyed = (value: unknown): value is Keyed<unknown> =>
  typeof value === "object" && value !== null && "key" in value && typeof value.key === "number" && "value" in value

const isCount = (value: unknown): value is Keyed<bigint> => isKeyed(value) && typeof value.value === "bigint"

const isBound = (value: unknown): value is Keyed<Buffer> => isKeyed(value) && Buffer.isBuffer(value.value)

const decodeEntry = Schema.decodeUnknownSync(
  Schema.Struct({
    status: Schema.Int,
    snapshot_id: Schema.BigInt,
    sequence_number: Schema.NullOr(Schema.BigInt),
    data_file: Schema.Struct({
      file_path: Schema.String,
      partition: Schema.Unknown,
      record_count: Schema.BigInt,
      file_size_in_bytes: Schema.BigInt,
      column_sizes: Schema.optionalKey(Schema.Unknown),
      value_counts: Schema.optionalKey(Schema.Unknown),
      null_value_counts: Schema.optionalKey(Schema.Unknown),
      lower_bounds: Schema.optionalKey(Schema.Unknown),
      upper_bounds: Schema.optionalKey(Schema.Unknown)
    })
  })
)

const decodeListed = Schema.decodeUnknownSync(
  Schema.Struct({
    manifest_path: Schema.String,
    sequence_number: Schema.BigInt,
    added_files_count: Schema.Int,
    existing_files_count: Schema.Int
  })
)

const field = (id: number, name: string, type: unknown) => ({ name, type, "field-id": id })
const optional = (id: number, name: string, type: unknown) => ({
  name,
  type: ["null", type],
  default: null,
  "field-id": id
})

/** The statistics of the columns of a file. Unknown ones are empty lists: PyIceberg's tables of files need them. */
const statistics = [
  { id: 108, name: "column_sizes", key: 117, type: "long" },
  { id: 109, name: "value_counts", key: 119, type: "long" },
  { id: 110, name: "null_value_counts", key: 121, type: "long" },
  { id: 137, name: "nan_value_counts", key: 138, type: "long" },
  { id: 125, name: "lower_bounds", key: 126, type: "bytes" },
  { id: 128, name: "upper_bounds", key: 129, type: "bytes" }
]

/** The Avro schema of a map whose keys are numbers. */
const mapOf = (key: number, type: string) => ({
  type: "array",
  logicalType: "map",
  items: {
    type: "record",
    name: `k${key}_v${key + 1}`,
    fields: [field(key, "key", "int"), field(key + 1, "value", type)]
  }
})

const entrySchema = (partition: ReadonlyArray<PartitionField>): AvroSchema => ({
  type: "record",
  name: "manifest_entry",
  fields: [
    field(0, "status", "int"),
    optional(1, "snapshot_id", "long"),
    optional(3, "sequence_number", "long"),
    optional(4, "file_sequence_number", "long"),
    field(2, "data_file", {
      type: "record",
      name: "r2",
      fields: [
        field(134, "content", "int"),
        field(100, "file_path", "string"),
        field(101, "file_format", "string"),
        field(102, "partition", {
          type: "record",
          name: "r102",
          fields: partition.map((part) => optional(part.id, avroName(part.name), avroType(part)))
        }),
        field(103, "record_count", "long"),
        field(104, "file_size_in_bytes", "long"),
        ...statistics.map(({ id, key, name, type }) => optional(id, name, mapOf(key, type)))
      ]
    })
  ]
})

const listSchema: AvroSchema = {
  type: "record",
  name: "manifest_file",
  fields: [
    field(500, "manifest_path", "string"),
    field(501, "manifest_length", "long"),
    field(502, "partition_spec_id", "int"),
    field(517, "content", "int"),
    field(515, "sequence_number", "long"),
    field(516, "min_sequence_number", "long"),
    field(503, "added_snapshot_id", "long"),
    field(504, "added_files_count", "int"),
    field(505, "existing_files_count", "int"),
    field(506, "deleted_files_count", "int"),
    field(512, "added_rows_count", "long"),
    field(513, "existing_rows_count", "long"),
    field(514, "deleted_rows_count", "long")
  ]
}
