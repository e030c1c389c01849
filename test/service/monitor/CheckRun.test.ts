import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { Forbidden } from "#contract/Errors"
import * as CheckRun from "#service/monitor/CheckRun"
import type { Check } from "#service/monitor/Monitor"
import { checkOf, memory } from "./memory.ts"

const site = { type: "crawl", id: "site", url: "http://site.test/" } as const
const list = { type: "scrape", id: "list", urls: ["http://site.test/a", "http://site.test/b"] } as const

const ran = Effect.fnUntraced(function* (check: Check, world: Parameters<typeof memory>[0]) {
  const { layer, seen } = memory(world)
  yield* Effect.provide(CheckRun.run(check), layer)
  return seen
})

describe("a check", () => {
  it.effect("begins a job for each target and writes down what they have read", () =>
    Effect.gen(function* () {
      const pages = { "http://site.test/a": "A", "http://site.test/b": "B" }
      const seen = yield* ran(checkOf({ targetsOf: [site, list] }), { pages })

      expect(seen.begun).toEqual(["http://site.test/", "http://site.test/a http://site.test/b"])
      expect(seen.told.map(({ finding: { status, targetId, url } }) => [targetId, status, url])).toEqual([
        ["site", "new", "http://site.test/a"],
        ["site", "new", "http://site.test/b"]
      ])
      expect(seen.progress.at(-1)).toMatchObject([
        { targetId: "site", crawlId: "job 1", isDone: true },
        { targetId: "list", expectedJobs: ["job 2"], isDone: true }
      ])
      expect(seen.ends).toEqual([{ status: "completed", error: null, mail: null }])
      expect(seen.sent).toContain("check")
    })
  )

  it.effect("whose process died goes on with the jobs that it has begun", () =>
    Effect.gen(function* () {
      const begun = { targetId: "site", type: "crawl", crawlId: "job before", isBaseline: true } as const
      const asked: Array<string> = []
      const seen = yield* ran(checkOf({ targetsOf: [site, list], targets: [begun] }), {
        ended: (id) => Effect.sync(() => void asked.push(id)).pipe(Effect.as({}))
      })

      expect(seen.begun).toEqual(["http://site.test/a http://site.test/b"])
      expect(asked).toEqual(["job before", "job 1"])
    })
  )

  it.effect("is partial where a target is refused, and says which and why", () =>
    Effect.gen(function* () {
      const seen = yield* ran(checkOf({ targetsOf: [site, list] }), {
        pages: { "http://site.test/a": "A" },
        refused: ({ type }) => (type === "crawl" ? new Forbidden({ message: "not in this plan" }) : undefined)
      })

      expect(seen.ends).toEqual([{ status: "partial", error: "site: not in this plan", mail: null }])
      expect(seen.told.map(({ finding }) => finding.targetId)).toEqual(["list"])
    })
  )

  it.effect("fails where its only job is gone, and calls no page removed", () =>
    Effect.gen(function* () {
      const seen = yield* ran(checkOf({ targetsOf: [site] }), { ended: () => Effect.undefined })

      expect(seen.ends).toEqual([{ status: "failed", error: "site: no job has the id job 1", mail: null }])
      expect(seen.told).toEqual([])
    })
  )

  it.effect("names the start of a crawl that failed as the page that could not be read", () =>
    Effect.gen(function* () {
      const seen = yield* ran(checkOf({ targetsOf: [site] }), {
        ended: () => Effect.succeed({ status: "failed", error: "the host is down" } as const)
      })

      expect(seen.told.map(({ finding: { error, status, url } }) => [url, status, error])).toEqual([
        ["http://site.test/", "error", "the host is down"]
      ])
      expect(seen.ends).toMatchObject([{ status: "failed", error: "site: the host is down" }])
    })
  )
})
