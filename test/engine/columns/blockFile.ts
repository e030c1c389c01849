/** A block of rows in one call, and as a Parquet file of its own, which any reader can read. */
import * as BlockWriter from "#engine/BlockWriter"
import type { Column } from "#engine/Column"
import type { ColumnBlock } from "#engine/ColumnBlock"
import * as Codec from "#engine/ColumnCodec"
import * as Footer from "#engine/ParquetFooter"
import { blockOf, footerOf } from "#engine/parquetMetadata"
import type { Row } from "#engine/Table"

export const encode = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<Row>,
  compression: Codec.Compression = Codec.zstd
): ColumnBlock => {
  const writer = BlockWriter.create(columns, { compression })
  writer.add(rows)
  return writer.take()
}

export const toBytes = (block: ColumnBlock): Uint8Array =>
  Buffer.concat([Footer.magic, ...block.chunks.flatMap(({ parts }) => parts), Footer.tail(footerOf(block))])

/** The block in bytes that `toBytes` made. All its columns are nullable. Nothing is copied or decompressed. */
export const fromBytes = (bytes: Uint8Array): ColumnBlock => {
  const length = Footer.lengthIn(bytes, bytes.length)
  if (length === undefined) throw new Error("these are not the bytes of a column block")
  const end = bytes.length - 8
  return blockOf(Footer.parse(bytes.subarray(end - length, end), bytes.length), bytes)
}
