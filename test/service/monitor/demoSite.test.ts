import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { timesOf } from "../../thoroughness.ts"
import { hosts, served } from "../served.ts"
import { against, editions, origin } from "./editions.ts"
import { check, create } from "./watching.ts"

/** What comes after these on a commit is for the monitor of a pipeline (`connectors/webdata/monitor/byCrawl.test.ts`). */
const last = timesOf(2, 3, 5)

it.live(`a monitor of the demo site finds every change of its revisions 1 to ${last}, and no other`, () =>
  Effect.gen(function* () {
    const { later, port, turnTo } = yield* editions(1, last)
    const service = yield* served({ resolve: hosts(port, "northmere.test", "www.northmere.test") })
    const { id } = yield* create(service, { targets: [{ type: "crawl", url: `${origin}/` }] })
    yield* check(service, id)
    const wrong: Array<string> = []
    let changes = 0
    for (const edition of later) {
      turnTo(edition)
      const { pages } = yield* check(service, id)
      const told = against(
        edition,
        new Map(pages.map((page: { url: string; status: string }) => [page.url.replace(origin, ""), page.status]))
      )
      wrong.push(...told.wrong)
      changes += told.changes
    }

    expect(changes).toBeGreaterThan(Math.min(60, 30 * later.length))
    expect(wrong).toEqual([])
  })
)
