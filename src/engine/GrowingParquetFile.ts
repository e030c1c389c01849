/**
 * A local Parquet file that grows by whole row groups: from blocks, or from other Parquet files.
 *
 * Pages are copied unchanged, through one small buffer, however large the groups are; or they are compressed one by one. The file
 * is a valid Parquet file only after `finish`.
 */

import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import { crc32 } from "node:zlib"
import type { ColumnBlock } from "./ColumnBlock.ts"
import * as Bounds from "./ColumnBounds.ts"
import * as Codec from "./ColumnCodec.ts"
import { toTexts } from "./jsonAsText.ts"
import * as Footer from "./ParquetFooter.ts"
import { Physical, type Scalar } from "./ParquetLeaf.ts"
import * as fileMetadata from "./parquetMetadata.ts"
import { readFooter } from "./readParquetFooter.ts"
import * as Thrift from "./Thrift.ts"

export interface GrowingFile {
  readonly path: string
  readonly bytes: number
  /** Appends a block as a row group. */
  readonly add: (block: ColumnBlock) => Promise<void>
  /** Appends row groups of a Parquet file: all of them, or those of the footer `groups`. */
  readonly append: (from: string, groups?: Footer.Footer) => Promise<void>
  /** Appends the row groups of an uncompressed Parquet file, and compresses their pages. */
  readonly compress: (from: string, compression: Codec.Compression) => Promise<void>
  /** Writes the footer. Nothing can be appended afterwards. */
  readonly finish: () => Promise<Finished>
}

interface Finished {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** Undefined: row groups of other files were appended, whose bounds are not read. */
  readonly bounds: FileBounds | undefined
}

/** The bounds of the columns that are not nested; undefined for a column: it has no bounds, for example only nulls. */
export type FileBounds = ReadonlyMap<string, { readonly type: Scalar; readonly bounds: Bounds.Bounds | undefined }>

/** Makes the file. Files that are not written at the same time may share the buffer. `words` are metadata for the footer. */
export const create = (path: string, buffer: Uint8Array, words: Readonly<Record<string, string>>): GrowingFile => {
  const hash = createHash("sha256")
  let footer: Footer.Footer | undefined
  let bytes = 0
  let bounds: FileBounds | undefined = new Map()

  const add = (file: Fs.FileHandle, more: Uint8Array): Promise<void> => addAll(file, [more])

  const addAll = async (file: Fs.FileHandle, parts: ReadonlyArray<Uint8Array>): Promise<void> => {
    await writeAll(file, parts)
    for (const part of parts) {
      hash.update(part)
      bytes += part.length
    }
  }

  /** Copies the row groups of one file to the end of the other. */
  const move = async (from: Fs.FileHandle, to: Fs.FileHandle, groups?: Footer.Footer): Promise<void> => {
    const next = groups ?? (await readFooter(from))
    if (footer === undefined) await add(to, Footer.magic)
    footer = Footer.join(footer, next, bytes)
    for (let at = next.from; at < next.to; ) {
      const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, next.to - at), at)
      if (bytesRead === 0) throw new Error("the Parquet file ends before its footer says so")
      await add(to, buffer.subarray(0, bytesRead))
      at += bytesRead
    }
  }

  /** Writes the pages of a block at the end of the file. */
  const take = async (file: Fs.FileHandle, block: ColumnBlock): Promise<void> => {
    const start = footer === undefined ? Footer.magic.length : bytes
    footer = Footer.join(footer, fileMetadata.footerOf(block), start)
    const parts = block.chunks.flatMap(({ parts }) => parts)
    await addAll(file, bytes === 0 ? [Footer.magic, ...parts] : parts)
    bounds = bounds && joined(bounds, block)
  }

  return {
    path,
    get bytes() {
      return bytes
    },
    add: (block) => withFile(path, "a", (file) => take(file, block)),
    append: async (source, groups) => {
      bounds = undefined
      await withFile(source, "r", (from) => withFile(path, "a", (to) => move(from, to, groups)))
    },
    compress: async (source, compression) => {
      bounds = undefined
      await withFile(source, "r", (from) =>
        withFile(path, "a", async (to) => {
          if (footer === undefined) await add(to, Footer.magic)
          const into = { compression, start: bytes, write: (parts: ReadonlyArray<Uint8Array>) => addAll(to, parts) }
          footer = Footer.join(footer, await compressGroups(from, await readFooter(from), into), into.start)
        })
      )
    },
    finish: () =>
      withFile(path, "a", async (file) => {
        if (footer === undefined) throw new Error(`${path} has no rows to finish`)
        await add(file, Footer.tail(withBothZeros(toTexts(Footer.describe(footer, words)))))
        return { path, rows: footer.rows, bytes, sha256: hash.digest("hex"), bounds }
      })
  }
}

/** The bounds of a file together with those of a block. */
const joined = (bounds: FileBounds, { chunks }: ColumnBlock): FileBounds =>
  new Map(
    chunks.flatMap(({ leaf, bounds: own }) => {
      const [name] = leaf.path
      return name === undefined || leaf.path.length > 1
        ? []
        : [[name, { type: leaf.type, bounds: Bounds.join(bounds.get(name)?.bounds, own) }] as const]
    })
  )

const withFile = async <A>(path: string, flags: "r" | "a", use: (file: Fs.FileHandle) => Promise<A>): Promise<A> => {
  const file = await Fs.open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Writes all parts in few calls: the system takes at most 1,024 parts at once, and may write only some of the bytes. */
const writeAll = async (file: Fs.FileHandle, parts: ReadonlyArray<Uint8Array>): Promise<void> => {
  for (let at = 0; at < parts.length; at += 1024) {
    const some = parts.slice(at, at + 1024)
    const { bytesWritten } = await file.writev(some)
    let before = 0
    for (const part of some) {
      const missing = before + part.length - Math.max(bytesWritten, before)
      if (missing > 0) await file.writeFile(part.subarray(part.length - missing))
      before += part.length
    }
  }
}

/**
 * The footer with bounds that include both zeros, and without Bloom filters of numbers. Bounds of other values stay.
 *
 * DuckDB writes the zero that came first as a bound, and a Bloom filter that has the bytes of one of them. Readers that order -0
 * before 0, and readers that ask the filter by the bytes of a number, such as DataFusion, then skip rows that are there.
 */
const withBothZeros = (footer: Footer.Footer): Footer.Footer => {
  for (const chunk of Footer.chunksOf(footer).flat()) {
    const meta = Thrift.structIn(chunk, ColumnChunk.meta_data)
    if (Thrift.intIn(meta, Meta.type) !== Physical.DOUBLE) continue
    for (const field of [Meta.bloom_filter_offset, Meta.bloom_filter_length]) meta.delete(field)
    const statistics = Thrift.structIn(meta, Meta.statistics)
    for (const [field, zero] of zeros) {
      const bound = statistics.get(field)
      if (bound?.type === Thrift.binary && isZero(bound.value))
        statistics.set(field, { ...bound, value: bytesOf(zero) })
    }
  }
  return footer
}

/** The bounds of Statistics: `max`, `min`, `max_value`, `min_value`. */
const zeros: ReadonlyArray<readonly [number, number]> = [
  [1, 0],
  [2, -0],
  [5, 0],
  [6, -0]
]

const isZero = (bytes: Uint8Array): boolean =>
  bytes.length === 8 && new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true) === 0

const bytesOf = (value: number): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  return bytes
}

interface Into {
  readonly compression: Codec.Compression
  /** The offset in the other file at which the first page is written. */
  readonly start: number
  readonly write: (parts: ReadonlyArray<Uint8Array>) => Promise<void>
}

/**
 * Compresses the pages of an uncompressed file into another. Returns its footer, with the places and sizes that they have then.
 *
 * DuckDB writes no checksums when it compresses pages, so a damaged page can give its readers other values without an error. The
 * frames of zstd that Millrace writes have checksums, which every reader compares, and pages of other codecs have a CRC. One page
 * at a time is in memory. Bloom filters are left out: they are outside of their groups, and Millrace writes none.
 */
const compressGroups = async (
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
/** Fields of ColumnMetaData. */
const Meta = {
  type: 1,
  codec: 4,
  total_uncompressed_size: 6,
  total_compressed_size: 7,
  data_page_offset: 9,
  dictionary_page_offset: 11,
  statistics: 12,
  bloom_filter_offset: 14,
  bloom_filter_length: 15
}
const Page = { type: 1, compressed_page_size: 3, crc: 4, data_page_header_v2: 8 }
const dictionaryPage = 2
