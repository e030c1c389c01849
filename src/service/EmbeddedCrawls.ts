/**
 * Crawls in this process without a service: the network and the reader of pages, but no accounts, jobs or database. Only the stored data of single pages (`maxAge`, change tracking) needs the database, which is opened when it is first needed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { identityOf } from "#base/CrawlerName"
import { EmbeddedCrawl } from "#contract/EmbeddedCrawl"
import * as crawlHere from "#web/crawlHere"
import { ScrapeStore } from "#web/ScrapeStore"
import { StoreError } from "#web/StoreError"
import * as Plan from "./AccountPlan.ts"
import { readingPages } from "./readingPages.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"

/**
 * Crawls in this process without the service: pages go into the journal of their run and nowhere else.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Journals, Pipeline, Run, Stages } from "millrace"
 * import { WebData } from "millrace/client"
 * import { memory } from "millrace/connectors/memory"
 * import { crawl } from "millrace/connectors/webdata"
 * import { Embedded, EmbeddedCrawls, ServiceConfig } from "millrace/service"
 *
 * const source = crawl.with({ url: "https://your.site", limit: 2 })
 * const pipeline = Pipeline.make({ name: "two", source, sinks: { out: memory.with({ name: "two" }) } })
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const crawls = EmbeddedCrawls.layer(ServiceConfig.defaults)
 * const parts = Layer.mergeAll(service, crawls, Journals.layerTemporary, Stages.layer)
 * console.log((await Effect.runPromise(Effect.provide(Run.run(pipeline), parts))).rows["pages"]) // 2
 * ```
 */
export const layer = (config: ServiceConfig) =>
  Layer.effect(
    EmbeddedCrawl,
    crawlHere.open({
      concurrency: Plan.open.concurrency,
      perHost: config.perHost,
      patience: config.patience,
      robotsControl: Plan.open.robotsControl,
      crawler: identityOf(config.crawler)
    })
  ).pipe(Layer.provide(readingPages(config)), Layer.provide(remembered(config)))

/** Opens the database when it is first needed. */
const remembered = ({ database }: ServiceConfig) =>
  Layer.effect(
    ScrapeStore,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const build = Effect.flatMap(
        Effect.promise(() => import("./store/stores.ts")),
        ({ scrapes }) => Scope.provide(Layer.build(scrapes(database)), scope)
      )
      const opened = yield* Effect.cached(
        Effect.mapError(
          build,
          (cause) =>
            new StoreError({ message: `cannot open the database: ${cause.message}`, isRetryable: false, cause })
        )
      )
      const store = Effect.map(opened, Context.get(ScrapeStore))
      return ScrapeStore.of({
        copy: (key) => Effect.flatMap(store, ({ copy }) => copy(key)),
        keep: (key, text) => Effect.flatMap(store, ({ keep }) => keep(key, text)),
        snapshot: (watched) => Effect.flatMap(store, ({ snapshot }) => snapshot(watched)),
        remember: (watched, state) => Effect.flatMap(store, ({ remember }) => remember(watched, state)),
        result: (teamId, id) => Effect.flatMap(store, ({ result }) => result(teamId, id)),
        keepResult: (teamId, id, document) =>
          Effect.flatMap(store, ({ keepResult }) => keepResult(teamId, id, document)),
        // The checkpoint of the run says it.
        isRendered: () => Effect.succeed(false),
        noteRendered: () => Effect.void
      })
    })
  )
