/**
 * The scrape group: one page, answered in the same request, and again for 24 hours by its `metadata.scrapeId`.
 */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { clientFields } from "./ClientFields.ts"
import * as Errors from "./Errors.ts"
import { HttpUrl } from "./HttpUrl.ts"
import { PageDocument } from "./PageDocument.ts"
import * as ScrapeOptions from "./ScrapeOptions.ts"

export const ScrapeRequest = Schema.Struct({ url: HttpUrl, ...ScrapeOptions.fields, ...clientFields }).annotate({
  identifier: "ScrapeRequest"
})
export type ScrapeRequest = typeof ScrapeRequest.Type

const ScrapeResult = Schema.Struct({ success: Schema.Literal(true), data: PageDocument })

/** A page that could not be had for a reason on its own side is 200 with success false, a code and an error. */
export const ScrapeAnswer = Schema.Union([
  ScrapeResult,
  Schema.Struct({ success: Schema.Literal(false), code: Schema.String, error: Schema.String })
])
export type ScrapeAnswer = typeof ScrapeAnswer.Type

export class ScrapeGroup extends HttpApiGroup.make("scrape").add(
  HttpApiEndpoint.post("scrape", "/scrape", {
    payload: ScrapeRequest,
    success: ScrapeAnswer,
    error: [...Errors.common, Errors.NotFound.http, Errors.RequestTimeout.http, Errors.Unprocessable.http]
  }),
  HttpApiEndpoint.get("result", "/scrape/:id", {
    params: { id: Schema.String },
    success: ScrapeResult,
    error: [...Errors.common, Errors.NotFound.http]
  })
) {}
