/** The parts of a block: for each leaf a column chunk of Parquet, and statistics of its values. */
import type { Column } from "../Column.ts"
import type { Bounds } from "../ColumnBounds.ts"
import type { Codec } from "../ColumnCodec.ts"
import type { Leaf } from "../ParquetLeaf.ts"

/** Rows as columns, encoded and compressed. */
export interface ColumnBlock {
  readonly columns: ReadonlyArray<Column>
  readonly rows: number
  /** One for each leaf of the columns, in their order. */
  readonly chunks: ReadonlyArray<Chunk>
}

export interface Chunk {
  readonly leaf: Leaf
  readonly codec: Codec
  /** The number of entries: values, nulls, and empty lists. */
  readonly entries: number
  /** The pages with their headers, in parts that follow each other. */
  readonly parts: ReadonlyArray<Uint8Array>
  /** The bytes of all parts. */
  readonly bytes: number
  /** The bytes of all parts without compression. */
  readonly rawBytes: number
  /** The bytes of the first page if it is a dictionary; 0: there is no dictionary. */
  readonly dictionaryBytes: number
  /** The number of entries without a value. */
  readonly nulls: number
  /** The minimum and maximum; undefined: there is no value, the leaf is in a list, or a value is NaN. */
  readonly bounds: Bounds | undefined
  /** The number of different values; undefined: not known. */
  readonly distinct: number | undefined
}
