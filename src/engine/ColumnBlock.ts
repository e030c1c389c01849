/**
 * A column block: rows of one table as columns, encoded and compressed once.
 *
 * Its pages are Parquet's, so they can be put into a Parquet file as they are. A block as bytes is a small Parquet file that
 * any reader can read. `decode` returns the rows.
 *
 * The cells of those rows are as `Column` defines them: an absent or undefined cell is null; half a surrogate pair is U+FFFD;
 * a DECIMAL has the digits of its scale ("12.5" is "12.50"); a BIGINT is a number if that is exact, otherwise a bigint; JSON
 * is the value of its text.
 */

import * as BlockWriter from "./BlockWriter.ts"
import type { Column } from "./Column.ts"
import * as Codec from "./ColumnCodec.ts"
import type { ColumnBlock } from "./columns/Chunk.ts"
import * as LeafReader from "./columns/LeafReader.ts"
import { rowsOf } from "./columns/rowsOf.ts"
import * as Footer from "./ParquetFooter.ts"
import { blockOf, footerOf } from "./parquetMetadata.ts"
import type { Row } from "./Table.ts"

export type { Chunk, ColumnBlock } from "./columns/Chunk.ts"

/**
 * Makes a block of rows. It throws an error with the column if a cell is not of its type. For rows that arrive in parts, and
 * for several blocks, a `BlockWriter` is faster.
 */
export const encode = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Row>,
  compression: Codec.Compression = Codec.zstd
): ColumnBlock => {
  const writer = BlockWriter.create(columns, { compression })
  writer.add(rows)
  return writer.take()
}

/** The rows of a block, in order. It throws an error if the block is damaged. */
export const decode = ({ columns, rows, chunks }: ColumnBlock): ReadonlyArray<Row> =>
  rowsOf(columns, rows, chunks.map(LeafReader.read))

/** Frees the memory of a block that `encode` or a writer made, after it is stored. Nothing may use the block afterwards. */
export const release = ({ chunks }: ColumnBlock): void => {
  for (const { parts } of chunks) for (const part of parts) Codec.free(part)
}

/** The block as a Parquet file. */
export const toBytes = (block: ColumnBlock): Uint8Array =>
  Buffer.concat([Footer.magic, ...block.chunks.flatMap(({ parts }) => parts), Footer.tail(footerOf(block))])

/** The block in bytes that `toBytes` made. All its columns are nullable. Nothing is copied or decompressed. */
export const fromBytes = (bytes: Uint8Array): ColumnBlock => {
  const length = Footer.lengthIn(bytes, bytes.length)
  if (length === undefined) throw new Error("these are not the bytes of a column block")
  const end = bytes.length - 8
  return blockOf(Footer.parse(bytes.subarray(end - length, end), bytes.length), bytes)
}
