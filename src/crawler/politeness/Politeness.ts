/**
 * How hard we press on one host, over all jobs of this process.
 *
 * At most `perHost` exchanges with a host are in flight; if there is a delay (from robots.txt or from the crawl),
 * exchanges start at least that far apart and one at a time; a host that says "later" (429, 503 with Retry-After) is
 * left alone until then. Time comes from the Clock, so all of it is testable.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import * as Semaphore from "effect/Semaphore"

export class Politeness extends Context.Service<
  Politeness,
  {
    /** Runs one exchange with a host in its turn. */
    readonly take: <A, E, R>(
      host: string,
      delayMillis: number,
      exchange: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Leaves a host alone for a while. */
    readonly pause: (host: string, millis: number) => Effect.Effect<void>
  }
>()("millrace/service/Politeness") {
  static readonly layer = (options: { readonly perHost: number }) => Layer.effect(Politeness, make(options))
}

interface Host {
  readonly inFlight: Semaphore.Semaphore
  readonly turn: Semaphore.Semaphore
  /** Milliseconds since the epoch before which no exchange starts. */
  pausedUntil: number
  /** Before which none of those that keep a distance starts. */
  nextTurn: number
}

const make = Effect.fnUntraced(function* (options: { readonly perHost: number }) {
  const hosts = yield* RcMap.make({
    lookup: (_host: string) =>
      Effect.sync(
        (): Host => ({
          inFlight: Semaphore.makeUnsafe(options.perHost),
          turn: Semaphore.makeUnsafe(1),
          pausedUntil: 0,
          nextTurn: 0
        })
      ),
    idleTimeToLive: "2 minutes"
  })

  /** Waits, and looks again after the wait: the host may have said "later" meanwhile. */
  const awaitTurn = Effect.fnUntraced(function* (host: Host, delayMillis: number) {
    let now = yield* Clock.currentTimeMillis
    for (let until = earliest(host, delayMillis); until > now; until = earliest(host, delayMillis)) {
      yield* Effect.sleep(until - now)
      now = yield* Clock.currentTimeMillis
    }
    if (delayMillis > 0) host.nextTurn = now + delayMillis
  })

  const take = <A, E, R>(name: string, delayMillis: number, exchange: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* RcMap.get(hosts, name)
        const polite = host.inFlight.withPermits(1)(
          Effect.suspend(() =>
            earliest(host, delayMillis) > 0 || delayMillis > 0
              ? Effect.andThen(awaitTurn(host, delayMillis), exchange)
              : exchange
          )
        )
        return yield* delayMillis > 0 ? host.turn.withPermits(1)(polite) : polite
      })
    )

  const pause = (name: string, millis: number) =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* RcMap.get(hosts, name)
        const now = yield* Clock.currentTimeMillis
        host.pausedUntil = Math.max(host.pausedUntil, now + millis)
      })
    )

  return Politeness.of({ take, pause })
})

const earliest = (host: Host, delayMillis: number): number =>
  delayMillis > 0 ? Math.max(host.pausedUntil, host.nextTurn) : host.pausedUntil
