/** What a block is made of: for each leaf a column chunk of Parquet, and what is known of its values. */
import type { Column } from "../pipeline/Column.ts"
import type { Bounds } from "./Bounds.ts"
import type { Codec } from "./Codec.ts"
import type { Leaf } from "./Leaf.ts"

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
  /** Entries: values, and the nulls and empty lists in their places. */
  readonly entries: number
  /** Whole pages with their headers, one after the other, in as many parts as they were made in. */
  readonly parts: ReadonlyArray<Uint8Array>
  /** The bytes of all parts, and what they would be without compression. */
  readonly bytes: number
  readonly rawBytes: number
  /** The bytes of the first page where that is a dictionary, which later ones may use; 0 where there is none. */
  readonly dictionaryBytes: number
  /** Entries without a value. */
  readonly nulls: number
  /** The least and the greatest value; undefined where there is none, in lists, and where NaN is among them. */
  readonly bounds: Bounds | undefined
  /** How many different values there are, where that is known. */
  readonly distinct: number | undefined
}
