/** Compresses and decompresses pages: with the codecs that Parquet and Node both have, and snappy. */
import * as Zlib from "node:zlib"
import * as Snappy from "./Snappy.ts"

export type Codec = (typeof Codec)[keyof typeof Codec]
/** The codecs, with Parquet's numbers. */
export const Codec = { uncompressed: 0, snappy: 1, gzip: 2, zstd: 6 } as const

export interface Compression {
  readonly codec: keyof typeof Codec
  /** The level of zstd: 1 to 22. Default: 1. */
  readonly level?: number
}

export const zstd: Compression = { codec: "zstd", level: 1 }

/** Whether compressing a page of a megabyte takes so long that it should not block the main thread. */
export const isSlow = ({ codec, level = 1 }: Compression): boolean =>
  codec === "gzip" || (codec === "zstd" && level > 3)

export const compress = (bytes: Uint8Array, { codec, level }: Compression): Uint8Array => {
  switch (codec) {
    case "uncompressed":
      return bytes
    case "snappy":
      return Snappy.compress(bytes)
    case "gzip":
      return shrunk(Zlib.gzipSync(bytes))
    case "zstd":
      return shrunk(Zlib.zstdCompressSync(bytes, zstdOptions(bytes, level)))
  }
}

/** As `compress`, but on another thread. */
export const compressAside = (bytes: Uint8Array, { codec, level }: Compression): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const settle = (error: Error | null, compressed: Uint8Array) =>
      error === null ? resolve(shrunk(compressed)) : reject(error)
    if (codec === "gzip") Zlib.gzip(bytes, settle)
    else if (codec === "zstd") Zlib.zstdCompress(bytes, zstdOptions(bytes, level), settle)
    else resolve(compress(bytes, { codec }))
  })

/**
 * Each frame ends with a checksum of its content, which every reader of zstd compares: DuckDB and pandas refuse a damaged page. The
 * chunk of output is large enough for everything, so that Node joins no chunks.
 */
const zstdOptions = (bytes: Uint8Array, level = 1) => ({
  params: { [Zlib.constants.ZSTD_c_compressionLevel]: level, [Zlib.constants.ZSTD_c_checksumFlag]: 1 },
  chunkSize: Math.max(64, bytes.length + (bytes.length >> 8) + 128)
})

/**
 * A copy of the bytes in memory of exactly their size. The larger memory is freed at once: external memory that waits for
 * the garbage collector would make it run through the whole heap.
 */
const shrunk = (bytes: Uint8Array): Uint8Array => {
  if (!isOwn(bytes)) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  free(bytes)
  return copy
}

/** Frees memory at once if it is large. Nothing may read it afterwards. */
export const free = (bytes: Uint8Array): void => {
  if (isOwn(bytes) && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

/** Whether bytes have their own memory. Small ones share Node's pool, which must not be freed. */
const isOwn = ({ buffer }: Uint8Array): boolean => buffer.byteLength > Math.max(65_536, Buffer.poolSize)

/** Decompresses a page. `length` is the length of the result, from the page header; a longer result is an error. */
export const decompress = (bytes: Uint8Array, codec: Codec, length: number): Uint8Array => {
  const options = { maxOutputLength: Math.max(1, length) }
  switch (codec) {
    case Codec.uncompressed:
      return bytes
    case Codec.snappy:
      return Snappy.decompress(bytes, length)
    case Codec.gzip:
      return Zlib.gunzipSync(bytes, options)
    case Codec.zstd:
      return Zlib.zstdDecompressSync(bytes, options)
  }
}
