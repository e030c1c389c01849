/**
 * The tables that a crawl fills. Column names are SQL names; what the service calls `sourceURL` is `source_url` here.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { isGone } from "#base/Removal"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"

const { described } = Column
const text = Schema.NullOr(Schema.String)

/** The columns of every row: when it was read, from which URL, by which job. */
const system = {
  _fetched_at: described(Column.Timestamp, "when it was read"),
  _source_url: described(Schema.String, "the requested URL"),
  _job_id: described(Schema.String, "the job that read it")
}

/**
 * What a status says about its page: 404 and 410 that it is gone, any other of 400 or more nothing. Of a page that scripts
 * fill and no browser has shown, the metadata say that it was not read.
 *
 * @internal
 */
export const presenceOf = (status: unknown, metadata: unknown): Table.Presence => {
  if (typeof status === "number" && status >= 400) return isGone(status) ? "gone" : "failed"
  return Predicate.hasProperty(metadata, "unread") && metadata.unread !== undefined ? "unread" : "seen"
}

/**
 * The columns of a page in every crawl; `pagesTable` adds the columns of the requested formats.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/webdata"
 *
 * console.log(tables.pages.key, tables.pages.presence?.({ status_code: 404 })) // ["url"] "gone"
 * ```
 */
export const pages = Table.make({
  name: "pages",
  description: "one row per page, with its text and metadata",
  key: ["url"],
  schema: Schema.Struct({
    url: described(Schema.String, "the URL of the page, after redirects"),
    source_url: described(Schema.String, "the requested URL, before redirects"),
    status_code: described(Schema.Int, "the HTTP status of the answer"),
    title: described(text, "the title of the page"),
    description: described(text, "the description in the head of the page"),
    language: described(text, "the language of the page, as it declares it"),
    content_type: described(text, "the media type of the answer"),
    kind: described(
      text,
      "article, forum, product, collection, listing, documentation or service; null if Millrace did not look for " +
        "the main content"
    ),
    markdown: described(text, "the content as Markdown"),
    html: described(text, "the content as HTML, cleaned"),
    raw_html: described(text, "the HTML as it was received"),
    links: described(Schema.NullOr(Schema.Array(Schema.String)), "the links of the page, as absolute URLs"),
    og_locale_alternate: described(
      Schema.NullOr(Schema.Array(Schema.String)),
      "og:locale:alternate, as the page declares it"
    ),
    depth: described(Schema.NullOr(Schema.Int), "hops from the start; pages of a sitemap are as near as the start"),
    discovered_from: described(
      text,
      "the URL, one hop nearer to the start, that links to the page; of several, the first in alphabetical " +
        "order; null for the start and for pages of a sitemap"
    ),
    canonical: described(text, "the canonical URL, as the page declares it"),
    hreflang: described(
      Schema.NullOr(Schema.Array(Schema.Struct({ lang: Schema.String, href: Schema.String }))),
      "the same page in other languages, as it declares them"
    ),
    content_hash: described(text, "SHA-256 of title, description and Markdown as they were read"),
    content_version: described(
      Schema.NullOr(Schema.Int),
      "the version of the finder of main content, with the theme of the host; null if Millrace did not look for it"
    ),
    etag: described(text, "the ETag of the answer"),
    last_modified: described(text, "the Last-Modified of the answer"),
    elapsed_ms: described(Schema.NullOr(Schema.Int), "how long the request took, in milliseconds"),
    wire_bytes: described(
      Schema.NullOr(Schema.Int),
      "bytes of the body as received, with the bodies of redirects before it; null: not reported"
    ),
    body_bytes: described(Schema.NullOr(Schema.Int), "bytes of the body decompressed; null: not reported"),
    scrape_id: described(text, "the id of this reading of the page"),
    warning: described(text, "what the service warns of"),
    meta_author: described(text, "the author, as the page declares it"),
    meta_keywords: described(text, "the keywords, as the page declares them"),
    meta_robots: described(text, "the rules for robots, as the page declares them"),
    meta_published: described(text, "when it was published, as the page declares it"),
    meta_modified: described(text, "when it was changed, as the page declares it"),
    og_title: described(text, "og:title, as the page declares it"),
    og_description: described(text, "og:description, as the page declares it"),
    og_type: described(text, "og:type, as the page declares it"),
    og_site_name: described(text, "og:site_name, as the page declares it"),
    og_url: described(text, "og:url, as the page declares it"),
    og_image: described(text, "og:image, as the page declares it"),
    metadata: described(Schema.Json, "all metadata of the page, as the service gives it"),
    fetched_date: described(Column.Day, "the day on which it was read, in UTC"),
    ...system
  }),
  fingerprint: ["title", "description", "markdown", "html", "raw_html"],
  reading: {
    version: "content_version",
    columns: {
      title: true,
      kind: true,
      markdown: true,
      html: true,
      content_hash: true,
      metadata: ["title", "pageKind", "contentVersion", "contentHash"]
    }
  },
  visit: {
    scrape_id: true,
    fetched_date: true,
    elapsed_ms: true,
    wire_bytes: true,
    body_bytes: true,
    etag: true,
    last_modified: true,
    depth: true,
    discovered_from: true,
    metadata: [
      "scrapeId",
      "elapsedMs",
      "wireBytes",
      "bodyBytes",
      "etag",
      "lastModified",
      "depth",
      "discoveredFrom",
      "cacheState",
      "cachedAt",
      "proxyUsed"
    ]
  },
  presence: ({ metadata, status_code: status }) => presenceOf(status, metadata)
})

/**
 * The links of pages: one row per link of a page.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/webdata"
 *
 * console.log(tables.pageLinks.parent?.table) // "pages"
 * ```
 */
export const pageLinks = Table.make({
  name: "page_links",
  description: "one row per link of a page, if the links format is requested",
  suffix: "_links",
  key: ["page_url", "position"],
  parent: { table: "pages", on: { page_url: "url" } },
  schema: Schema.Struct({
    page_url: described(Schema.String, "the page that has the link"),
    position: described(Schema.Int, "the place of the link on the page, from 0"),
    link: described(Schema.String, "the URL that the link leads to"),
    host: described(text, "the host of that URL"),
    is_internal: described(Schema.Boolean, "whether the link stays on the host of its page"),
    ...system
  })
})

/**
 * What a crawl could not read: one row per URL that failed or was blocked.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/webdata"
 *
 * console.log(tables.crawlErrors.columns.slice(0, 3).map(({ name }) => name)) // ["url", "code", "error"]
 * ```
 */
export const crawlErrors = Table.make({
  name: "crawl_errors",
  description:
    "one row per URL that failed, that robots.txt blocks, or that was skipped as EXTERNAL_LINK, NOT_A_PAGE, CRAWL_TRAP or CRAWL_RANDOM_WORDS",
  suffix: "_errors",
  key: ["_job_id", "url", "code"],
  schema: Schema.Struct({
    url: described(Schema.String, "the URL that was not read"),
    code: described(Schema.String, "why: the code of the error"),
    error: described(text, "the error in words"),
    error_id: described(text, "the id of the error"),
    occurred_at: described(Schema.NullOr(Column.Timestamp), "when it happened"),
    ...system
  })
})

/**
 * The jobs of the service that crawled: one row per job.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/webdata"
 *
 * console.log(tables.crawlJobs.key) // ["job_id"]
 * ```
 */
export const crawlJobs = Table.make({
  name: "crawl_jobs",
  description: "one row per crawl: its request, its result, its cost",
  suffix: "_jobs",
  key: ["job_id"],
  schema: Schema.Struct({
    job_id: described(Schema.String, "the id of the crawl"),
    url: described(Schema.String, "where the crawl started"),
    status: described(Schema.String, "how the crawl ended"),
    total: described(Schema.Int, "pages that the crawl has to read"),
    completed: described(Schema.Int, "pages that were read"),
    discovered: described(Schema.NullOr(Schema.Int), "URLs that were found"),
    failed: described(Schema.NullOr(Schema.Int), "URLs that could not be read"),
    blocked: described(Schema.NullOr(Schema.Int), "URLs that robots.txt does not allow"),
    left_over: described(Schema.NullOr(Schema.Int), "URLs that the crawl did not reach"),
    credits_used: described(Schema.Int, "the credits that it cost"),
    created_at: described(Column.Timestamp, "when it began"),
    completed_at: described(Schema.NullOr(Column.Timestamp), "when it ended"),
    duration_seconds: described(Schema.NullOr(Schema.Finite), "how long it took"),
    warning: described(text, "what the service warns of"),
    request: described(Schema.Json, "the request, without secret headers"),
    ...system
  })
})
