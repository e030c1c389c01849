import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { startPulse } from "#service/jobs/JobRunner"

describe("the pulse of a job", () => {
  it.effect("wakes who listens at each beat and at the end of the run, and says when that run is over", () =>
    Effect.gen(function* () {
      const pulse = startPulse()
      yield* pulse.start("job")
      const { isOfRun, next } = yield* pulse.listen("job")
      yield* pulse.beat("job")
      yield* next
      const during = isOfRun()
      yield* pulse.stop("job")
      yield* next

      expect([during, isOfRun()]).toEqual([true, false])
    })
  )

  it.effect("of a run that began after somebody listened is not the one that is listened to", () =>
    Effect.gen(function* () {
      const pulse = startPulse()
      const elsewhere = yield* pulse.listen("job")
      yield* pulse.start("job")
      const first = yield* pulse.listen("job")
      yield* pulse.stop("job")
      yield* pulse.start("job")
      const second = yield* pulse.listen("job")

      expect([elsewhere, first, second].map(({ isOfRun }) => isOfRun())).toEqual([false, false, true])
    })
  )
})
