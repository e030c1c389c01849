/** A crawl in virtual time: a site that is a function of path and time, and the hours that a crawl of it takes. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { CrawlRequest } from "#contract/Crawl"
import * as ServiceConfig from "#service/ServiceConfig"
import { CrawlStore } from "#web/CrawlStore"
import { Fetch, FetchError, type FetchResult, type Options, timedOut } from "#web/Fetch"
import * as MachineFault from "#web/fetch/MachineFault"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import { crawlJobs } from "../../service/crawlJobs.ts"
import { CrawlJobs } from "../../service/serviceParts.ts"

/**
 * What a site says: a page, a status with headers, a page after some time, or nothing; "reset" and "EMFILE" are how the
 * exchange fails, and "drips" is a body that never ends, a byte a second.
 */
export type Said =
  | string
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly page: string; readonly millis: number }
  | undefined

export interface Asking {
  readonly url: URL
  /** Milliseconds since the crawl began. */
  readonly now: number
  /** How often this URL was asked for before. */
  readonly before: number
}

const fetchedOf = (said: Exclude<Said, undefined>): FetchResult => {
  const { status, text, millis, retryAfter } =
    typeof said === "string"
      ? { status: 200, text: said, millis: 0, retryAfter: undefined }
      : "page" in said
        ? { status: 200, text: said.page, millis: said.millis, retryAfter: undefined }
        : { millis: 0, text: `<title>${said.status}</title>`, retryAfter: undefined, ...said }
  const body = Buffer.from(text)
  return { status, contentType: "text/html", location: undefined, retryAfter, elapsedMillis: millis, body }
}

/** Crawls from http://site.test/ to the end; undefined is 404. */
export const crawlVirtually = Effect.fnUntraced(function* (
  site: (asking: Asking) => Said,
  request: Partial<CrawlRequest> = {},
  config: Partial<ServiceConfig.ServiceConfig> = {},
  /** What another team crawls there, a minute before. */
  beside?: Partial<CrawlRequest>
) {
  const asked: Array<{ readonly path: string; readonly now: number }> = []
  const begun = yield* Clock.currentTimeMillis
  const get = Effect.fnUntraced(function* (href: string, { slowAfterMillis = 20_000, timeoutMillis }: Options) {
    const now = (yield* Clock.currentTimeMillis) - begun
    const url = new URL(href)
    const path = url.host === "site.test" ? url.pathname : `//${url.host}${url.pathname}`
    const before = asked.filter((other) => other.path === path).length
    asked.push({ path, now })
    // As over a network, others may ask meanwhile.
    yield* Effect.yieldNow
    const said = site({ url, now, before })
    if (said === "EMFILE") return yield* Effect.die(MachineFault.of(Object.assign(new Error(), { code: said })))
    if (said === "drips") {
      yield* Effect.sleep(Math.min(timeoutMillis, 200 + slowAfterMillis))
      return yield* new FetchError({
        url: href,
        code: "SCRAPE_TIMEOUT",
        message: "too slow",
        retryable: true,
        isAnswering: true
      })
    }
    if (typeof said === "object" && "millis" in said) {
      yield* Effect.sleep(Math.min(timeoutMillis, said.millis))
      if (said.millis > timeoutMillis) return yield* timedOut(href, timeoutMillis)
    }
    if (said !== "reset") return fetchedOf(said ?? { status: 404 })
    return yield* new FetchError({ url: href, code: "SCRAPE_CONNECTION_ERROR", message: "reset", retryable: true })
  })
  const whole = { ...ServiceConfig.defaults, ...config }
  const polite = PoliteFetch.layer.pipe(
    Layer.provide([Layer.succeed(Fetch, Fetch.of({ get })), Politeness.layer({ perHost: 8 })])
  )
  const layer = crawlJobs(whole, polite)
  return yield* Effect.gen(function* () {
    const jobs = yield* CrawlJobs
    const store = yield* CrawlStore
    if (beside !== undefined) {
      yield* jobs.start("other", { url: "http://site.test/", ...beside })
      for (let second = 0; second < 60; second++) {
        yield* TestClock.adjust("1 second")
        for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
      }
    }
    const { id } = yield* jobs.start("team", { url: "http://site.test/", ...request })
    const job = Effect.map(jobs.get("team", id, "crawl"), ({ status, error }) => ({ status, error }))
    let ended = 0
    while ((yield* job).status === "scraping") {
      yield* TestClock.adjust("1 second")
      // What is ready by now happens now.
      for (let turn = 0; turn < 50; turn++) yield* Effect.yieldNow
      ended = (yield* Clock.currentTimeMillis) - begun
      if (ended > 86_400_000) return yield* Effect.die("the crawl has no end")
    }
    const { documents } = yield* store.chunk(id, 0, 10_000)
    const pages = documents.map((text) => JSON.parse(text) as { metadata: { url: string; statusCode: number } })
    return {
      job: yield* job,
      seconds: Math.ceil(ended / 1000),
      asked,
      statuses: Object.fromEntries(
        pages.map(({ metadata }) => [new URL(metadata.url).pathname, metadata.statusCode] as const).toSorted()
      ),
      failures: (yield* store.failures(id)).map(({ url, code, error }) => ({ url, code, error })),
      ledger: yield* store.ledger(id)
    }
  }).pipe(Effect.provide(layer), Effect.scoped)
})

/** Paths /0, /1 and so on. */
export const paths = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `/${index}`)
