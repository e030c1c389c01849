/** Work in a turn that an entity gives: by a stream whose element says that the turn has come, and which lasts as long as it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Where the turn does not come, because the entity moves or cannot be reached, it is asked for again. */
export const inGivenTurn = <A, E, R>(turn: Stream.Stream<boolean, unknown>, work: Effect.Effect<A, E, R>) =>
  Effect.scopedWith((scope) =>
    Effect.gen(function* () {
      const given = yield* Deferred.make<void>()
      // Where the turn is lost meanwhile, what was begun in it goes on: only the pace suffers.
      const held = Stream.runForEach(turn, () => Deferred.succeed(given, undefined))
      const tried = Effect.andThen(Effect.ignoreCause(held), Effect.sleep(againMillis))
      yield* Effect.forkIn(Effect.repeat(tried, { until: () => Deferred.isDoneUnsafe(given) }), scope)
      yield* Deferred.await(given)
      return yield* work
    })
  )

/** How soon a turn is asked for again. */
const againMillis = 200
