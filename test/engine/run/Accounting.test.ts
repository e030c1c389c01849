import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Accounting from "#engine/run/Accounting"

const counts = { seen: 6, gone: 1, failed: 0, rejected: 1 }
const plain = { dropped: 0, isHistory: false }

describe("the sum of a run", () => {
  it.effect("is of rows, where what was discovered is one row each", () =>
    Effect.gen(function* () {
      const sum = yield* Accounting.account({ discovered: 10, failed: 1, left: 1 }, counts, plain)
      const lost = yield* Effect.flip(Accounting.account({ discovered: 11, failed: 1, left: 1 }, counts, plain))

      expect(Option.getOrThrow(sum)).toEqual({
        discovered: 10,
        loaded: 7,
        gone: 0,
        rejected: 1,
        failed: 1,
        blocked: 0,
        left: 1,
        dropped: 0
      })
      expect(lost.message).toContain("some are lost, so nothing is committed")
    })
  )

  it.effect("has what is gone apart where a history makes no row of it", () =>
    Effect.gen(function* () {
      const history = { ...plain, isHistory: true }
      const sum = yield* Accounting.account({ discovered: 10, failed: 1, left: 1 }, counts, history)

      expect(Option.getOrThrow(sum)).toMatchObject({
        discovered: 10,
        loaded: 6,
        gone: 1,
        rejected: 1,
        failed: 1,
        left: 1
      })
    })
  )

  it.effect("has rows that failed among what failed, as they are in no table", () =>
    Effect.gen(function* () {
      const sum = yield* Accounting.account({ discovered: 12, failed: 1 }, { ...counts, failed: 3 }, plain)

      expect(Option.getOrThrow(sum)).toMatchObject({ discovered: 12, loaded: 7, rejected: 1, failed: 4 })
    })
  )

  it.effect("is of what was read, where it is not", () =>
    Effect.gen(function* () {
      const sum = yield* Accounting.account({ discovered: 4, read: 2, failed: 1, left: 1 }, counts, plain)
      const lost = yield* Effect.flip(Accounting.account({ discovered: 4, read: 2, failed: 1 }, counts, plain))
      const gone = yield* Accounting.account({ discovered: 4, read: 2, failed: 1, gone: 1 }, counts, plain)

      expect(Option.getOrThrow(sum)).toMatchObject({ discovered: 4, read: 2, failed: 1, left: 1 })
      expect(Option.getOrThrow(gone)).toMatchObject({ discovered: 4, read: 2, failed: 1, gone: 1 })
      expect(lost.message).toContain("the source discovered 4, but 2 were read, 1 failed")
    })
  )
})

describe("what a destination counts", () => {
  const receipt = (received: number, written: number, unchanged = 0, superseded = 0) => ({
    location: "",
    rows: {},
    tables: { pages: { received, written, unchanged, superseded, kept: 0 } }
  })

  it("is what it was handed, whatever it did with it", () => {
    expect(Accounting.miscount("db", { pages: 3 }, receipt(3, 3))).toBeUndefined()
    expect(Accounting.miscount("db", { pages: 3 }, receipt(3, 1, 1, 1))).toBeUndefined()
    expect(Accounting.miscount("db", { pages: 3 }, { location: "", rows: { pages: 3 }, tables: {} })).toBeUndefined()
  })

  it("names sink, table and both numbers where it is not", () => {
    expect(Accounting.miscount("db", { pages: 1648 }, receipt(42, 42))).toBe(
      "sink db: table pages: 1648 rows were handed over, and the destination received 42"
    )
    expect(Accounting.miscount("db", { pages: 9 }, receipt(9, 2, 3))).toBe(
      "sink db: table pages: 9 rows were received, and the destination counts 2 written, 3 unchanged and 0 superseded"
    )
  })
})
