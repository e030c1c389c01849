import { describe, expect, it } from "vitest"
import { operations } from "#service/support/Operations"
import { requests } from "#service/support/requests"

describe("the requests that are corrected", () => {
  it("are operations of the contract, and tell what does not fit", () => {
    const paths = new Set(operations().map(({ method, path }) => `${method} ${path}`))

    expect(Object.values(requests).filter(({ method, path }) => !paths.has(`${method} ${path}`))).toEqual([])
    expect(requests.map.faults({ url: "https://a.test" })).toEqual([])
    expect(requests.map.faults({ url: "https://a.test", x: 1 })).toEqual([{ path: ["x"], message: "unknown field" }])
    expect([requests.crawl.nests, requests.scrape.nests]).toEqual([true, false])
  })
})
