/** Crawls a scripted site with the embedded service, by way of the client, as a pipeline does. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { CrawlRequest } from "#contract/Crawl"
import { crawlPages } from "#contract/crawlPages"
import type { PageDocument } from "#contract/PageDocument"
import { WebData } from "#contract/WebData"
import { Extractor } from "#extract/Extractor"
import type * as Plan from "#service/AccountPlan"
import * as Embedded from "#service/Embedded"
import * as ServiceConfig from "#service/ServiceConfig"
import { Browser } from "#web/Browser"
import { Fetch } from "#web/Fetch"
import { FileReader } from "#web/FileReader"
import { Politeness } from "#web/Politeness"
import { Scraper } from "#web/Scraper"
import { quick } from "./quick.ts"
import { type Answer, scriptedSite } from "./scriptedSite.ts"
import { stores, Webhooks } from "./serviceParts.ts"

/** What makes documents of pages, with a browser that is only started where a page asks for it. */
export const scraper = Scraper.layer.pipe(
  Layer.provide([
    Browser.layer({ allowPrivate: false, resolve: new Map() }),
    FileReader.layer,
    Fetch.layer({ allowPrivate: false, resolve: new Map() }),
    Politeness.layer({ perHost: 8 }),
    Extractor.layerRules,
    Layer.fresh(stores(":memory:"))
  ])
)

/** Nobody has a webhook. */
export const unheard = Layer.succeed(Webhooks, {
  subscribe: () => Effect.void,
  wake: () => Effect.void,
  expire: () => Effect.void
})

export const origin = "http://site.test"

/** The client of an embedded service that finds these hosts at this port. */
export const embedded = (
  port: number,
  hosts: ReadonlyArray<string> = ["site.test", "www.site.test", "other.test"],
  config: Partial<ServiceConfig.ServiceConfig> = {},
  key?: Redacted.Redacted
) =>
  WebData.layer({ baseUrl: Embedded.baseUrl, ...(key === undefined ? {} : { key }) }).pipe(
    Layer.provide(
      Embedded.layer({
        ...ServiceConfig.defaults,
        resolve: new Map(hosts.map((host) => [host, { address: "127.0.0.1", port }])),
        patience: quick,
        ...config
      })
    )
  )

/** The same for a team of this plan. */
const planned = (plan: Plan.Plan, port: number, hosts?: ReadonlyArray<string>) => {
  const key = Redacted.make("fc-a")
  return embedded(port, hosts, { keys: [{ key, teamId: "a", plan }] }, key)
}

/** Reads a crawl to its end, as the specification says: its documents and the last status. */
export const readToEnd = Effect.fnUntraced(function* (id: string) {
  const { crawl } = yield* WebData
  const documents: Array<PageDocument> = []
  for (;;) {
    const status = yield* crawl.status({ params: { id }, query: { skip: documents.length } })
    documents.push(...status.data)
    if (status.status !== "scraping" && status.data.length === 0) return { documents, status }
  }
})

/** What a crawl of these pages from "/" gives: documents by path, the errors, the last status, and what was asked for. */
export const crawlSite = (
  routes: Readonly<Record<string, Answer>>,
  request: Partial<CrawlRequest> = {},
  hosts?: ReadonlyArray<string>,
  plan?: Plan.Plan
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const site = yield* scriptedSite(routes)
      const events = yield* Stream.runCollect(crawlPages({ url: `${origin}/`, ...request })).pipe(
        Effect.provide(plan === undefined ? embedded(site.port, hosts) : planned(plan, site.port, hosts))
      )
      const documents = events.flatMap((event) => (event._tag === "Pages" ? event.documents : []))
      const ended = events.find((event) => event._tag === "Ended")
      if (ended?._tag !== "Ended") return yield* Effect.die("the crawl has no end")
      const paths = documents.map(({ metadata }) => metadata.url.replace(origin, ""))
      return {
        documents,
        paths: paths.toSorted(),
        byPath: new Map(documents.map((document, index) => [paths[index], document])),
        errors: ended.errors.errors.map(({ url, code, error }) => ({ path: url.replace(origin, ""), code, error })),
        blocked: ended.errors.robotsBlocked.map((url) => url.replace(origin, "")).toSorted(),
        status: ended.status,
        requests: site.requests,
        peak: site.peak()
      }
    })
  )
