import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import * as MemoryLimit from "#engine/DuckdbMemoryLimit"

/** A limit on a database that writes down what it is set to. */
const limited = () => {
  const set: Array<string> = []
  const limit = MemoryLimit.of("64MB", (memory) => Effect.sync(() => void set.push(memory)))
  return { set, ...limit }
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

  it.effect("grows with the columns, stays so, and falls back to that", () =>
    Effect.gen(function* () {
      const { makeRoom, raised, set } = limited()
      yield* makeRoom(64)
      yield* makeRoom(200)
      yield* makeRoom(100)
      yield* raised(2)(Effect.void)

      expect(set).toEqual(["200MB", set[1], "200MB"])
    })
  )

  it("counts the columns within others", () => {
    const text = { type: { _tag: "VARCHAR" } } as const
    const item = { name: "item", ...text, nullable: true }
    const list = { type: { _tag: "LIST", of: item } } as const
    const struct = { type: { _tag: "STRUCT", fields: [item, { name: "many", ...list, nullable: true }] } } as const

    expect(MemoryLimit.widthOf([text, list, struct])).toBe(7)
  })

  it("knows each of DuckDB's words for a lack of memory", () => {
    const told = [
      "Out of Memory Error: failed to allocate data of size 32.0 KiB (91.5 MiB/91.5 MiB used)",
      "TransactionContext Error: Failed to commit: could not allocate block of size 256.0 KiB (366.1 MiB/366.2 MiB used)",
      "failed to pin block of size 256.0 KiB"
    ]

    expect(told.every((message) => MemoryLimit.isOutOfMemory({ message }))).toBe(true)
    expect(MemoryLimit.isOutOfMemory({ message: "Constraint Error" })).toBe(false)
  })
})
