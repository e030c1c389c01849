/**
 * The extract group: structured data from one or more URLs (specification, POST /v2/extract; Resources, Extract job).
 *
 * `data` has the shape of the schema, and is an empty array while the job is processing. A value that no page supports is null
 * and is listed in `missing`. `sources` has the origin of each value, by its JSON pointer.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import { clientFields } from "./ClientFields.ts"
import { JsonSchema } from "./Formats.ts"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"
import { ExtractWebhook } from "./Webhook.ts"

const orNull = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** The options of an extract, without its webhook. */
export const extractOptions = {
  urls: orNull(
    Bounds.list(
      Bounds.text(Limits.maxUrlLength).check(JsonRules.format("url-or-wildcard")),
      Limits.maxExtractUrls
    ).annotate({
      description: "pages to read; https://example.com/* reads all pages of the domain that can be found"
    })
  ),
  prompt: orNull(Bounds.prompt.annotate({ description: "the data that is wanted, in words" })),
  schema: orNull(JsonSchema.annotate({ description: "what the data looks like, as JSON Schema" })),
  systemPrompt: orNull(Bounds.prompt.annotate({ description: "instructions for a model, before the prompt" })),
  enableWebSearch: orNull(
    Schema.Boolean.annotate({ description: "also read pages that a search for the prompt finds" })
  ),
  allowExternalLinks: orNull(
    Schema.Boolean.annotate({ description: "wildcards also follow links to other domains, one hop" })
  ),
  ignoreSitemap: orNull(
    Schema.Boolean.annotate({ description: "pages of a wildcard are found by links only, and not by sitemaps" })
  ),
  includeSubdomains: orNull(Schema.Boolean.annotate({ description: "a wildcard also means the domain's subdomains" })),
  showSources: orNull(Schema.Boolean.annotate({ description: "accepted and ignored: the answer always has sources" })),
  ignoreInvalidURLs: orNull(
    Schema.Boolean.annotate({
      description: "true: invalid URLs are listed in invalidURLs; otherwise the request fails with 400"
    })
  ),
  scrapeOptions: Schema.optional(
    Schema.NullOr(ScrapeOptions).annotate({ description: "how each page is scraped before it is read" })
  ),
  agent: orNull(
    Schema.Struct({ model: Schema.optional(Bounds.name), prompt: Schema.optional(Bounds.prompt) }).annotate({
      description: "also follow links of these pages that lead to the data"
    })
  )
}

/**
 * The body of POST /v2/extract: the pages to read, and the wanted data as a prompt, a JSON Schema or both.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { ExtractRequest } from "millrace/api"
 *
 * const urls = ["https://your.site/shop/*"]
 * console.log(Schema.is(ExtractRequest)({ urls, prompt: "names and prices" }), Schema.is(ExtractRequest)({ urls })) // true false
 * ```
 */
export const ExtractRequest = Schema.Struct({
  ...extractOptions,
  webhook: orNull(ExtractWebhook),
  ...clientFields
})
  .check(
    Schema.makeFilter(
      ({ prompt, schema }) =>
        (prompt ?? "") === "" && schema == null
          ? { path: ["prompt"], issue: "is missing: an extract needs a prompt, a schema or both" }
          : true,
      JsonRules.as({
        anyOf: [
          { required: ["prompt"], properties: { prompt: { type: "string", minLength: 1 } } },
          { required: ["schema"], properties: { schema: { type: "object" } } }
        ],
        ...JsonRules.urls({
          anyOf: [JsonRules.url, { pattern: "^\\s*[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,4})?(?:/[^\\s?#]*)?/\\*\\s*$" }]
        })
      })
    )
  )
  .annotate({ identifier: "ExtractRequest" })
export type ExtractRequest = typeof ExtractRequest.Type

export const ExtractStarted = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  invalidURLs: Schema.optionalKey(Schema.Array(Schema.String)),
  warnings: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The operation that supersedes this one. */
  replacement: Schema.optionalKey(Schema.String)
})

export const ExtractState = Schema.Literals(["processing", "completed", "failed", "cancelled"])
export type ExtractState = typeof ExtractState.Type

/** The origin of a value: its page, and its place on the page. */
export const ValueSource = Schema.Struct({
  url: Schema.String,
  kind: Schema.String.annotate({ description: "json-ld, microdata, table, label, model ..." }),
  path: Schema.String,
  span: Schema.optionalKey(Schema.Tuple([Schema.Int, Schema.Int])),
  /** Only for values of a model: whether the page contains the value. */
  supported: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ValueSource" })
export type ValueSource = typeof ValueSource.Type

/** The origins of all values, by the JSON pointer of each value, such as "/products/0/price". */
export const Sources = Schema.Record(Schema.String, Schema.Array(ValueSource))
export type Sources = typeof Sources.Type

/** What filled the schema: rules, or a model whose values were compared with the pages. */
export const Engine = Schema.Struct({
  name: Schema.Literals(["rules", "model"]),
  model: Schema.optionalKey(Schema.String)
})
export type Engine = typeof Engine.Type

/** The status of an extract: its state, the data that it found, and the origin of each value. */
export const ExtractStatus = Schema.Struct({
  success: Schema.Boolean,
  id: Schema.String,
  status: ExtractState,
  data: Schema.Json,
  expiresAt: Schema.String,
  sources: Schema.optionalKey(Sources),
  missing: Schema.optionalKey(Schema.Array(Schema.String)),
  engine: Schema.optionalKey(Engine),
  tokensUsed: Schema.optionalKey(Schema.Int),
  creditsUsed: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.String),
  warning: Schema.optionalKey(Schema.String),
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "ExtractStatus" })
export type ExtractStatus = typeof ExtractStatus.Type
