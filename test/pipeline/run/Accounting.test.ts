import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Accounting from "../../../src/pipeline/run/Accounting.ts"

const rows = { loaded: 7, rejected: 1, dropped: 0 }

describe("the sum of a run", () => {
  it.effect("is of rows, where what was discovered is one row each", () =>
    Effect.gen(function* () {
      const sum = yield* Accounting.account({ discovered: 10, failed: 1, left: 1 }, rows)
      const lost = yield* Effect.flip(Accounting.account({ discovered: 11, failed: 1, left: 1 }, rows))

      expect(Option.getOrThrow(sum)).toEqual({ ...rows, discovered: 10, failed: 1, blocked: 0, left: 1 })
      expect(lost.message).toContain("some are lost, so nothing is committed")
    })
  )

  it.effect("is of what was read, where it is not", () =>
    Effect.gen(function* () {
      const sum = yield* Accounting.account({ discovered: 4, read: 2, failed: 1, left: 1 }, rows)
      const lost = yield* Effect.flip(Accounting.account({ discovered: 4, read: 2, failed: 1 }, rows))

      expect(Option.getOrThrow(sum)).toEqual({ ...rows, discovered: 4, read: 2, failed: 1, blocked: 0, left: 1 })
      expect(lost.message).toContain("the source discovered 4, but 2 were read, 1 failed")
    })
  )
})
