/** Work in a turn that an entity gives: its stream emits when the turn has come, and ends with the turn. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** If the turn does not come, because the entity moves or cannot be reached, it is requested again. */
export const inGivenTurn = <A, E, R>(turn: Stream.Stream<boolean, unknown>, work: Effect.Effect<A, E, R>) =>
  Effect.scopedWith((scope) =>
    Effect.gen(function* () {
      const given = yield* Deferred.make<void>()
      // If the turn is lost meanwhile, its work continues: then requests come too fast, but nothing is lost.
      const turnTaken = Stream.runForEach(turn, () => Deferred.succeed(given, undefined))
      const tried = Effect.andThen(Effect.ignoreCause(turnTaken), Effect.sleep(againMillis))
      yield* Effect.forkIn(Effect.repeat(tried, { until: () => Deferred.isDoneUnsafe(given) }), scope)
      yield* Deferred.await(given)
      return yield* work
    })
  )

/** The wait before a turn is requested again. */
const againMillis = 200
