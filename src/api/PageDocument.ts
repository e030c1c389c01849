/**
 * One scraped page (specification, Crawl job: page document): the requested formats and `metadata`.
 *
 * A page that answered with an HTTP error is a document too, with that status in `metadata.statusCode`. `sourceURL` is the
 * requested URL, and `url` is the URL after redirects.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Branding } from "./Branding.ts"

/** The kinds of pages that the main content finder distinguishes. */
export const PageKind = Schema.Literals([
  "article",
  "forum",
  "product",
  "collection",
  "listing",
  "documentation",
  "service"
])
export type PageKind = typeof PageKind.Type

/**
 * The metadata of a page: what it declares (title, language), and how it was fetched (status, URL). Other meta tags are further
 * fields, by their names.
 */
export const Metadata = Schema.StructWithRest(
  Schema.Struct({
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    language: Schema.optionalKey(Schema.String),
    ogLocaleAlternate: Schema.optionalKey(Schema.Array(Schema.String)),
    sourceURL: Schema.String,
    url: Schema.String,
    statusCode: Schema.Int,
    contentType: Schema.optionalKey(Schema.String),
    /** The number of pages of a PDF, under both names that clients know; `creditsUsed` tells how many were read. */
    numPages: Schema.optionalKey(Schema.Int),
    totalPages: Schema.optionalKey(Schema.Int),
    scrapeId: Schema.String,
    proxyUsed: Schema.optionalKey(Schema.String),
    cacheState: Schema.optionalKey(Schema.Literals(["hit", "miss"])),
    cachedAt: Schema.optionalKey(Schema.String),
    /** The credits of this document: 1, and 4 more with the format json; a PDF costs 1 per page. */
    creditsUsed: Schema.optionalKey(Schema.Int),
    /** Extensions of the contract: the kind of page, and the version of the main content finder that read it. */
    pageKind: Schema.optionalKey(PageKind),
    contentVersion: Schema.optionalKey(Schema.Int),
    /** SHA-256 of title, description and Markdown as they were read. */
    contentHash: Schema.optionalKey(Schema.String),
    /** The headers ETag and Last-Modified of the site. */
    etag: Schema.optionalKey(Schema.String),
    lastModified: Schema.optionalKey(Schema.String),
    /** How long the site took to answer, in milliseconds. */
    elapsedMs: Schema.optionalKey(Schema.Int),
    /** Bytes of the answer's body as received, with the bodies of redirects before it; 0 for a stored copy. */
    wireBytes: Schema.optionalKey(Schema.Int),
    /** Bytes of the body decompressed. */
    bodyBytes: Schema.optionalKey(Schema.Int),
    /** The versions of the page in other languages, as the page declares them. */
    hreflang: Schema.optionalKey(Schema.Array(Schema.Struct({ lang: Schema.String, href: Schema.String }))),
    /** Only in a crawl that settles: the number of hops from the start, and the page that links to this one. */
    depth: Schema.optionalKey(Schema.Int),
    discoveredFrom: Schema.optionalKey(Schema.String),
    /** The error of the site, for a status of 400 or more. */
    error: Schema.optionalKey(Schema.String)
  }),
  [Schema.Record(Schema.String, Schema.Json)]
)
export type Metadata = typeof Metadata.Type

/** One line of a unified diff: `ln` is its line number on one side, `ln1` and `ln2` are those of a line on both sides. */
const DiffLine = Schema.Struct({
  type: Schema.Literals(["normal", "add", "del"]),
  normal: Schema.optionalKey(Schema.Boolean),
  ln: Schema.optionalKey(Schema.Int),
  ln1: Schema.optionalKey(Schema.Int),
  ln2: Schema.optionalKey(Schema.Int),
  content: Schema.String
})

/** The difference between two texts: as the text of a unified diff, and as its parts. */
export const Diff = Schema.Struct({
  text: Schema.String,
  json: Schema.Struct({
    files: Schema.Array(
      Schema.Struct({
        from: Schema.NullOr(Schema.String),
        to: Schema.NullOr(Schema.String),
        chunks: Schema.Array(Schema.Struct({ content: Schema.String, changes: Schema.Array(DiffLine) }))
      })
    )
  })
})
export type Diff = typeof Diff.Type

/** How a page differs from its previous scrape with the same tag. */
export const ChangeTracking = Schema.Struct({
  previousScrapeAt: Schema.NullOr(Schema.String),
  changeStatus: Schema.Literals(["new", "same", "changed", "removed"]),
  visibility: Schema.Literals(["visible", "hidden"]),
  diff: Schema.optionalKey(Diff),
  /** The fields that changed, by their dotted names. */
  json: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ previous: Schema.Json, current: Schema.Json })))
})
export type ChangeTracking = typeof ChangeTracking.Type

/** The results of the actions, in their order. Screenshots and PDFs are data: URLs. */
export const ActionResults = Schema.Struct({
  screenshots: Schema.Array(Schema.String),
  scrapes: Schema.Array(Schema.Struct({ url: Schema.String, html: Schema.String })),
  javascriptReturns: Schema.Array(Schema.Struct({ type: Schema.String, value: Schema.Json })),
  pdfs: Schema.Array(Schema.String)
})
export type ActionResults = typeof ActionResults.Type

/** A page in the requested formats, with its metadata. */
export const PageDocument = Schema.Struct({
  markdown: Schema.optionalKey(Schema.String),
  html: Schema.optionalKey(Schema.String),
  rawHtml: Schema.optionalKey(Schema.String),
  links: Schema.optionalKey(Schema.Array(Schema.String)),
  images: Schema.optionalKey(Schema.Array(Schema.String)),
  summary: Schema.optionalKey(Schema.String),
  json: Schema.optionalKey(Schema.Json),
  changeTracking: Schema.optionalKey(ChangeTracking),
  /** A data: URL. */
  screenshot: Schema.optionalKey(Schema.String),
  attributes: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ selector: Schema.String, attribute: Schema.String, values: Schema.Array(Schema.String) })
    )
  ),
  actions: Schema.optionalKey(ActionResults),
  branding: Schema.optionalKey(Branding),
  /** Literal passages of the page: the one that answers the question, and those about the query. */
  answer: Schema.optionalKey(Schema.String),
  highlights: Schema.optionalKey(Schema.String),
  /** The Markdown of each page of a PDF, if it was requested. */
  pages: Schema.optionalKey(Schema.Array(Schema.Struct({ pageNumber: Schema.Int, markdown: Schema.String }))),
  warning: Schema.optionalKey(Schema.String),
  metadata: Metadata
}).annotate({ identifier: "PageDocument" })
export type PageDocument = typeof PageDocument.Type

/**
 * Decodes parsed JSON as a document. Most documents have only plain fields, and the rest of their metadata may be any JSON.
 * For these it checks only the plain fields, which takes a twentieth of the time of the whole schema.
 *
 * @example
 * ```ts
 * import * as Result from "effect/Result"
 * import { fromJson } from "millrace/api"
 *
 * const url = "https://docs.example.com/about"
 * const read = fromJson({ markdown: "# About", metadata: { sourceURL: url, url, statusCode: 200, scrapeId: "1" } })
 * console.log(Result.isSuccess(read), Result.isSuccess(fromJson({ markdown: 1 }))) // true false
 * ```
 */
export const fromJson = (parsed: unknown): Result.Result<PageDocument, Schema.SchemaError> =>
  isPlain(parsed) && !rare.some((name) => name in parsed) ? Result.succeed(parsed) : decode(parsed)

const rare = ["json", "changeTracking", "actions", "branding"] as const
const isPlain = Schema.is(
  Schema.Struct({ ...Struct.omit(PageDocument.fields, [...rare, "metadata"]), metadata: Metadata.schema })
)
const decode = Schema.decodeUnknownResult(PageDocument)
