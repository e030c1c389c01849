/**
 * The search group: searches the pages that the team has read, and the web, if the operator has configured a web search
 * (`public-clients`, section 2). With `scrapeOptions` the results have the content of their pages.
 *
 * Positions start at 1 in each group of results; a result is a page, or a page document that also has title, URL and
 * passage; includeDomains and excludeDomains exclude each other.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"
import { Metadata, PageDocument } from "./PageDocument.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"

const SourceName = Schema.Literals(["web", "news", "images", "alexandria", "exchange"])
/** A source of results: web, news, images, or data providers (alexandria, exchange). */
export type SourceName = typeof SourceName.Type
const Source = Schema.Union([
  SourceName,
  Schema.Struct({ type: SourceName, tbs: Bounds.orNull(Bounds.name), location: Bounds.orNull(Bounds.name) })
])

const CategoryName = Schema.Literals(["github", "research", "pdf", "developer"])
/** A category of pages to which a search may be limited. */
export type CategoryName = typeof CategoryName.Type
const Category = Schema.Union([
  CategoryName,
  Schema.Struct({ type: CategoryName, sites: Bounds.orNull(Bounds.list(Bounds.line, 100)) })
])

const Domains = Bounds.list(Bounds.filled(2000).check(JsonRules.format("host-name")), 100)

/**
 * The body of POST /v2/search: a query, sources of results, and how to read their pages.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { SearchRequest } from "millrace/api"
 *
 * const request = Schema.decodeUnknownSync(SearchRequest)({ query: "effect streams", limit: 5 })
 * console.log(request.limit) // 5
 * ```
 */
export const SearchRequest = Schema.Struct({
  query: Schema.String.check(
    Schema.isMaxLength(Limits.maxQueryLength),
    Schema.makeFilter(
      (text: string) => text.trim() !== "" || "is empty: name what to look for",
      JsonRules.as(JsonRules.filled)
    )
  ).annotate({
    description:
      'words (a result has at least one of them); "phrases", -without, site:host/path, intitle:word, inurl:word, filetype:pdf'
  }),
  limit: Bounds.orNull(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxSearchResults })).annotate({
      description: "results of each source, 1 to 100; default: 10"
    })
  ),
  sources: Bounds.orNull(
    Bounds.list(Source, 20).annotate({
      description: "web, news, images or alexandria (data providers), as text or as { type }; default: web"
    })
  ),
  categories: Bounds.orNull(
    Bounds.list(Category, 20).annotate({ description: "only pages of these kinds: github, research, pdf, developer" })
  ),
  includeDomains: Bounds.orNull(Domains.annotate({ description: "only pages of these hosts and their subdomains" })),
  excludeDomains: Bounds.orNull(Domains.annotate({ description: "no pages of these hosts and their subdomains" })),
  tbs: Bounds.orNull(
    Bounds.name.check(JsonRules.format("time-range")).annotate({
      description:
        "when pages were published, as the pages declare it: qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 sorts the newest first"
    })
  ),
  location: Bounds.orNull(
    Bounds.name.annotate({ description: "accepted and ignored: results do not depend on a place" })
  ),
  country: Bounds.orNull(
    Bounds.name.annotate({ description: "accepted and ignored: results do not depend on a place" })
  ),
  filter: Bounds.orNull(Bounds.name),
  enterprise: Bounds.orNull(Bounds.list(Schema.Literals(["default", "anon", "zdr"]), 10)),
  highlights: Bounds.orNull(
    Schema.Boolean.annotate({
      description: "false: each result has the page's own description instead of the passage that answers"
    })
  ),
  ignoreInvalidURLs: Bounds.orNull(
    Schema.Boolean.annotate({ description: "leave out results that cannot be scraped" })
  ),
  timeout: Bounds.orNull(
    Schema.Int.check(
      Schema.isBetween({ minimum: Limits.minScrapeTimeoutMillis, maximum: Limits.maxScrapeTimeoutMillis })
    ).annotate({ description: "milliseconds that the search and its scrapes may take in total; default: 60,000" })
  ),
  scrapeOptions: Schema.optional(
    Schema.NullOr(ScrapeOptions).annotate({
      description: "scrape each result; the result then has the page's content too"
    })
  ),
  asyncScraping: Bounds.orNull(Schema.Literal(false)),
  ...clientFields
})
  .check(
    Schema.makeFilter(
      ({ excludeDomains, includeDomains }) =>
        (includeDomains ?? []).length > 0 && (excludeDomains ?? []).length > 0
          ? { path: ["excludeDomains"], issue: "cannot be given together with includeDomains" }
          : true,
      JsonRules.as({
        allOf: [JsonRules.notBoth("includeDomains", "excludeDomains"), JsonRules.keepsNoHistory("scrapeOptions")]
      })
    )
  )
  .annotate({ identifier: "SearchRequest" })
export type SearchRequest = typeof SearchRequest.Type

const { metadata: _, ...documentFields } = PageDocument.fields

/** A result: a page, with its scraped content in the same object. */
export const SearchResult = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  description: Schema.String,
  position: Schema.Int,
  category: Schema.optionalKey(CategoryName),
  ...documentFields,
  metadata: Schema.optionalKey(Metadata)
}).annotate({ identifier: "SearchResult" })
export type SearchResult = typeof SearchResult.Type

/** A news article that a web search found. */
export const NewsResult = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  snippet: Schema.String,
  date: Schema.optionalKey(Schema.String),
  position: Schema.Int,
  ...documentFields,
  metadata: Schema.optionalKey(Metadata)
}).annotate({ identifier: "NewsResult" })
export type NewsResult = typeof NewsResult.Type

/** An image that a web search found. */
export const ImageResult = Schema.Struct({
  title: Schema.String,
  imageUrl: Schema.String,
  imageWidth: Schema.optionalKey(Schema.Int),
  imageHeight: Schema.optionalKey(Schema.Int),
  url: Schema.String,
  position: Schema.Int
}).annotate({ identifier: "ImageResult" })
export type ImageResult = typeof ImageResult.Type

/** The results of a search, by source, with their content, if it was requested. */
export const SearchAnswer = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  data: Schema.Struct({
    web: Schema.optionalKey(Schema.Array(SearchResult)),
    news: Schema.optionalKey(Schema.Array(NewsResult)),
    images: Schema.optionalKey(Schema.Array(ImageResult)),
    /** Data providers of the catalog that may have data for the query. */
    tools: Schema.optionalKey(
      Schema.Array(Schema.Struct({ provider: Schema.String, capability: Schema.String, description: Schema.String }))
    )
  }),
  creditsUsed: Schema.Int,
  warning: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SearchAnswer" })
export type SearchAnswer = typeof SearchAnswer.Type
