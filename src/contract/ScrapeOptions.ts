/**
 * The options of scraping one page: at the top of a scrape, and in `scrapeOptions` of a crawl.
 *
 * An option that this service does not support is refused with 400, never silently ignored. Options that only change how
 * a hosted service reaches the page (proxy, blockAds, fastMode) are accepted.
 */
import * as Schema from "effect/Schema"
import { Actions } from "./Actions.ts"
import * as Bounds from "./api/Bounds.ts"
import { Headers } from "./api/Headers.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { Format, type FormatName, names } from "./Formats.ts"
import * as Limits from "./Limits.ts"
import { Parser } from "./Parsers.ts"

/** CSS selectors of elements to keep or to leave out: the service checks them (400). */
const Selectors = Bounds.list(Bounds.filled(2000).check(JsonRules.format("css-selector")), 200)

const age = Bounds.milliseconds

export const fields = {
  formats: Schema.optional(
    Bounds.list(Format, 50).annotate({ description: "the parts of each page document; default: markdown" })
  ),
  onlyMainContent: Schema.optional(
    Schema.Boolean.annotate({ description: "leave out navigation, headers, footers and sidebars; default: true" })
  ),
  headers: Schema.optional(Headers.annotate({ description: "request headers sent to the page's host" })),
  timeout: Schema.optional(
    Schema.Int.check(
      Schema.isBetween({ minimum: Limits.minScrapeTimeoutMillis, maximum: Limits.maxScrapeTimeoutMillis })
    ).annotate({ description: "milliseconds that a page may take in total; default: 30,000" })
  ),
  removeBase64Images: Schema.optional(
    Schema.Boolean.annotate({ description: "leave out images that are embedded in the page as base64; default: true" })
  ),
  skipTlsVerification: Schema.optional(
    Schema.Boolean.annotate({ description: "accept invalid TLS certificates; default: false" })
  ),
  includeTags: Schema.optional(
    Selectors.annotate({ description: "CSS selectors; only elements that match make up markdown and html" })
  ),
  excludeTags: Schema.optional(Selectors.annotate({ description: "CSS selectors; elements that match are left out" })),
  maxAge: Schema.optional(
    age.annotate({
      description: "how old a stored copy may be, in milliseconds; default: 0, which means: always fetch the page"
    })
  ),
  minAge: Schema.optional(
    age.annotate({ description: "answer from a stored copy at least this old, in milliseconds, and never fetch" })
  ),
  storeInCache: Schema.optional(
    Schema.Boolean.annotate({ description: "keep the page for later requests with maxAge; default: true" })
  ),
  waitFor: Schema.optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 })).annotate({
      description: "milliseconds to let the page run in a browser before it is read"
    })
  ),
  actions: Schema.optional(Actions.annotate({ description: "what a browser does on the page before it is read" })),
  mobile: Schema.optional(Schema.Boolean.annotate({ description: "see the page as a phone's browser does" })),
  fastMode: Schema.optional(Schema.Boolean),
  blockAds: Schema.optional(Schema.Boolean),
  proxy: Schema.optional(Schema.Literals(["basic", "stealth", "enhanced", "auto"])),
  location: Schema.optional(
    Schema.Struct({
      country: Schema.optional(Bounds.name),
      languages: Schema.optional(Bounds.list(Bounds.text(100), 50))
    }).annotate({ description: "languages are sent as Accept-Language" })
  ),
  parsers: Schema.optional(Bounds.list(Parser, 10).annotate({ description: "files to read; default: pdf" }))
}

/**
 * How to read a page: formats, headers, waits, actions, timeouts.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { ScrapeOptions } from "millrace/api"
 *
 * const options = Schema.decodeUnknownSync(ScrapeOptions)({ formats: ["markdown", "links"], waitFor: 500 })
 * console.log(options.formats, options.waitFor) // ["markdown", "links"] 500
 * ```
 */
export const ScrapeOptions = Schema.Struct(fields).annotate({ identifier: "ScrapeOptions" })
export type ScrapeOptions = typeof ScrapeOptions.Type

/** The names of the requested formats, each once, in their order. */
export const formatNames = (options: ScrapeOptions | undefined): ReadonlyArray<FormatName> => {
  const formats = options?.formats ?? ["markdown"]
  return [...new Set(formats.map(nameOf))]
}

/** The requested format of this type, if it was requested as an object. */
export const formatOf = <Type extends Exclude<Format, string>["type"]>(
  options: ScrapeOptions | undefined,
  type: Type
): Extract<Format, { readonly type: Type }> | undefined =>
  options?.formats?.find(
    (format): format is Extract<Format, { readonly type: Type }> => typeof format === "object" && format.type === type
  )

const nameOf = (format: Format): FormatName => {
  const name = typeof format === "string" ? format.split("@", 1).join("") : format.type
  return names.find((known) => known === name) ?? "markdown"
}
