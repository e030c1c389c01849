import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { CrawlFailed } from "#contract/crawlAnswers"
import { type CrawlEvent, crawlPages } from "#contract/crawlPages"
import { embedded, origin } from "../../service/crawlSite.ts"
import { gate, page, scriptedSite } from "../../service/scriptedSite.ts"
import { documents, type Reply, scriptedService, statusAnswer } from "./scriptedService.ts"

const url = `${origin}/`
const started = { status: 200, body: { success: true, id: "1", url: "http://service.test/v2/crawl/1" } }
const noErrors = { status: 200, body: { errors: [], robotsBlocked: [] } }

/** The number behind `skip`; 0 where there is none. */
const skipOf = (what: string): number => Number(/skip=(\d+)/.exec(what)?.[1] ?? 0)

/** A service whose status answers come from this function; `poll` counts them. */
const serviceOf = (status: (skip: number, poll: number) => object) => {
  let polls = 0
  return scriptedService((what): Reply => {
    if (what.startsWith("POST")) return started
    if (what.startsWith("DELETE")) return { status: 200, body: { status: "cancelled" } }
    if (what.endsWith("/errors")) return noErrors
    return { status: 200, body: status(skipOf(what), (polls += 1)) }
  })
}

const collect = (service: ReturnType<typeof scriptedService>) =>
  Effect.gen(function* () {
    const events = Stream.runCollect(crawlPages({ url })).pipe(Effect.result, Effect.provide(service.layer))
    const fiber = yield* Effect.forkChild(events)
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })

const numbers = (events: ReadonlyArray<CrawlEvent>) =>
  events.flatMap((event) => (event._tag === "Pages" ? event.documents.map(({ markdown }) => Number(markdown)) : []))

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("a crawl as a stream", () => {
  it.effect("is read to its end from a service that does not hold requests and pages by `next`", () =>
    Effect.gen(function* () {
      const service = serviceOf((skip, poll) => {
        const there = Math.min(25, Math.max(0, poll - 3) * 4)
        const data = documents(skip, Math.max(skip, Math.min(there, skip + 10)))
        const isOver = there === 25
        const next = `http://service.test/v2/crawl/1?skip=${skip + data.length}`
        return statusAnswer({
          status: isOver ? "completed" : "scraping",
          total: 25,
          completed: there,
          data,
          ...(isOver && skip + data.length === 25 ? {} : { next })
        })
      })
      const result = yield* collect(service)
      const events = result._tag === "Success" ? result.success : []

      expect(numbers(events)).toEqual(upTo(25))
      expect(events.map(({ _tag }) => _tag).filter((tag) => tag !== "Pages")).toEqual(["Started", "Ended"])
      expect(events.at(-1)).toMatchObject({ id: "1", status: { completed: 25 }, errors: { robotsBlocked: [] } })
      // Where nothing was new it waited, and asked once a second.
      const empty = service.asked.filter(({ what }) => what.endsWith("skip=0&limit=500")).map(({ at }) => at)
      expect(empty).toEqual([0, 1000, 2000, 3000])
      expect(service.asked.filter(({ what }) => what.startsWith("DELETE"))).toEqual([])
    })
  )

  it.effect("reads on where a chunk of an ended crawl has a `next`, until one is empty", () =>
    Effect.gen(function* () {
      const service = serviceOf((skip) =>
        statusAnswer({
          completed: 3,
          total: 3,
          data: documents(skip, Math.min(3, skip + 1)),
          next: "http://service.test/x"
        })
      )
      const result = yield* collect(service)

      expect(result._tag === "Success" ? numbers(result.success) : result).toEqual([0, 1, 2])
      expect(service.asked.filter(({ what }) => what.startsWith("GET")).map(({ what }) => what)).toEqual([
        ...[0, 1, 2, 3].map((skip) => `GET /v2/crawl/1?skip=${skip}&limit=500`),
        "GET /v2/crawl/1/errors"
      ])
    })
  )

  it.effect("fails where the service says it has more pages, or fewer, than could be read", () =>
    Effect.gen(function* () {
      for (const completed of [6, 4]) {
        const service = serviceOf((skip) => statusAnswer({ completed, data: documents(skip, 5) }))
        const result = yield* collect(service)

        expect(result).toMatchObject({
          _tag: "Failure",
          failure: new CrawlFailed({
            id: "1",
            message: `the service completed ${completed} pages, but only 5 could be read: start the crawl again`
          })
        })
      }
    })
  )

  it.effect("gives the pages of a crawl that failed or was cancelled, and then fails with its reason", () =>
    Effect.gen(function* () {
      const failing = { status: "failed", success: false, error: "the host is gone" }
      for (const [end, message] of [
        [failing, "the host is gone"],
        [{ status: "failed" }, "the crawl failed"],
        [{ status: "cancelled" }, "the crawl was cancelled"]
      ] as const) {
        const service = serviceOf((skip) =>
          statusAnswer({ ...end, completed: 2, data: documents(skip, 2), next: "http://service.test/x" })
        )
        const seen: Array<number> = []
        const reading = crawlPages({ url }).pipe(
          Stream.runForEach((event) => Effect.sync(() => void seen.push(...numbers([event])))),
          Effect.flip,
          Effect.provide(service.layer)
        )

        expect(yield* reading).toMatchObject({ _tag: "CrawlFailed", id: "1", message })
        expect(seen).toEqual([0, 1])
        expect(service.asked.filter(({ what }) => what.startsWith("DELETE"))).toEqual([])
      }
    })
  )

  it.effect("cancels its job when the reader is interrupted, fails, or has enough", () =>
    Effect.gen(function* () {
      const running = () =>
        serviceOf((skip) => statusAnswer({ status: "scraping", completed: 2, total: 9, data: documents(skip, 2) }))
      const [interrupted, failed, taken] = [running(), running(), running()]

      const fiber = yield* Effect.forkChild(Effect.provide(Stream.runDrain(crawlPages({ url })), interrupted.layer))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)
      const explode = crawlPages({ url }).pipe(
        Stream.runForEach(({ _tag }) => (_tag === "Pages" ? Effect.fail("no" as const) : Effect.void))
      )
      yield* Effect.flip(Effect.provide(explode, failed.layer))
      yield* Effect.provide(Stream.runDrain(Stream.take(crawlPages({ url }), 2)), taken.layer)

      for (const { asked } of [interrupted, failed, taken]) expect(asked.at(-1)?.what).toBe("DELETE /v2/crawl/1")
    })
  )

  it.effect("does not wait longer than ten seconds for a cancel that is not answered", () =>
    Effect.gen(function* () {
      const { asked, layer } = scriptedService((what) => {
        if (what.startsWith("POST")) return started
        if (what.startsWith("DELETE")) return "never"
        return { status: 200, body: statusAnswer({ status: "scraping" }) }
      })
      const fiber = yield* Effect.forkChild(Effect.provide(Stream.runDrain(crawlPages({ url })), layer))
      yield* TestClock.adjust("5 seconds")
      const interruption = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(interruption)

      expect(asked.at(-1)?.what).toBe("DELETE /v2/crawl/1")
    })
  )

  it.live("that is interrupted stops the crawl at the service", () =>
    Effect.gen(function* () {
      const slow = gate("")
      const site = yield* scriptedSite({ "/": page("home", "/slow", "/never"), "/slow": slow.answer })
      const reading = Stream.runDrain(crawlPages({ url, maxConcurrency: 1, sitemap: "skip" }))
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(reading)
        yield* slow.reached
        yield* Fiber.interrupt(fiber)
        yield* slow.left
      }).pipe(Effect.provide(embedded(site.port)))

      expect(site.requests).toEqual(["/robots.txt", "/", "/slow"])
    })
  )
})
