/**
 * The tables that a crawl fills. Column names are SQL names; what the service calls `sourceURL` is `source_url` here.
 */
import * as Schema from "effect/Schema"
import { isGone } from "../../../src/diff/Removal.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Table from "../../../src/pipeline/Table.ts"

const text = Schema.NullOr(Schema.String)

/** What every row carries: when it was read, from which URL, by which job. */
const system = {
  _fetched_at: Column.Timestamp,
  _source_url: Schema.String,
  _job_id: Schema.String
}

/**
 * What an answer says of its page: 404 and 410 that it is gone, and any other of 400 or more nothing.
 *
 * @internal
 */
export const presenceOf = (status: unknown): Table.Presence =>
  typeof status !== "number" || status < 400 ? "seen" : isGone(status) ? "gone" : "failed"

/**
 * What every crawl has of a page; `pagesTable` adds the columns of what is asked for.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/webdata"
 *
 * console.log(tables.pages.key)
 * ```
 */
export const pages = Table.make({
  name: "pages",
  description: "one row per page, with its text and metadata",
  key: ["url"],
  schema: Schema.Struct({
    url: Schema.String,
    source_url: Schema.String,
    status_code: Schema.Int,
    title: text,
    description: text,
    language: text,
    content_type: text,
    /** article, forum, product, collection, listing, documentation or service; null where main content was not looked for. */
    kind: text,
    markdown: text,
    html: text,
    raw_html: text,
    links: Schema.NullOr(Schema.Array(Schema.String)),
    og_locale_alternate: Schema.NullOr(Schema.Array(Schema.String)),
    /** Hops from the start; what a sitemap names is as near as the start. */
    depth: Schema.NullOr(Schema.Int),
    /** The least URL that leads here of those one hop nearer; null for the start and for what a sitemap names. */
    discovered_from: text,
    canonical: text,
    hreflang: Schema.NullOr(Schema.Array(Schema.Struct({ lang: Schema.String, href: Schema.String }))),
    /** SHA-256 of title, description and Markdown as they were read. */
    content_hash: text,
    /** The version of the finder of main content that `markdown` was read with; null where it was not looked for. */
    content_version: Schema.NullOr(Schema.Int),
    etag: text,
    last_modified: text,
    elapsed_ms: Schema.NullOr(Schema.Int),
    scrape_id: text,
    warning: text,
    /** What the page's head declares, as it says it (`declared.ts`); the rest is in `metadata`. */
    meta_author: text,
    meta_keywords: text,
    meta_robots: text,
    meta_published: text,
    meta_modified: text,
    og_title: text,
    og_description: text,
    og_type: text,
    og_site_name: text,
    og_url: text,
    og_image: text,
    metadata: Schema.Json,
    fetched_date: Column.Day,
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
    etag: true,
    last_modified: true,
    depth: true,
    discovered_from: true,
    metadata: [
      "scrapeId",
      "elapsedMs",
      "etag",
      "lastModified",
      "depth",
      "discoveredFrom",
      "cacheState",
      "cachedAt",
      "proxyUsed"
    ]
  },
  presence: ({ status_code: status }) => presenceOf(status)
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
  description: "one row per link of a page, where the links format is asked for",
  suffix: "_links",
  key: ["page_url", "position"],
  parent: { table: "pages", on: { page_url: "url" } },
  schema: Schema.Struct({
    page_url: Schema.String,
    position: Schema.Int,
    link: Schema.String,
    host: text,
    is_internal: Schema.Boolean,
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
 * console.log(tables.crawlErrors.name)
 * ```
 */
export const crawlErrors = Table.make({
  name: "crawl_errors",
  description: "one row per URL that failed, that robots.txt blocks, or that was skipped as EXTERNAL_LINK",
  suffix: "_errors",
  key: ["_job_id", "url", "code"],
  schema: Schema.Struct({
    url: Schema.String,
    code: Schema.String,
    error: text,
    error_id: text,
    occurred_at: Schema.NullOr(Column.Timestamp),
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
 * console.log(tables.crawlJobs.name)
 * ```
 */
export const crawlJobs = Table.make({
  name: "crawl_jobs",
  description: "one row per crawl: what was asked, what came of it, what it cost",
  suffix: "_jobs",
  key: ["job_id"],
  schema: Schema.Struct({
    job_id: Schema.String,
    url: Schema.String,
    status: Schema.String,
    total: Schema.Int,
    completed: Schema.Int,
    discovered: Schema.NullOr(Schema.Int),
    failed: Schema.NullOr(Schema.Int),
    blocked: Schema.NullOr(Schema.Int),
    left_over: Schema.NullOr(Schema.Int),
    credits_used: Schema.Int,
    created_at: Column.Timestamp,
    completed_at: Schema.NullOr(Column.Timestamp),
    duration_seconds: Schema.NullOr(Schema.Finite),
    warning: text,
    request: Schema.Json,
    ...system
  })
})
