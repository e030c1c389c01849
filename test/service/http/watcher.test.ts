import type { IncomingMessage } from "node:http"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { behindPort } from "../databases.ts"
import { gate, page, scriptedSite } from "../scriptedSite.ts"
import { hosts, type Service } from "../served.ts"
import { type Watched, watch } from "../watch.ts"

const url = "http://site.test/"

const start = (service: Service, request: object = {}, headers: Record<string, string> = {}) =>
  Effect.map(
    service.ask("POST", "/v2/crawl", { body: { url, ...request }, headers }),
    ({ body }) => `/v2/crawl/${body.id}`
  )

behindPort("the watcher of a crawl", (database) => {
  it.live("sends a catch-up, then each page after it once, then closes as done", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow", "/1", "/2", "/3"))
      const site = yield* scriptedSite({
        "/": page("home", "/slow"),
        "/slow": slow.answer,
        ...Object.fromEntries(["1", "2", "3"].map((name) => [`/${name}`, page(name)]))
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      yield* slow.reached
      const watched = watch(service, job, "fc-key")
      yield* watched.first
      yield* slow.open
      const closed = yield* watched.closed

      expect(yield* watched.opened).toBe("fc-key")
      expect(closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
      expect(watched.frames.map(({ type }) => type)).toEqual([
        "catchup",
        "document",
        "document",
        "document",
        "document"
      ])
      expect(watched.frames[0].data).toMatchObject({ success: true, status: "scraping", completed: 1 })
      expect(watched.titles().toSorted()).toEqual(["1", "2", "3", "home", "slow"])
    })
  )

  it.live("gives every page exactly once, whenever it begins to watch", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 240 }, (_, index) => `/p${index}`)
      const site = yield* scriptedSite({
        "/": page("home", ...links),
        ...Object.fromEntries(links.map((link) => [link, page(link)]))
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      const watchers: Array<Watched> = []
      for (let skip = 0; skip < 241; skip += 20) {
        yield* service.ask("GET", `${job}?skip=${skip}&limit=1`)
        watchers.push(watch(service, job))
      }
      yield* Effect.forEach(watchers, ({ closed }) => closed)

      const all = ["home", ...links].toSorted()
      for (const watched of watchers) expect(watched.titles().toSorted()).toEqual(all)
    })
  )

  it.live("of a crawl that has ended sends what there is and closes", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": page("home") })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      yield* service.ask("GET", `${job}?skip=1`)
      const watched = watch(service, job)

      expect(yield* watched.closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
      expect(yield* watched.opened).toBe("")
      expect(watched.titles()).toEqual(["home"])
    })
  )

  it.live("of a large crawl that has ended sends what the catch-up has no room for before it", () =>
    Effect.gen(function* () {
      const links = Array.from({ length: 129 }, (_, index) => `/p${index}`)
      const site = yield* scriptedSite({
        "/": page("home", ...links),
        ...Object.fromEntries(links.map((link) => [link, page(link)]))
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      for (let skip = 0; skip < 130; skip += 10) yield* service.ask("GET", `${job}?skip=${skip}&limit=1`)
      while ((yield* service.ask("GET", `${job}?skip=130`)).body.status === "scraping") continue
      const watched = watch(service, job)

      expect(yield* watched.closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
      expect(watched.frames.map(({ type }) => type)).toEqual([...Array(30).fill("document"), "catchup"])
      expect(watched.titles().toSorted()).toEqual(["home", ...links].toSorted())
    })
  )

  it.live("closes when the crawl fails", () =>
    Effect.gen(function* () {
      const held = Promise.withResolvers<IncomingMessage>()
      let requests = 0
      const site = yield* scriptedSite({
        "/robots.txt": (request) => (requests++ === 0 ? held.resolve(request) : request.socket.destroy())
      })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      const request = yield* Effect.promise(() => held.promise)
      const watched = watch(service, job)
      yield* watched.first
      request.socket.destroy()

      expect(yield* watched.closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
    })
  )

  it.live("closes when the crawl is cancelled", () =>
    Effect.gen(function* () {
      const slow = gate("")
      const site = yield* scriptedSite({ "/": slow.answer })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      yield* slow.reached
      const watched = watch(service, job)
      yield* watched.first
      yield* service.ask("DELETE", job)

      expect(yield* watched.closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
    })
  )

  it.live("says why it does not watch: 1008 for an unknown job, 3000 for a bad key", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": () => {} })
      const service = yield* database.served({
        resolve: hosts(site.port),
        keys: [
          { key: Redacted.make("fc-a"), teamId: "a" },
          { key: Redacted.make("fc-b"), teamId: "b" }
        ]
      })
      const job = yield* start(service, {}, { authorization: "Bearer fc-a" })
      const unknown = watch(service, "/v2/crawl/0190c0de-0000-7000-8000-000000000000", "fc-a")
      const odd = watch(service, "/v2/crawl/not-a-uuid", "fc-a")
      const bad = watch(service, job, "fc-x")
      const theirs = watch(service, job, "fc-b")
      const own = watch(service, job, "fc-a")

      expect(yield* unknown.closed).toEqual({ code: 1008, reason: "no crawl has this id" })
      expect(yield* odd.closed).toEqual({ code: 1008, reason: "no crawl has this id" })
      expect(yield* bad.closed).toEqual({ code: 3000, reason: "Unauthorized: Invalid token" })
      expect(yield* theirs.closed).toEqual({ code: 1008, reason: "no crawl has this id" })
      yield* own.first
      yield* own.leave
      expect([unknown, odd, bad, theirs].map(({ frames }) => frames)).toEqual([[], [], [], []])
    })
  )

  it.live("who leaves early is forgotten, and the crawl goes on for the others", () =>
    Effect.gen(function* () {
      const slow = gate(page("slow"))
      const site = yield* scriptedSite({ "/": page("home", "/slow"), "/slow": slow.answer })
      const service = yield* database.served({ resolve: hosts(site.port) })
      const job = yield* start(service)
      yield* slow.reached
      const [early, patient] = [watch(service, job), watch(service, job)]
      yield* early.first
      yield* early.leave
      yield* early.closed
      yield* patient.first
      yield* slow.open

      expect(yield* patient.closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
      expect(patient.titles()).toEqual(["home", "slow"])
      expect(early.titles()).toEqual(["home"])
    })
  )

  it.live("is refused without harm where there is nothing to watch", () =>
    Effect.gen(function* () {
      const service = yield* database.served()
      const watched = watch(service, "/v2/nothing")
      const { code } = yield* watched.closed
      const answer = yield* service.ask("GET", "/v2/crawl/active")

      expect(code).toBe(1006)
      expect(answer.status).toBe(200)
    })
  )
})
