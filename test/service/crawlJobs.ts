/** The crawl jobs of a service on one database, for tests that give them a web of their own: its stores, accounts and jobs. */
import * as Layer from "effect/Layer"
import { Extractor } from "#extract/Extractor"
import { Catalog } from "#service/Catalog"
import { layerSearch } from "#service/layerSearch"
import type * as ServiceConfig from "#service/ServiceConfig"
import { AgentModel } from "#web/AgentModel"
import type { PoliteFetch } from "#web/PoliteFetch"
import { SiteRules } from "#web/SiteRules"
import { scraper, unheard } from "./crawlSite.ts"
import { Accounts, CrawlJobs, Jobs, stores } from "./serviceParts.ts"

export const crawlJobs = <E, R>(config: ServiceConfig.ServiceConfig, polite: Layer.Layer<PoliteFetch, E, R>) => {
  const accounts = Accounts.layer(config).pipe(Layer.provideMerge(stores(":memory:")))
  return CrawlJobs.layer(config).pipe(
    Layer.provideMerge(Jobs.layer(config)),
    Layer.provideMerge([
      accounts,
      Extractor.layerRules,
      AgentModel.layerRules,
      Catalog.layer(),
      layerSearch({}).pipe(Layer.provide(accounts)),
      scraper,
      unheard,
      SiteRules.layer.pipe(Layer.provideMerge(polite))
    ])
  )
}
