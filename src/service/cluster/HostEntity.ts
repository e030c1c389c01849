/**
 * A host as an entity of the cluster: it lives in one process at a time, and its exchanges are done there.
 *
 * The law: a new place does not know when the place before asked the host last. So it lets the crawl delay pass once before
 * its first exchange: then no two exchanges are nearer than that, wherever they were made, and no clocks are compared. A pause
 * that the host asked for goes on.
 */
import * as Clock from "effect/Clock"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Exchange from "../../crawler/places/Exchange.ts"
import { decodeAnswer, decodeRequest, encodeAnswer, encodeRequest } from "../../crawler/places/exchangeBytes.ts"
import { monotonicMillis } from "../../crawler/politeness/monotonicMillis.ts"
import type { PoliteFetch } from "../../crawler/politeness/PoliteFetch.ts"
import type { HostRegistry } from "./HostRegistry.ts"
import type { KeptPauses } from "./keptPauses.ts"
import type { SealedBytes } from "./sealedBytes.ts"
import { sealedCodec } from "./sealedCodec.ts"

/** A request with how often it was given to a process: the cluster itself gives it to another where one ends. */
export interface Sent extends Exchange.Request {
  readonly given: { times: number }
}

/** What the next process gets: the order goes to the first alone, because that one may have ended as it read the page. */
const next = ({ given, ...request }: Sent): Exchange.Request => {
  given.times += 1
  const { order: _, ...options } = request.options
  return given.times === 1 ? request : { ...request, options }
}

const encode = (sent: Sent): Uint8Array => encodeRequest(next(sent))
const decode = (bytes: Uint8Array): Sent => ({ ...decodeRequest(bytes), given: { times: 0 } })

/** What can be asked of a host: the same in every process of a database. */
export const protocol = (sealed: SealedBytes) =>
  Entity.make("Host", [
    Rpc.make("Exchange", {
      payload: { request: sealedCodec<Sent>(sealed, encode, decode) },
      success: sealedCodec<Exchange.Answer>(sealed, encodeAnswer, decodeAnswer)
    }),
    /** Gives one element when the turn has come; it lasts until who asked goes away. */
    Rpc.make("Turn", { payload: { delayMillis: Schema.Number }, success: Schema.Boolean, stream: true }),
    Rpc.make("Pause", { payload: { millis: Schema.Number } })
  ]).annotate(ClusterSchema.ClientTracingEnabled, false)

export type HostEntity = ReturnType<typeof protocol>

/** How hosts are asked that live in this process. */
export interface Place {
  readonly polite: PoliteFetch["Service"]
  readonly pauses: KeptPauses
  readonly registry: HostRegistry
}

export const layer = (entity: HostEntity, { pauses: { politeness, resume }, polite, registry }: Place) =>
  entity.toLayer(
    Effect.gen(function* () {
      const { entityId: name } = yield* Entity.CurrentAddress
      const since = yield* Clock.currentTimeMillis
      const host = yield* Effect.acquireRelease(
        Effect.sync(() => registry.enter(name, since)),
        (entered) => Effect.sync(() => registry.leave(entered))
      )
      const arrived = yield* monotonicMillis
      // Asked by who comes first, and not while the entity is made: what waits for that would wait for the database.
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
              // A timer may be early by what the event loop had to do when it was set.
              return left <= 0 ? Effect.void : Effect.andThen(Effect.sleep(left), waited(delayMillis))
            })
      /** The host has had its pauses: the one that it asked for elsewhere is known, and the delay since it came here has passed. */
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
      // A page that trips over our own reader does not end the exchanges beside it.
      disableFatalDefects: true,
      maxIdleTime: "3 minutes"
    }
  )
