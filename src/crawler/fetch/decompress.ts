/**
 * Undoes the Content-Encoding of an answer, the last coding first. A truncated stream gives what it holds, as in
 * browsers; a caller that does not know whether the answer is complete first calls `isCut`.
 *
 * Throws if a coding is unknown, and if the result would be longer than `maxOutputLength`: a few kilobytes can unpack
 * to gigabytes.
 */
import * as zlib from "node:zlib"

export const decompress = (body: Uint8Array, encoding: string | undefined, maxOutputLength: number): Uint8Array => {
  const codings = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "")
  if (codings.length > maxCodings) throw new UnknownCoding(codings.join(", "))
  return codings.reduceRight((bytes, coding) => {
    const decode = decoders.get(coding)
    if (decode !== undefined) return decode(bytes, maxOutputLength)
    if (!meansNone(coding)) throw new UnknownCoding(coding)
    return bytes
  }, body)
}

/**
 * Whether a gzip body ends in the middle of its text. A body that lacks only its checksum is complete: with eight more
 * bytes it has a wrong one.
 */
export const isCut = (body: Uint8Array, encoding: string | undefined, maxOutputLength: number): boolean => {
  if (!/^\s*(?:x-)?gzip\s*$/i.test(encoding ?? "") || body.byteLength === 0) return false
  return (
    problemOf(body, maxOutputLength)?.startsWith(early) === true &&
    problemOf(Buffer.concat([body, checksum]), maxOutputLength)?.startsWith(wrongSum) !== true
  )
}

const early = "unexpected end"
const wrongSum = "incorrect "
const checksum = new Uint8Array(8)

const problemOf = (body: Uint8Array, maxOutputLength: number): string | undefined => {
  try {
    zlib.gunzipSync(body, { maxOutputLength })
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** More codings than this are an attack. */
const maxCodings = 3

/** The coding is unknown, so the bytes would not be the page's text. */
class UnknownCoding extends Error {
  readonly code = "ERR_UNKNOWN_CODING"
  constructor(coding: string) {
    super(`the answer's content-encoding is ${JSON.stringify(coding.slice(0, 100))}, which is not supported`)
  }
}

/** Values that servers send to say that there is no coding: names of charsets, of media types, of mail encodings. */
const meansNone = (coding: string): boolean => {
  if (none.has(coding) || coding.startsWith("text/") || coding.startsWith("charset=")) return true
  try {
    return new TextDecoder(coding).encoding !== ""
  } catch {
    return false
  }
}

const none = new Set(["identity", "none", "aws-chunked", "binary", "7bit", "8bit"])

type Decode = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array

const named: Readonly<Record<string, Decode>> = {
  gzip: (bytes, maxOutputLength) => gunzip(bytes, maxOutputLength),
  "x-gzip": (bytes, maxOutputLength) => gunzip(bytes, maxOutputLength),
  deflate: (bytes, maxOutputLength) => {
    const zlibHeader = ((bytes[0] ?? 0) & 0x0f) === 8
    const options = { maxOutputLength, finishFlush: zlib.constants.Z_SYNC_FLUSH }
    return zlibHeader ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)
  },
  br: (bytes, maxOutputLength) =>
    zlib.brotliDecompressSync(bytes, { maxOutputLength, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes, maxOutputLength) =>
    bytes.byteLength === 0
      ? bytes
      : zlib.zstdDecompressSync(bytes, { maxOutputLength, finishFlush: zlib.constants.ZSTD_e_flush })
}
const decoders: ReadonlyMap<string, Decode> = new Map(Object.entries(named))

const gunzip = (bytes: Uint8Array, maxOutputLength: number): Uint8Array =>
  bytes.byteLength === 0
    ? bytes
    : zlib.gunzipSync(bytes, {
        maxOutputLength,
        finishFlush: zlib.constants.Z_SYNC_FLUSH,
        chunkSize: roomFor(bytes, maxOutputLength)
      })

/**
 * A buffer for the whole page, by the length at the end of gzip: one allocation instead of many that are joined. That
 * length is a hint; a wrong one costs a join, or at most `maxRoom`.
 */
const roomFor = (bytes: Uint8Array, maxOutputLength: number): number => {
  const at = bytes.byteLength - 4
  const said = at < 14 ? 0 : new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true)
  return Math.max(leastRoom, Math.min(said + 1, maxRoom, maxOutputLength + 1, bytes.byteLength * mostRatio))
}

const leastRoom = 4096
const maxRoom = 1024 * 1024

/** The maximum ratio of deflate. */
const mostRatio = 1032
