/**
 * One HTTP exchange with a website: one hop, no redirects followed.
 *
 * Guarantee: every exchange ends. Total time, bytes on the wire and bytes after decompression are limited, whatever the
 * server does; the address guard checks every connection; interrupting the effect aborts the request. Plain requests
 * use our own connections (`KeptConnections`), which cost less than undici's; proxies and HTTP/2 use undici.
 */

import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CrawlerName from "#base/CrawlerName"
import * as AddressGuard from "./AddressGuard.ts"
import { type Answered, askAgent } from "./askAgent.ts"
import { type FetchError, timedOut, toFetchError } from "./FetchError.ts"
import type { KeptConnections } from "./fetch/KeptConnections.ts"
import * as MachineFault from "./fetch/MachineFault.ts"
import * as ProxyTunnel from "./fetch/ProxyTunnel.ts"
import * as TimeLimits from "./fetch/TimeLimits.ts"
import { type GuardedAgent, guardedAgent } from "./guardedAgent.ts"
import { monotonicMillisOf } from "./monotonicMillis.ts"
import type { PageRequest } from "./PageRequest.ts"
import * as PlainGet from "./PlainGet.ts"

export { FetchError, notAccepted, timedOut, toFetchError, tooCostly } from "./FetchError.ts"
export { type FetchResult, headAlone, maxPageBytes } from "./PlainGet.ts"

export interface Options {
  readonly timeoutMillis: number
  /** The maximum size of the body; `headAlone`: only the head is read. Default: `maxPageBytes`. */
  readonly maxBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly skipTlsVerification?: boolean
  /** What a thread may make of the page at once, if threads fetch pages (`PageWorkers`). */
  readonly order?: PageRequest
  /**
   * The latest time to send it (`SendLimit`). Later, it fails with `NOT_SENT` and no request is sent. Default: none.
   */
  readonly sendBefore?: number
  /** The window in which the body must keep the least rate (`fetch/leastRate.ts`). Default: 20 s. */
  readonly slowAfterMillis?: number | undefined
}

export class Fetch extends Context.Service<
  Fetch,
  { readonly get: (url: string, options: Options) => Effect.Effect<PlainGet.FetchResult, FetchError> }
>()("millrace/service/Fetch") {
  static readonly layer = (guard: AddressGuard.Options) => Layer.effect(Fetch, make(guard))
}

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const verifying = yield* client(guard, true)
  const trusting = yield* client(guard, false)
  const limits = yield* TimeLimits.start

  const get = (url: string, options: Options): Effect.Effect<PlainGet.FetchResult, FetchError> =>
    Effect.flatMap(identified(options), (options) =>
      Effect.clockWith((clock) =>
        limits.within<PlainGet.FetchResult, FetchError>(
          options.timeoutMillis,
          () => timedOut(url, options.timeoutMillis),
          exchange(url, options, options.skipTlsVerification === true ? trusting : verifying, clock)
        )
      )
    )
  return Fetch.of({ get })
})

/** The options with the headers of the crawler for which the request is made. Headers of the caller have priority. */
export const identified = <O extends Pick<Options, "headers">>(options: O) =>
  Effect.map(CrawlerName.Current, (crawler) => ({ ...options, headers: { ...crawler.headers, ...options.headers } }))

/** The connections and agents that reach hosts. */
interface Client {
  readonly guard: AddressGuard.Options
  readonly connections: KeptConnections
  readonly agent: GuardedAgent
  /** Origins that speak only HTTP/2. */
  readonly onlyHttp2: Set<string>
}

const client = Effect.fnUntraced(function* (guard: AddressGuard.Options, rejectUnauthorized: boolean) {
  const connections = yield* Effect.acquireRelease(
    Effect.sync(() => PlainGet.connections(guard, rejectUnauthorized)),
    (connections) => Effect.sync(() => connections.close())
  )
  const agent = yield* guardedAgent(guard, { connections: PlainGet.mostConnections(guard), rejectUnauthorized })
  const made: Client = { guard, connections, agent, onlyHttp2: new Set() }
  return made
})

export type Identified = Options & { readonly headers: Readonly<Record<string, string>> }

/** Answers are collected as a whole: a stream in between would cost as much as the exchange. */
const exchange =
  (href: string, options: Identified, client: Client, clock: Clock.Clock) =>
  (resume: TimeLimits.Resume<PlainGet.FetchResult, FetchError>): (() => void) => {
    const began = monotonicMillisOf(clock)
    const maxBytes = options.maxBytes ?? PlainGet.maxPageBytes
    const failed = (cause: unknown) => {
      const fault = MachineFault.of(cause)
      resume(fault === undefined ? Effect.fail(toFetchError(href, cause)) : Effect.die(fault))
    }
    const answered = (answer: Answered) => {
      if (answer.status === 407 && isOfProxy) return failed(ProxyTunnel.passwordWanted)
      try {
        const fetched = PlainGet.fetchedOf(answer, maxBytes)
        resume(Effect.succeed({ ...fetched, elapsedMillis: Math.round(monotonicMillisOf(clock) - began) }))
      } catch (cause) {
        failed(cause)
      }
    }
    const url = new URL(href)
    const headers = PlainGet.headersOf(options.headers)
    const { agent, guard, connections, onlyHttp2 } = client
    const { sendBefore, slowAfterMillis } = options
    const byAgent = () => askAgent(agent, { url, headers, maxBytes, sendBefore, slowAfterMillis, answered, failed })
    const proxy = AddressGuard.proxyFor(guard, url)
    // Within a tunnel the site answers itself.
    const isOfProxy = proxy !== undefined && url.protocol === "http:"
    const isPlain = proxy === undefined && !onlyHttp2.has(url.origin)
    const text = isPlain ? PlainGet.requestText(url, headers) : undefined
    let stop = text === undefined ? byAgent() : () => {}
    if (text !== undefined) {
      const otherProtocol = () => {
        if (onlyHttp2.size < maxKnown) onlyHttp2.add(url.origin)
        stop = byAgent()
      }
      stop = connections.ask({
        url,
        text,
        maxBytes,
        sendBefore,
        slowAfterMillis,
        failed,
        otherProtocol,
        answered: (answer) => answered(PlainGet.answeredOf(answer))
      })
    }
    return () => stop()
  }

/** The maximum number of origins whose protocol is remembered; for others it is found out each time. */
const maxKnown = 10_000
