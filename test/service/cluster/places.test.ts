/** What holds of a place of hosts, whether it is this process or one of several: one suite for both. */
import { describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { expect } from "vitest"
import { client } from "#base/sqlClient"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import * as clusteredPlaces from "#service/cluster/clusteredPlaces"
import * as joinCluster from "#service/cluster/joinCluster"
import * as migrations from "#service/store/migrations"
import { ProcessLease } from "#service/store/ProcessLease"
import { Fetch, FetchError, type FetchResult, type Options } from "#web/Fetch"
import { MachineFault } from "#web/fetch/MachineFault"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import { postgres } from "../../services/postgres.ts"

type Place = Context.Context<PoliteFetch | Politeness>
type Get = Fetch["Service"]["get"]

/** Two who ask, as two jobs of one process, or as two processes. */
type Two = (get: Get) => Effect.Effect<readonly [Place, Place], unknown, Scope.Scope>

const here: Two = (get) =>
  Effect.map(
    Layer.build(
      PoliteFetch.layer.pipe(
        Layer.provideMerge(Politeness.layer({ perHost: 2 })),
        Layer.provide(Layer.succeed(Fetch, Fetch.of({ get })))
      )
    ),
    (place) => [place, place]
  )

/** A process of a database, until the scope closes. */
const process = (database: string, get: Get) =>
  Layer.build(
    clusteredPlaces
      .layer({ perHost: 2 })
      .pipe(
        Layer.provide(Layer.succeed(Fetch, Fetch.of({ get }))),
        Layer.provide(joinCluster.layer({ advertise: { host: "127.0.0.1", port: 0 } })),
        Layer.provide(
          Layer.fresh(
            ProcessLease.layer.pipe(Layer.provideMerge(migrations.layer), Layer.provideMerge(client(database)))
          )
        )
      )
  )

const freshDatabase = postgres?.fresh ?? Effect.die("there is no Postgres")

const clustered: Two = Effect.fnUntraced(function* (get) {
  const database = yield* freshDatabase
  return [yield* process(database, get), yield* process(database, get)]
})

const fetched = (more: Partial<FetchResult> = {}): FetchResult => ({
  status: 200,
  contentType: "text/html",
  location: undefined,
  retryAfter: undefined,
  body: new TextEncoder().encode(html),
  ...more
})
const html = `<html lang="en"><head><title>Title</title></head><body><main><h1>Head</h1><p>Some text of a page.</p><a href="/next">next</a></main></body></html>`

const ask = (place: Place, url: string, delayMillis = 0, options: Partial<Options> = {}) =>
  Effect.provideContext(
    Effect.flatMap(PoliteFetch, (polite) =>
      polite.get(new URL(url), { timeoutMillis: 10_000, ...options }, delayMillis)
    ),
    place
  )

const suite = (two: Two): void => {
  it.live("keeps the distance between exchanges of a host, whoever asks", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const [one, other] = yield* two(() =>
        Effect.sync(() => {
          asked.push(performance.now())
          return fetched()
        })
      )
      const all = [one, other, one, other].map((place, index) => ask(place, `http://slow.test/${index}`, 300))
      yield* Effect.all(all, { concurrency: "unbounded" })

      expect(asked).toHaveLength(4)
      const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300)
    })
  )

  it.live(
    "has no more exchanges of a host under way than allowed, whoever asks, and what is done in its turn is one",
    () =>
      Effect.gen(function* () {
        let open = 0
        let peak = 0
        const work = Effect.acquireUseRelease(
          Effect.sync(() => (peak = Math.max(peak, ++open))),
          () => Effect.sleep(30),
          () => Effect.sync(() => (open -= 1))
        )
        const [one, other] = yield* two(() => Effect.as(work, fetched()))
        const turn = (place: Place) =>
          Effect.provideContext(
            Effect.flatMap(Politeness, ({ take }) => take("busy.test", 0, work)),
            place
          )
        const places = [one, other, one, other, one, other]
        const asking = places.flatMap((place, index) => [ask(place, `http://busy.test/${index}`), turn(place)])
        yield* Effect.all(asking, { concurrency: "unbounded" })

        expect(peak).toBe(2)
        expect(open).toBe(0)
      })
  )

  it.live("gives the whole answer, and the page that was ordered", () =>
    Effect.gen(function* () {
      const body = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251)
      const sent = { cookies: ["a=1", "b=2"], etag: '"x"', lastModified: "now", elapsedMillis: 12 }
      const plain = fetched({ ...sent, status: 404, contentType: "image/png", location: "/there", body })
      const [one, other] = yield* two((url) => Effect.succeed(url.endsWith("/page") ? fetched() : plain))
      const order = {
        requestedUrl: "http://whole.test/page",
        scrapeId: "0190c0de-0000-7000-8000-000000000000",
        reading: {
          formats: new Set(["markdown" as const, "links" as const]),
          page: { markdown: true, html: false, rawHtml: false, onlyMainContent: true, removeBase64Images: true },
          isExtended: false
        },
        traits: undefined
      }
      const places = [one, other]
      for (const place of places) {
        expect(yield* ask(place, "http://whole.test/plain")).toEqual(plain)
        const read = yield* ask(place, "http://whole.test/page", 0, { order })
        if (read.page === undefined) {
          // Whoever asked reads it.
          expect(read.body).toEqual(fetched().body)
          continue
        }
        expect(PageDocumentBytes.decode(read.page.document)).toMatchObject({
          markdown: expect.stringContaining("Some text of a page."),
          metadata: { title: "Title", statusCode: 200 }
        })
        expect(read.page.links).toBe("http://whole.test/next")
        expect(read.body).toHaveLength(0)
      }
    })
  )

  it.live("fails as the exchange fails, and dies of a fault of the machine", () =>
    Effect.gen(function* () {
      const refused = (url: string) =>
        new FetchError({ url, code: "SCRAPE_DNS_ERROR", message: "no such host", retryable: false })
      const [one, other] = yield* two((url) =>
        url.endsWith("/fault")
          ? Effect.die(new MachineFault({ code: "EMFILE", message: "no files" }))
          : Effect.fail(refused(url))
      )
      for (const place of [one, other]) {
        const error = yield* Effect.flip(ask(place, "http://none.test/a"))
        expect(error).toEqual(refused("http://none.test/a"))
        const exit = yield* Effect.exit(Effect.catchDefect(ask(place, "http://none.test/fault"), Effect.succeed))
        expect(Exit.isSuccess(exit) && exit.value).toMatchObject({ _tag: "MachineFault", code: "EMFILE" })
      }
    })
  )

  it.live("ends an exchange that nobody waits for any more", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const places = yield* two(() =>
        Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
      )
      const fiber = yield* Effect.forkChild(ask(places[1], "http://held.test/a"))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(ended)

      expect(Deferred.isDoneUnsafe(ended)).toBe(true)
    })
  )

  it.live("leaves a host alone that asks for it, whoever asks next", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const [one, other] = yield* two(() =>
        Effect.sync(() => {
          asked.push(performance.now())
          return asked.length === 1 ? fetched({ status: 429, retryAfter: "1" }) : fetched()
        })
      )
      yield* ask(one, "http://later.test/a")
      yield* ask(other, "http://later.test/b")

      // Two clocks of milliseconds are rounded, and a timer may be one early.
      expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(995)
    })
  )
}

describe("a place of hosts, in this process", () => suite(here))

describe.skipIf(postgres === undefined)("a place of hosts, in one of two processes on Postgres", () => {
  suite(clustered)

  it.live("leaves a host alone that asked the process for it where the host lived before", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const get = () =>
        Effect.sync(() => {
          asked.push(performance.now())
          return asked.length === 1 ? fetched({ status: 429, retryAfter: "3" }) : fetched()
        })
      const database = yield* freshDatabase
      yield* Effect.scoped(Effect.flatMap(process(database, get), (first) => ask(first, "http://later.test/a")))
      yield* ask(yield* process(database, get), "http://later.test/b")

      // The second process counts from when it reads what is left.
      expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(2990)
    })
  )
})
