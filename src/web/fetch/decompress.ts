/**
 * Undoes the Content-Encoding of an answer, the last coding first.
 *
 * Guarantee: half a page is never taken for the page. A stream that ends in the middle of its data is an error, whatever the
 * length of the answer says; one that lacks only the checksum at its end is read, as in browsers.
 *
 * Throws if the data is cut, if a coding is unknown, and if the result would be longer than `maxOutputLength`: a few
 * kilobytes can unpack to gigabytes.
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
    const decoder = decoders.get(coding)
    if (decoder !== undefined) return unpack(decoder, bytes, maxOutputLength)
    if (!meansNone(coding)) throw new UnknownCoding(coding)
    return bytes
  }, body)
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

/** The answer ends in the middle of its compressed data. */
class CutBody extends Error {
  readonly code = "ERR_BODY_CUT"
  constructor() {
    super("the answer ends in the middle of its compressed data")
  }
}

interface Decode {
  (bytes: Uint8Array, options: zlib.ZlibOptions & zlib.ZstdOptions): Uint8Array
}

interface Decoder {
  readonly decode: Decode
  /** Reads a stream as far as it goes; undefined: nothing follows the data of this coding. */
  readonly lenient?: number
}

const { ZSTD_e_flush, Z_SYNC_FLUSH } = zlib.constants
const gzip: Decoder = {
  decode: (bytes, options) =>
    zlib.gunzipSync(bytes, { ...options, chunkSize: roomFor(bytes, options.maxOutputLength ?? maxRoom) }),
  lenient: Z_SYNC_FLUSH
}
const deflate: Decoder = {
  decode: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options),
  lenient: Z_SYNC_FLUSH
}
const decoders: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", deflate],
  ["br", { decode: (bytes, options) => zlib.brotliDecompressSync(bytes, options) }],
  ["zstd", { decode: (bytes, options) => zlib.zstdDecompressSync(bytes, options), lenient: ZSTD_e_flush }]
])

const unpack = ({ decode, lenient }: Decoder, bytes: Uint8Array, maxOutputLength: number): Uint8Array => {
  if (bytes.byteLength === 0) return bytes
  try {
    return decode(bytes, { maxOutputLength })
  } catch (cause) {
    if (!isEarlyEnd(cause)) throw cause
    if (lenient === undefined || !lacksSumOnly(decode, bytes, maxOutputLength)) throw new CutBody()
    return decode(bytes, { maxOutputLength, finishFlush: lenient })
  }
}

const isEarlyEnd = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "Z_BUF_ERROR"

/**
 * Whether only the checksum is missing, or a part of it: then four bytes more make a wrong one. If data is missing too, they are
 * not enough.
 */
const lacksSumOnly = (decode: Decode, bytes: Uint8Array, maxOutputLength: number): boolean => {
  try {
    decode(Buffer.concat([bytes, new Uint8Array(4)]), { maxOutputLength })
    return true
  } catch (cause) {
    return cause instanceof Error && wrongSum.test(cause.message)
  }
}

const wrongSum = /^incorrect (data|length) check|match checksum/

/**
 * A buffer for the whole page, by the length at the end of gzip: one allocation instead of many that are joined. That
 * length is a hint; a wrong one costs a join, or at most `maxRoom`.
 */
const roomFor = (bytes: Uint8Array, maxOutputLength: number): number => {
  const at = bytes.byteLength - 4
  const stated = at < 14 ? 0 : new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true)
  return Math.max(leastRoom, Math.min(stated + 1, maxRoom, maxOutputLength + 1, bytes.byteLength * mostRatio))
}

const leastRoom = 4096
const maxRoom = 1024 * 1024

/** The maximum ratio of deflate. */
const mostRatio = 1032
