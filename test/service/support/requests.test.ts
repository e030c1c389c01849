import { describe, expect, it } from "vitest"
import { operations } from "../../../src/service/support/Operations.ts"
import { requests } from "../../../src/service/support/requests.ts"

describe("the requests that are corrected", () => {
  it("are operations of the contract, and tell what does not fit", () => {
    const paths = new Set(operations().map(({ method, path }) => `${method} ${path}`))

    expect(Object.values(requests).filter(({ method, path }) => !paths.has(`${method} ${path}`))).toEqual([])
    expect(requests.map.faults({ url: "https://a.test" })).toEqual([])
    expect(requests.map.faults({ url: "https://a.test", x: 1 })).toEqual([{ path: ["x"], message: "unknown field" }])
    expect([requests.crawl.nests, requests.scrape.nests]).toEqual([true, false])
  })
})
