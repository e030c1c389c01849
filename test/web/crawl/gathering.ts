/** A search through the pages of a scripted site, over a real store and a real network: what tests of it drive. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Extractor } from "#extract/Extractor"
import type { ServiceConfig } from "#service/ServiceConfig"
import { Browser } from "#web/Browser"
import { CrawlStore } from "#web/CrawlStore"
import type { FetchError } from "#web/Fetch"
import { Fetch } from "#web/Fetch"
import { FileReader } from "#web/FileReader"
import * as Gather from "#web/Gather"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import * as ScrapePlan from "#web/ScrapePlan"
import { Scraper } from "#web/Scraper"
import { SiteRules } from "#web/SiteRules"
import { unpaid } from "#web/Turns"
import { type Answer, scriptedSite } from "../../service/scriptedSite.ts"
import { hosts } from "../../service/served.ts"
import { JobLease, stores } from "../../service/serviceParts.ts"

export const job: Job = {
  id: "0190c0de-0000-7000-8000-000000000001",
  kind: "extract",
  teamId: "team",
  url: "http://site.test/",
  request: "{}",
  status: "scraping",
  createdAt: 1,
  completedAt: null,
  error: null,
  warning: null
}

export const lead = (path: string, score = 0, kind: Gather.Lead["kind"] = "start"): Gather.Lead => ({
  url: new URL(path, "http://site.test"),
  depth: 0,
  kind,
  score
})

/** The parts of one process, on a database that others may have used before. */
const work = (database: ServiceConfig["database"], port: number) => {
  const guard = { allowPrivate: false, resolve: hosts(port) }
  const politeness = Politeness.layer({ perHost: 8 })
  const network = SiteRules.layer.pipe(
    Layer.provideMerge(PoliteFetch.layer),
    Layer.provide([Fetch.layer(guard), politeness])
  )
  const scraper = Scraper.layer.pipe(
    Layer.provide([Browser.layer(guard), FileReader.layer, Fetch.layer(guard), politeness, Extractor.layerRules])
  )
  return Layer.mergeAll(network, scraper).pipe(Layer.provideMerge(stores(database)))
}

export interface Options<E> extends Partial<Omit<Gather.Plan<E, never>, "first" | "scrape">> {
  /** The score of a link, by its path; a link without one is no lead. */
  readonly scores?: Readonly<Record<string, number>>
}

/** A process that searches: `gather` begins or goes on, `states` is what the ledger has. */
export const searcher = Effect.fnUntraced(function* (database: ServiceConfig["database"], port: number) {
  const context = yield* Layer.build(work(database, port))
  const ledger = Context.get(context, CrawlStore)
  const jobs = Context.get(context, JobStore)
  const lease = Context.get(context, JobLease)
  const scrape = yield* ScrapePlan.ofOptions({ formats: ["rawHtml"] })
  const planOf = <E>(first: ReadonlyArray<Gather.Lead>, { scores = {}, ...options }: Options<E>) => {
    const plan: Gather.Plan<E, never> = {
      scrape,
      concurrency: 1,
      limit: 100,
      first: Effect.succeed(first),
      keep: ({ document }): Effect.Effect<Gather.RetainedPage, FetchError | E> =>
        Effect.succeed({ document: JSON.stringify(document.metadata.url), credits: 1 }),
      leadsOf: ({ links }, from) =>
        links.flatMap((href) => {
          const url = new URL(href)
          const score = scores[url.pathname]
          return score === undefined ? [] : [{ url, depth: from.depth + 1, kind: "link" as const, score }]
        }),
      ...options
    }
    return plan
  }
  const turns = unpaid()
  return {
    jobs,
    ledger,
    lease,
    make: <E = never>(first: ReadonlyArray<Gather.Lead>, options: Options<E> = {}) =>
      Effect.provideContext(Gather.start(job, planOf(first, options), turns), context),
    gather: <E = never>(first: ReadonlyArray<Gather.Lead>, options: Options<E> = {}) =>
      Effect.provideContext(Gather.run(job, planOf(first, options), turns), context),
    states: Effect.map(ledger.urls(job.id, -1, 1000), (urls) =>
      Object.fromEntries(urls.map(({ state, url }) => [new URL(url).pathname, state]))
    )
  }
})

/** One process on a fresh database, with the job begun, and the site that it searches. */
export const searching = Effect.fnUntraced(function* (
  database: ServiceConfig["database"],
  routes: Readonly<Record<string, Answer>>
) {
  const site = yield* scriptedSite(routes)
  const process = yield* searcher(database, site.port)
  yield* process.jobs.create(job)
  return { ...process, site, pages: () => site.requests.filter((path) => path !== "/robots.txt") }
})
