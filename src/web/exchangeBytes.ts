/**
 * Encodes requests and answers between places: JSON, followed by what is already bytes, compressed together if large.
 *
 * The layout: 1 byte that says whether the rest is compressed; 4 bytes length of the JSON, the JSON, 4 bytes length of
 * the document, the document, the body. The bytes must come from a process of the same service; the transport has to
 * ensure that.
 */
import * as Zlib from "node:zlib"
import type { FormatName } from "#contract/Formats"
import type { ExchangeAnswer, FetchRequest } from "./Exchange.ts"
import type { FetchResult } from "./Fetch.ts"
import type { PageRequest, PageResult } from "./PageRequest.ts"

/**
 * Changes with the layout, and with what processes must know of each other's rows in a shared database: processes of
 * different versions do not work together.
 */
export const version = 7

/** JSON has no sets. */
interface PlainRequest extends Omit<FetchRequest, "options"> {
  readonly options: Omit<FetchRequest["options"], "order">
  readonly order?: Omit<PageRequest, "reading"> & {
    readonly reading: Omit<PageRequest["reading"], "formats"> & { readonly formats: ReadonlyArray<FormatName> }
  }
}

/** The parts of an answer that are not bytes. */
interface PlainFetched {
  readonly _tag: "Fetched"
  readonly fetched: Omit<FetchResult, "body" | "page">
  readonly page?: Omit<PageResult, "document">
}

export const encodeRequest = ({ options: { order, ...options }, ...request }: FetchRequest): Uint8Array => {
  const plain: PlainRequest = { ...request, options, ...(order === undefined ? {} : { order: plainOrder(order) }) }
  return pack(plain, nothing, nothing)
}

export const decodeRequest = (bytes: Uint8Array): FetchRequest => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encodeRequest` of this version has written it
  const { order, ...request } = unpack(bytes).json as PlainRequest
  if (order === undefined) return request
  const reading = { ...order.reading, formats: new Set(order.reading.formats) }
  return { ...request, options: { ...request.options, order: { ...order, traits: order.traits, reading } } }
}

export const encodeAnswer = (answer: ExchangeAnswer): Uint8Array => {
  if (answer._tag !== "Fetched") return pack(answer, nothing, nothing)
  const { body, page, ...fetched } = answer.fetched
  if (page === undefined) return pack({ _tag: "Fetched", fetched } satisfies PlainFetched, nothing, body)
  const { document, ...rest } = page
  return pack({ _tag: "Fetched", fetched, page: rest } satisfies PlainFetched, document, body)
}

export const decodeAnswer = (bytes: Uint8Array): ExchangeAnswer => {
  const { body, document, json } = unpack(bytes)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encodeAnswer` of this version has written it
  const answer = json as PlainFetched | Exclude<ExchangeAnswer, { readonly _tag: "Fetched" }>
  if (answer._tag !== "Fetched") return answer
  const fetched = { ...absent, ...answer.fetched, body }
  if (answer.page === undefined) return { _tag: "Fetched", fetched }
  return { _tag: "Fetched", fetched: { ...fetched, page: { ...absentOfPage, ...answer.page, document } } }
}

const plainOrder = ({ reading, ...order }: PageRequest) => ({
  ...order,
  reading: { ...reading, formats: Array.from(reading.formats) }
})

/** JSON leaves out what is undefined. */
const absent = { contentType: undefined, location: undefined, retryAfter: undefined }
const absentOfPage = { contentVersion: undefined, refresh: undefined, traits: undefined }

const pack = (json: object, document: Uint8Array, body: Uint8Array): Uint8Array => {
  const head = Buffer.from(JSON.stringify(json))
  const bytes = Buffer.allocUnsafe(9 + head.length + document.length + body.length)
  bytes[0] = plain
  bytes.writeUInt32LE(head.length, 1)
  bytes.set(head, 5)
  bytes.writeUInt32LE(document.length, 5 + head.length)
  bytes.set(document, 9 + head.length)
  bytes.set(body, 9 + head.length + document.length)
  return bytes.length < leastCompressed ? bytes : Buffer.concat([compressed, Zlib.zstdCompressSync(bytes.subarray(1))])
}

const unpack = (packed: Uint8Array) => {
  const rest = packed.subarray(1)
  const bytes =
    packed[0] === plain
      ? Buffer.from(rest.buffer, rest.byteOffset, rest.length)
      : Zlib.zstdDecompressSync(rest, { maxOutputLength })
  const headEnd = 4 + bytes.readUInt32LE(0)
  const documentEnd = headEnd + 4 + bytes.readUInt32LE(headEnd)
  const json: unknown = JSON.parse(bytes.toString("utf8", 4, headEnd))
  return { json, document: own(bytes.subarray(headEnd + 4, documentEnd)), body: own(bytes.subarray(documentEnd)) }
}

const plain = 0
const compressed = Uint8Array.of(1)

/** Compressing less takes longer than sending it. */
const leastCompressed = 4096

/** A copy, because a view would keep the whole buffer in memory. */
const own = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes)

/** The maximum size of a body and a document, with a margin. */
const maxOutputLength = 128 * 1024 * 1024

const nothing = new Uint8Array()
