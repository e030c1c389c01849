/**
 * The crawl group: start, status, cancel, errors, active (specification, POST /v2/crawl and below).
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as Limits from "./Limits.ts"
import { PageDocument } from "./PageDocument.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"
import { CrawlWebhook } from "./Webhook.ts"

const positive = Bounds.whole(1)

const Patterns = Bounds.list(Bounds.text(Limits.maxPatternLength).check(JsonRules.format("re2")), Limits.maxPatterns)

/** The options of a crawl, without its `url`: the parameters of the specification's table, in its order. */
export const crawlOptions = {
  limit: Bounds.orNull(positive.annotate({ description: "the maximum number of pages; default: 10,000" })),
  maxDiscoveryDepth: Bounds.orNull(
    Bounds.whole(0).annotate({
      description:
        "the maximum number of link hops from the start page; a page at this depth is scraped, its links are not followed"
    })
  ),
  includePaths: Bounds.orNull(Patterns.annotate({ description: "RE2 patterns; only matching paths are crawled" })),
  excludePaths: Bounds.orNull(Patterns.annotate({ description: "RE2 patterns; matching paths are skipped" })),
  regexOnFullURL: Bounds.orNull(Schema.Boolean.annotate({ description: "match the patterns against the whole URL" })),
  crawlEntireDomain: Bounds.orNull(
    Schema.Boolean.annotate({ description: "follow sibling and parent links too, not only paths below the start" })
  ),
  allowSubdomains: Bounds.orNull(Schema.Boolean.annotate({ description: "follow links to subdomains" })),
  allowExternalLinks: Bounds.orNull(Schema.Boolean.annotate({ description: "follow links off the domain, one hop" })),
  sitemap: Bounds.orNull(
    Schema.Literals(["include", "skip", "only"]).annotate({
      description: "include: sitemap and links; skip: links only; only: sitemap and start page"
    })
  ),
  ignoreQueryParameters: Bounds.orNull(
    Schema.Boolean.annotate({ description: "URLs that differ only in their query are one page" })
  ),
  ignoreRobotsTxt: Bounds.orNull(
    Schema.Boolean.annotate({ description: "needs a key whose plan has `robots_control`" })
  ),
  robotsUserAgent: Bounds.orNull(
    Bounds.filled(500).annotate({
      description: "the name whose robots.txt rules apply; needs a key whose plan has `robots_control`"
    })
  ),
  delay: Bounds.orNull(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })).annotate({
      description: "seconds between scrapes; with a delay, pages are scraped one at a time"
    })
  ),
  maxConcurrency: Bounds.orNull(positive.annotate({ description: "the maximum number of pages in flight" })),
  scrapeOptions: Schema.optional(
    Schema.NullOr(ScrapeOptions).annotate({
      description: "how each page is scraped: formats, onlyMainContent, headers, timeout and more"
    })
  )
}

/**
 * The body of POST /v2/crawl: where to start, which links to follow, and how to read each page.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { CrawlRequest } from "millrace/api"
 *
 * const request = Schema.decodeUnknownSync(CrawlRequest)({ url: "https://docs.example.com", limit: 10 })
 * console.log(request.limit) // 10
 * ```
 */
export const CrawlRequest = Schema.Struct({
  url: HttpUrl,
  ...crawlOptions,
  prompt: Bounds.orNull(
    Bounds.prompt.annotate({
      description: "a description from which options are made; options that you give have priority"
    })
  ),
  webhook: Bounds.orNull(CrawlWebhook),
  ...clientFields
})
  .check(Schema.makeFilter(() => true, JsonRules.as(JsonRules.keepsNoHistory("scrapeOptions"))))
  .annotate({ identifier: "CrawlRequest" })
export type CrawlRequest = typeof CrawlRequest.Type

/** The answer to the start of a crawl: its id, and the URL of its status. */
export const CrawlStarted = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  url: Schema.String,
  warning: Schema.optionalKey(Schema.String)
})
export type CrawlStarted = typeof CrawlStarted.Type

/** The state of a job: running, or how it ended. */
export const CrawlState = Schema.Literals(["scraping", "completed", "failed", "cancelled"])
export type CrawlState = typeof CrawlState.Type

/**
 * How many discovered URLs ended in which way. After the end of a job,
 * discovered = scraped + failed + blocked + left (`left`: not reached before the limit or a cancel). `aliases` (redirects and
 * duplicates of scraped pages) are not counted as discovered.
 */
export const Ledger = Schema.Struct({
  discovered: Schema.Int,
  scraped: Schema.Int,
  failed: Schema.Int,
  blocked: Schema.Int,
  left: Schema.Int,
  aliases: Schema.Int
})
export type Ledger = typeof Ledger.Type

/** The status of a job: counts, credits, its ledger, and a part of its pages with the URL of the next part. */
export const CrawlStatus = Schema.Struct({
  success: Schema.Boolean,
  status: CrawlState,
  total: Schema.Int,
  completed: Schema.Int,
  creditsUsed: Schema.Int,
  createdAt: Schema.String,
  completedAt: Schema.optionalKey(Schema.String),
  duration: Schema.optionalKey(Schema.Finite),
  expiresAt: Schema.String,
  next: Schema.optionalKey(Schema.NullOr(Schema.String)),
  error: Schema.optionalKey(Schema.String),
  warning: Schema.optionalKey(Schema.String),
  ledger: Schema.optionalKey(Ledger),
  data: Schema.Array(PageDocument)
}).annotate({ identifier: "CrawlStatus" })
export type CrawlStatus = typeof CrawlStatus.Type

/** A failed page of a job: its URL, a code, and the reason. */
export const CrawlError = Schema.Struct({
  id: Schema.String,
  timestamp: Schema.optional(Schema.NullOr(Schema.String)),
  url: Schema.String,
  code: Schema.optional(Schema.NullOr(Schema.String)),
  error: Schema.String
})
export type CrawlError = typeof CrawlError.Type

/** The failed pages of a job, and the URLs that robots.txt blocks. */
export const CrawlErrors = Schema.Struct({
  success: Schema.optionalKey(Schema.Boolean),
  errors: Schema.Array(CrawlError),
  robotsBlocked: Schema.Array(Schema.String),
  /** For a crawl that settles: the spellings of URLs that the next crawl must keep, packed (`Settling`). */
  spellings: Schema.optionalKey(Schema.String),
  /** For a crawl that settles: whether a browser showed pages of it, or of the crawls before. */
  rendered: Schema.optionalKey(Schema.Literal(true)),
  /** For a crawl that settles: the themes of hosts that the next crawl uses, packed. */
  themes: Schema.optionalKey(Schema.String)
})
export type CrawlErrors = typeof CrawlErrors.Type

/** The running crawls of a team: the answer of GET /v2/crawl/active. */
export const ActiveCrawls = Schema.Struct({
  success: Schema.Literal(true),
  crawls: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      teamId: Schema.String,
      url: Schema.String,
      created_at: Schema.String,
      options: Schema.Json
    })
  )
})

/** The body of a request that turns a prompt into crawl options. */
export const CrawlPrompt = Schema.Struct({
  url: HttpUrl,
  prompt: Bounds.filled(Limits.maxPromptLength),
  ...clientFields
})
/** The crawl options from a prompt. */
export const CrawlPromptAnswer = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({ url: Schema.String, ...crawlOptions }),
  warning: Schema.optionalKey(Schema.String)
})
