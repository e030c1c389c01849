import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import * as LargeJson from "#base/LargeJson"

const megabytes = (count: number, letter = "a") => letter.repeat(count * 1_000_000)

/** How many turns another fiber has while the text is made. */
const turnsOf = Effect.fnUntraced(function* (value: object) {
  let turns = 0
  // `forever` yields after each time.
  const other = yield* Effect.forkChild(Effect.forever(Effect.sync(() => (turns += 1))), { startImmediately: true })
  const text = yield* LargeJson.text(value)
  yield* Fiber.interrupt(other)
  return { text, turns }
})

describe("JSON of a large object", () => {
  it.effect.each([
    ["small", { markdown: "# a", links: ["b"], metadata: { statusCode: 200 } }],
    ["empty", {}],
    ["of nothing that is written", { markdown: undefined, work: () => 0, html: megabytes(2).slice(0, 0) }],
    ["a long text with quotes, lines and marks", { html: `<p class="a">\n\u2028é\u0000\\`.repeat(200_000), z: null }],
    ["characters of two halves wherever it is cut", { a: `${megabytes(1, "😀")}x`, b: `x${megabytes(1, "😀")}` }],
    ["halves of characters", { a: megabytes(2, "\ud83d"), b: megabytes(2, "\ude00") }],
    ["a long list", { links: Array.from({ length: 100_001 }, (_, at) => `https://example.com/${at}`), empty: [] }],
    [
      "a list of objects and of nothing",
      { pages: Array.from({ length: 5000 }, (_, at) => (at % 2 ? { at } : undefined)) }
    ],
    [
      "members of all kinds",
      { text: megabytes(3), n: 1.5, yes: true, none: null, gone: undefined, deep: { a: [{ b: "c" }] } }
    ]
  ] as const)("is what JSON.stringify makes of one that is %s", ([, value]) =>
    Effect.gen(function* () {
      const text = yield* LargeJson.text(value)

      expect(text === JSON.stringify(value)).toBe(true)
    })
  )

  it.effect("lets others have their turns: one for each megabyte and one before it is used", () =>
    Effect.gen(function* () {
      const large = yield* turnsOf({ markdown: megabytes(20), html: megabytes(20) })
      const small = yield* turnsOf({ markdown: "a" })

      expect(large.text).toHaveLength(40_000_000 + `{"markdown":"","html":""}`.length)
      expect(large.turns).toBeGreaterThanOrEqual(38)
      expect(small.turns).toBeLessThan(3)
    })
  )

  it("is at least as long as its texts", () => {
    expect(LargeJson.leastLength({ a: "four", links: ["b", "c"], n: 12 })).toBe(6)
    expect(LargeJson.leastLength({})).toBe(0)
  })
})
