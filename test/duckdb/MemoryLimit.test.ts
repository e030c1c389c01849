import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import * as MemoryLimit from "../../src/duckdb/MemoryLimit.ts"

/** A limit on a database that writes down what it is set to. */
const limited = () => {
  const set: Array<string> = []
  const raised = MemoryLimit.make("64MB", (memory) => Effect.sync(() => void set.push(memory)))
  return { set, raised }
}

describe("the memory limit", () => {
  it.effect("is raised while statements run, and is back afterwards, also where they fail", () =>
    Effect.gen(function* () {
      const { raised, set } = limited()
      const during = yield* raised(1)(Effect.sync(() => set.length))
      yield* Effect.exit(raised(1)(Effect.fail("refused")))

      expect(during).toBe(1)
      expect(set).toEqual([set[0], "64MB", set[0], "64MB"])
      expect(set[0]).toMatch(/^\d{3,}MB$/)
    })
  )

  it.effect("is not lowered by statements within others that have more", () =>
    Effect.gen(function* () {
      const { raised, set } = limited()
      yield* raised(2)(raised(1)(Effect.void))

      expect(set).toHaveLength(2)
      expect(set[1]).toBe("64MB")
    })
  )

  it.effect("goes back step by step", () =>
    Effect.gen(function* () {
      const { raised, set } = limited()
      yield* raised(1)(raised(2)(Effect.void))

      expect(set).toEqual([set[0], set[1], set[0], "64MB"])
    })
  )
})
