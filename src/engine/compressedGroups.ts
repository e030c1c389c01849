/**
 * Compresses the pages of an uncompressed Parquet file, on their way into another file.
 *
 * DuckDB writes no checksums when it compresses pages, so a damaged page can give its readers other values without an error. The
 * frames of zstd that Millrace writes have checksums, which every reader compares, and pages of other codecs have a CRC. One page
 * at a time is in memory. Bloom filters are left out: they are outside of their groups, and Millrace writes none.
 */
import type * as Fs from "node:fs/promises"
import { crc32 } from "node:zlib"
import * as Codec from "./ColumnCodec.ts"
import * as Footer from "./ParquetFooter.ts"
import * as Thrift from "./Thrift.ts"

interface Into {
  readonly compression: Codec.Compression
  /** The offset in the other file at which the first page is written. */
  readonly start: number
  readonly write: (parts: ReadonlyArray<Uint8Array>) => Promise<void>
}

/** Writes the pages of a file. Returns its footer, with the places and sizes that they have then. */
export const compressGroups = async (
  file: Fs.FileHandle,
  footer: Footer.Footer,
  { compression, start, write }: Into
): Promise<Footer.Footer> => {
  const groups: Array<Thrift.Struct> = []
  let at = start
  for (const group of Footer.groupStructsOf(footer)) {
    const begin = at
    const chunks: Array<Thrift.Struct> = []
    let raw = 0
    for (const chunk of Thrift.structsIn(group, RowGroup.columns)) {
      const meta = Thrift.structIn(chunk, ColumnChunk.meta_data)
      const sizes = await compressChunk(file, meta, { compression, write })
      chunks.push(placed(chunk, meta, { ...sizes, at, codec: Codec.Codec[compression.codec] }))
      at += sizes.bytes
      raw += sizes.rawBytes
    }
    const rows = group.get(RowGroup.num_rows)
    const ordinal = group.get(RowGroup.ordinal)
    groups.push(
      new Map<number, Thrift.Value>([
        [RowGroup.columns, Thrift.structs(chunks)],
        [RowGroup.total_byte_size, Thrift.long(raw)],
        ...(rows === undefined ? [] : [[RowGroup.num_rows, rows] as const]),
        [RowGroup.file_offset, Thrift.long(begin)],
        [RowGroup.total_compressed_size, Thrift.long(at - begin)],
        ...(ordinal === undefined ? [] : [[RowGroup.ordinal, ordinal] as const])
      ])
    )
  }
  return { ...footer, fields: Footer.withGroupStructs(footer, groups), from: start, to: at }
}

interface Sizes {
  /** As written, with headers. */
  readonly bytes: number
  readonly rawBytes: number
  /** Those of the dictionary, which comes first; 0: there is none. */
  readonly dictionaryBytes: number
}

const compressChunk = async (
  file: Fs.FileHandle,
  meta: Thrift.Struct,
  { compression, write }: Pick<Into, "compression" | "write">
): Promise<Sizes> => {
  if (Thrift.intIn(meta, Meta.codec) !== Codec.Codec.uncompressed) throw new Error("the pages are compressed already")
  const dictionary = Thrift.intIn(meta, Meta.dictionary_page_offset) ?? 0
  const data = Thrift.intIn(meta, Meta.data_page_offset) ?? 0
  const from = dictionary > 0 ? Math.min(dictionary, data) : data
  const to = from + (Thrift.intIn(meta, Meta.total_compressed_size) ?? 0)
  const sizes = { bytes: 0, rawBytes: 0, dictionaryBytes: 0 }
  for (let at = from; at < to; ) {
    const { end, fields } = await headerAt(file, at, to)
    const length = Thrift.intIn(fields, Page.compressed_page_size) ?? 0
    // Of pages of version 2, some bytes are never compressed.
    if (fields.has(Page.data_page_header_v2)) throw new Error("pages of version 2 are not compressed here")
    const page = await exactly(file, end, length)
    const body = Codec.isSlow(compression)
      ? await Codec.compressAside(page, compression)
      : Codec.compress(page, compression)
    const header = headerOf(fields, body, compression)
    await write([header, body])
    const isDictionary = Thrift.intIn(fields, Page.type) === dictionaryPage
    if (isDictionary) sizes.dictionaryBytes += header.length + body.length
    sizes.bytes += header.length + body.length
    sizes.rawBytes += header.length + length
    at = end + length
  }
  return sizes
}

/** The header of a page at an offset, and where it ends. Most have some bytes, but its statistics may have long texts. */
const headerAt = async (file: Fs.FileHandle, at: number, to: number) => {
  for (let window = 4096; ; window *= 16) {
    const bytes = await exactly(file, at, Math.min(window, to - at))
    try {
      const { end, fields } = Thrift.readAt(bytes, 0)
      return { fields, end: at + end }
    } catch (cause) {
      if (at + window >= to) throw cause
    }
  }
}

const headerOf = (fields: Thrift.Struct, body: Uint8Array, { codec }: Codec.Compression): Uint8Array => {
  // The frames of zstd have a checksum of their own.
  const crc = codec === "zstd" ? [] : [[Page.crc, Thrift.int(crc32(body) | 0)] as const]
  const own = new Map([...fields, [Page.compressed_page_size, Thrift.int(body.length)] as const, ...crc])
  return Thrift.write(new Map([...own].toSorted(([a], [b]) => a - b)))
}

/** The chunk with its new place. */
const placed = (
  chunk: Thrift.Struct,
  meta: Thrift.Struct,
  { at, bytes, codec, dictionaryBytes, rawBytes }: Sizes & { readonly at: number; readonly codec: Codec.Codec }
): Thrift.Struct => {
  const fields = new Map(meta)
  fields.set(Meta.codec, Thrift.int(codec))
  fields.set(Meta.total_uncompressed_size, Thrift.long(rawBytes))
  fields.set(Meta.total_compressed_size, Thrift.long(bytes))
  fields.set(Meta.data_page_offset, Thrift.long(at + dictionaryBytes))
  if (dictionaryBytes > 0) fields.set(Meta.dictionary_page_offset, Thrift.long(at))
  fields.delete(Meta.bloom_filter_offset)
  fields.delete(Meta.bloom_filter_length)
  return new Map([...chunk, [ColumnChunk.meta_data, { type: Thrift.struct, value: fields }]])
}

/** Bytes of a file, or an error. */
const exactly = async (file: Fs.FileHandle, at: number, length: number): Promise<Uint8Array> => {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read)
    if (bytesRead === 0) throw new Error("the Parquet file ends before its footer says so")
    read += bytesRead
  }
  return bytes
}

const RowGroup = { columns: 1, total_byte_size: 2, num_rows: 3, file_offset: 5, total_compressed_size: 6, ordinal: 7 }
const ColumnChunk = { meta_data: 3 }
const Meta = {
  codec: 4,
  total_uncompressed_size: 6,
  total_compressed_size: 7,
  data_page_offset: 9,
  dictionary_page_offset: 11,
  bloom_filter_offset: 14,
  bloom_filter_length: 15
}
const Page = { type: 1, compressed_page_size: 3, crc: 4, data_page_header_v2: 8 }
const dictionaryPage = 2
