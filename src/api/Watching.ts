/**
 * What of a target's pages is watched, according to its formats, and how the pages are scraped for that.
 *
 * Fields are watched if there is a schema or a prompt (a json format, or changeTracking in the mode json). The text is watched
 * if no fields are, or if it is requested too. A check fetches pages again unless `maxAge` is set. It compares pages itself, so
 * it never passes on the format changeTracking.
 */
import type { CrawlRequest } from "./Crawl.ts"
import type { Format, JsonFormat } from "./Formats.ts"
import type { Target } from "./MonitorTarget.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

/** What is watched of a page: its text, its fields, or both. */
export interface Watched {
  readonly text: boolean
  readonly fields: boolean
}

type CrawlTarget = Extract<Target, { readonly type: "crawl" }>

/** The request for the crawl of a target. */
export const crawlOf = (target: CrawlTarget): CrawlRequest => {
  const {
    maxDepth,
    origin: _,
    integration: __,
    scrapeOptions: ___,
    webhook: ____,
    ...options
  } = target.crawlOptions ?? {}
  return {
    url: target.url,
    ...options,
    maxDiscoveryDepth: options.maxDiscoveryDepth ?? maxDepth,
    scrapeOptions: scrapeOptionsOf(askedOf(target))
  }
}

/** The scrape options in the request of a target. */
export const askedOf = (target: Target): ScrapeOptions.ScrapeOptions | undefined =>
  target.type === "search"
    ? undefined
    : (target.scrapeOptions ?? (target.type === "crawl" ? target.crawlOptions?.scrapeOptions : undefined) ?? undefined)

export const watchedOf = (options: ScrapeOptions.ScrapeOptions | undefined): Watched => {
  const names = ScrapeOptions.formatNames(options)
  const modes = ScrapeOptions.formatOf(options, "changeTracking")?.modes ?? []
  const fields = names.includes("json") || (modes.includes("json") && fieldsOf(options) !== undefined)
  const asksText = options?.formats !== undefined && names.includes("markdown")
  return { fields, text: !fields || modes.includes("git-diff") || asksText }
}

/** How pages are scraped for a check. */
export const scrapeOptionsOf = (options: ScrapeOptions.ScrapeOptions | undefined): ScrapeOptions.ScrapeOptions => {
  const { fields, text } = watchedOf(options)
  const fieldsFormat = fields ? fieldsOf(options) : undefined
  const kept = (options?.formats ?? []).filter(
    (format) => nameOf(format) !== "changeTracking" && nameOf(format) !== "json"
  )
  const names = kept.map(nameOf)
  const formats: Array<Format> = [
    ...kept,
    ...(text && !names.includes("markdown") ? (["markdown"] as const) : []),
    ...(fieldsFormat === undefined ? [] : [fieldsFormat])
  ]
  const isOurs = options?.onlyMainContent !== false && options?.includeTags === undefined
  return {
    ...options,
    formats,
    maxAge: options?.maxAge ?? 0,
    ...(isOurs ? { excludeTags: options?.excludeTags ?? around } : {})
  }
}

/** Elements that are never content. The main content finder decides about navigation, which may be the content of a page. */
const around = [
  "footer",
  ".ad",
  ".ads",
  ".advert",
  ".adverts",
  ".advertisement",
  ".adsbygoogle",
  ".sponsored",
  ".cookie-banner",
  "[data-ad]"
]

/** The json format whose fields are watched: the requested one, or one made from changeTracking. */
const fieldsOf = (options: ScrapeOptions.ScrapeOptions | undefined): JsonFormat | undefined => {
  const own = ScrapeOptions.formatOf(options, "json")
  if (own !== undefined) return own
  const { prompt, schema } = ScrapeOptions.formatOf(options, "changeTracking") ?? {}
  if (schema === undefined && prompt === undefined) return undefined
  return { type: "json", ...(schema === undefined ? {} : { schema }), ...(prompt === undefined ? {} : { prompt }) }
}

const nameOf = (format: Format): string => (typeof format === "string" ? format : format.type)
