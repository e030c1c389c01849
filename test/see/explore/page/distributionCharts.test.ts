import { describe, expect, it } from "vitest"
import { binsOf } from "#see/explore/page/distributionCharts"

describe("the bins of a histogram", () => {
  it("are equal parts between round numbers, and have each value once", () => {
    const values = Array.from({ length: 1000 }, (_, at) => at % 100)
    const bins = binsOf(values)

    expect(bins[0]).toEqual({ from: 0, to: 4, count: 40 })
    expect(bins.at(-1)).toEqual({ from: 96, to: 100, count: 40 })
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
  })

  it("have the greatest value in the last, and take any numbers", () => {
    for (const values of [
      [0, 10],
      [5],
      [-3.5, 0, 1e12],
      [1e-9, 2e-9],
      Array.from({ length: 300_000 }, (_, at) => at)
    ]) {
      const bins = binsOf(values)
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      expect(bins.length).toBeLessThan(50)
    }
    expect(binsOf([0, 10]).at(-1)).toEqual({ from: 9.6, to: 10, count: 1 })
  })
})
