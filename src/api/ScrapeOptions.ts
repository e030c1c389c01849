/**
 * How one page is scraped: the options that scrape takes flat and that crawl takes as `scrapeOptions`.
 *
 * The law: an option that this service cannot honour is refused with 400, never silently ignored. Hints that change
 * only how a hosted service reaches the page (proxy, blockAds, mobile, location) are accepted.
 */
import * as Schema from "effect/Schema"
import * as Limits from "./Limits.ts"

export const FormatName = Schema.Literals(["markdown", "html", "rawHtml", "links"])
export type FormatName = typeof FormatName.Type

/** A format as text, or as the object form that public clients send. */
export const Format = Schema.Union([FormatName, Schema.Struct({ type: FormatName })])
export type Format = typeof Format.Type

export const fields = {
  formats: Schema.optional(
    Schema.Array(Format).annotate({ description: "what each page document holds; markdown where silent" })
  ),
  onlyMainContent: Schema.optional(
    Schema.Boolean.annotate({ description: "leave out navigation, headers, footers and sidebars; true where silent" })
  ),
  headers: Schema.optional(
    Schema.Record(Schema.String, Schema.String).annotate({ description: "request headers sent to the page's host" })
  ),
  timeout: Schema.optional(
    Schema.Int.check(
      Schema.isBetween({ minimum: Limits.minScrapeTimeoutMillis, maximum: Limits.maxScrapeTimeoutMillis })
    ).annotate({ description: "milliseconds a page may take in all; 30000 where silent" })
  ),
  removeBase64Images: Schema.optional(
    Schema.Boolean.annotate({ description: "leave out images that are written into the page; true where silent" })
  ),
  skipTlsVerification: Schema.optional(
    Schema.Boolean.annotate({ description: "accept certificates that do not verify; false where silent" })
  ),
  maxAge: Schema.optional(
    Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "milliseconds that a stored copy may be old; this service always fetches anew"
    })
  ),
  minAge: Schema.optional(Schema.Finite),
  storeInCache: Schema.optional(Schema.Boolean),
  fastMode: Schema.optional(Schema.Boolean),
  blockAds: Schema.optional(Schema.Boolean),
  mobile: Schema.optional(Schema.Boolean),
  proxy: Schema.optional(Schema.Literals(["basic", "stealth", "enhanced", "auto"])),
  location: Schema.optional(
    Schema.Struct({
      country: Schema.optional(Schema.String),
      languages: Schema.optional(Schema.Array(Schema.String))
    }).annotate({ description: "languages are sent as Accept-Language" })
  ),
  parsers: Schema.optional(Schema.Array(Schema.Unknown))
}

export const ScrapeOptions = Schema.Struct(fields).annotate({ identifier: "ScrapeOptions" })
export type ScrapeOptions = typeof ScrapeOptions.Type

/** The formats by name, once each, in the order asked for. */
export const formatNames = (options: ScrapeOptions | undefined): ReadonlyArray<FormatName> => {
  const asked = options?.formats ?? ["markdown"]
  return [...new Set(asked.map((format) => (typeof format === "string" ? format : format.type)))]
}
