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
import * as Sharding from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as FairPlaces from "#base/FairPlaces"
import * as Exchange from "#web/Exchange"
import { Fetch, type FetchError, type FetchResult, identified, notAccepted } from "#web/Fetch"
import { PoliteFetch } from "#web/PoliteFetch"
import { type Options, Politeness } from "#web/Politeness"
import * as SendLimit from "#web/SendLimit"
import { fetchOptions } from "#web/SiteRules"
import { Cluster, sendMillis } from "./Cluster.ts"
import * as HostEntity from "./HostEntity.ts"
import { inGivenTurn } from "./inGivenTurn.ts"
import * as StoredPauses from "./StoredPauses.ts"

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
  const pauses = StoredPauses.over(Context.get(turns, Politeness), cluster)
  const fetches = PoliteFetch.layer.pipe(
    Layer.provide(Layer.succeed(Politeness, Politeness.of(pauses.politeness))),
    Layer.provide(guardedFetch)
  )
  const fetching = yield* Layer.build(fetches)
  const entity = HostEntity.protocol(sealed)
  const polite = yield* storedRules(Context.get(fetching, PoliteFetch))
  yield* Layer.build(HostEntity.layer(entity, { pauses, polite, registry }))
  const hosts = yield* sharding.makeClient(entity)

  const get = (url: URL, options: Exchange.FetchRequest["options"], delayMillis: number) =>
    Effect.flatMap(identified(options), (options) => exchanged(url, options, delayMillis))

  const exchanged = (url: URL, { order, ...options }: Exchange.FetchRequest["options"], delayMillis: number) => {
    const host = hosts(Exchange.placeOf(url))
    const exchange = (options: Exchange.FetchRequest["options"]) =>
      Effect.flatMap(FairPlaces.Sharer, (sharer) =>
        host.Exchange({ request: { url: url.href, options, delayMillis, sharer, given } })
      )
    const given = { times: 0 }
    /** Whether reading the page may have ended a process: then no other process reads it, and the caller is warned. */
    const isSuspect = () => order !== undefined && given.times > 1
    const ask = (failures: number): Effect.Effect<FetchResult, FetchError> =>
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
    Effect.flatMap(FairPlaces.Sharer, (sharer) => inGivenTurn(hosts(host).Turn({ delayMillis, sharer }), exchange))

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
        Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<FetchResult, FetchError> => {
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

/**
 * The same exchanges with robots.txt in memory: it is fetched once per hour for the jobs of all processes.
 *
 * Each process also has the rules that it has read for an hour (`SiteRules`), so rules are at most two hours old.
 */
export const storedRules = Effect.fnUntraced(function* (polite: PoliteFetch["Service"]) {
  const asked = ({ headers, href }: Asked) => polite.get(new URL(href), { ...fetchOptions, headers }, 0)
  const rules = yield* Cache.makeWith(asked, {
    capacity: 2000,
    timeToLive: (exit) => (Exit.isSuccess(exit) && isKept(exit.value) ? "1 hour" : 0)
  })
  const caching: PoliteFetch["Service"] = {
    get: (url, options, delayMillis) =>
      url.pathname === "/robots.txt" &&
      options.maxBytes === fetchOptions.maxBytes &&
      isOfCrawler(options.headers) &&
      options.skipTlsVerification !== true
        ? Cache.get(rules, { href: url.href, headers: options.headers ?? {} })
        : polite.get(url, options, delayMillis)
  }
  return caching
})

interface Asked {
  readonly href: string
  readonly headers: Readonly<Record<string, string>>
}

/** Whether it says who asks, and nothing else: no cookie of a visit. */
const isOfCrawler = (headers: Asked["headers"] = {}): boolean =>
  Object.keys(headers).every((name) => name === "user-agent" || name === "from")

/** Answers of a host in trouble are not kept, nor files over 64 kB, which are rare. */
const isKept = ({ body, status }: { readonly body: Uint8Array; readonly status: number }): boolean =>
  status < 500 && status !== 429 && body.length <= 64 * 1024
