/**
 * A host as an entity of the cluster: it lives in one process at a time, which makes all requests to it.
 *
 * Guarantee: when a host moves, its new process does not know the time of the last request. So it lets the crawl delay pass
 * once before its first exchange: then any two exchanges are at least the delay apart, whichever process made them, and no
 * clocks are compared. A pause that the host asked for continues.
 */
import * as Clock from "effect/Clock"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FairPlaces from "#base/FairPlaces"
import * as Exchange from "#web/Exchange"
import { decodeAnswer, decodeRequest, encodeAnswer, encodeRequest } from "#web/exchangeBytes"
import { monotonicMillis } from "#web/monotonicMillis"
import type { PoliteFetch } from "#web/PoliteFetch"
import type { HostRegistry } from "./HostRegistry.ts"
import type { StoredPauses } from "./StoredPauses.ts"
import { type SealedBytes, sealedCodec } from "./sealedBytes.ts"

/** A request, and how many times it was sent: if a process ends, the cluster sends its requests to the next. */
interface Sent extends Exchange.FetchRequest {
  readonly given: { times: number }
}

/** The request for the next process. Only the first one gets the order to read the page: reading it may have ended that one. */
const next = ({ given, ...request }: Sent): Exchange.FetchRequest => {
  given.times += 1
  const { order: _, ...options } = request.options
  return given.times === 1 ? request : { ...request, options }
}

const encode = (sent: Sent): Uint8Array => encodeRequest(next(sent))
const decode = (bytes: Uint8Array): Sent => ({ ...decodeRequest(bytes), given: { times: 0 } })

/** The calls to a host: the same in every process of a database. */
export const protocol = (sealed: SealedBytes) =>
  Entity.make("Host", [
    Rpc.make("Exchange", {
      payload: { request: sealedCodec<Sent>(sealed, encode, decode) },
      success: sealedCodec<Exchange.ExchangeAnswer>(sealed, encodeAnswer, decodeAnswer)
    }),
    /** Emits one element when the turn has come. The turn lasts until the caller ends the stream. */
    Rpc.make("Turn", {
      payload: { delayMillis: Schema.Number, sharer: Schema.String },
      success: Schema.Boolean,
      stream: true
    }),
    Rpc.make("Pause", { payload: { millis: Schema.Number } })
  ]).annotate(ClusterSchema.ClientTracingEnabled, false)

type HostEntity = ReturnType<typeof protocol>

/** How this process makes requests to the hosts that live in it. */
interface HostRequests {
  readonly polite: PoliteFetch["Service"]
  readonly pauses: StoredPauses
  readonly registry: HostRegistry
}

export const layer = (entity: HostEntity, { pauses: { politeness, resume }, polite, registry }: HostRequests) =>
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
              const remainingMillis = arrived + delayMillis - now
              // A timer may fire early, by the time for which the event loop was busy when it was set.
              return remainingMillis <= 0
                ? Effect.void
                : Effect.andThen(Effect.sleep(remainingMillis), waited(delayMillis))
            })
      /** Waits until the pause from its last process is known, and the delay since the host came here has passed. */
      const rested = (delayMillis: number) => Effect.andThen(resumed, waited(delayMillis))
      const answer = Exchange.answer(polite)

      return entity.of({
        Exchange: ({ payload: { request } }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            registry.during(host, now, Effect.andThen(rested(request.delayMillis), answer(next(request))))
          ),
        Turn: ({ payload: { delayMillis, sharer } }) =>
          Stream.callback<boolean>((queue) =>
            Effect.andThen(
              rested(delayMillis),
              Effect.provideService(
                politeness.take(name, delayMillis, Effect.andThen(Queue.offer(queue, true), Effect.never)),
                FairPlaces.Sharer,
                sharer
              )
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
