/**
 * Limits the load on each host, over all jobs of this process.
 *
 * At most `perHost` exchanges with a host are in flight. If the site asks for a delay (in robots.txt), these
 * exchanges run one at a time, and the delay passes from the end of one to the start of the next: so the host never
 * sees two requests closer together, however long a connection takes or however busy the machine is. A host that says
 * "later" (429, 503 with Retry-After) is left alone until then. The process may also have a limit over all hosts. Teams
 * share the exchanges, so that none waits behind another (`FairPlaces`). Time comes from the Clock, so it can be tested;
 * setting the machine's clock changes nothing.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RcMap from "effect/RcMap"
import * as FairPlaces from "#base/FairPlaces"
import { monotonicMillis } from "./monotonicMillis.ts"

export interface Options {
  /** The maximum number of exchanges in flight with one host. */
  readonly perHost: number
  /** The maximum number of exchanges in flight over all hosts. Default: no limit. */
  readonly inFlight?: number | undefined
}

export class Politeness extends Context.Service<
  Politeness,
  {
    /** Runs one exchange with a host in its turn. */
    readonly take: <A, E, R>(
      host: string,
      delayMillis: number,
      exchange: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Sends nothing to the host for a while. */
    readonly pause: (host: string, millis: number) => Effect.Effect<void>
  }
>()("millrace/service/Politeness") {
  static readonly layer = (options: Options) => Layer.effect(Politeness, make(options))
}

interface Host {
  readonly inFlight: FairPlaces.FairPlaces
  readonly turn: FairPlaces.FairPlaces
  /** No exchange starts before this time (`monotonicMillis`). */
  pausedUntil: number
  /** No exchange that keeps a delay starts before this time. */
  nextTurn: number
}

const make = Effect.fnUntraced(function* (options: Options) {
  const room = options.inFlight === undefined ? undefined : FairPlaces.create(options.inFlight)
  const hosts = yield* RcMap.make({
    lookup: (_host: string) =>
      Effect.sync(
        (): Host => ({
          inFlight: FairPlaces.create(options.perHost),
          turn: FairPlaces.create(1),
          pausedUntil: 0,
          nextTurn: 0
        })
      ),
    idleTimeToLive: "2 minutes"
  })

  /** Waits, and checks again after the wait: the host may have said "later" meanwhile. */
  const awaitTurn = Effect.fnUntraced(function* (host: Host, delayMillis: number) {
    let now = yield* monotonicMillis
    for (let until = earliest(host, delayMillis); until > now; until = earliest(host, delayMillis)) {
      yield* Effect.sleep(until - now)
      now = yield* monotonicMillis
    }
  })

  const keepDistance = (host: Host, delayMillis: number) =>
    Effect.map(monotonicMillis, (now) => {
      host.nextTurn = Math.max(host.nextTurn, now + delayMillis)
    })

  /** An exchange in its turn. After waiting for room it checks again: the host may have said "later" meanwhile. */
  const inTurn = <A, E, R>(
    host: Host,
    delayMillis: number,
    exchange: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> => {
    const turn = awaitTurn(host, delayMillis)
    if (room === undefined) return Effect.andThen(turn, exchange)
    const unlessPaused = Effect.flatMap(monotonicMillis, (now) =>
      earliest(host, delayMillis) > now ? Effect.succeedNone : Effect.asSome(exchange)
    )
    return Effect.flatMap(
      Effect.andThen(turn, room.during(unlessPaused)),
      Option.match({ onNone: () => inTurn(host, delayMillis, exchange), onSome: Effect.succeed })
    )
  }

  const take = <A, E, R>(name: string, delayMillis: number, exchange: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* RcMap.get(hosts, name)
        if (delayMillis <= 0) {
          const polite = () => (host.pausedUntil > 0 || room !== undefined ? inTurn(host, 0, exchange) : exchange)
          return yield* host.inFlight.during(Effect.suspend(polite))
        }
        const spaced = Effect.ensuring(exchange, keepDistance(host, delayMillis))
        return yield* host.turn.during(host.inFlight.during(inTurn(host, delayMillis, spaced)))
      })
    )

  const pause = (name: string, millis: number) =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* RcMap.get(hosts, name)
        const now = yield* monotonicMillis
        host.pausedUntil = Math.max(host.pausedUntil, now + millis)
      })
    )

  return Politeness.of({ take, pause })
})

const earliest = (host: Host, delayMillis: number): number =>
  delayMillis > 0 ? Math.max(host.pausedUntil, host.nextTurn) : host.pausedUntil
