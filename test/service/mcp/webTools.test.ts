import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { describe, expect, it } from "vitest"
import { Api } from "#contract/Api"
import { answerText, type McpTool } from "#service/McpTool"
import { called } from "#service/mcpLayers"
import type { ServiceCall } from "#service/ServiceCall"
import { webTools } from "#service/webTools"

const tools = (asked: Array<Parameters<ServiceCall>[0]> = []) =>
  webTools((one) =>
    Effect.sync(() => {
      asked.push(one)
      return { status: 200, body: { success: true, data: {} } }
    })
  )
const call = async (name: string, given: Readonly<Record<string, unknown>>) => {
  const asked: Array<Parameters<ServiceCall>[0]> = []
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

/** The characters of one answer. */
const maxLength = 60_000

describe("answerText", () => {
  it("gives a short answer as it is", () => {
    expect(answerText("short", 0, undefined, "ask for less")).toEqual({ texts: ["short"] })
  })

  it("cuts a long answer and says how to read on, until its last part", () => {
    const text = "a".repeat(maxLength + 10)
    const first = answerText(text, 0, { of: "scrape", id: "1" }, "A selector gives less.")
    const last = answerText(text, maxLength, { of: "scrape", id: "1" }, "A selector gives less.")

    expect(first.texts[0]).toHaveLength(maxLength)
    expect(first.texts[1]).toBe(
      `This is a part of the answer: characters 0 to 60000 of 60010. For the rest, call millrace_read with {"of":"scrape","id":"1","offset":60000}. A selector gives less.`
    )
    expect(last).toEqual({
      texts: ["a".repeat(10), "This is a part of the answer: characters 60000 to 60010 of 60010. It is the last part."]
    })
  })

  it("does not cut a character in two", () => {
    const text = `${"a".repeat(maxLength - 1)}😀b`

    expect(answerText(text, 0, undefined, "").texts[0]).toHaveLength(maxLength - 1)
  })
})

const run = (done: Array<unknown>): McpTool => ({
  name: "millrace_run",
  title: "Run",
  description: "Run.",
  properties: { file: { type: "string" }, options: { type: "object" } },
  required: [],
  isReadOnly: false,
  call: (given) => Effect.sync(() => ({ texts: [String(done.push(given))] }))
})
const misfitCall = (tool: McpTool, given: Readonly<Record<string, unknown>>) =>
  Effect.runPromise(called(tool, given, () => Effect.void))

describe("misfit", () => {
  it("is an argument that the tool does not have, and nothing is done for it", async () => {
    const done: Array<unknown> = []

    const outcome = await misfitCall(run(done), { file: "a.yaml", dryRun: true, constructor: "x" })

    expect(done).toEqual([])
    expect(outcome).toEqual({
      texts: [
        'millrace_run does not know "dryRun", "constructor", and nothing was done. What to do: call it with no other arguments than file, options.'
      ],
      isError: true
    })
  })

  it("is an object that is written as text", async () => {
    const done: Array<unknown> = []

    const { isError, texts } = await misfitCall(run(done), { options: '{"a":1}' })

    expect([done, isError]).toEqual([[], true])
    expect(texts[0]).toContain("options of millrace_run must be an object")
  })

  it("is nothing that is empty, which agents fill in for what they do not use", async () => {
    const done: Array<unknown> = []

    await misfitCall(run(done), { file: "a.yaml", dryRun: null, options: "" })

    expect(done).toHaveLength(1)
  })

  it("leaves names to the service where it is given all of them", async () => {
    const asked: Array<unknown> = []
    const tools = webTools(({ body }) => Effect.sync(() => ({ status: 200, body: { success: asked.push(body) > 0 } })))
    const [map, status] = ["firecrawl_map", "firecrawl_check_crawl_status"].map((name) =>
      tools.find((one) => one.name === name)
    )
    if (map === undefined || status === undefined) throw new Error("the tools are gone")

    await misfitCall(map, { url: "https://a.example", origin: "agent" })
    const refused = await misfitCall(status, { id: "1", page: 2 })

    expect(asked).toEqual([{ url: "https://a.example", origin: "agent" }])
    expect(refused.isError).toBe(true)
  })
})
