/**
 * The columns of a table for Delta: the schema, the features that a reader needs, and the properties of the table.
 *
 * Times have no zone in our files: Delta's `timestamp_ntz`. Names that Delta does not allow need a column mapping, in which
 * each column is mapped to its own name: the files do not change.
 */
import type * as Column from "#engine/Column"
import { columnsOf } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"

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
export const featuresOf = (state: Manifest.TableState): ReadonlyArray<string> => {
  const columns = columnsOf(state.columns)
  return [
    ...(isMapped(columns) ? ["columnMapping"] : []),
    ...(columns.some(({ type }) => hasTime(type)) ? ["timestampNtz"] : [])
  ]
}

/** The lowest versions that can read these features. */
export const protocolOf = (features: ReadonlyArray<string>): Protocol => {
  if (features.length === 0) return { minReaderVersion: 1, minWriterVersion: 2 }
  if (features.length === 1 && features[0] === "columnMapping") return { minReaderVersion: 2, minWriterVersion: 5 }
  return { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: features, writerFeatures: features }
}

export const metadataOf = (name: string, id: string, state: Manifest.TableState): DeltaMetadata => {
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
