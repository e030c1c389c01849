import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as keepOwn from "#service/store/keepOwn"

/** Rows that a process owns, and those that it let go. */
const rows = () => {
  const state: { own: ReadonlyArray<string>; gone: Array<string> } = { own: [], gone: [] }
  const keep = keepOwn.of({
    own: Effect.sync(() => state.own),
    release: (ids) => Effect.sync(() => void state.gone.push(...ids))
  })
  return { state, keep }
}

describe("the rows of a process", () => {
  it.effect("that were ended or taken elsewhere are said of what runs", () =>
    Effect.gen(function* () {
      const { keep, state } = rows()
      state.own = ["a"]

      expect(yield* keep(["a", "b"])).toEqual(["b"])
      expect(state.gone).toEqual([])
    })
  )

  it.effect("that do not run are released at the second check, those that began to run meanwhile are kept", () =>
    Effect.gen(function* () {
      const { keep, state } = rows()
      state.own = ["lost", "begins"]
      yield* keep([])
      const once = [...state.gone]
      yield* keep(["begins"])

      expect([once, state.gone]).toEqual([[], ["lost"]])
    })
  )

  it.effect("that are released and taken again are checked again", () =>
    Effect.gen(function* () {
      const { keep, state } = rows()
      state.own = ["a"]
      yield* keep([])
      yield* keep(["a"])
      yield* keep([])
      const once = [...state.gone]
      yield* keep([])

      expect([once, state.gone]).toEqual([[], ["a"]])
    })
  )
})
