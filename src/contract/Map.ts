/**
 * The map group: lists the URLs of a site, without scraping them.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import { HttpUrl } from "./HttpUrl.ts"
import * as Limits from "./Limits.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

/**
 * The body of POST /v2/map: a site, and which of its URLs to list.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { MapRequest } from "millrace/api"
 *
 * const request = Schema.decodeUnknownSync(MapRequest)({ url: "https://docs.example.com", limit: 100 })
 * console.log(request.limit) // 100
 * ```
 */
export const MapRequest = Schema.Struct({
  url: HttpUrl,
  search: Schema.optional(
    Bounds.text(Limits.maxQueryLength).annotate({
      description:
        "words to search for in addresses, titles, descriptions, and the texts of links of the start page: links with more of them come first, links without any are left out"
    })
  ),
  sitemap: Schema.optional(Schema.Literals(["include", "skip", "only"])),
  includeSubdomains: Schema.optional(Schema.Boolean),
  ignoreQueryParameters: Schema.optional(Schema.Boolean),
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxMapLimit }))),
  timeout: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1000, maximum: 300_000 }))),
  location: ScrapeOptions.fields.location,
  ...clientFields
}).annotate({ identifier: "MapRequest" })
export type MapRequest = typeof MapRequest.Type

/** The URLs of a site, with their titles, if known. */
export const MapAnswer = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  links: Schema.Array(
    Schema.Struct({
      url: Schema.String,
      title: Schema.optionalKey(Schema.String),
      description: Schema.optionalKey(Schema.String)
    })
  ),
  warning: Schema.optionalKey(Schema.String)
})
export type MapAnswer = typeof MapAnswer.Type
