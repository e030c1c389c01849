import { describe, expect, it } from "vitest"
import { fairShares } from "#service/cluster/TeamShares"

const shares = (permits: number, ...wants: ReadonlyArray<ReadonlyArray<number>>) =>
  fairShares(
    permits,
    wants.map((one) => ({ wants: one }))
  )

describe("permits of a team", () => {
  it("are what is wanted, where there is enough", () => {
    expect(shares(10, [2, 3], [1], [])).toEqual([5, 1, 0])
    expect(shares(Number.POSITIVE_INFINITY, [2, 3], [1000])).toEqual([5, 1000])
  })

  it("are shared evenly between jobs, not between processes", () => {
    expect(shares(9, [100, 100], [100])).toEqual([6, 3])
  })

  it("go to the others where a job wants less than its share", () => {
    expect(shares(10, [1, 100], [100])).toEqual([6, 4])
    expect(shares(100, [7], [2, 1000], [1000])).toEqual([7, 48, 45])
  })

  it("go one by one to those that stand first, where there is less than one for each", () => {
    expect(shares(2, [5], [5], [5])).toEqual([1, 1, 0])
    expect(shares(1, [0], [5, 5], [5])).toEqual([0, 1, 0])
    expect(shares(0, [5])).toEqual([0])
  })
})
