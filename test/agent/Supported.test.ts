import { describe, expect, it } from "vitest"
import * as Supported from "../../src/agent/Supported.ts"

const page = (path: string, text: string) => ({
  url: `http://site.test${path}`,
  text,
  html: `<p>${text}</p>`,
  filled: { data: null, sources: new Map(), missing: [], engine: { name: "rules" as const }, tokens: 0 }
})

describe("the support of what a model gave", () => {
  it("is the first page that says each value, or none", () => {
    const { missing, sources } = Supported.of({ name: "Ash", price: 140, maker: "Pike", sku: null }, [
      page("/a", "Ash lamp"),
      page("/b", "Ash lamp for 140")
    ])

    expect(sources).toMatchObject({
      "/name": [{ url: "http://site.test/a", supported: true }],
      "/price": [{ url: "http://site.test/b", supported: true }],
      "/maker": [{ supported: false, kind: "model" }]
    })
    expect(missing).toEqual(["/sku"])
  })

  it("is nobody's where no page was read", () => {
    expect(Supported.of({ name: "Ash", sku: null }, [])).toEqual({
      sources: { "/name": [{ kind: "model", path: "", span: [0, 0], supported: false, url: "" }] },
      missing: ["/sku"]
    })
  })
})
