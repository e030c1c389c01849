import { describe, expect, it } from "vitest"
import { nearest, renamed } from "#service/support/correct"

describe("names that fields had", () => {
  it("are known by any way of writing them, with their values", () => {
    expect(renamed("max_depth", 3)).toEqual({ name: "maxDiscoveryDepth", value: 3 })
    expect(renamed("ignoreSitemap", false)).toEqual({ name: "sitemap", value: "include" })
    expect(renamed("pageOptions", { a: 1 })).toEqual({ name: "...", value: { a: 1 } })
    expect(renamed("extract", { prompt: "x" })).toEqual({ name: "formats", value: [{ type: "json", prompt: "x" }] })
    expect(renamed("colour", 1)).toBeUndefined()
  })

  it("are the nearest name, by a letter or two, or none", () => {
    const choices = ["includePaths", "limit", "url"]

    expect([nearest("include_paths", choices), nearest("inclodePath", choices), nearest("limitt", choices)]).toEqual([
      "includePaths",
      "includePaths",
      "limit"
    ])
    expect([nearest("x", choices), nearest("colours", choices), nearest("", choices)]).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })
})
