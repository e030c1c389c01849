/**
 * One scraped page (specification, Crawl job: page document): the requested formats and `metadata`.
 *
 * The law: a page that answered with an HTTP error is a document all the same, with that status in
 * `metadata.statusCode`. `sourceURL` is the URL as it was requested, `url` the one that answered.
 */
import * as Schema from "effect/Schema"

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
    scrapeId: Schema.String
  }),
  [Schema.Record(Schema.String, Schema.Json)]
)
export type Metadata = typeof Metadata.Type

export const PageDocument = Schema.Struct({
  markdown: Schema.optionalKey(Schema.String),
  html: Schema.optionalKey(Schema.String),
  rawHtml: Schema.optionalKey(Schema.String),
  links: Schema.optionalKey(Schema.Array(Schema.String)),
  warning: Schema.optionalKey(Schema.String),
  metadata: Metadata
}).annotate({ identifier: "PageDocument" })
export type PageDocument = typeof PageDocument.Type
