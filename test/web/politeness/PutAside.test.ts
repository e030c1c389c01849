import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { FetchError } from "#web/Fetch"
import { monotonicMillis } from "#web/monotonicMillis"
import * as Patience from "#web/Patience"
import * as PutAside from "#web/politeness/PutAside"
import { Later, start } from "#web/politeness/Tries"
import { setClock } from "./setClock.ts"

const url = "http://site.test/a"
const error = new FetchError({ url, code: "SCRAPE_TIMEOUT", message: "it does not answer", retryable: true })
const polite = { get: () => Effect.fail(error) }

describe("a page that was refused", () => {
  it.effect("comes back in its time, also where the clock is set back or forward an hour meanwhile", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      for (const shift of [-3_600_000, 3_600_000]) {
        const { set, shown } = setClock(clock, shift)
        const tries = start({ patience: Patience.defaults, polite, delayMillis: 0 })
        let cameBack: number | undefined
        const waiting = Effect.gen(function* () {
          const putAside = yield* PutAside.open(() => Effect.map(monotonicMillis, (at) => void (cameBack = at)))
          const later = yield* tries.again(1, { error })
          set()
          if (!(later instanceof Later)) return undefined
          yield* putAside("page", later.at)
          return later.at
        })
        const due = yield* Effect.provideService(waiting, Clock.Clock, shown)
        yield* TestClock.adjust("10 minutes")

        expect(due).toBeDefined()
        expect(cameBack).toBeCloseTo(due ?? 0, -1)
      }
    }).pipe(Effect.scoped)
  )
})
