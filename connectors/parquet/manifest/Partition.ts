/**
 * Where rows go: the folder that the values of the partition columns name, as Hive names folders.
 *
 * Every row is routed by its own values. The columns stand in the path alone, as readers expect it; files of version 0.1 have
 * them too, with the same values.
 */
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import type { RowError } from "#engine/validateRow"

export interface Partition {
  readonly column: string
  /** As the folder shows it before encoding; null where the row holds null. */
  readonly value: string | null
}

/** The columns that a table is partitioned by: those of the wanted ones that it has. */
export const columnsOf = (table: Table.Table, wanted: ReadonlyArray<string>): ReadonlyArray<Column.Column> =>
  wanted.flatMap((name) => table.columns.filter((column) => column.name === name))

/** What is wrong with partitioning these tables, if something is. */
export const fault = (tables: ReadonlyArray<Table.Table>, wanted: ReadonlyArray<string>): string | undefined => {
  for (const name of wanted) {
    const columns = tables.flatMap((table) => columnsOf(table, [name]))
    if (columns.length === 0) return `no table has the column ${name} to partition by; name one of its columns`
    const nested = columns.find(({ type }) => type._tag === "STRUCT" || type._tag === "LIST" || type._tag === "JSON")
    const only = tables.find(
      ({ columns }) => columns.length > 0 && columns.every((column) => wanted.includes(column.name))
    )
    if (only !== undefined)
      return `table ${only.name} has no columns but those that it is partitioned by: leave one out`
    if (nested !== undefined) return `column ${name} holds ${nested.type._tag} values, which cannot name folders`
  }
  return undefined
}

/** Rows of one folder, in their order. */
export interface Share {
  readonly folder: string
  readonly partitions: ReadonlyArray<Partition>
  readonly rows: ReadonlyArray<Table.Row>
  /** Which of all rows these are; they are all of them where it is not said. */
  readonly places?: ReadonlyArray<number>
}

/** Rows by the folders that their values name. */
export const route = (columns: ReadonlyArray<Column.Column>, rows: ReadonlyArray<Table.Row>): ReadonlyArray<Share> => {
  if (rows.length === 0) return []
  if (columns.length === 0) return [{ folder: "", partitions: [], rows }]
  const shares = new Map<string, Share & { readonly rows: Array<Table.Row>; readonly places: Array<number> }>()
  rows.forEach((row, place) => {
    const partitions = partitionsOf(columns, row)
    const folder = folderOf(partitions)
    const share = shares.get(folder) ?? { folder, partitions, rows: [], places: [] }
    share.rows.push(row)
    share.places.push(place)
    shares.set(folder, share)
  })
  return [...shares.values()]
}

const partitionsOf = (columns: ReadonlyArray<Column.Column>, row: Table.Row): ReadonlyArray<Partition> =>
  columns.map(({ name, type }) => ({ column: name, value: show(type, row[name]) }))

/** "country=de/day=2026-11-21/", or nothing where nothing partitions. */
export const folderOf = (partitions: ReadonlyArray<Partition>): string =>
  partitions.map(({ column, value }) => `${named(column)}=${value === null ? hiveNull : encode(value)}/`).join("")

/** Readers decode values, but take the name of the column as it stands: letters of any script stay. */
export const named = (column: string): string => column.toWellFormed().replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, encode)

/** What Hive, Spark and DuckDB read as null. */
export const hiveNull = "__HIVE_DEFAULT_PARTITION__"

/** A text that is a word for null is encoded, so that its rows are not read as null: DuckDB takes NULL in any case for one. */
const encode = (text: string): string => {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll("*", "%2A")
  return text === hiveNull || /^null$/i.test(text)
    ? `%${text.charCodeAt(0).toString(16).toUpperCase()}${text.slice(1)}`
    : encoded
}

const show = (type: Column.ColumnType, cell: unknown): string | null => {
  if (cell === null || cell === undefined) return null
  return type._tag === "TIMESTAMP" && typeof cell === "bigint" ? isoFromMicros(cell) : String(cell).toWellFormed()
}

/** Why a row has no folder: its value is a moment that readers of dates in text do not know, or too long for a name. */
export const rowFault = (columns: ReadonlyArray<Column.Column>, row: Table.Row): RowError | undefined => {
  for (const { name, type } of columns) {
    const cell = row[name]
    if (type._tag === "TIMESTAMP" && typeof cell === "bigint" && (cell < firstMoment || cell > lastMoment)) {
      return { column: name, message: `column ${name}: a moment outside of the years 1 to 9999 cannot name a folder` }
    }
    // A character has at most nine in the name.
    if (typeof cell !== "string" || (cell.length + name.length) * 9 < longestName) continue
    const length = Buffer.byteLength(folderOf([{ column: name, value: cell }])) - 1
    if (length > longestName) {
      return {
        column: name,
        message: `column ${name}: a text of ${cell.length} characters is too long to name a folder (${length} bytes of at most ${longestName})`
      }
    }
  }
  return undefined
}

const firstMoment = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1000n
const lastMoment = BigInt(Date.parse("+010000-01-01T00:00:00Z")) * 1000n - 1n

/** What file systems allow, in bytes. */
const longestName = 255

/** Microseconds since the epoch as ISO 8601, all six digits. */
export const isoFromMicros = (micros: bigint): string => {
  const millis = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n)
  const rest = String(micros - millis * 1000n).padStart(3, "0")
  return new Date(Number(millis)).toISOString().replace("Z", `${rest}Z`)
}

/** The same, read back. */
export const microsFromIso = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n + BigInt(iso.slice(-4, -1))
