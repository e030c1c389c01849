import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { simulate, task } from "./simulated.ts"

describe("a week in which Berlin and New York set their clocks back", () => {
  it.effect("has exactly these runs: over downtime, overlaps and edits", () =>
    Effect.gen(function* () {
      const week = yield* simulate("2026-10-24 12:00")
      const nightly = task("nightly", "30 2 * * *", { timezone: "Europe/Berlin" })
      const york = task("york", "30 1 * * *", { timezone: "America/New_York" })
      const tasks = [nightly, york]
      yield* week.live("2026-11-02 12:00", tasks)
      expect(week.ran).toEqual([])
    })
  )
})
