/**
 * The parse group: an uploaded file as a page document.
 *
 * The body is multipart/form-data with `file` (the bytes, with a file name) and `options` (JSON text: the scrape options
 * that apply to a file). A file over the limit is 413.
 */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { clientFields } from "./api/ClientFields.ts"
import * as Limits from "./Limits.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

/** The scrape options that apply to a file. */
const fields = Struct.pick(ScrapeOptions.fields, [
  "formats",
  "onlyMainContent",
  "includeTags",
  "excludeTags",
  "removeBase64Images",
  "parsers",
  "timeout",
  "headers",
  "skipTlsVerification",
  "fastMode",
  "blockAds",
  "proxy"
])

/** Formats that need a website, a browser or a history: they are not available for a file. */
const needsSite = new Set(["changeTracking", "screenshot", "branding"])

/**
 * How to read an uploaded file.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { ParseOptions } from "millrace/api"
 *
 * const isOptions = Schema.is(ParseOptions)
 * console.log(isOptions({ formats: ["markdown"] }), isOptions({ formats: ["screenshot"] })) // true false
 * ```
 */
export const ParseOptions = Schema.Struct({ ...fields, ...clientFields })
  .check(
    Schema.makeFilter((options) => {
      if (options.proxy === "enhanced" || options.proxy === "stealth")
        return { path: ["proxy"], issue: `a file is not fetched, so it needs no ${options.proxy} proxy: leave it out` }
      const odd = ScrapeOptions.formatNames({ formats: options.formats }).find((name) => needsSite.has(name))
      return odd === undefined || { path: ["formats"], issue: `a file has no ${odd}: leave the format out` }
    })
  )
  .annotate({ identifier: "ParseOptions" })
export type ParseOptions = typeof ParseOptions.Type

/** The form, as a stream of its parts. */
export const ParseForm = Schema.Struct({ file: Schema.String, options: Schema.optional(Schema.String) }).pipe(
  HttpApiSchema.asMultipartStream({
    maxParts: 10,
    maxFieldSize: "1 MB",
    maxFileSize: Limits.maxUploadBytes,
    maxTotalSize: Limits.maxUploadBytes + 2 * 1024 * 1024,
    fieldMimeTypes: []
  })
)
