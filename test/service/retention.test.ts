import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { page, scriptedSite } from "./scriptedSite.ts"
import { served } from "./served.ts"

it.live("a request for zero retention is taken by what keeps what it reads, and told that it has no effect there", () =>
  Effect.gen(function* () {
    const { port } = yield* scriptedSite({ "/": page("home") })
    const service = yield* served({ resolve: new Map([["site.test", { address: "127.0.0.1", port }]]) })
    const url = "http://site.test/"
    const asked = { prompt: "the title", urls: [url], zeroDataRetention: true }
    const monitor = { name: "m", schedule: { text: "daily" }, targets: [{ type: "scrape", urls: [url] }] }
    const send = (path: string, body: object) => service.ask("POST", path, { body: JSON.stringify(body) })

    const extract = yield* send("/v2/extract", asked)
    const agent = yield* send("/v2/agent", asked)
    const made = yield* send("/v2/monitor", { ...monitor, zeroDataRetention: true })
    const usual = yield* send("/v2/monitor", { ...monitor, zeroDataRetention: false })

    expect([extract.status, agent.status, made.status, usual.status]).toEqual([200, 200, 200, 200])
    expect(String(extract.body.warnings)).toMatch(/zeroDataRetention has no effect on extract/)
    expect(agent.body.warning).toMatch(/zeroDataRetention has no effect on agent runs/)
    expect(made.body.warning).toMatch(/zeroDataRetention has no effect on monitors/)
    expect(usual.body.warning).toBeUndefined()
  })
)
