/**
 * A column block: rows of one table as columns, encoded and compressed once.
 *
 * Its pages are Parquet's, so a Parquet file takes them as they are; and a block as bytes is a small Parquet file, which
 * any reader of those reads. `decode` gives the rows back.
 *
 * What comes back is what `Column` says that a cell is: an absent cell is null, as an undefined one is; half a surrogate
 * pair is U+FFFD; a DECIMAL has the digits of its scale ("12.5" is "12.50"); a BIGINT is a number where that is exact, and a
 * bigint otherwise; JSON is what its text says.
 */
import type { Column } from "../pipeline/Column.ts"
import type { Row } from "../pipeline/Table.ts"
import * as BlockWriter from "./BlockWriter.ts"
import type { ColumnBlock } from "./Chunk.ts"
import * as Codec from "./Codec.ts"
import * as Footer from "./Footer.ts"
import { blockOf, footerOf } from "./fileMetadata.ts"
import * as LeafReader from "./LeafReader.ts"
import { rowsOf } from "./rowsOf.ts"

export type { Chunk, ColumnBlock } from "./Chunk.ts"

/**
 * Rows as a block. Throws an error with the column where a cell is not of its type. For rows that come in parts, and for
 * blocks that follow each other, a `BlockWriter` is faster.
 */
export const encode = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Row>,
  compression: Codec.Compression = Codec.zstd
): ColumnBlock => {
  const writer = BlockWriter.make(columns, { compression })
  writer.add(rows)
  return writer.take()
}

/** The rows, in their order. Throws an error where the block is damaged. */
export const decode = ({ columns, rows, chunks }: ColumnBlock): ReadonlyArray<Row> =>
  rowsOf(columns, rows, chunks.map(LeafReader.read))

/** Gives the memory of a block back, which `encode` or a writer made and which is written: nothing may use it after. */
export const release = ({ chunks }: ColumnBlock): void => {
  for (const { parts } of chunks) for (const part of parts) Codec.free(part)
}

/** The block as a Parquet file. */
export const toBytes = (block: ColumnBlock): Uint8Array =>
  Buffer.concat([Footer.magic, ...block.chunks.flatMap(({ parts }) => parts), Footer.tail(footerOf(block))])

/** The block of such bytes, its columns too: every column is nullable. Nothing is copied or decompressed. */
export const fromBytes = (bytes: Uint8Array): ColumnBlock => {
  const length = Footer.lengthIn(bytes, bytes.length)
  if (length === undefined) throw new Error("these are not the bytes of a column block")
  const end = bytes.length - 8
  return blockOf(Footer.parse(bytes.subarray(end - length, end), bytes.length), bytes)
}
