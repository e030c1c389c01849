import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { behindPort } from "../../databases.ts"
import { page, redirect, scriptedSite } from "../../scriptedSite.ts"
import { hosts } from "../../served.ts"

behindPort("the support", (database) => {
  const service = Effect.gen(function* () {
    const site = yield* scriptedSite({
      "/": page("home", "/slow", "/loop"),
      "/slow": () => {},
      "/loop": redirect("/loop")
    })
    const keys = ["a", "b"].map((name) => ({ key: Redacted.make(name), teamId: name }))
    const served = yield* database.served({ resolve: hosts(site.port), keys })
    const headers = (key: string) => ({ authorization: `Bearer ${key}` })
    const ask = (body: object, key = "a") => served.ask("POST", "/v2/support/ask", { headers: headers(key), body })
    const crawl = Effect.gen(function* () {
      const body = { url: "http://site.test/", scrapeOptions: { timeout: 1000 } }
      const { id } = (yield* served.ask("POST", "/v2/crawl", { headers: headers("a"), body })).body
      const status = served.ask("GET", `/v2/crawl/${id}?skip=1`, { headers: headers("a") })
      while ((yield* status).body.status === "scraping");
      return String(id)
    })
    return { ask, crawl, url: served.url }
  })

  it.live("answers with its sources, and the corrected call", () =>
    Effect.gen(function* () {
      const { ask, url } = yield* service
      const { body, status } = yield* ask({
        question: `why? POST /v2/crawl {"url": "https://a.test", "maxDepth": 2}`,
        origin: "cli",
        integration: null,
        jobId: null
      })

      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: true,
        answer: expect.stringContaining("maxDepth is called maxDiscoveryDepth"),
        corrections: [
          { method: "POST", path: "/v2/crawl", parameters: { url: "https://a.test", maxDiscoveryDepth: 2 } }
        ],
        fixParameters: { url: "https://a.test", maxDiscoveryDepth: 2 }
      })
      expect(body.sources[0]).toEqual({
        title: "POST /v2/crawl",
        url: `${url}/openapi.json#/paths/~1v2~1crawl/post`
      })
      expect((yield* ask({ question: "who won the world cup?" })).body).toEqual({
        success: true,
        answer: expect.stringContaining("has no answer to that"),
        sources: []
      })
    })
  )

  it.live("tells the team of its job: how it ended, what failed, and what would help", () =>
    Effect.gen(function* () {
      const { ask, crawl } = yield* service
      const jobId = yield* crawl
      const { body } = yield* ask({ question: "why did this run fail?", jobId })
      const theirs = yield* ask({ question: "why did this run fail?", jobId }, "b")

      expect(body.answer).toContain(`The crawl ${jobId} is completed.`)
      expect(body.answer).toContain("1 pages, 2 failures")
      expect(body.answer).toContain("SCRAPE_TIMEOUT")
      expect(body.fixParameters).toMatchObject({ url: "http://site.test/", scrapeOptions: { timeout: 2000 } })
      expect(theirs.body.answer).toContain(`Your team has no job ${jobId}`)
      expect(theirs.body.corrections).toBeUndefined()
    })
  )

  it.live("is told what is wrong with a question, and asks for a key", () =>
    Effect.gen(function* () {
      const { ask } = yield* service
      const wrong = [{}, { question: " " }, { question: "x".repeat(10_001) }, { question: "x", deep: 1 }]
      const answers = yield* Effect.forEach(wrong, (body) => ask(body))

      expect(answers.map(({ body, status }) => [status, body.details[0].path[0]])).toEqual(
        ["question", "question", "question", "deep"].map((field) => [400, field])
      )
      expect((yield* ask({ question: "x" }, "z")).status).toBe(401)
    })
  )
})
