/**
 * `Fetch` with threads that share nothing: each fetches, decompresses and reads plain pages by itself
 * (`pageWorker.ts`).
 *
 * Only requests with an order are sent there, and only once this thread has been busy: a small crawl, or one that waits
 * for its site, does not pay for starting threads. With one core, behind a proxy, and for all other requests, this
 * thread makes the exchange and the caller reads the page, with the same result.
 */
import * as os from "node:os"
import { performance } from "node:perf_hooks"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SharedThreads from "#base/SharedThreads"
import type { ThreadEnded } from "#base/Threads"
import type * as AddressGuard from "./AddressGuard.ts"
import {
  Fetch,
  type FetchError,
  type FetchResult,
  type Identified,
  identified,
  maxPageBytes,
  type Options,
  timedOut,
  toFetchError,
  tooCostly
} from "./Fetch.ts"
import * as MachineFault from "./fetch/MachineFault.ts"
import * as TimeLimits from "./fetch/TimeLimits.ts"
import { monotonicMillisOf } from "./monotonicMillis.ts"
import type { Cause, PageAnswer, Request } from "./scrape/pageWorker.ts"

export interface Workers {
  /** Default: one less than there are cores; the caller keeps the last one. */
  readonly threads?: number
  /** How long this thread works alone before the first is started, in milliseconds. Default: 1000. */
  readonly afterMillis?: number
}

export const layer = (guard: AddressGuard.Options, workers: Workers = {}) =>
  Layer.effect(Fetch, make(guard, workers)).pipe(Layer.provide(Fetch.layer(guard)))

const make = Effect.fnUntraced(function* (guard: AddressGuard.Options, workers: Workers) {
  const here = yield* Fetch
  const { afterMillis = aloneMillis, threads = os.availableParallelism() - 1 } = workers
  const { lookup, proxies, ...data } = guard
  // Functions cannot be sent to a thread.
  if (threads < 1 || lookup !== undefined || proxies !== undefined) return here
  const shared = yield* SharedThreads.open<Request, PageAnswer>({
    file: "./scrape/pageWorker",
    beside: import.meta.url,
    threads,
    idleMillis: 30_000,
    stuckMillis: 60_000,
    heapMegabytes: 768,
    data
  })
  const limits = yield* TimeLimits.start
  /** Origins that threads cannot ask, because they speak only HTTP/2. */
  const elsewhere = new Set<string>()
  const load = new Load()
  let pages = 0
  /** How many pages this thread is fetching. */
  let asking = 0
  let areStarted = afterMillis === 0
  const isOurs = () => {
    if (!areStarted && pages++ % pagesBetween === 0) areStarted = load.isBusy(afterMillis)
    return !areStarted || asking * fewer < shared.waiting()
  }

  const endRequest = Effect.sync(() => {
    asking -= 1
  })

  const there = (url: string, options: Identified, order: NonNullable<Options["order"]>) =>
    Effect.clockWith((clock) => {
      const late = () => timedOut(url, options.timeoutMillis)
      const until = monotonicMillisOf(clock) + options.timeoutMillis
      /** Makes the exchange here, in the remaining time. */
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
        slowAfterMillis: options.slowAfterMillis,
        order
      }
      return limits
        .within<PageAnswer, FetchError | ThreadEnded | SharedThreads.StuckInThis>(
          options.timeoutMillis,
          late,
          (resume) => shared.begin(request, resume)
        )
        .pipe(
          Effect.flatMap((answer) => {
            if (answer._tag !== "Elsewhere") return ended(url, answer)
            if (elsewhere.size < maxKnown) elsewhere.add(new URL(url).origin)
            return insteadHere
          }),
          Effect.catchTag("StuckInThis", () => Effect.fail(tooCostly(url, endedThread))),
          // The thread was ended because of another page: this one is fetched again.
          Effect.catchTag("ThreadEnded", () => insteadHere)
        )
    })

  return Fetch.of({
    get: (url, asked) =>
      Effect.flatMap(identified(asked), (options) => {
        const { order } = options
        if (order === undefined) return here.get(url, options)
        if (!isOurs() && !(elsewhere.size > 0 && elsewhere.has(new URL(url).origin))) return there(url, options, order)
        asking += 1
        return Effect.ensuring(here.get(url, options), endRequest)
      })
  })
})

/** How much of its time this thread has worked. */
class Load {
  private readonly began = performance.eventLoopUtilization()
  private lastUtilization = this.began

  /** Whether it has been busy since the last look, and worked for this long in all. */
  isBusy(afterMillis: number): boolean {
    const before = this.lastUtilization
    this.lastUtilization = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(this.lastUtilization, before)
    return (
      utilization >= busy && performance.eventLoopUtilization(this.lastUtilization, this.began).active >= afterMillis
    )
  }
}

const ended = (
  url: string,
  answer: Exclude<PageAnswer, { readonly _tag: "Elsewhere" }>
): Effect.Effect<FetchResult, FetchError> => {
  switch (answer._tag) {
    case "Fetched": {
      const { fetched, page } = answer
      return Effect.succeed(page === undefined ? fetched : { ...fetched, page })
    }
    case "Failed": {
      const cause = errorOf(answer.cause)
      const fault = MachineFault.of(cause)
      return fault === undefined ? Effect.fail(toFetchError(url, cause)) : Effect.die(fault)
    }
    case "TooCostly":
      return Effect.fail(tooCostly(url, answer.message))
  }
}

/** Rebuilds the error of a thread. */
const errorOf = ({ causes, code, message, name }: Cause): Error =>
  Object.assign(new AggregateError(causes.map(errorOf), message), { name, ...(code === "" ? {} : { code }) })

const endedThread = "the page is too costly to read: it ended its thread"

/** The maximum number of remembered origins; for others it is found out each time. */
const maxKnown = 10_000

/** How many pages pass before this thread's load is measured again. */
const pagesBetween = 50

/**
 * How many pages another thread gets for each page of this one. This thread also runs the crawl, and while it reads a
 * page it assigns no pages.
 */
const fewer = 3

/** About what a new thread costs, because it compiles all code that reads pages. */
const aloneMillis = 1000

/** The load from which this thread cannot keep up; below, it mostly waits for sites. */
const busy = 0.5
