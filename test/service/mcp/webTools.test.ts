import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { describe, expect, it } from "vitest"
import { Api } from "#contract/Api"
import type { ServiceRequest } from "#service/ServiceCall"
import { webTools } from "#service/webTools"

const tools = (asked: Array<ServiceRequest> = []) =>
  webTools((one) =>
    Effect.sync(() => {
      asked.push(one)
      return { status: 200, body: { success: true, data: {} } }
    })
  )
const call = async (name: string, given: Readonly<Record<string, unknown>>) => {
  const asked: Array<ServiceRequest> = []
  const tool = tools(asked).find((one) => one.name === name)
  const outcome = tool === undefined ? undefined : await Effect.runPromise(tool.call(given, () => Effect.void))
  return { asked, outcome }
}

describe("webTools", () => {
  it("have only arguments that the contract has, beside those that it says here", () => {
    const { components } = OpenApi.fromApi(Api)
    const own = new Set(["jsonOptions", "queryOptions", "screenshotOptions", "pdfOptions", "webhookHeaders", "wait"])
    const bodies: Readonly<Record<string, string>> = {
      firecrawl_scrape: "ScrapeRequest",
      firecrawl_map: "MapRequest",
      firecrawl_search: "SearchRequest",
      firecrawl_crawl: "CrawlRequest",
      firecrawl_extract: "ExtractRequest",
      firecrawl_agent: "AgentRequest"
    }
    for (const tool of tools()) {
      const name = bodies[tool.name]
      if (name === undefined) continue
      const known = Object.keys(Object(components.schemas[name]).properties)
      const unknown = Object.keys(tool.properties).filter((one) => !own.has(one) && !known.includes(one))

      expect([tool.name, known.length > 3, unknown]).toEqual([tool.name, true, []])
    }
  })

  it("put options that stand beside formats in their places, and leave out what is empty", async () => {
    const { asked } = await call("firecrawl_scrape", {
      url: "https://a.example",
      formats: ["markdown", "json"],
      jsonOptions: { prompt: "the price" },
      includeTags: [],
      location: null
    })

    expect(asked).toEqual([
      {
        method: "POST",
        path: "/v2/scrape",
        body: { url: "https://a.example", formats: ["markdown", { type: "json", prompt: "the price" }] }
      }
    ])
  })

  it("accept no terms and call no provider by themselves", async () => {
    const { asked, outcome } = await call("firecrawl_scrape", {
      catalog: { provider: "firecrawl", capability: "terms/accept", options: { confirmed: true } }
    })

    expect(asked).toEqual([])
    expect(outcome?.isError).toBe(true)
    expect(outcome?.texts[0]).toContain("a person")
  })

  it("say what may stand in `of`", async () => {
    const { outcome } = await call("millrace_read", { of: "page", id: "1" })

    expect(outcome).toEqual({ texts: ['of must be scrape, crawl, batch, extract, agent, not "page"'], isError: true })
  })
})
