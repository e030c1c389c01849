import { describe, expect, it } from "vitest"
import * as Limits from "#contract/Limits"
import { operations } from "#service/support/Operations"

const field = (path: string, name: string, method = "POST") =>
  operations()
    .find((one) => one.method === method && one.path === path)
    ?.fields.find((one) => one.name === name)

describe("the operations of the contract", () => {
  it("are told with their fields, types, limits and choices", () => {
    expect(field("/v2/map", "limit")?.type).toBe(`an integer from 1 to ${Limits.maxMapLimit}`)
    expect(field("/v2/crawl", "sitemap")?.type).toBe("one of include, skip, only")
    expect(field("/v2/crawl", "url")).toMatchObject({ required: true, type: "a text" })
    expect(field("/v2/crawl", "crawlEntireDomain")).toMatchObject({ required: false, type: "true or false" })
    expect(field("/v2/search/gov", "query", "GET")?.required).toBe(true)
  })

  it("leave out who sends a request", () => {
    expect(operations().length).toBeGreaterThan(25)
    expect(operations().flatMap(({ fields }) => fields.map(({ name }) => name))).not.toContain("origin")
  })
})
