import { describe, expect, it } from "vitest"
import * as JobPlan from "#connectors/webdata/jobs/JobPlan"

const urls = (count: number) => Array.from({ length: count }, (_, at) => `http://shop.test/${at}`)

describe("a plan of jobs", () => {
  it("spreads URLs evenly over as few jobs as it can, in their order", () => {
    const sizes = (count: number) => JobPlan.split(urls(count), 4).map(({ length }) => length)

    expect([1, 4, 5, 9, 11, 12].map(sizes)).toEqual([[1], [4], [3, 2], [3, 3, 3], [4, 4, 3], [4, 4, 4]])
    expect(JobPlan.split(urls(1000), 7).flat()).toEqual(urls(1000))
  })

  it("gives each wildcard a job of its own, and asks once where there is no URL", () => {
    expect(JobPlan.split(["a.test/*", "http://b.test/", " http://c.test/* "], 4)).toEqual([
      ["http://b.test/"],
      ["a.test/*"],
      [" http://c.test/* "]
    ])
    expect(JobPlan.split(undefined, 4)).toEqual([[]])
    expect(JobPlan.split([], 4)).toEqual([[]])
  })
})
