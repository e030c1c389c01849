/**
 * One HTTP exchange with a website: one hop, no redirects followed.
 *
 * The law: every exchange ends. Total time, bytes on the wire and bytes after decompression are limited, whatever the
 * server does; the address guard stands before every connection; interrupting the effect aborts the request.
 * What is plain goes over connections of our own (`KeptConnections`), which cost half of undici's; proxies and HTTP/2 are
 * undici's.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dispatcher } from "undici"
import * as AddressGuard from "./AddressGuard.ts"
import { type Answered, askAgent } from "./askAgent.ts"
import { decompress } from "./decompress.ts"
import { FetchError, toFetchError } from "./FetchError.ts"
import { guardedAgent } from "./guardedAgent.ts"
import { guardedConnector } from "./guardedConnector.ts"
import { KeptConnections } from "./KeptConnections.ts"
import * as MachineFault from "./MachineFault.ts"
import * as ProxyTunnel from "./ProxyTunnel.ts"

export { FetchError, toFetchError } from "./FetchError.ts"

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

export class Fetch extends Context.Service<
  Fetch,
  { readonly get: (url: string, options: Options) => Effect.Effect<Fetched, FetchError> }
>()("millrace/service/Fetch") {
  static readonly layer = (guard: AddressGuard.Options) => Layer.effect(Fetch, make(guard))
}

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const verifying = yield* client(guard, true)
  const trusting = yield* client(guard, false)

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

/** How hosts are reached. */
interface Client {
  readonly guard: AddressGuard.Options
  readonly kept: KeptConnections
  readonly agent: Dispatcher
  /** Origins that speak nothing but HTTP/2. */
  readonly onlyHttp2: Set<string>
}

const client = Effect.fnUntraced(function* (guard: AddressGuard.Options, rejectUnauthorized: boolean) {
  const kept = yield* Effect.acquireRelease(
    Effect.sync(
      () => new KeptConnections((onread) => guardedConnector(guard, { rejectUnauthorized, onread }), keptLimits)
    ),
    (connections) => Effect.sync(() => connections.close())
  )
  const agent = yield* guardedAgent(guard, { connections: maxConnections, rejectUnauthorized })
  const made: Client = { guard, kept, agent, onlyHttp2: new Set() }
  return made
})

/** Connections to one host at most. */
const maxConnections = 16

const keptLimits = { connections: maxConnections, silentMillis: 60_000, keepMillis: 4000 }

const timed = Effect.fnUntraced(function* (answer: Effect.Effect<Fetched, FetchError>) {
  const began = yield* Clock.currentTimeMillis
  const fetched = yield* answer
  return { ...fetched, elapsedMillis: (yield* Clock.currentTimeMillis) - began }
})

/** Whole answers are gathered as they come: a stream between would cost as much as the exchange. */
const exchange = (href: string, options: Options, client: Client): Effect.Effect<Fetched, FetchError> =>
  Effect.callback<Fetched, FetchError>((resume) => {
    const maxBytes = options.maxBytes ?? maxPageBytes
    const failed = (cause: unknown) => {
      const fault = MachineFault.of(cause)
      resume(fault === undefined ? Effect.fail(toFetchError(href, cause)) : Effect.die(fault))
    }
    const answered = (answer: Answered) => {
      if (answer.status === 407) return failed(ProxyTunnel.asked)
      try {
        resume(Effect.succeed(fetchedOf(answer, maxBytes)))
      } catch (cause) {
        failed(cause)
      }
    }
    const url = new URL(href)
    const headers = {
      "user-agent": userAgent,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-encoding": "gzip, deflate, br, zstd",
      ...options.headers
    }
    const { agent, guard, kept, onlyHttp2 } = client
    const byAgent = () => askAgent(agent, { url, headers, maxBytes, answered, failed })
    const isPlain = AddressGuard.proxyFor(guard, url) === undefined && !onlyHttp2.has(url.origin)
    const text = isPlain ? requestText(url, headers) : undefined
    let stop = text === undefined ? byAgent() : () => {}
    if (text !== undefined) {
      const otherProtocol = () => {
        if (onlyHttp2.size < maxKnown) onlyHttp2.add(url.origin)
        stop = byAgent()
      }
      stop = kept.ask({
        url,
        text,
        maxBytes,
        failed,
        otherProtocol,
        answered: ({ body, head, isBorrowed }) => {
          const { cookies, headers, status } = head
          answered({ status, header: (name) => headers.get(name), cookies, body, isBorrowed })
        }
      })
    }
    return Effect.sync(() => stop())
  })

/** Origins whose protocol is remembered; of any other it is found out each time. */
const maxKnown = 10_000

/** A request as HTTP/1.1 writes it; undefined: its headers are not so plain. */
const requestText = (url: URL, headers: Readonly<Record<string, string>>): string | undefined => {
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

/** What we say of the exchange ourselves. */
const framing = new Set("host connection content-length transfer-encoding keep-alive upgrade expect te".split(" "))

const fetchedOf = ({ body, cookies, header, isBorrowed, status }: Answered, maxBytes: number): Fetched => {
  const plain = decompress(body, header("content-encoding"), maxBytes)
  return {
    status,
    contentType: header("content-type"),
    location: header("location"),
    retryAfter: header("retry-after"),
    etag: header("etag"),
    lastModified: header("last-modified"),
    ...(cookies.length === 0 ? {} : { cookies }),
    body: isBorrowed && plain === body ? Uint8Array.from(body) : plain
  }
}
