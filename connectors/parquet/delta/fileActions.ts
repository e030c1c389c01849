/** A file of a manifest for Delta: its path, the values of its partition, and the statistics of its rows. */
import * as Column from "../../../src/pipeline/Column.ts"
import { decimalText, unscaledOf } from "../../../src/pipeline/cellValue.ts"
import type * as Manifest from "../lake/Manifest.ts"

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
  stats: statsOf(file, columns)
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

/** The bounds of the manifest. Numbers are written as text: JavaScript numbers would lose digits. */
const statsOf = (file: Manifest.DataFile, columns: ReadonlyArray<Column.Column>): string => {
  const own = columns.filter(({ name }) => !Object.hasOwn(file.partition, name))
  const values = (edges: Manifest.DataFile["min"]): string =>
    own
      .flatMap(({ name, type }) => {
        const edge = edges[name]
        const json = edge === undefined || edge === null ? undefined : jsonOf(type, edge)
        return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]
      })
      .join(",")
  // A column without a least value has only nulls.
  const nulls = own.flatMap(({ name }) => (file.min[name] === null ? [`${JSON.stringify(name)}:${file.rows}`] : []))
  return `{"numRecords":${file.rows},"minValues":{${values(file.min)}},"maxValues":{${values(file.max)}},"nullCount":{${nulls.join(",")}}}`
}

/** A bound as JSON; undefined if Delta has no bounds of that type, or readers differ in what it means. */
const jsonOf = (type: Column.ColumnType, edge: string): string | undefined => {
  switch (type._tag) {
    case "VARCHAR":
      return JSON.stringify(edge)
    case "BIGINT":
      return /^-?\d+$/.test(edge) ? edge : undefined
    case "DATE":
      return /^\d{4}-\d\d-\d\d$/.test(edge) ? JSON.stringify(edge) : undefined
    case "TIMESTAMP":
      return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(edge) ? JSON.stringify(edge.replace(" ", "T")) : undefined
    case "DECIMAL":
      return type.precision <= 15 && /^-?\d+(\.\d+)?$/.test(edge) ? edge : undefined
    case "BOOLEAN":
    case "DOUBLE":
    case "JSON":
    case "LIST":
    case "STRUCT":
      return undefined
  }
}
