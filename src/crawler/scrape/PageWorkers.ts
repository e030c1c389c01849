/**
 * `Fetch` by threads that share nothing: each fetches, inflates and reads plain pages by itself (`pageWorker.ts`).
 *
 * Only what is asked for with an order goes there, and only once this thread has had much to do: a small crawl, and one that
 * waits for its site, does not pay for the start of threads. With one core, behind a proxy, and for all else, the exchange is
 * done here, and the page is read by whoever asked, who cannot tell the difference.
 */
import * as os from "node:os"
import { performance } from "node:perf_hooks"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SharedThreads from "../../threads/SharedThreads.ts"
import type { ThreadEnded } from "../../threads/Threads.ts"
import type * as AddressGuard from "../fetch/AddressGuard.ts"
import { Fetch, FetchError, type Fetched, maxPageBytes, type Options, timedOut, toFetchError } from "../fetch/Fetch.ts"
import * as MachineFault from "../fetch/MachineFault.ts"
import * as ProxyTunnel from "../fetch/ProxyTunnel.ts"
import * as TimeLimits from "../fetch/TimeLimits.ts"
import { monotonicMillisOf } from "../politeness/monotonicMillis.ts"
import type { Answer, Cause, Guard, Request } from "./pageWorker.ts"

export interface Workers {
  /** Default: one less than there are cores; the last one is for who asks. */
  readonly threads?: number
  /** How long this thread works alone before the first is started, in milliseconds. Default: 1000. */
  readonly afterMillis?: number
}

export const layer = (guard: AddressGuard.Options, workers: Workers = {}) =>
  Layer.effect(Fetch, make(guard, workers)).pipe(Layer.provide(Fetch.layer(guard)))

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options, workers: Workers) {
  const here = yield* Fetch
  const { afterMillis = aloneMillis, threads = os.availableParallelism() - 1 } = workers
  const { allowPrivate, connectTimeoutMillis, lookup, proxies, resolve } = guard
  // What is code cannot cross.
  if (threads < 1 || lookup !== undefined || proxies !== undefined) return here
  const data: Guard = { allowPrivate, resolve, ...(connectTimeoutMillis === undefined ? {} : { connectTimeoutMillis }) }
  const shared = yield* SharedThreads.make<Request, Answer>({
    file: "./pageWorker",
    beside: import.meta.url,
    threads,
    idleMillis: 30_000,
    stuckMillis: 60_000,
    heapMegabytes: 768,
    data
  })
  const limits = yield* TimeLimits.make
  /** Origins that threads cannot ask: they speak nothing but HTTP/2. */
  const elsewhere = new Set<string>()
  let pages = 0
  /** Pages that this thread is asking for. */
  let asking = 0
  let areStarted = afterMillis === 0
  let began = performance.eventLoopUtilization()
  let seen = began
  const isBusy = () => {
    const before = seen
    seen = performance.eventLoopUtilization()
    if (pages === 0) {
      began = seen
      return false
    }
    const { utilization } = performance.eventLoopUtilization(seen, before)
    return utilization >= busy && performance.eventLoopUtilization(seen, began).active >= afterMillis
  }
  const isOurs = () => {
    if (!areStarted && pages++ % pagesBetween === 0) areStarted = isBusy()
    return !areStarted || asking * fewer < shared.waiting()
  }

  const done = Effect.sync(() => {
    asking -= 1
  })

  const there = (url: string, options: Options, order: NonNullable<Options["order"]>) =>
    Effect.clockWith((clock) => {
      const late = () => timedOut(url, options.timeoutMillis)
      const until = monotonicMillisOf(clock) + options.timeoutMillis
      /** In what is left of its time. */
      const insteadHere = Effect.suspend(() => {
        const duration = Duration.millis(Math.max(0, until - monotonicMillisOf(clock)))
        return Effect.timeoutOrElse(here.get(url, options), { duration, orElse: late })
      })
      const request: Request = {
        url,
        headers: options.headers,
        maxBytes: options.maxBytes ?? maxPageBytes,
        rejectUnauthorized: options.skipTlsVerification !== true,
        sendBefore: options.sendBefore,
        order
      }
      return limits
        .within<Answer, FetchError | ThreadEnded | SharedThreads.StuckInThis>(options.timeoutMillis, late, (resume) =>
          shared.begin(request, resume)
        )
        .pipe(
          Effect.flatMap((answer) => {
            if (answer._tag !== "Elsewhere") return ended(url, answer)
            if (elsewhere.size < maxKnown) elsewhere.add(new URL(url).origin)
            return insteadHere
          }),
          Effect.catchTag("StuckInThis", () => tooCostly(url, "the page is too costly to read: it ended its thread")),
          // The thread was ended for another page: this one is asked for again.
          Effect.catchTag("ThreadEnded", () => insteadHere)
        )
    })

  return Fetch.of({
    get: (url, options) => {
      const { order } = options
      if (order === undefined) return here.get(url, options)
      return Effect.suspend(() => {
        if (!isOurs() && !(elsewhere.size > 0 && elsewhere.has(new URL(url).origin))) return there(url, options, order)
        asking += 1
        return Effect.ensuring(here.get(url, options), done)
      })
    }
  })
})

const ended = (
  url: string,
  answer: Exclude<Answer, { readonly _tag: "Elsewhere" }>
): Effect.Effect<Fetched, FetchError> => {
  switch (answer._tag) {
    case "Fetched": {
      const { fetched, page } = answer
      if (fetched.status === 407) return Effect.fail(toFetchError(url, ProxyTunnel.asked))
      return Effect.succeed(page === undefined ? fetched : { ...fetched, page })
    }
    case "Failed": {
      const cause = errorOf(answer.cause)
      const fault = MachineFault.of(cause)
      return fault === undefined ? Effect.fail(toFetchError(url, cause)) : Effect.die(fault)
    }
    case "TooCostly":
      return tooCostly(url, answer.message)
  }
}

const tooCostly = (url: string, message: string) =>
  Effect.fail(new FetchError({ url, code: "SCRAPE_PAGE_TOO_COSTLY", message, retryable: false }))

/** The error again that a thread has met. */
const errorOf = ({ causes, code, message, name }: Cause): Error =>
  Object.assign(new AggregateError(causes.map(errorOf), message), { name, ...(code === "" ? {} : { code }) })

/** Origins that are remembered; of any other it is found out each time. */
const maxKnown = 10_000

/** Pages between two looks at how busy this thread is. */
const pagesBetween = 50

/**
 * How many pages another thread gets for each page of this one. This thread has the crawl to do as well, and while it reads a
 * page it gives the others none.
 */
const fewer = 3

/** A thread compiles all that reads pages anew, which costs about as much. */
const aloneMillis = 1000

/** How busy this thread is where it does not get done all that there is to do: less, and it mostly waits for sites. */
const busy = 0.5
