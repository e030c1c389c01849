/**
 * A local Parquet file that grows by whole row groups: from blocks, or from other Parquet files.
 *
 * Pages are copied unchanged, through one small buffer, however large the groups are; or they are compressed one by one. The file
 * is a valid Parquet file only after `finish`.
 */

import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import type { ColumnBlock } from "./ColumnBlock.ts"
import * as Bounds from "./ColumnBounds.ts"
import type * as Codec from "./ColumnCodec.ts"
import { compressGroups } from "./compressedGroups.ts"
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
    if (Thrift.intIn(meta, ColumnMetaData.type) !== Physical.DOUBLE) continue
    for (const field of bloomFilter) meta.delete(field)
    const statistics = Thrift.structIn(meta, ColumnMetaData.statistics)
    for (const [field, zero] of zeros) {
      const bound = statistics.get(field)
      if (bound?.type === Thrift.binary && isZero(bound.value))
        statistics.set(field, { ...bound, value: bytesOf(zero) })
    }
  }
  return footer
}

const ColumnChunk = { meta_data: 3 }
const ColumnMetaData = { type: 1, statistics: 12 }
/** `bloom_filter_offset` and `bloom_filter_length` of ColumnMetaData. */
const bloomFilter = [14, 15]
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
