/** The leader of a shared schedule whose database falls silent, with a real Postgres behind a line that holds. */
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import * as ScheduleStore from "#engine/ScheduleStore"
import { silentAt } from "../../connectors/postgres/silentAt.ts"
import { postgres } from "../../services/postgres.ts"

describe.skipIf(postgres === undefined)("the leader of a shared schedule", () => {
  it.effect(
    "knows by its own clock that it may not lead, when its database does not answer for the time of a lease",
    () =>
      Effect.gen(function* () {
        const url = yield* postgres?.fresh ?? Effect.die("skipped")
        const { href, silent } = yield* silentAt(url, "SET until = (", false)
        const lost = yield* Deferred.make<string>()
        const ledger = ScheduleStore.layerShared(
          { url: Redacted.make(href), name: "nightly" },
          { standingBy: () => Effect.void, lost: (message) => Effect.asVoid(Deferred.succeed(lost, message)) }
        )
        // Its pool waits for the silent line, until the line is closed at the end of the test.
        yield* Effect.forkDetach(Layer.launch(ledger))
        let seconds = 0
        while (!(yield* Deferred.isDone(lost))) {
          yield* TestClock.adjust("1 second")
          seconds += 1
          yield* Effect.promise(() => new Promise((done) => setTimeout(done, 20)))
        }
        yield* silent

        expect(yield* Deferred.await(lost)).toBe(
          "the database of the schedule did not answer for 15 s, so another machine may lead now"
        )
        expect(seconds).toBeGreaterThan(15)
      })
  )
})
