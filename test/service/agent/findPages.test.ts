import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { file, scriptedSite } from "../scriptedSite.ts"
import { lampSchema, origin, shop } from "./shop.ts"

const closed = { "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /") }
const ash = `${origin}/lamps/ash`

/** What a run without URLs ends with, where a web search finds these addresses. */
const found = Effect.fnUntraced(function* (body: object, addresses: ReadonlyArray<string>, routes = {}) {
  const results = addresses.map((url) => ({ url, title: "Lamp" }))
  const web = yield* scriptedSite({ "/search": file("application/json", JSON.stringify({ results })) })
  const there = yield* shop({ webSearch: new URL(`http://127.0.0.1:${web.port}`) }, routes)
  const run = yield* there.ended(`/v2/agent/${yield* there.start({ schema: lampSchema, ...body })}`)
  return { run, requests: there.requests, searches: web.requests.length }
})

describe("the pages that a run begins with", () => {
  it.live("are those that were given, and no search is made", () =>
    Effect.gen(function* () {
      const { run, searches } = yield* found({ prompt: "the lamp", urls: [ash] }, [`${origin}/lamps/oak`])

      expect([run.data.name, searches]).toEqual(["Ash lamp", 0])
    })
  )

  it.live("are those that a search finds where none are given, robots.txt permitting", () =>
    Effect.gen(function* () {
      const open = yield* found({ prompt: "the lamp" }, [ash])
      const shut = yield* found({ prompt: "the lamp" }, [ash], closed)

      expect(open.run).toMatchObject({ status: "completed", data: { name: "Ash lamp" } })
      expect(shut.run.error).toContain("robots.txt")
      expect(shut.requests).toEqual(["/robots.txt"])
    })
  )

  it.live("are those that the words name, read as given", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* found({ prompt: `the lamp at <${ash}>, please` }, [], closed)

      expect(run).toMatchObject({ status: "completed", data: { name: "Ash lamp", price: 140 } })
      expect(requests).toContain("/lamps/ash")
    })
  )

  it.live("are none of this machine, whatever the web search says", () =>
    Effect.gen(function* () {
      const { run } = yield* found({ prompt: "the lamp" }, ["http://169.254.169.254/latest", "http://localhost:1/"])

      expect(run).toMatchObject({ status: "failed", creditsUsed: 0 })
    })
  )

  it.live("are none where the run is constrained to URLs and has none", () =>
    Effect.gen(function* () {
      const { run, searches } = yield* found({ prompt: "the lamp", strictConstrainToURLs: true }, [ash])

      expect([run.status, searches]).toEqual(["failed", 0])
      expect(run.error).toContain("no page was found for the prompt")
    })
  )
})
