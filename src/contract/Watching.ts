/**
 * Which parts of pages a target watches, by its formats, and how its pages are scraped for that.
 *
 * Fields are watched if there is a schema or a prompt (a json format, or changeTracking in the mode json); the text is
 * watched if nothing else is, or if it is requested too. A check fetches pages again unless `maxAge` is set, and compares
 * them itself: the format changeTracking is never passed on.
 */
import type { CrawlRequest } from "./Crawl.ts"
import type { Format, JsonFormat } from "./Formats.ts"
import type { Target } from "./MonitorTarget.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

/** The watched parts of a page: its text, its fields, or both. */
export interface Watched {
  readonly text: boolean
  readonly fields: boolean
}

type CrawlTarget = Extract<Target, { readonly type: "crawl" }>

/** The crawl request for a check of a target. */
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

/** The scrape options for a check. */
export const scrapeOptionsOf = (options: ScrapeOptions.ScrapeOptions | undefined): ScrapeOptions.ScrapeOptions => {
  const { fields, text } = watchedOf(options)
  const fieldsFormat = fields ? fieldsOf(options) : undefined
  const otherFormats = (options?.formats ?? []).filter(
    (format) => nameOf(format) !== "changeTracking" && nameOf(format) !== "json"
  )
  const names = otherFormats.map(nameOf)
  const formats: Array<Format> = [
    ...otherFormats,
    ...(text && !names.includes("markdown") ? (["markdown"] as const) : []),
    ...(text && !names.includes("links") ? (["links"] as const) : []),
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

/** Elements that are never content. Navigation is not here: the extraction of main content decides which of it is content. */
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

/** The watched fields, as a json format: from the format json, or else from changeTracking. */
const fieldsOf = (options: ScrapeOptions.ScrapeOptions | undefined): JsonFormat | undefined => {
  const own = ScrapeOptions.formatOf(options, "json")
  if (own !== undefined) return own
  const { prompt, schema } = ScrapeOptions.formatOf(options, "changeTracking") ?? {}
  if (schema === undefined && prompt === undefined) return undefined
  return { type: "json", ...(schema === undefined ? {} : { schema }), ...(prompt === undefined ? {} : { prompt }) }
}

const nameOf = (format: Format): string => (typeof format === "string" ? format : format.type)
