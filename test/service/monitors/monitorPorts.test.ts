import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import * as Plan from "#service/AccountPlan"
import { type Beginning, Jobs } from "#service/jobs/Jobs"
import { TargetJobs } from "#service/monitor/MonitorPorts"
import * as monitorPorts from "#service/monitors/monitorPorts"
import { defaults } from "#service/ServiceConfig"
import { Webhooks } from "#service/webhooks/Webhooks"
import type { Job } from "#web/Job"
import { Accounts } from "../serviceParts.ts"

const job: Job = {
  id: "job",
  kind: "crawl",
  teamId: "team",
  url: "http://site.test/",
  request: "{}",
  status: "completed",
  createdAt: 0,
  completedAt: 1,
  error: null,
  warning: null
}

/** The port over jobs that do nothing, and what they were asked for. `looks` is how a job is found, look by look. */
const over = Effect.fnUntraced(function* (plan: Plan.Plan, looks: ReadonlyArray<Job["status"]> = ["completed"]) {
  const begun: Array<Beginning> = []
  const asked: Array<string> = []
  const jobs = Layer.mock(Jobs, {
    begin: (beginning) =>
      Effect.sync(() => void begun.push(beginning)).pipe(
        Effect.andThen(beginning.also?.(job) ?? Effect.void),
        Effect.as(job)
      ),
    get: (_, __, kind) =>
      Effect.sync(() => {
        asked.push(`get ${kind}`)
        return { ...job, status: looks[asked.filter((name) => name !== "hold").length - 1] ?? "completed" }
      }),
    hold: () => Effect.sync(() => void asked.push("hold")),
    stop: (id, { status }) => Effect.sync(() => asked.push(`${status} ${id}`) > 0)
  })
  const accounts = Layer.mock(Accounts, {
    identify: () => undefined,
    of: (teamId) => ({ teamId, plan }),
    inTurn: () => (page) => page,
    ofJob: () => undefined,
    ifFree: () => (page) => Effect.asSome(page)
  })
  const layer = monitorPorts.layer(defaults).pipe(Layer.provide([jobs, accounts, Layer.mock(Webhooks, {})]))
  const port = yield* Effect.provide(TargetJobs, layer)
  return { port, begun, asked }
})

const own = { ...Plan.open, robotsControl: false }
const site = { type: "crawl", url: "http://site.test/", crawlOptions: { ignoreRobotsTxt: true } } as const
const list = { type: "scrape", urls: ["http://site.test/a", "http://site.test/b", "http://site.test/a"] } as const

describe("the jobs of targets", () => {
  it.effect("are a crawl for a site, and for a list a batch of each URL once", () =>
    Effect.gen(function* () {
      const { begun, port } = yield* over({ ...own, robotsControl: true })
      const told: Array<string> = []
      const also = (id: string) => Effect.sync(() => void told.push(id))
      yield* port.begin("team", site, also)
      yield* port.begin("team", list, also)

      expect(begun.map(({ kind, teamId, url }) => [kind, teamId, url])).toEqual([
        ["crawl", "team", "http://site.test/"],
        ["batch", "team", "http://site.test/a"]
      ])
      expect(begun[1]?.seeds?.map(({ url }) => url)).toEqual(["http://site.test/a", "http://site.test/b"])
      expect(told).toEqual(["job", "job"])
    })
  )

  it.effect("are refused by the plan of the team, when a target is tried and when its job is to begin", () =>
    Effect.gen(function* () {
      const { begun, port } = yield* over(own)
      const tried = yield* Effect.flip(port.validate("team", site))
      const begin = yield* Effect.flip(port.begin("team", site, () => Effect.void))

      expect([tried._tag, begin._tag]).toEqual(["Forbidden", "Forbidden"])
      expect(begun).toEqual([])
    })
  )

  it.effect("are only tried by validate: nothing begins", () =>
    Effect.gen(function* () {
      const { begun, port } = yield* over(own)
      yield* port.validate("team", list)

      expect(begun).toEqual([])
    })
  )

  it.effect("are waited for until they are over", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* over(own, ["scraping", "scraping", "failed"])
      const ended = yield* port.ended("team", "scrape", "job")

      expect(ended.status).toBe("failed")
      expect(asked).toEqual(["get batch", "hold", "get batch", "hold", "get batch"])
    })
  )

  it.effect("are cancelled when a check stops", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* over(own)
      yield* port.stop("job")

      expect(asked).toEqual(["cancelled job"])
    })
  )
})
