/** The forms of Iceberg's lists of files, as Avro writes them. (iceberg.apache.org/spec/#manifests) */
import type { AvroSchema } from "./avroFile.ts"
import { avroName, avroType, type PartitionField } from "./partitionSpec.ts"

const field = (id: number, name: string, type: unknown) => ({ name, type, "field-id": id })
const optional = (id: number, name: string, type: unknown) => ({
  name,
  type: ["null", type],
  default: null,
  "field-id": id
})

/** The statistics of the columns of a file. Unknown ones are empty lists: PyIceberg's tables of files need them. */
export const statistics = [
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

export const entrySchema = (partition: ReadonlyArray<PartitionField>): AvroSchema => ({
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

export const listSchema: AvroSchema = {
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
