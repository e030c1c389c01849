import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { BadRequest, Forbidden } from "#contract/Errors"
import * as Definition from "#service/monitor/Definition"

const list = { type: "scrape", urls: ["http://site.test/"] } as const
const site = { type: "crawl", url: "http://site.test/", crawlOptions: { includePaths: ["("] } } as const
const search = { type: "search", queries: ["mill"] } as const
const request = { schedule: { text: "hourly" }, targets: [search, list, site] }

describe("the definition of a monitor", () => {
  it.effect("says which target is wrong, and where in it", () =>
    Effect.gen(function* () {
      const wrong = new BadRequest({
        message: "Bad Request: no pattern",
        details: [{ path: ["includePaths", 0], message: "no pattern" }]
      })
      const made = Definition.ofRequest(request, 0, ({ type }) => (type === "crawl" ? wrong : Effect.void))
      const error = yield* Effect.flip(made)

      expect(error.message).toBe("Bad Request: no pattern (targets.2)")
      expect(error).toMatchObject({ details: [{ path: ["targets", 2, "includePaths", 0], message: "no pattern" }] })
    })
  )

  it.effect("leaves what the plan does not allow as it is said", () =>
    Effect.gen(function* () {
      const denied = new Forbidden({ message: "not in this plan" })

      expect(yield* Effect.flip(Definition.ofRequest(request, 0, () => denied))).toBe(denied)
    })
  )

  it.effect("has the targets that jobs read tried, each with an id, and searches not", () =>
    Effect.gen(function* () {
      const tried: Array<string> = []
      const { targets } = yield* Definition.ofRequest(request, 0, ({ type }) =>
        Effect.sync(() => void tried.push(type))
      )

      expect(tried).toEqual(["scrape", "crawl"])
      expect(targets.map(({ type }) => type)).toEqual(["search", "scrape", "crawl"])
      expect(new Set(targets.map(({ id }) => id)).size).toBe(3)
    })
  )
})
