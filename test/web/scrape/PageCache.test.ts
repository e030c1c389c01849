import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { origin, postJson, service } from "../../service/scrapePage.ts"
import { type Answer, file, scriptedSite } from "../../service/scriptedSite.ts"

/** Scrapes "/" once for each of the options, an hour apart, and tells what the site was asked for. */
const scrapes = (page: Answer, ...options: ReadonlyArray<object>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page })
      const answers = yield* Effect.forEach(options, (some) =>
        postJson("/v2/scrape", { url: `${origin}/`, ...some }).pipe(Effect.tap(() => TestClock.adjust("1 hour")))
      ).pipe(Effect.provide(service(site.port)))
      return { answers, asked: site.requests.length }
    })
  )

const hour = 3_600_000
const page = "<title>t</title><p>text</p>"

describe("a page that was scraped before", () => {
  it.effect("is fetched anew where nobody asks for a copy", () =>
    Effect.gen(function* () {
      const { asked, answers } = yield* scrapes(page, {}, {})

      expect(asked).toBe(2)
      expect(answers.map(({ body }) => body.data.metadata.cacheState)).toEqual(["miss", "miss"])
    })
  )

  it.effect("is answered from its copy while that is young enough", () =>
    Effect.gen(function* () {
      const { asked, answers } = yield* scrapes(page, {}, { maxAge: 1.5 * hour }, { maxAge: 1.5 * hour })

      expect(asked).toBe(2)
      expect(answers.map(({ body }) => body.data.metadata.cacheState)).toEqual(["miss", "hit", "miss"])
      expect(answers[1]?.body.data.markdown).toBe("text")
      expect(answers[1]?.body.data.metadata.cachedAt).toBe("1970-01-01T00:00:00.000Z")
      expect(answers[1]?.body.data.metadata.scrapeId).not.toBe(answers[0]?.body.data.metadata.scrapeId)
    })
  )

  it.effect.each([
    ["formats", { formats: ["html"] }],
    ["headers", { headers: { authorization: "Bearer other" } }],
    ["selectors", { excludeTags: ["p"] }]
  ] as const)("is fetched anew for other %s", ([, options]) =>
    Effect.gen(function* () {
      const { asked } = yield* scrapes(page, {}, { maxAge: 5 * hour, ...options })

      expect(asked).toBe(2)
    })
  )

  it.effect("is the same page whatever does not change what it holds", () =>
    Effect.gen(function* () {
      const { asked } = yield* scrapes(page, { timeout: 5000 }, { maxAge: 5 * hour, origin: "js-sdk", blockAds: true })

      expect(asked).toBe(1)
    })
  )

  it.effect("is not kept where that is not wanted, nor where the site answered an error", () =>
    Effect.gen(function* () {
      const unwanted = yield* scrapes(page, { storeInCache: false }, { maxAge: 5 * hour })
      const error = yield* scrapes(file("text/html", page, 404), {}, { maxAge: 5 * hour })

      expect(unwanted.asked).toBe(2)
      expect(error.asked).toBe(2)
    })
  )

  it.effect("is all there is where minAge asks for a copy, and 404 without one", () =>
    Effect.gen(function* () {
      const { asked, answers } = yield* scrapes(page, { minAge: 1 }, {}, { minAge: 2 * hour }, { minAge: 2 * hour })

      expect(asked).toBe(1)
      expect(answers.map(({ status }) => status)).toEqual([404, 200, 404, 200])
      expect(answers[0]?.body.code).toBe("SCRAPE_NO_CACHED_DATA")
      expect(answers[3]?.body.data.metadata.cacheState).toBe("hit")
    })
  )
})
