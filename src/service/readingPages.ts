/**
 * What pages are read with: the network behind its guard and its politeness, the reader, its browser and files, and who fills
 * schemas. It needs a store of what is remembered of pages.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Browser } from "../crawler/browser/Browser.ts"
import { FileReader } from "../crawler/files/FileReader.ts"
import { PoliteFetch } from "../crawler/politeness/PoliteFetch.ts"
import { Politeness } from "../crawler/politeness/Politeness.ts"
import { SiteRules } from "../crawler/politeness/SiteRules.ts"
import * as PageWorkers from "../crawler/scrape/PageWorkers.ts"
import { Scraper } from "../crawler/scrape/Scraper.ts"
import { Extractor } from "../extract/Extractor.ts"
import * as Quarantine from "../extract/quarantine/Quarantine.ts"
import type { ModelConfig } from "../model/ChatModel.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"

/** Where the web may be reached, as the operator says. */
export const guardOf = ({ allowPrivate, proxies, resolve }: ServiceConfig) => ({
  allowPrivate,
  resolve,
  ...(proxies === undefined ? {} : { proxies })
})

/** Who fetches in this process. */
export const exchanges = (config: ServiceConfig) => PageWorkers.layer(guardOf(config), config.workers)

/** `places`: where hosts live; default: all of them in this process. */
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

/** What a model needs is loaded only where one is configured. */
const byModel = (model: ModelConfig) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../extract/model/ModelExtractor.ts")),
      (ModelExtractor) => ModelExtractor.layer(model)
    )
  )
