/**
 * One HTTP exchange with a website: one hop, no redirects followed.
 *
 * The law: every exchange ends. Total time, bytes on the wire and bytes after decompression are limited, whatever the
 * server does; the address guard stands before every connection; interrupting the effect aborts the request.
 * The dispatcher itself, not `fetch`: a third of the CPU, and decompression can be limited (that of `fetch` cannot).
 */

import type { IncomingHttpHeaders } from "node:http"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Dispatcher } from "undici"
import type * as AddressGuard from "./AddressGuard.ts"
import { decompress } from "./decompress.ts"
import { guardedAgent } from "./guardedAgent.ts"
import * as MachineFault from "./MachineFault.ts"
import * as ProxyTunnel from "./ProxyTunnel.ts"

/** What robots.txt rules and web logs know us as. */
export const productToken = "Millrace"
export const userAgent = `${productToken}/0.1 (web data service)`

/** A page's body may not be larger than this, neither on the wire nor after decompression. */
export const maxPageBytes = 20 * 1024 * 1024

export interface Options {
  readonly timeoutMillis: number
  readonly maxBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly skipTlsVerification?: boolean
}

export interface Fetched {
  readonly status: number
  readonly contentType: string | undefined
  /** For 3xx: where to, as sent. */
  readonly location: string | undefined
  /** Seconds, or an HTTP date, as sent. */
  readonly retryAfter: string | undefined
  /** As sent. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** From the request to the end of the answer. */
  readonly elapsedMillis?: number
  /** Set-Cookie, each as sent; none: undefined. */
  readonly cookies?: ReadonlyArray<string>
  /** Decompressed. */
  readonly body: Uint8Array
}

export class FetchError extends Schema.TaggedError<FetchError>()("FetchError", {
  url: Schema.String,
  /** What public clients read: SCRAPE_DNS_RESOLUTION_ERROR and its kin. */
  code: Schema.String,
  message: Schema.String,
  /** Whether the same request may succeed a little later. */
  retryable: Schema.Boolean
}) {}

export class Fetch extends Context.Service<
  Fetch,
  { readonly get: (url: string, options: Options) => Effect.Effect<Fetched, FetchError> }
>()("millrace/service/Fetch") {
  static readonly layer = (guard: AddressGuard.Options) => Layer.effect(Fetch, make(guard))
}

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const verifying = yield* guardedAgent(guard, { connections: 16, rejectUnauthorized: true })
  const trusting = yield* guardedAgent(guard, { connections: 16, rejectUnauthorized: false })

  const get = (url: string, options: Options): Effect.Effect<Fetched, FetchError> =>
    timed(exchange(url, options, options.skipTlsVerification === true ? trusting : verifying)).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(options.timeoutMillis),
        orElse: () =>
          new FetchError({
            url,
            code: "SCRAPE_TIMEOUT",
            message: `no complete answer within ${options.timeoutMillis} ms`,
            retryable: true
          })
      })
    )
  return Fetch.of({ get })
})

const timed = Effect.fnUntraced(function* (answer: Effect.Effect<Fetched, FetchError>) {
  const began = yield* Clock.currentTimeMillis
  const fetched = yield* answer
  return { ...fetched, elapsedMillis: (yield* Clock.currentTimeMillis) - began }
})

/** Whole answers are gathered as they come: a stream between would cost as much as the exchange. */
const exchange = (url: string, options: Options, dispatcher: Dispatcher): Effect.Effect<Fetched, FetchError> =>
  Effect.callback<Fetched, FetchError>((resume) => {
    const maxBytes = options.maxBytes ?? maxPageBytes
    const chunks: Array<Uint8Array> = []
    let bytes = 0
    let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined
    let begun: Dispatcher.DispatchController | undefined
    let isOver = false
    const end = (answer: Effect.Effect<Fetched, FetchError>) => {
      if (isOver) return
      isOver = true
      resume(answer)
    }
    const fail = (cause: unknown) => {
      const fault = MachineFault.of(cause)
      end(fault === undefined ? Effect.fail(toFetchError(url, cause)) : Effect.die(fault))
    }
    const { origin, pathname, search } = new URL(url)
    const headers = {
      "user-agent": userAgent,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-encoding": "gzip, deflate, br, zstd",
      ...options.headers
    }
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: "GET", headers },
      {
        onRequestStart: (controller) => {
          if (isOver) return controller.abort(new Interrupted())
          begun = controller
        },
        onResponseStart: (_, status, headers) => {
          // What is below 200 only says that the answer is on its way.
          if (status >= 200) head = { status, headers }
        },
        onResponseData: (controller, chunk) => {
          bytes += chunk.byteLength
          chunks.push(chunk)
          if (bytes <= maxBytes) return
          fail(new TooLarge(maxBytes))
          controller.abort(new TooLarge(maxBytes))
        },
        onResponseEnd: () => {
          if (head?.status === 407) return fail(ProxyTunnel.asked)
          if (head === undefined) return fail(new Error("the host ended its answer before it began"))
          try {
            end(Effect.succeed(fetched(head.status, head.headers, whole(chunks, bytes), maxBytes)))
          } catch (cause) {
            fail(cause)
          }
        },
        onResponseError: (_, cause) => fail(cause)
      }
    )
    return Effect.sync(() => {
      isOver = true
      begun?.abort(new Interrupted())
    })
  })

class Interrupted extends Error {}

const whole = (chunks: ReadonlyArray<Uint8Array>, bytes: number): Uint8Array => {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes)
}

const fetched = (status: number, headers: IncomingHttpHeaders, raw: Uint8Array, maxBytes: number): Fetched => ({
  status,
  contentType: single(headers, "content-type"),
  location: single(headers, "location"),
  retryAfter: single(headers, "retry-after"),
  etag: single(headers, "etag"),
  lastModified: single(headers, "last-modified"),
  ...cookiesOf(headers["set-cookie"]),
  body: decompress(raw, single(headers, "content-encoding"), maxBytes)
})

const cookiesOf = (set: string | ReadonlyArray<string> | undefined): Pick<Fetched, "cookies"> =>
  set === undefined ? {} : { cookies: typeof set === "string" ? [set] : set }

const single = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

class TooLarge extends Error {
  readonly code = "ERR_BODY_TOO_LARGE"
  constructor(maxBytes: number) {
    super(`the page is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`)
  }
}

/** What each failure of the network is to the person who asked for the page. */
const failures: Record<string, readonly [code: string, message: string | undefined, retryable: boolean]> = {
  ENOTFOUND: ["SCRAPE_DNS_RESOLUTION_ERROR", "the host name does not resolve", false],
  EAI_AGAIN: ["SCRAPE_DNS_RESOLUTION_ERROR", "the host name does not resolve at the moment", true],
  ERR_ADDRESS_BLOCKED: ["SCRAPE_ADDRESS_BLOCKED", undefined, false],
  ENOTFOUND_BEFORE_PROXY: ["SCRAPE_DNS_RESOLUTION_ERROR", undefined, false],
  ERR_PROXY_CREDENTIALS: ["SCRAPE_PROXY_ERROR", undefined, false],
  ERR_PROXY_REFUSED: ["SCRAPE_PROXY_ERROR", undefined, false],
  ERR_PROXY_FAILED: ["SCRAPE_CONNECTION_ERROR", undefined, true],
  ERR_PROXY_UNREACHABLE: ["SCRAPE_PROXY_ERROR", undefined, true],
  ERR_UNKNOWN_CODING: ["SCRAPE_INVALID_RESPONSE", undefined, false],
  ERR_BODY_TOO_LARGE: ["SCRAPE_PAGE_TOO_LARGE", undefined, false],
  ERR_BUFFER_TOO_LARGE: ["SCRAPE_PAGE_TOO_LARGE", "the page is larger than the limit once it is decompressed", false],
  ECONNREFUSED: ["SCRAPE_CONNECTION_ERROR", "the host refuses the connection", true],
  ECONNRESET: ["SCRAPE_CONNECTION_ERROR", "the host closed the connection before it answered", true],
  ETIMEDOUT: ["SCRAPE_TIMEOUT", "the host does not accept the connection in time", true],
  EHOSTUNREACH: ["SCRAPE_CONNECTION_ERROR", "the host cannot be reached", true],
  ENETUNREACH: ["SCRAPE_CONNECTION_ERROR", "the host cannot be reached", true],
  EPIPE: ["SCRAPE_CONNECTION_ERROR", "the host closed the connection before it answered", true],
  UND_ERR_SOCKET: ["SCRAPE_CONNECTION_ERROR", "the host closed the connection before the answer was whole", true],
  UND_ERR_CONNECT_TIMEOUT: ["SCRAPE_TIMEOUT", "the host does not accept the connection in time", true],
  UND_ERR_HEADERS_TIMEOUT: ["SCRAPE_TIMEOUT", "the host does not answer in time", true],
  UND_ERR_BODY_TIMEOUT: ["SCRAPE_TIMEOUT", "the answer stalled", true],
  UND_ERR_HEADERS_OVERFLOW: ["SCRAPE_INVALID_RESPONSE", "the answer's headers are larger than 32 kB", false],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    "SCRAPE_INVALID_RESPONSE",
    "the answer does not have the length that it declares",
    true
  ]
}

/** A failure of the network, in the words of this page. */
export const toFetchError = (url: string, cause: unknown): FetchError => {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const [ours, message, retryable] =
    failures[code] ??
    (error.name === "HTTPParserError"
      ? (["SCRAPE_INVALID_RESPONSE", "the answer is not valid HTTP", false] as const)
      : code.startsWith("Z_") ||
          code.startsWith("ERR__ERROR_") ||
          code.startsWith("ERR_BROTLI") ||
          code.startsWith("ZSTD_")
        ? (["SCRAPE_INVALID_RESPONSE", "the answer's compression is broken", false] as const)
        : /CERT|TLS|SSL|SELF_SIGNED|EPROTO|UNABLE_TO_VERIFY/.test(code)
          ? (["SCRAPE_TLS_ERROR", `the host's certificate or TLS is not valid (${code})`, false] as const)
          : (["SCRAPE_FETCH_ERROR", undefined, false] as const))
  return new FetchError({ url, code: ours, message: message ?? error.message, retryable })
}
