/**
 * `PoliteFetch` and `Politeness` over all processes of a database: the process in which a host lives makes its requests.
 *
 * Guarantee: an exchange is never lost. If the process of a host ends, freezes or gives the host away, the exchange is
 * repeated at the next process; so a page in flight may be fetched twice.
 */
import * as Cache from "effect/Cache"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Sharding from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import * as Rpc from "effect/rpc/Rpc"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Exchange from "#web/Exchange"
import { decodeAnswer, decodeRequest, encodeAnswer, encodeRequest } from "#web/exchangeBytes"
import { Fetch, type FetchError, type Fetched, notAccepted } from "#web/Fetch"
import { monotonicMillis } from "#web/monotonicMillis"
import { PoliteFetch } from "#web/PoliteFetch"
import { type Options, Politeness } from "#web/Politeness"
import * as SendLimit from "#web/SendLimit"
import { fetchOptions } from "#web/SiteRules"
import type { StoreError } from "#web/StoreError"
import { Cluster, sendMillis } from "./Cluster.ts"
import type { HostRegistry } from "./HostRegistry.ts"
import { inGivenTurn } from "./inGivenTurn.ts"
import { type SealedBytes, sealedCodec } from "./sealedBytes.ts"

const askedAgain = Metric.counter("millrace_cluster_asked_again", {
  description: "exchanges that were repeated because the process of their host ended, or gave the host away",
  incremental: true
})

/** Needs `Fetch` for the hosts that live in this process. */
export const layer = (options: Options) => Layer.effectContext(make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const cluster = yield* Cluster
  const { registry, sealed } = cluster
  const sharding = yield* Sharding.Sharding
  const turns = yield* Layer.build(Politeness.layer(options))
  const pauses = storedPauses(Context.get(turns, Politeness), cluster)
  const fetches = PoliteFetch.layer.pipe(
    Layer.provide(Layer.succeed(Politeness, Politeness.of(pauses.politeness))),
    Layer.provide(guardedFetch)
  )
  const fetching = yield* Layer.build(fetches)
  const entity = protocol(sealed)
  const polite = yield* storedRules(Context.get(fetching, PoliteFetch))
  yield* Layer.build(layerEntity(entity, { pauses, polite, registry }))
  const hosts = yield* sharding.makeClient(entity)

  const get = (url: URL, { order, ...options }: Exchange.Request["options"], delayMillis: number) => {
    const host = hosts(Exchange.placeOf(url))
    const exchange = (options: Exchange.Request["options"]) =>
      host.Exchange({ request: { url: url.href, options, delayMillis, given } })
    const given = { times: 0 }
    /** Whether reading the page may have ended a process: then no other process reads it, and the caller is warned. */
    const isSuspect = () => order !== undefined && given.times > 1
    const ask = (failures: number): Effect.Effect<Fetched, FetchError> =>
      Effect.matchCauseEffect(exchange(order === undefined ? options : { ...options, order }), {
        onSuccess: (answer) => {
          const outcome = Exchange.outcome(answer)
          if (outcome === undefined) {
            // A process that answers has not ended.
            given.times = 0
            return again(0)
          }
          return isSuspect() ? Effect.map(outcome, (fetched) => ({ ...fetched, isSuspect: true })) : outcome
        },
        onFailure: (cause) =>
          Cause.hasDies(cause) && failures >= mostFailures ? Effect.die(Cause.squash(cause)) : again(failures + 1)
      })
    const again = (failures: number) =>
      Effect.andThen(
        Metric.update(askedAgain, 1),
        Effect.delay(
          Effect.suspend(() => ask(failures)),
          againMillis
        )
      )
    return ask(0)
  }

  const take: Politeness["Service"]["take"] = (host, delayMillis, exchange) =>
    inGivenTurn(hosts(host).Turn({ delayMillis }), exchange)

  const pause = (host: string, millis: number) => Effect.ignoreCause(hosts(host).Pause({ millis }))

  return yield* Layer.build(
    Layer.mergeAll(
      Layer.succeed(PoliteFetch, PoliteFetch.of({ get })),
      Layer.succeed(Politeness, Politeness.of({ take, pause }))
    )
  )
})

/**
 * Sends nothing while this process may have lost its hosts without knowing. A request that was allowed before a standstill
 * and could not be sent in time is repeated too.
 */
const guardedFetch = Layer.effect(
  Fetch,
  Effect.gen(function* () {
    const fetch = yield* Fetch
    const { registry, standstill } = yield* Cluster
    return Fetch.of({
      get: (url, options) =>
        Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<Fetched, FetchError> => {
          if (standstill.isRecent()) return Effect.fail(Exchange.moved(url))
          const host = Exchange.placeOf(new URL(url))
          registry.requestBegan(host, now)
          const answered = Effect.map(Clock.currentTimeMillis, (end) => registry.requestEnded(host, end))
          const sent = fetch.get(url, { ...options, sendBefore: SendLimit.uptimeMillis() + sendMillis })
          return Effect.ensuring(sent, answered).pipe(
            Effect.mapError((error) => {
              if (error.code !== SendLimit.notSentCode) return error
              return standstill.isRecent() ? Exchange.moved(url) : notAccepted(url)
            })
          )
        })
    })
  })
)

/** The wait before an exchange is repeated. */
const againMillis = 200

/** So many defects in a row are a bug of ours, and are passed to the caller. */
const mostFailures = 50

/** A request, and how many times it was sent: if a process ends, the cluster sends its requests to the next. */
interface Sent extends Exchange.Request {
  readonly given: { times: number }
}

/** The request for the next process. Only the first one gets the order to read the page: reading it may have ended that one. */
const next = ({ given, ...request }: Sent): Exchange.Request => {
  given.times += 1
  const { order: _, ...options } = request.options
  return given.times === 1 ? request : { ...request, options }
}

const encode = (sent: Sent): Uint8Array => encodeRequest(next(sent))
const decode = (bytes: Uint8Array): Sent => ({ ...decodeRequest(bytes), given: { times: 0 } })

/**
 * A host as an entity of the cluster: it lives in one process at a time, which makes all requests to it.
 *
 * Guarantee: when a host moves, its new process does not know the time of the last request. So it lets the crawl delay pass
 * once before its first exchange: then any two exchanges are at least the delay apart, whichever process made them, and no
 * clocks are compared. A pause that the host asked for continues.
 *
 * The calls to a host: the same in every process of a database.
 */
export const protocol = (sealed: SealedBytes) =>
  Entity.make("Host", [
    Rpc.make("Exchange", {
      payload: { request: sealedCodec<Sent>(sealed, encode, decode) },
      success: sealedCodec<Exchange.ExchangeAnswer>(sealed, encodeAnswer, decodeAnswer)
    }),
    /** Emits one element when the turn has come. The turn lasts until the caller ends the stream. */
    Rpc.make("Turn", { payload: { delayMillis: Schema.Number }, success: Schema.Boolean, stream: true }),
    Rpc.make("Pause", { payload: { millis: Schema.Number } })
  ]).annotate(ClusterSchema.ClientTracingEnabled, false)

type HostEntity = ReturnType<typeof protocol>

/** How this process makes requests to the hosts that live in it. */
interface HostRequests {
  readonly polite: PoliteFetch["Service"]
  readonly pauses: StoredPauses
  readonly registry: HostRegistry
}

export const layerEntity = (entity: HostEntity, { pauses: { politeness, resume }, polite, registry }: HostRequests) =>
  entity.toLayer(
    Effect.gen(function* () {
      const { entityId: name } = yield* Entity.CurrentAddress
      const since = yield* Clock.currentTimeMillis
      const host = yield* Effect.acquireRelease(
        Effect.sync(() => registry.enter(name, since)),
        (entered) => Effect.sync(() => registry.leave(entered))
      )
      const arrived = yield* monotonicMillis
      // The first caller resumes the pause. If building the entity did, all who wait for the entity would wait for the database.
      let isResumed = false
      const resumed = Effect.suspend(() =>
        isResumed
          ? Effect.void
          : Effect.andThen(
              Effect.orDie(resume(name)),
              Effect.sync(() => {
                isResumed = true
              })
            )
      )
      const waited = (delayMillis: number): Effect.Effect<void> =>
        delayMillis <= 0
          ? Effect.void
          : Effect.flatMap(monotonicMillis, (now) => {
              const left = arrived + delayMillis - now
              // A timer may fire early, by the time for which the event loop was busy when it was set.
              return left <= 0 ? Effect.void : Effect.andThen(Effect.sleep(left), waited(delayMillis))
            })
      /** Waits until the pause from its last process is known, and the delay since the host came here has passed. */
      const rested = (delayMillis: number) => Effect.andThen(resumed, waited(delayMillis))
      const answer = Exchange.answer(polite)

      return entity.of({
        Exchange: ({ payload: { request } }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            registry.during(host, now, Effect.andThen(rested(request.delayMillis), answer(next(request))))
          ),
        Turn: ({ payload: { delayMillis } }) =>
          Stream.callback<boolean>((queue) =>
            Effect.andThen(
              rested(delayMillis),
              politeness.take(name, delayMillis, Effect.andThen(Queue.offer(queue, true), Effect.never))
            )
          ),
        Pause: ({ payload: { millis } }) => politeness.pause(name, millis)
      })
    }),
    {
      concurrency: "unbounded",
      mailboxCapacity: "unbounded",
      // A defect of our own reader ends the exchange of its page, not those beside it.
      disableFatalDefects: true,
      maxIdleTime: "3 minutes"
    }
  )

/**
 * Pauses that hosts asked for, kept in the database: a host that moves to another process is left alone there too.
 *
 * Only the rest of a pause is read, by the clock of the database. The names of hosts are hidden, because nothing of a page
 * with zero data retention may be kept.
 */
interface StoredPauses {
  /** The turns of this process. Pauses are stored in the database too. */
  readonly politeness: Politeness["Service"]
  /** Continues the pause of a host that has moved to this process. Waits while the database cannot be reached. */
  readonly resume: (host: string) => Effect.Effect<void, StoreError>
}

const storedPauses = (
  politeness: Politeness["Service"],
  { sealed, store }: Pick<Cluster["Service"], "sealed" | "store">
): StoredPauses => ({
  politeness: {
    take: politeness.take,
    // If the database cannot be reached, the pause holds in this process only.
    pause: (host, millis) =>
      Effect.andThen(politeness.pause(host, millis), Effect.ignoreCause(store.pause(sealed.hide(host), millis)))
  },
  resume: (host) =>
    Effect.flatMap(Effect.retry(store.pausedMillis(sealed.hide(host)), again), (millis) =>
      millis > 0 ? politeness.pause(host, millis) : Effect.void
    )
})

const again = { while: ({ isRetryable }: StoreError) => isRetryable, schedule: Schedule.spaced("200 millis") }

/**
 * robots.txt of the hosts that live in this process, fetched once per hour for the jobs of all processes.
 *
 * Each process also keeps the rules that it has read for an hour (`SiteRules`), so rules are at most two hours old.
 *
 * The same exchanges, but answers with robots.txt are kept.
 */
export const storedRules = Effect.fnUntraced(function* (polite: PoliteFetch["Service"]) {
  const rules = yield* Cache.makeWith((href: string) => polite.get(new URL(href), fetchOptions, 0), {
    capacity: 2000,
    timeToLive: (exit) => (Exit.isSuccess(exit) && isKept(exit.value) ? "1 hour" : 0)
  })
  const caching: PoliteFetch["Service"] = {
    get: (url, options, delayMillis) =>
      url.pathname === "/robots.txt" &&
      options.maxBytes === fetchOptions.maxBytes &&
      options.headers === undefined &&
      options.skipTlsVerification !== true
        ? Cache.get(rules, url.href)
        : polite.get(url, options, delayMillis)
  }
  return caching
})

/** Answers of a host in trouble are not kept, nor files over 64 kB, which are rare. */
const isKept = ({ body, status }: { readonly body: Uint8Array; readonly status: number }): boolean =>
  status < 500 && status !== 429 && body.length <= 64 * 1024
