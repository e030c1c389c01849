import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { serve } from "../../../src/site/Server.ts"
import * as Site from "../../../src/site/Site.ts"
import { hosts, served } from "../served.ts"
import { check, create } from "./watching.ts"

const origin = "http://northmere.test"

it.live("a monitor of the demo site finds every change of its revisions 1 to 5, and no other", () =>
  Effect.gen(function* () {
    const editions = [1, 2, 3, 4, 5].map((revision) => Site.make({ seed: 1, revision }))
    let current = editions[0] ?? Site.make({ seed: 1, revision: 1 })
    const site: Site.Site = { ...current, respond: (request) => current.respond(request) }
    const { url } = yield* serve(site, { host: "127.0.0.1", port: 0, slowness: 0 })
    const service = yield* served({ resolve: hosts(Number(new URL(url).port), "northmere.test", "www.northmere.test") })
    const { id } = yield* create(service, { targets: [{ type: "crawl", url: `${origin}/` }] })
    yield* check(service, id)
    const wrong: Array<string> = []
    let changes = 0
    for (const edition of editions.slice(1)) {
      current = edition
      const { pages } = yield* check(service, id)
      const found = new Map<string, string>(
        pages.map((page: { url: string; status: string }) => [page.url.replace(origin, ""), page.status])
      )
      for (const [path, { fields, status }] of edition.truth.changes) {
        const is = found.get(path)
        if (status !== "same") changes += 1
        // A page that is the same under two addresses is come by under one of them.
        if (is !== status && !(is === undefined && status === "same")) {
          wrong.push(`${edition.revision} ${path}: ${is}, not ${status} (${fields.join(", ")})`)
        }
      }
      for (const [path, status] of found) {
        if (status !== "same" && status !== "error" && !edition.truth.changes.has(path)) {
          wrong.push(`${edition.revision} ${path}: ${status}, which nothing says`)
        }
      }
    }

    expect(changes).toBeGreaterThan(60)
    expect(wrong).toEqual([])
  })
)
