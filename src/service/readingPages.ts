/**
 * The layers that read pages: the network with its guard and politeness, the reader with its browser and files, and the
 * extractor for schemas. They need a `ScrapeStore`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Extractor } from "#extract/Extractor"
import * as Quarantine from "#extract/Quarantine"
import { Browser } from "#web/Browser"
import type { ModelConfig } from "#web/ChatModel"
import { FileReader } from "#web/FileReader"
import * as PageWorkers from "#web/PageWorkers"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import { Scraper } from "#web/Scraper"
import { SiteRules } from "#web/SiteRules"
import type { ServiceConfig } from "./ServiceConfig.ts"

/** The operator's rules for connections to the web. */
export const guardOf = ({ acceptsWrongLength = false, allowPrivate, perHost, proxies, resolve }: ServiceConfig) => ({
  allowPrivate,
  resolve,
  acceptsWrongLength,
  connections: perHost,
  ...(proxies === undefined ? {} : { proxies })
})

/** `Fetch` of this process. */
export const exchanges = (config: ServiceConfig) => PageWorkers.layer(guardOf(config), config.workers)

/** `places`: makes the requests to hosts. Default: this process does. */
export const readingPages = <E = never, R = never>(
  config: ServiceConfig,
  places?: Layer.Layer<PoliteFetch | Politeness, E, R>
) => {
  const guard = guardOf(config)
  const extractor = config.model === undefined ? Extractor.layerRules : byModel(config.model)
  const fetching = exchanges(config)
  const here = PoliteFetch.layer.pipe(Layer.provideMerge(Politeness.layer(config)), Layer.provide(fetching))
  const politeness: Layer.Layer<PoliteFetch | Politeness, E, R> = places ?? here
  const browser = Browser.layer(guard)
  const network = SiteRules.layer.pipe(Layer.provideMerge(politeness))
  const readers = Quarantine.layer(config.model !== undefined).pipe(Layer.provide([FileReader.layer, extractor]))
  const scraper = Scraper.layer.pipe(Layer.provideMerge(readers), Layer.provide([browser, fetching, politeness]))
  return Layer.mergeAll(network, scraper, browser)
}

/** Loads the code for a model only if one is configured. */
const byModel = (model: ModelConfig) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("#extract/ModelExtractor")),
      (ModelExtractor) => ModelExtractor.layer(model)
    )
  )
