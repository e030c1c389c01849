/**
 * What a target's formats say is watched, and how its pages are therefore scraped.
 *
 * Fields are watched if there is a schema or a prompt (a json format, or changeTracking in the mode json); the text is
 * watched if nothing else is, or if it is requested too. A check reads pages again unless `maxAge` is set, and compares
 * by itself: the format changeTracking is never passed on.
 */
import type { CrawlRequest } from "./Crawl.ts"
import type { Format, JsonFormat } from "./Formats.ts"
import type { Target } from "./MonitorTarget.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

/** What of a page is watched: its text, fields, or both. */
export interface Watched {
  readonly text: boolean
  readonly fields: boolean
}

type CrawlTarget = Extract<Target, { readonly type: "crawl" }>

/** The crawl that a check makes of a target. */
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

/** How the pages of a target are to be scraped, as it was asked. */
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

/** What is never content. Which navigation is, as that of a contents page, the finder of main content decides. */
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

/** The data whose fields are watched: that of the format json, or that of changeTracking. */
const fieldsOf = (options: ScrapeOptions.ScrapeOptions | undefined): JsonFormat | undefined => {
  const own = ScrapeOptions.formatOf(options, "json")
  if (own !== undefined) return own
  const { prompt, schema } = ScrapeOptions.formatOf(options, "changeTracking") ?? {}
  if (schema === undefined && prompt === undefined) return undefined
  return { type: "json", ...(schema === undefined ? {} : { schema }), ...(prompt === undefined ? {} : { prompt }) }
}

const nameOf = (format: Format): string => (typeof format === "string" ? format : format.type)
