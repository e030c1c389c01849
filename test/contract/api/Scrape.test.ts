import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { gazetteer } from "../../service/agent/gazetteer.ts"
import { served } from "../../service/served.ts"

const show = { provider: "firecrawl", capability: "terms/show", options: { provider: "sample-gazetteer" } }
const url = "http://127.0.0.1:9/"

describe("a scrape request", () => {
  it.live("is a page or calls of the catalog, one of them and not several", () =>
    Effect.gen(function* () {
      const service = yield* served({ providers: [gazetteer] })
      const ask = (body: object) => service.ask("POST", "/v2/scrape", { body })
      const one = yield* ask({ catalog: show })
      const several = yield* ask({ alexandria: [show, { ...show, capability: "terms/burn" }], origin: "js-sdk" })
      const refused = yield* Effect.forEach(
        [
          {},
          { url, catalog: show },
          { catalog: show, alexandria: [show] },
          { alexandria: [] },
          { alexandria: Array.from({ length: 11 }, () => show) },
          { catalog: { ...show, provider: "" } },
          { catalog: { ...show, lamps: 1 } }
        ],
        ask
      )

      expect(one.body).toMatchObject({
        success: true,
        data: { catalog: { data: { accepted: false } }, creditsCost: 0 }
      })
      expect(several.body.data.alexandria).toMatchObject([{ creditsCost: 0 }, { data: null, error: { status: 404 } }])
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400))
    })
  )
})
