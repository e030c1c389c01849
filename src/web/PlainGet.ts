/**
 * How we send a GET and evaluate its answer, the same in every thread.
 *
 * It does not use Effect, so a thread that fetches starts quickly.
 */

import type * as AddressGuard from "./AddressGuard.ts"
import type { Answered } from "./askAgent.ts"
import type { HttpAnswer } from "./fetch/Connection.ts"
import { decompress } from "./fetch/decompress.ts"
import { guardedConnector } from "./fetch/guardedConnector.ts"
import { KeptConnections } from "./fetch/KeptConnections.ts"
import type { PageResult } from "./PageRequest.ts"

/** The maximum size of a page's body, both on the wire and after decompression. */
export const maxPageBytes = 20 * 1024 * 1024

export interface FetchResult {
  readonly status: number
  readonly contentType: string | undefined
  /** For 3xx: the target, as sent; bytes beyond ASCII are percent-encoded. */
  readonly location: string | undefined
  /** Seconds, or an HTTP date, as sent. */
  readonly retryAfter: string | undefined
  /** As sent. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** `Link` and `Refresh`; bytes beyond ASCII are percent-encoded. */
  readonly link?: string | undefined
  readonly refresh?: string | undefined
  /** From the request to the end of the answer. */
  readonly elapsedMillis?: number
  /**
   * Bytes of the body as received: compressed if the server compressed it, without headers. For a page behind redirects
   * it includes their bodies (`followRedirects`).
   */
  readonly wireBytes?: number
  /** Set-Cookie, each as sent; undefined: none. */
  readonly cookies?: ReadonlyArray<string>
  /** The size of the decompressed body, even if `body` was left out. */
  readonly bodyBytes?: number
  /** Decompressed; empty if a thread has already read the page. */
  readonly body: Uint8Array
  /** The page, if a thread has read it. */
  readonly page?: PageResult
  /** Whether the body is shorter than its Content-Length. Left out if not. */
  readonly isLengthWrong?: boolean
  /** Whether this page may have ended a process that read it (`Suspect`). */
  readonly isSuspect?: boolean
}

/** The maximum number of connections to one host, so that requests in turn use them again. */
export const mostConnections = ({ connections = 16 }: Pick<AddressGuard.Options, "connections">): number => connections

/** Connections that the address guard makes. */
export const connections = (guard: AddressGuard.Options, rejectUnauthorized: boolean): KeptConnections =>
  new KeptConnections((onread) => guardedConnector(guard, { rejectUnauthorized, onread }), {
    connections: mostConnections(guard),
    silentMillis: 60_000,
    keepMillis: 4000,
    acceptsWrongLength: guard.acceptsWrongLength ?? false
  })

/** The headers of a request; `own` are those of the crawler and of the caller. */
export const headersOf = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-encoding": "gzip, deflate, br, zstd",
  ...own
})

export const answeredOf = ({ body, head, isBorrowed, isLengthWrong }: HttpAnswer): Answered => {
  const { cookies, headers, status } = head
  return {
    status,
    header: (name) => headers.get(name),
    cookies,
    body,
    isBorrowed,
    isLengthWrong
  }
}

/** The request as HTTP/1.1 text; undefined: its headers need a full client. */
export const requestText = (url: URL, headers: Readonly<Record<string, string>>): string | undefined => {
  let text = `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ""
    if (!plainName.test(name) || framing.has(name) || !plainValue.test(value)) return undefined
    text += `${name}: ${value}\r\n`
  }
  return `${text}\r\n`
}

const plainName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const plainValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that only we may set. */
const framing = new Set("host connection content-length transfer-encoding keep-alive upgrade expect te".split(" "))

/** As the maximum size of a body: only the head of the answer is read. */
export const headAlone = 0

export const fetchedOf = (answer: Answered, maxBytes: number): FetchResult => {
  const { body, cookies, header, isBorrowed, isLengthWrong, status } = answer
  const plain = maxBytes === headAlone ? body : decompress(body, header("content-encoding"), maxBytes)
  return {
    status,
    contentType: header("content-type"),
    location: addressOf(header("location")),
    retryAfter: header("retry-after"),
    etag: header("etag"),
    lastModified: header("last-modified"),
    ...saysOf("link", header),
    ...saysOf("refresh", header),
    wireBytes: body.byteLength,
    bodyBytes: plain.byteLength,
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(isLengthWrong ? { isLengthWrong } : {}),
    body: isBorrowed && plain === body ? Uint8Array.from(body) : plain
  }
}

/** Left out if absent, as in most answers, because answers are copied between threads. */
const saysOf = (name: "link" | "refresh", header: Answered["header"]): { readonly [name: string]: string } => {
  const address = addressOf(header(name))
  return address === undefined ? {} : { [name]: address }
}

/**
 * Headers are read as latin1. The host expects the bytes that it sent, in whatever encoding: browsers return them too.
 */
const addressOf = (location: string | undefined): string | undefined =>
  location?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
