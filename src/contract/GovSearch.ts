/**
 * The government search group: ranked passages of primary law and regulatory texts (specification, GET and POST
 * /v2/search/gov; Resources, Government search result).
 *
 * `query` has at least one character; `k` is 1 to 100, default: 10; an unknown field is answered with 400; positions
 * start at 1. Issuer, jurisdiction, status and version are in the title, so that readers can check them before citing.
 * An empty answer does not prove that no law exists.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as Limits from "./Limits.ts"

export const query = Bounds.filled(Limits.maxPromptLength).annotate({
  description: "a question or terms; name the jurisdiction, agency or citation and the date, if you know them"
})

/** The number of results. Clients send it as a number or as text (`public-clients`, 2). */
const K = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxGovResults }))
export const KText = Schema.NumberFromString.pipe(Schema.decodeTo(K))

/**
 * The body of POST /v2/search/gov: a question or a citation, and where to look.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { GovSearchRequest } from "millrace/api"
 *
 * console.log(Schema.decodeUnknownSync(GovSearchRequest)({ query: "fence height in Springfield", k: "5" }).k) // 5
 * ```
 */
export const GovSearchRequest = Schema.Struct({
  query,
  k: Schema.optional(Schema.Union([K, KText])),
  ...clientFields
}).annotate({ identifier: "GovSearchRequest" })
export type GovSearchRequest = typeof GovSearchRequest.Type

/** A section of law: its heading, URL, and text. */
export const WebResult = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  description: Schema.String,
  position: Schema.Int
}).annotate({ identifier: "WebResult" })
export type WebResult = typeof WebResult.Type

/** The sections that a search of government texts found, best first. */
export const GovSearchAnswer = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({ web: Schema.Array(WebResult) }),
  /** A note about the answer, such as that no texts are loaded. */
  warning: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "GovSearchAnswer" })
export type GovSearchAnswer = typeof GovSearchAnswer.Type
