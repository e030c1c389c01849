/** How pages are compressed, and decompressed: what Parquet has and Node can do, and snappy. */
import * as Zlib from "node:zlib"
import * as Snappy from "./Snappy.ts"

export type Codec = (typeof Codec)[keyof typeof Codec]
/** By Parquet's numbers. */
export const Codec = { uncompressed: 0, snappy: 1, gzip: 2, zstd: 6 } as const

export interface Compression {
  readonly codec: keyof typeof Codec
  /** Of zstd: 1 to 22. Default: 1. */
  readonly level?: number
}

export const zstd: Compression = { codec: "zstd", level: 1 }

/** Whether a page of a megabyte takes so long that no thread that others wait for should do it. */
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

/** The same on another thread. */
export const compressAside = (bytes: Uint8Array, { codec, level }: Compression): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const settle = (error: Error | null, compressed: Uint8Array) =>
      error === null ? resolve(shrunk(compressed)) : reject(error)
    if (codec === "gzip") Zlib.gzip(bytes, settle)
    else if (codec === "zstd") Zlib.zstdCompress(bytes, zstdOptions(bytes, level), settle)
    else resolve(compress(bytes, { codec }))
  })

/** One chunk of output that holds all of it: nothing is joined. */
const zstdOptions = (bytes: Uint8Array, level = 1) => ({
  params: { [Zlib.constants.ZSTD_c_compressionLevel]: level },
  chunkSize: Math.max(64, bytes.length + (bytes.length >> 8) + 128)
})

/**
 * Bytes in memory of their own size. What they were made in is given back at once: memory beside the heap that waits for
 * the garbage collector makes it run, through all of the heap.
 */
const shrunk = (bytes: Uint8Array): Uint8Array => {
  if (!isOwn(bytes)) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  free(bytes)
  return copy
}

/** Gives memory back where that is worth it. Nothing may read it after. */
export const free = (bytes: Uint8Array): void => {
  if (isOwn(bytes) && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

/** Whether bytes have memory of their own. Small ones share Node's pool, which must stay. */
const isOwn = ({ buffer }: Uint8Array): boolean => buffer.byteLength > Math.max(65_536, Buffer.poolSize)

/** `length`: of what comes out, as the page says; longer is an error. */
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
