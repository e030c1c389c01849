/**
 * The metadata file of an Iceberg table, format version 2: its columns, its partitions, its snapshots.
 *
 * We decode only our own files, so the schema has only the keys that we write.
 * (iceberg.apache.org/spec/#table-metadata)
 */
import * as Schema from "effect/Schema"
import * as DigestedJson from "#base/DigestedJson"

export type FieldType = string | StructType | ListType

export interface Field {
  readonly id: number
  readonly name: string
  readonly required: boolean
  readonly type: FieldType
  readonly doc?: string
}

export interface StructType {
  readonly type: "struct"
  readonly fields: ReadonlyArray<Field>
}

interface ListType {
  readonly type: "list"
  readonly "element-id": number
  readonly "element-required": boolean
  readonly element: FieldType
}

const FieldType: Schema.Codec<FieldType> = Schema.Union([
  Schema.String,
  Schema.Struct({ type: Schema.Literal("struct"), fields: Schema.Array(Schema.suspend(() => Field)) }),
  Schema.Struct({
    type: Schema.Literal("list"),
    "element-id": Schema.Int,
    "element-required": Schema.Boolean,
    element: Schema.suspend(() => FieldType)
  })
])

const Field: Schema.Codec<Field> = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  required: Schema.Boolean,
  type: FieldType,
  doc: Schema.optionalKey(Schema.String)
})

export const TableSchema = Schema.Struct({
  type: Schema.Literal("struct"),
  "schema-id": Schema.Int,
  fields: Schema.Array(Field)
})
export type TableSchema = typeof TableSchema.Type

export const PartitionSpec = Schema.Struct({
  "spec-id": Schema.Int,
  fields: Schema.Array(
    Schema.Struct({
      "source-id": Schema.Int,
      "field-id": Schema.Int,
      name: Schema.String,
      transform: Schema.Literal("identity")
    })
  )
})
export type PartitionSpec = typeof PartitionSpec.Type

export const Snapshot = Schema.Struct({
  "snapshot-id": Schema.Int,
  "parent-snapshot-id": Schema.optionalKey(Schema.Int),
  "sequence-number": Schema.Int,
  "timestamp-ms": Schema.Int,
  "manifest-list": Schema.String,
  summary: Schema.Record(Schema.String, Schema.String),
  "schema-id": Schema.Int
})
export type Snapshot = typeof Snapshot.Type

export const TableMetadata = Schema.Struct({
  "format-version": Schema.Literal(2),
  "table-uuid": Schema.String,
  location: Schema.String,
  "last-sequence-number": Schema.Int,
  "last-updated-ms": Schema.Int,
  "last-column-id": Schema.Int,
  schemas: Schema.Array(TableSchema),
  "current-schema-id": Schema.Int,
  "partition-specs": Schema.Array(PartitionSpec),
  "default-spec-id": Schema.Int,
  "last-partition-id": Schema.Int,
  "sort-orders": Schema.Array(Schema.Struct({ "order-id": Schema.Int, fields: Schema.Array(Schema.String) })),
  "default-sort-order-id": Schema.Int,
  properties: Schema.Record(Schema.String, Schema.String),
  "current-snapshot-id": Schema.Int,
  refs: Schema.Struct({
    main: Schema.Struct({ "snapshot-id": Schema.Int, type: Schema.Literal("branch") })
  }),
  snapshots: Schema.Array(Snapshot),
  "snapshot-log": Schema.Array(Schema.Struct({ "timestamp-ms": Schema.Int, "snapshot-id": Schema.Int })),
  "metadata-log": Schema.Array(Schema.Struct({ "timestamp-ms": Schema.Int, "metadata-file": Schema.String }))
})
export type TableMetadata = typeof TableMetadata.Type

export const decode = Schema.decodeEffect(Schema.fromJsonString(TableMetadata))

/** The text of metadata, with its digest as one more key: readers ignore it. */
export const encode = (metadata: TableMetadata): Uint8Array => DigestedJson.encode(metadata)

/** The path of a version of the metadata, below the lake. */
export const pathOf = (table: string, version: number): string => `${folderOf(table)}v${version}.metadata.json`

export const folderOf = (table: string): string => `${table}/metadata/`

export const schemaOf = (metadata: TableMetadata): TableSchema | undefined =>
  metadata.schemas.find((schema) => schema["schema-id"] === metadata["current-schema-id"])

export const specOf = (metadata: TableMetadata): PartitionSpec | undefined =>
  metadata["partition-specs"].find((spec) => spec["spec-id"] === metadata["default-spec-id"])

export const snapshotOf = (metadata: TableMetadata): Snapshot | undefined =>
  metadata.snapshots.find((snapshot) => snapshot["snapshot-id"] === metadata["current-snapshot-id"])
