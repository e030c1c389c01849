import type { IncomingMessage, ServerResponse } from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { answerOf, bombs, expansions, origin, pages, type Served } from "../hostile/requests.ts"
import { soaking, times, timesOf } from "../thoroughness.ts"
import { postJson, service } from "./scrapePage.ts"
import { page, scriptedSite } from "./scriptedSite.ts"

/** Part of the whole on each commit; the files of it take threads that are long in reading them. */
const all = [...pages(times(0.05, 1)), ...bombs(times(32, 100)).slice(0, timesOf(2, 3, 5)), ...expansions]

const calm = "/calm"

describe("requests that are made to cost much", () => {
  it.live(
    "each have an answer, and whoever comes next is served as ever",
    () => {
      let site: Readonly<Record<string, Served>> = {}
      const answer = (request: IncomingMessage, response: ServerResponse) => {
        const served = request.url === calm ? { body: page("calm") } : site[request.url ?? "/"]
        const encoding = served?.encoding === undefined ? {} : { "content-encoding": served.encoding }
        const type = { "content-type": served?.type ?? "text/html; charset=utf-8" }
        response.writeHead(served === undefined ? 404 : 200, { ...type, ...encoding })
        response.end(served?.body)
      }
      return Effect.gen(function* () {
        const paths = ["/", "/robots.txt", "/sitemap.xml", "/a", calm]
        const { port } = yield* scriptedSite(Object.fromEntries(paths.map((path) => [path, answer])))
        yield* Effect.gen(function* () {
          for (const hostile of all) {
            site = hostile.site()
            const { body, status } = yield* postJson(hostile.path, hostile.body)
            const next = yield* postJson("/v2/scrape", { url: `${origin}${calm}` })
            expect([hostile.name, hostile.answers]).toEqual([
              hostile.name,
              expect.arrayContaining([answerOf(status, body)])
            ])
            expect([hostile.name, next.status]).toEqual([hostile.name, 200])
          }
        }).pipe(Effect.provide(service(port)))
      }).pipe(Effect.scoped)
    },
    soaking ? 600_000 : 60_000
  )
})
