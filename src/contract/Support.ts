/**
 * The support group: questions about this API, answered from its own documentation (specification, POST
 * /v2/support/ask).
 *
 * An answer names its sources; if nothing answers the question, it says so and names none. Corrected parameters always
 * fit the contract.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"

/**
 * The body of POST /v2/support/ask: a question about the service, which may contain a call, and a job.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { SupportRequest } from "millrace/api"
 *
 * const request = Schema.decodeUnknownSync(SupportRequest)({ question: "How do I crawl one folder of a site?" })
 * console.log(request.question) // "How do I crawl one folder of a site?"
 * ```
 */
export const SupportRequest = Schema.Struct({
  question: Schema.String.check(
    Schema.isMaxLength(Limits.maxPromptLength),
    Schema.makeFilter((text: string) => text.trim() !== "" || "is empty", JsonRules.as(JsonRules.filled))
  ).annotate({
    description: "the question, in words; if it contains a call (curl, JSON or an SDK), the call is corrected"
  }),
  jobId: Schema.optional(
    Schema.NullOr(Bounds.name).annotate({ description: "a job of the team that the question is about" })
  ),
  ...clientFields
}).annotate({ identifier: "SupportRequest" })
export type SupportRequest = typeof SupportRequest.Type

/** A corrected call, and its changes. */
export const Correction = Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  /** The corrected body. */
  parameters: Schema.Record(Schema.String, Schema.Json),
  /** The changes, each as a sentence. */
  changes: Schema.Array(Schema.String)
}).annotate({ identifier: "Correction" })
export type Correction = typeof Correction.Type

/** The answer to a question: a text, its sources in the documentation, and corrected calls. */
export const SupportAnswer = Schema.Struct({
  success: Schema.Literal(true),
  answer: Schema.String,
  sources: Schema.Array(Schema.Struct({ title: Schema.String, url: Schema.String })),
  corrections: Schema.optionalKey(Schema.Array(Correction)),
  /** The parameters of the first correction. */
  fixParameters: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
}).annotate({ identifier: "SupportAnswer" })
export type SupportAnswer = typeof SupportAnswer.Type
