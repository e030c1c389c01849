/**
 * Translates bodies of the older API to this one.
 *
 * Only fields that have another name are changed: the contract checks the rest, and refuses unknown fields. Fields that have
 * no effect here are left out, with a note for the caller.
 */

export interface Translated {
  readonly body: Body
  readonly notes: ReadonlyArray<string>
}

export type Body = { readonly [name: string]: unknown }

export const scrape = (body: Body): Translated => {
  const notes: Array<string> = []
  const { agent, changeTrackingOptions, extract, geolocation, jsonOptions, parsePDF, ...rest } = body
  if (agent != null) notes.push("agent has no effect on a scrape")
  const wanted: ReadonlyArray<unknown> = Array.isArray(rest["formats"]) ? rest["formats"] : []
  const data = (name: string, options: unknown): Body => {
    const { mode: _, systemPrompt, ...own } = isBody(options) ? options : {}
    if (systemPrompt != null) notes.push("systemPrompt has no effect on a page: use prompt")
    return { type: name, ...given(own) }
  }
  const formats = wanted.map((format) => {
    if (format === "extract") return data("json", extract ?? jsonOptions)
    if (format === "json") return data("json", jsonOptions ?? extract)
    return format === "changeTracking" && isBody(changeTrackingOptions)
      ? data("changeTracking", changeTrackingOptions)
      : format
  })
  const used = new Set(wanted)
  const isUnused = (options: unknown, ...names: ReadonlyArray<string>) =>
    options != null && !names.some((name) => used.has(name))
  return {
    body: {
      ...given(rest),
      ...(rest["formats"] === undefined ? {} : { formats: Array.isArray(rest["formats"]) ? formats : rest["formats"] }),
      ...(typeof parsePDF === "boolean" ? { parsers: parsePDF ? ["pdf"] : [] } : {}),
      ...(geolocation == null ? {} : { location: geolocation }),
      // Options of a format that is not requested are a mistake: they are passed on, and the contract refuses them.
      ...(isUnused(extract, "extract", "json") ? { extract } : {}),
      ...(isUnused(jsonOptions, "extract", "json") ? { jsonOptions } : {}),
      ...(isUnused(changeTrackingOptions, "changeTracking") ? { changeTrackingOptions } : {})
    },
    notes
  }
}

export const crawl = (body: Body): Translated => {
  const { allowBackwardLinks, ignoreSitemap, maxDepth, scrapeOptions, ...rest } = body
  const page = isBody(scrapeOptions) ? scrape(scrapeOptions) : undefined
  return {
    body: {
      ...rest,
      ...(allowBackwardLinks === true ? { crawlEntireDomain: true } : {}),
      ...(ignoreSitemap === true ? { sitemap: "skip" } : {}),
      ...(typeof maxDepth === "number" ? { excludePaths: withDepth(rest, maxDepth) } : {}),
      ...(scrapeOptions === undefined ? {} : { scrapeOptions: page?.body ?? scrapeOptions })
    },
    notes: page?.notes ?? []
  }
}

export const map = ({ ignoreSitemap, sitemapOnly, ...body }: Body): Translated => ({
  body: {
    ...given({ ...body, useIndex: null }),
    ...(sitemapOnly === true ? { sitemap: "only" } : ignoreSitemap === true ? { sitemap: "skip" } : {})
  },
  notes: []
})

export const search = ({ scrapeOptions, ...body }: Body): Translated => {
  const page = isBody(scrapeOptions) ? scrape(scrapeOptions) : undefined
  const formats = page?.body["formats"]
  const isAsked = Array.isArray(formats) && formats.length > 0
  return {
    body: { ...given({ ...body, lang: null }), ...(isAsked ? { scrapeOptions: page?.body } : {}) },
    notes: page?.notes ?? []
  }
}

export const extract = ({ scrapeOptions, ...body }: Body): Translated => {
  const page = isBody(scrapeOptions) ? scrape(scrapeOptions) : undefined
  return {
    body: { ...given(body), ...(page === undefined ? {} : { scrapeOptions: page.body }) },
    notes: page?.notes ?? []
  }
}

export const isBody = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Removes nulls: older clients send null for absent fields. */
const given = (body: Body): Body => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))

/**
 * The older `maxDepth` counts folders below the start page, not links: so deeper paths are excluded by a pattern.
 */
const withDepth = ({ excludePaths, regexOnFullURL, url }: Body, depth: number): unknown => {
  const start = typeof url === "string" ? URL.parse(url.trim()) : null
  const folders = (start?.pathname ?? "/").split("/").filter((part) => part !== "").length
  const most = Math.min(Math.max(0, Math.trunc(depth)) + folders, maxFolders)
  const host = regexOnFullURL === true ? "^[a-z]+://[^/]+" : "^"
  const deeper = `${host}(?:/+[^/?#]+){${most + 1}}`
  if (excludePaths != null && !Array.isArray(excludePaths)) return excludePaths
  const given: ReadonlyArray<unknown> = excludePaths ?? []
  return [...given, deeper]
}

/** The maximum number of repetitions in a pattern. */
const maxFolders = 500
