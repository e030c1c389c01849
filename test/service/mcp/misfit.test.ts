import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { McpTool } from "#service/McpTool"
import { called } from "#service/mcpLayers"
import { webTools } from "#service/webTools"

const run = (done: Array<unknown>): McpTool => ({
  name: "millrace_run",
  title: "Run",
  description: "Run.",
  properties: { file: { type: "string" }, options: { type: "object" } },
  required: [],
  isReadOnly: false,
  call: (given) => Effect.sync(() => ({ texts: [String(done.push(given))] }))
})
const call = (tool: McpTool, given: Readonly<Record<string, unknown>>) =>
  Effect.runPromise(called(tool, given, () => Effect.void))

describe("misfit", () => {
  it("is an argument that the tool does not have, and nothing is done for it", async () => {
    const done: Array<unknown> = []

    const outcome = await call(run(done), { file: "a.yaml", dryRun: true, constructor: "x" })

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

    const { isError, texts } = await call(run(done), { options: '{"a":1}' })

    expect([done, isError]).toEqual([[], true])
    expect(texts[0]).toContain("options of millrace_run must be an object")
  })

  it("is nothing that is empty, which agents fill in for what they do not use", async () => {
    const done: Array<unknown> = []

    await call(run(done), { file: "a.yaml", dryRun: null, options: "" })

    expect(done).toHaveLength(1)
  })

  it("leaves names to the service where it is given all of them", async () => {
    const asked: Array<unknown> = []
    const tools = webTools(({ body }) => Effect.sync(() => ({ status: 200, body: { success: asked.push(body) > 0 } })))
    const [map, status] = ["firecrawl_map", "firecrawl_check_crawl_status"].map((name) =>
      tools.find((one) => one.name === name)
    )
    if (map === undefined || status === undefined) throw new Error("the tools are gone")

    await call(map, { url: "https://a.example", origin: "agent" })
    const refused = await call(status, { id: "1", page: 2 })

    expect(asked).toEqual([{ url: "https://a.example", origin: "agent" }])
    expect(refused.isError).toBe(true)
  })
})
