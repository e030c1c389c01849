import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { type Answer, page, scriptedSite } from "../../service/scriptedSite.ts"
import { hosts, served } from "../../service/served.ts"

/** Refuses so often, then gives the page. */
const reluctant = (title: string, refusals: number, refuse: Answer): Answer => {
  let left = refusals
  return (request, response) => {
    if (left-- > 0 && typeof refuse === "function") return refuse(request, response)
    response.writeHead(200, { "content-type": "text/html" })
    response.end(page(title))
  }
}
const busy: Answer = (_request, response) => void response.writeHead(503).end()
const reset: Answer = (request) => void request.socket.destroy()

describe("a batch", () => {
  it.live("asks again for pages that are refused, three times in all, and ends each once", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/a": page("a"),
        "/b": reluctant("b", 2, busy),
        "/c": reluctant("c", 1, reset),
        "/d": busy,
        "/e": page("e")
      })
      const service = yield* served({ resolve: hosts(site.port) })
      const urls = ["/a", "/b", "/c", "/d", "/e"].map((path) => `http://site.test${path}`)
      const { body: started } = yield* service.ask("POST", "/v2/batch/scrape", { body: { urls } })
      let status = yield* service.ask("GET", `/v2/batch/scrape/${started.id}`)
      while (status.body.status === "scraping") status = yield* service.ask("GET", `/v2/batch/scrape/${started.id}`)

      const statuses = status.body.data.map(({ metadata }: any) => [
        new URL(metadata.url).pathname,
        metadata.statusCode
      ])
      expect(Object.fromEntries(statuses)).toEqual({ "/a": 200, "/b": 200, "/c": 200, "/d": 503, "/e": 200 })
      expect(status.body).toMatchObject({ status: "completed", total: 5, completed: 5, creditsUsed: 5 })
      expect(site.requests.filter((path) => path === "/b")).toHaveLength(3)
    }).pipe(Effect.scoped)
  )
})
