/**
 * The statistics of the columns of a file in Iceberg's manifests, so that readers can skip it: bytes, values, nulls, and the
 * least and the greatest value. They come from the footer of the file; bounds of texts that are too long for a footer come
 * from the lake's own manifest.
 *
 * Guarantee: a bound that is not certain is left out, because a reader believes it and misses rows.
 */
import { isUtf8 } from "node:buffer"
import * as Bounds from "#engine/ColumnBounds"
import * as Footer from "#engine/ParquetFooter"
import * as Leaf from "#engine/ParquetLeaf"
import * as Thrift from "#engine/Thrift"
import type * as Manifest from "../manifest/Manifest.ts"
import { boundValue, type Edge } from "./boundValue.ts"
import { boundsOf, type FileBounds } from "./fileBounds.ts"
import { scalarType } from "./icebergSchema.ts"
import type { Field } from "./TableMetadata.ts"

/** Numbers by the numbers of the columns. */
type Counts = ReadonlyArray<{ readonly key: number; readonly value: bigint }>

export interface FileStatistics extends FileBounds {
  readonly column_sizes: Counts
  readonly value_counts: Counts
  readonly null_value_counts: Counts
}

export const nothingKnown: FileStatistics = {
  column_sizes: [],
  value_counts: [],
  null_value_counts: [],
  lower_bounds: [],
  upper_bounds: []
}

/** Whether the statistics come from a footer. Metadata of older versions of Millrace has only bounds. */
export const isComplete = ({ column_sizes }: FileStatistics): boolean => column_sizes.length > 0

/** `footer`: undefined if the file is gone. */
export const statisticsOf = (
  footer: Footer.Footer | undefined,
  file: Pick<Manifest.DataFile, "max" | "min" | "partition">,
  fields: ReadonlyArray<Field>
): FileStatistics => {
  const shown = boundsOf(file, fields)
  const columns = footer === undefined ? [] : columnsIn(footer, fields)
  const bounds = (edge: Edge) => {
    const manifestBounds = shown[`${edge}_bounds`]
    const known = new Set(manifestBounds.map(({ key }) => key))
    const own = columns.flatMap(({ id, [edge]: value }) =>
      value === undefined || known.has(id) ? [] : [{ key: id, value }]
    )
    return [...manifestBounds, ...own].sort((a, b) => a.key - b.key)
  }
  const counts = (of: "bytes" | "values" | "nulls") =>
    columns.flatMap(({ id, [of]: value }) => (value === undefined ? [] : [{ key: id, value: BigInt(value) }]))
  return {
    column_sizes: counts("bytes"),
    value_counts: counts("values"),
    null_value_counts: counts("nulls"),
    lower_bounds: bounds("lower"),
    upper_bounds: bounds("upper")
  }
}

/** The statistics of a file in an earlier snapshot, without columns that are gone or have another type now. */
export const carried = (
  known: FileStatistics,
  before: ReadonlyArray<Field>,
  fields: ReadonlyArray<Field>
): FileStatistics => {
  if (before === fields) return known
  const then = typesOf(before)
  const same = new Set([...typesOf(fields)].flatMap(([id, type]) => (then.get(id) === type ? [id] : [])))
  const of = <Value>(all: ReadonlyArray<{ readonly key: number; readonly value: Value }>) =>
    all.filter(({ key }) => same.has(key))
  return {
    column_sizes: of(known.column_sizes),
    value_counts: of(known.value_counts),
    null_value_counts: of(known.null_value_counts),
    lower_bounds: of(known.lower_bounds),
    upper_bounds: of(known.upper_bounds)
  }
}

/** The types of the columns that are not in lists, by their numbers. */
const typesOf = (fields: ReadonlyArray<Field>): ReadonlyMap<number, string> =>
  new Map(
    fields.flatMap(({ id, type }) => {
      if (typeof type === "string") return [[id, type] as const]
      return type.type === "struct" ? [...typesOf(type.fields)] : []
    })
  )

interface ColumnStatistics {
  readonly id: number
  readonly bytes: number
  readonly values: number
  readonly nulls: number | undefined
  readonly lower: Buffer | undefined
  readonly upper: Buffer | undefined
}

/** The columns of a file that are not in lists: a list has no bounds in Iceberg. */
const columnsIn = (footer: Footer.Footer, fields: ReadonlyArray<Field>): ReadonlyArray<ColumnStatistics> => {
  const chunks = Footer.chunksOf(footer)
  return Leaf.leavesOf(Leaf.columnsOf(Footer.elementsOf(footer))).flatMap((leaf, at) => {
    const field = leaf.repetition > 0 ? undefined : fieldAt(fields, leaf.path)
    if (typeof field?.type !== "string" || scalarType(leaf.type) !== field.type) return []
    const own = chunks.map((group) => chunkOf(leaf, group[at]))
    const sum = (of: "bytes" | "values") => own.reduce((total, chunk) => total + chunk[of], 0)
    const nulls = own.every((chunk) => chunk.nulls !== undefined)
      ? own.reduce((total, chunk) => total + (chunk.nulls ?? 0), 0)
      : undefined
    return [{ id: field.id, bytes: sum("bytes"), values: sum("values"), nulls, ...boundsIn(field.type, own) }]
  })
}

const fieldAt = (fields: ReadonlyArray<Field>, [name, ...rest]: ReadonlyArray<string>): Field | undefined => {
  const field = fields.find((one) => one.name === name)
  if (rest.length === 0 || field === undefined) return field
  return typeof field.type !== "string" && field.type.type === "struct" ? fieldAt(field.type.fields, rest) : undefined
}

interface ChunkStatistics {
  readonly bytes: number
  readonly values: number
  readonly nulls: number | undefined
  readonly bounds: Bounds.Bounds | undefined
}

/** The statistics of a column in a row group, from the footer. */
const chunkOf = (leaf: Leaf.Leaf, chunk: Thrift.Struct | undefined): ChunkStatistics => {
  const meta = Thrift.structIn(chunk ?? new Map(), ColumnChunk.meta_data)
  const statistics = Thrift.structIn(meta, ColumnMetaData.statistics)
  const [min, max] = [statistics.get(Statistics.min_value), statistics.get(Statistics.max_value)]
  const isThere = min?.type === Thrift.binary && max?.type === Thrift.binary
  // A text that its writer shortened may end within a character.
  const isWhole = isThere && (leaf.physical !== Leaf.Physical.BYTE_ARRAY || (isUtf8(min.value) && isUtf8(max.value)))
  return {
    bytes: Thrift.intIn(meta, ColumnMetaData.total_compressed_size) ?? 0,
    values: Thrift.intIn(meta, ColumnMetaData.num_values) ?? 0,
    nulls: Thrift.intIn(statistics, Statistics.null_count),
    bounds: isWhole ? { min: Bounds.fromBytes(leaf, min.value), max: Bounds.fromBytes(leaf, max.value) } : undefined
  }
}

const ColumnChunk = { meta_data: 3 }
const ColumnMetaData = { num_values: 5, total_compressed_size: 7, statistics: 12 }
const Statistics = { null_count: 3, max_value: 5, min_value: 6 }

/** The bounds of all row groups; undefined if a row group has values without bounds. */
const boundsIn = (type: string, chunks: ReadonlyArray<ChunkStatistics>) => {
  let bounds: Bounds.Bounds | undefined
  for (const chunk of chunks) {
    if (chunk.bounds === undefined && chunk.nulls !== chunk.values) return { lower: undefined, upper: undefined }
    bounds = Bounds.join(bounds, chunk.bounds)
  }
  // NaN is outside of all bounds.
  if (bounds === undefined || Number.isNaN(bounds.min) || Number.isNaN(bounds.max)) {
    return { lower: undefined, upper: undefined }
  }
  return {
    lower: boundValue(type, bounds.min, "lower", maxPoints),
    upper: boundValue(type, bounds.max, "upper", maxPoints)
  }
}

/** How many characters of a text Iceberg's own writers keep. */
const maxPoints = 16
