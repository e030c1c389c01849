/**
 * How hard we press on one host, over all jobs of this process.
 *
 * The law: at most `perHost` exchanges with a host are in flight; where a delay is asked (by robots.txt or by the
 * crawl), exchanges start at least that far apart and one at a time; a host that says "later" (429, 503 with
 * Retry-After) is left alone until then. Time is the Clock's, so all of it is testable.
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
  notBefore: number
}

const make = Effect.fnUntraced(function* (options: { readonly perHost: number }) {
  const hosts = yield* RcMap.make({
    lookup: (_host: string) =>
      Effect.sync(
        (): Host => ({ inFlight: Semaphore.makeUnsafe(options.perHost), turn: Semaphore.makeUnsafe(1), notBefore: 0 })
      ),
    idleTimeToLive: "2 minutes"
  })

  const await_ = Effect.fnUntraced(function* (host: Host, delayMillis: number) {
    const now = yield* Clock.currentTimeMillis
    if (host.notBefore > now) yield* Effect.sleep(host.notBefore - now)
    if (delayMillis > 0) host.notBefore = Math.max(now, host.notBefore) + delayMillis
  })

  const take = <A, E, R>(name: string, delayMillis: number, exchange: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* RcMap.get(hosts, name)
        const polite = Effect.andThen(await_(host, delayMillis), exchange)
        return yield* delayMillis > 0
          ? host.turn.withPermits(1)(polite)
          : host.inFlight.withPermits(1)(host.notBefore > 0 ? polite : exchange)
      })
    )

  const pause = (name: string, millis: number) =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* RcMap.get(hosts, name)
        const now = yield* Clock.currentTimeMillis
        host.notBefore = Math.max(host.notBefore, now + millis)
      })
    )

  return Politeness.of({ take, pause })
})
