/**
 * One scraped page (specification, Crawl job: page document): the requested formats and `metadata`.
 *
 * A page that answered with an HTTP error is still a document, with that status in `metadata.statusCode`. `sourceURL` is
 * the requested URL, `url` the one that answered.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Branding } from "./Branding.ts"
import { Sources, Unsupported } from "./Extract.ts"

/** The kinds of pages that the extraction of main content knows. */
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
 * The metadata of a page, and of its fetch: title, language, status, URL. Other meta tags are further fields, by their
 * names.
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
    /** The number of pages of a PDF, by both names that clients know. `creditsUsed` shows how many were read. */
    numPages: Schema.optionalKey(Schema.Int),
    totalPages: Schema.optionalKey(Schema.Int),
    scrapeId: Schema.String,
    proxyUsed: Schema.optionalKey(Schema.String),
    cacheState: Schema.optionalKey(Schema.Literals(["hit", "miss"])),
    cachedAt: Schema.optionalKey(Schema.String),
    /** The cost of this document: 1, and 4 more with json; a PDF costs 1 per page. */
    creditsUsed: Schema.optionalKey(Schema.Int),
    /** Extensions: the kind of page, and the version of the algorithm that extracted the main content, with its theme. */
    pageKind: Schema.optionalKey(PageKind),
    contentVersion: Schema.optionalKey(Schema.Int),
    /** The SHA-256 of title, description and Markdown. */
    contentHash: Schema.optionalKey(Schema.String),
    /** The headers of the site's answer. */
    etag: Schema.optionalKey(Schema.String),
    lastModified: Schema.optionalKey(Schema.String),
    /** How long the site took to answer, in milliseconds. */
    elapsedMs: Schema.optionalKey(Schema.Int),
    /** The received bytes of the answer's body and of the bodies of redirects before it; 0 for a stored copy. */
    wireBytes: Schema.optionalKey(Schema.Int),
    /** The bytes of the decompressed body. */
    bodyBytes: Schema.optionalKey(Schema.Int),
    /** The versions in other languages to which the page refers. */
    hreflang: Schema.optionalKey(Schema.Array(Schema.Struct({ lang: Schema.String, href: Schema.String }))),
    /** For a crawl that settles: the number of hops from the start, and the page with the link to this one. */
    depth: Schema.optionalKey(Schema.Int),
    discoveredFrom: Schema.optionalKey(Schema.String),
    /** The error of the site, for a status of 400 or more. */
    error: Schema.optionalKey(Schema.String),
    /**
     * Extension, for a page that scripts fill and no browser has shown: the code of the reason. The document has only what was
     * sent, and its `warning` says what to do.
     */
    unread: Schema.optionalKey(Schema.String)
  }),
  [Schema.Record(Schema.String, Schema.Json)]
)
export type Metadata = typeof Metadata.Type

/** One line of a unified diff. `ln`: its number, if it is on one side; `ln1`, `ln2`: its numbers, if it is on both. */
const DiffLine = Schema.Struct({
  type: Schema.Literals(["normal", "add", "del"]),
  normal: Schema.optionalKey(Schema.Boolean),
  ln: Schema.optionalKey(Schema.Int),
  ln1: Schema.optionalKey(Schema.Int),
  ln2: Schema.optionalKey(Schema.Int),
  content: Schema.String
})

/** The difference between two texts: as a patch, and as its parsed lines. */
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

/** The difference of a page from its last version with the same tag. */
export const ChangeTracking = Schema.Struct({
  previousScrapeAt: Schema.NullOr(Schema.String),
  changeStatus: Schema.Literals(["new", "same", "changed", "removed"]),
  visibility: Schema.Literals(["visible", "hidden"]),
  diff: Schema.optionalKey(Diff),
  /** The changed fields, by their dotted names. */
  json: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ previous: Schema.Json, current: Schema.Json }))
  ),
  /** Of the tracked fields: where each value stands now, by its JSON pointer, and what a model gave and the page does not say. */
  sources: Schema.optionalKey(Sources),
  unsupported: Schema.optionalKey(Schema.Array(Unsupported))
})
export type ChangeTracking = typeof ChangeTracking.Type

/** The results of actions, in the order of the actions. Screenshots and PDFs are data: URLs. */
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
  /** Of the format json: where each value stands, and how sure it is, by its JSON pointer. */
  sources: Schema.optionalKey(Sources),
  /** Of the format json, if a model filled it: facts that the page does not say, and JSON pointers of its judgements. */
  unsupported: Schema.optionalKey(Schema.Array(Unsupported)),
  inferred: Schema.optionalKey(Schema.Array(Schema.String)),
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
  /** Verbatim passages of the page: one that answers the question, and those that match the query. */
  answer: Schema.optionalKey(Schema.String),
  highlights: Schema.optionalKey(Schema.String),
  /** The Markdown of each page of a PDF, if it was requested. */
  pages: Schema.optionalKey(Schema.Array(Schema.Struct({ pageNumber: Schema.Int, markdown: Schema.String }))),
  warning: Schema.optionalKey(Schema.String),
  metadata: Metadata
}).annotate({ identifier: "PageDocument" })
export type PageDocument = typeof PageDocument.Type

/**
 * Decodes parsed JSON to a document. Most documents have only plain fields, and further metadata may be any JSON: checking
 * these costs a twentieth of checking the whole schema.
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

const rare = ["json", "unsupported", "inferred", "changeTracking", "actions", "branding"] as const
const isPlain = Schema.is(
  Schema.Struct({ ...Struct.omit(PageDocument.fields, [...rare, "metadata"]), metadata: Metadata.schema })
)
const decode = Schema.decodeUnknownResult(PageDocument)
