import { expect, it } from "vitest"
import { placesOf, ticksOf } from "#see/explore/page/chart"

it.each([
  [0, 10, [0, 2, 4, 6, 8, 10]],
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [-7, 3, [-8, -6, -4, -2, 0, 2, 4]],
  [0, 123_456, [0, 50_000, 100_000, 150_000]]
])("puts round marks around %d to %d", (least, greatest, ticks) => {
  expect(ticksOf(least, greatest)).toEqual(ticks)
})

it("puts times by how far they are apart, and other names at equal steps", () => {
  expect(placesOf(["2026-01-01", "2026-01-02T00:00:00Z", "2026-01-05"])).toEqual([0, 0.25, 1])
  expect(placesOf(["1", "2", "5"])).toEqual([0, 0.5, 1])
  expect(placesOf(["2026-01-01", "later", "none"])).toEqual([0, 0.5, 1])
  expect(placesOf(["2026-01-01"])).toEqual([0])
})

it("takes in both ends with few marks, whatever they are", () => {
  for (const [least, greatest] of [
    [0, 0],
    [5, 5],
    [0, 3e-9],
    [-1e15, 1e15],
    [99.5, 100.5]
  ] as const) {
    const ticks = ticksOf(least, greatest)
    expect(ticks[0]).toBeLessThanOrEqual(least)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest)
    expect(ticks.length).toBeLessThan(10)
  }
})
