/**
 * A file of a manifest for Delta: its path, the values of its partition, and how many rows it has.
 *
 * Guarantee: a file has bounds for each of its columns or for none. If one column of a file has bounds and another has none,
 * delta-rs takes the other for a column of nulls, and finds no rows in it. Types such as JSON, and values such as NaN, have no
 * bounds, so a file has none. The files themselves have bounds, and readers use those.
 */
import * as Column from "#engine/Column"
import { decimalText, unscaledOf } from "#engine/cellValue"
import type * as Manifest from "../manifest/Manifest.ts"

export interface Add {
  readonly path: string
  readonly partitionValues: Readonly<Record<string, string | null>>
  readonly size: number
  readonly modificationTime: number
  readonly dataChange: boolean
  readonly stats: string
}

export interface Remove {
  readonly path: string
  readonly deletionTimestamp: number
  readonly dataChange: boolean
  readonly extendedFileMetadata?: boolean
  readonly partitionValues?: Readonly<Record<string, string | null>>
  readonly size?: number
}

/** What all files of a version have in common. */
export interface Moment {
  readonly table: string
  readonly columns: ReadonlyArray<Column.Column>
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly dataChange: boolean
}

export const addOf = (file: Manifest.DataFile, { at, columns, dataChange, table }: Moment): Add => ({
  path: pathOf(table, file),
  partitionValues: partitionValuesOf(file, columns),
  size: file.bytes,
  modificationTime: at,
  dataChange,
  stats: JSON.stringify({ numRecords: file.rows })
})

export const removeOf = (file: Manifest.DataFile, { at, columns, dataChange, table }: Moment): Remove => ({
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
export const partitionValuesOf = (
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
