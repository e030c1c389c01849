/**
 * The search group: finds pages for words, among the pages that the team has read, and on the web if the operator has set up a
 * web search (`public-clients`, section 2). `scrapeOptions` adds the content of the pages.
 *
 * Positions start at 1 in each group of results. A result has title, URL and passage, and with `scrapeOptions` also the fields
 * of a page document. includeDomains and excludeDomains cannot be used together.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import { clientFields } from "./ClientFields.ts"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"
import { Metadata, PageDocument } from "./PageDocument.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"

const silent = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

const SourceName = Schema.Literals(["web", "news", "images", "alexandria", "exchange"])
/** A kind of results of a web search: web, news or images. */
export type SourceName = typeof SourceName.Type
const Source = Schema.Union([
  SourceName,
  Schema.Struct({ type: SourceName, tbs: silent(Bounds.name), location: silent(Bounds.name) })
])

const CategoryName = Schema.Literals(["github", "research", "pdf", "developer"])
/** A kind of site that a web search may be limited to. */
export type CategoryName = typeof CategoryName.Type
const Category = Schema.Union([
  CategoryName,
  Schema.Struct({ type: CategoryName, sites: silent(Bounds.list(Bounds.line, 100)) })
])

const Domains = Bounds.list(Bounds.filled(2000).check(JsonRules.format("host-name")), 100)

/**
 * The body of POST /v2/search: words, kinds of results, and how their pages are scraped.
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
  limit: silent(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxSearchResults })).annotate({
      description: "results of each source, 1 to 100; default: 10"
    })
  ),
  sources: silent(
    Bounds.list(Source, 20).annotate({
      description: "web, news, images or alexandria (data providers), as text or as { type }; default: web"
    })
  ),
  categories: silent(
    Bounds.list(Category, 20).annotate({ description: "only pages of these kinds: github, research, pdf, developer" })
  ),
  includeDomains: silent(Domains.annotate({ description: "only pages of these hosts and their subdomains" })),
  excludeDomains: silent(Domains.annotate({ description: "no pages of these hosts and their subdomains" })),
  tbs: silent(
    Bounds.name.check(JsonRules.format("time-range")).annotate({
      description:
        "when pages were published, as the pages declare it: qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 sorts the newest first"
    })
  ),
  location: silent(Bounds.name.annotate({ description: "accepted and ignored: results do not depend on a place" })),
  country: silent(Bounds.name.annotate({ description: "accepted and ignored: results do not depend on a place" })),
  filter: silent(Bounds.name),
  enterprise: silent(Bounds.list(Schema.Literals(["default", "anon", "zdr"]), 10)),
  highlights: silent(
    Schema.Boolean.annotate({
      description: "false: each result has the page's own description instead of the passage that answers"
    })
  ),
  ignoreInvalidURLs: silent(Schema.Boolean.annotate({ description: "leave out results that cannot be scraped" })),
  timeout: silent(
    Schema.Int.check(
      Schema.isBetween({ minimum: Limits.minScrapeTimeoutMillis, maximum: Limits.maxScrapeTimeoutMillis })
    ).annotate({ description: "milliseconds that the search and its scrapes may take in total; default: 60,000" })
  ),
  scrapeOptions: Schema.optional(
    Schema.NullOr(ScrapeOptions).annotate({
      description: "scrape each result; the result then has the page's content too"
    })
  ),
  asyncScraping: silent(Schema.Literal(false)),
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

/** A page that a search found. If it was scraped, its content is in the same object. */
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

/** The results of a search, by kind. */
export const SearchAnswer = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  data: Schema.Struct({
    web: Schema.optionalKey(Schema.Array(SearchResult)),
    news: Schema.optionalKey(Schema.Array(NewsResult)),
    images: Schema.optionalKey(Schema.Array(ImageResult)),
    /** The data providers of the catalog that match the words. */
    tools: Schema.optionalKey(
      Schema.Array(Schema.Struct({ provider: Schema.String, capability: Schema.String, description: Schema.String }))
    )
  }),
  creditsUsed: Schema.Int,
  warning: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SearchAnswer" })
export type SearchAnswer = typeof SearchAnswer.Type
