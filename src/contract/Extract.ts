/**
 * The extract group: structured data from one or more URLs (specification, POST /v2/extract; Resources, Extract job).
 *
 * `data` has the shape of the schema and is an empty array while the job is processing; a value that no page supports is
 * null and is listed in `missing`, and in `unsupported` if a model gave it; `sources` has the origin of each value, by its
 * JSON pointer.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import { clientFields } from "./api/ClientFields.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { JsonSchema, UnsupportedOption } from "./Formats.ts"
import * as Limits from "./Limits.ts"
import { ScrapeOptions } from "./ScrapeOptions.ts"
import { ExtractWebhook } from "./Webhook.ts"

/** The options of an extract, without its webhook. */
export const extractOptions = {
  urls: Bounds.orNull(
    Bounds.list(
      Bounds.text(Limits.maxUrlLength).check(JsonRules.format("url-or-wildcard")),
      Limits.maxExtractUrls
    ).annotate({
      description: "pages to read; https://example.com/* reads all pages of the domain that can be found"
    })
  ),
  prompt: Bounds.orNull(Bounds.prompt.annotate({ description: "the data that is wanted, in words" })),
  schema: Bounds.orNull(JsonSchema.annotate({ description: "what the data looks like, as JSON Schema" })),
  systemPrompt: Bounds.orNull(Bounds.prompt.annotate({ description: "instructions for a model, before the prompt" })),
  unsupported: Bounds.orNull(UnsupportedOption),
  enableWebSearch: Bounds.orNull(
    Schema.Boolean.annotate({ description: "also read pages that a search for the prompt finds" })
  ),
  allowExternalLinks: Bounds.orNull(
    Schema.Boolean.annotate({ description: "wildcards also follow links to other domains, one hop" })
  ),
  ignoreSitemap: Bounds.orNull(
    Schema.Boolean.annotate({ description: "pages of a wildcard are found by links only, and not by sitemaps" })
  ),
  includeSubdomains: Bounds.orNull(
    Schema.Boolean.annotate({ description: "a wildcard also means the domain's subdomains" })
  ),
  showSources: Bounds.orNull(
    Schema.Boolean.annotate({
      description: "also say what was considered for each field, and why it was left; the answer always has sources"
    })
  ),
  ignoreInvalidURLs: Bounds.orNull(
    Schema.Boolean.annotate({
      description: "true: invalid URLs are listed in invalidURLs; otherwise the request fails with 400"
    })
  ),
  scrapeOptions: Schema.optional(
    Schema.NullOr(ScrapeOptions).annotate({ description: "how each page is scraped before it is read" })
  ),
  agent: Bounds.orNull(
    Schema.Struct({ model: Schema.optional(Bounds.name), prompt: Schema.optional(Bounds.prompt) }).annotate({
      description: "follow the links of the pages that lead to the data"
    })
  )
}

/**
 * The body of POST /v2/extract: the pages to read, and what to find on them, as a prompt, a JSON Schema or both.
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
  webhook: Bounds.orNull(ExtractWebhook),
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

/**
 * How sure a value is: "high" for data that a page declares and values beside a label, "medium" for columns and repeated blocks,
 * "low" for sentences, and for what only a model says. Another place that says the same makes it surer, one that says something
 * else, or a name that is less like, less sure.
 */
export const Certainty = Schema.Literals(["high", "medium", "low"])
export type Certainty = typeof Certainty.Type

/** Where a value comes from, and how sure it is. */
export const ValueSource = Schema.Struct({
  url: Schema.String,
  kind: Schema.String.annotate({ description: "json-ld, microdata, table, label, model ..." }),
  path: Schema.String,
  span: Schema.optionalKey(Schema.Tuple([Schema.Int, Schema.Int])),
  certainty: Schema.optionalKey(Certainty),
  /** For values of a model: whether the page contains them. */
  supported: Schema.optionalKey(Schema.Boolean),
  /** For values of a model: it is a judgement, such as a category or a summary, which no page has to contain. */
  inferred: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ValueSource" })
export type ValueSource = typeof ValueSource.Type

/** A fact that a model gave and no page says. It is null in the data, unless it is kept. */
export const Unsupported = Schema.Struct({
  path: Schema.String.annotate({ description: "where it stood in what the model gave, as a JSON pointer" }),
  value: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]),
  kept: Schema.optionalKey(Schema.Boolean.annotate({ description: "true: the data has it all the same" })),
  url: Schema.optionalKey(
    Schema.String.annotate({ description: "the page that it was given for, where each page was asked for by itself" })
  )
}).annotate({ identifier: "Unsupported" })
export type Unsupported = typeof Unsupported.Type

/** What a page offers to a field, and was not taken. */
export const Considered = Schema.Struct({
  field: Schema.String.annotate({ description: "the JSON pointer of the field in the data of its page" }),
  value: Schema.String,
  kind: Schema.String,
  place: Schema.String,
  why: Schema.String.annotate({ description: "why it was left" }),
  url: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Considered" })
export type Considered = typeof Considered.Type

/** The sources of each value, by its JSON pointer: "/products/0/price". */
export const Sources = Schema.Record(Schema.String, Schema.Array(ValueSource))
export type Sources = typeof Sources.Type

/** What filled the schema: our own rules, or a model whose values were checked against the pages. */
export const Engine = Schema.Struct({
  name: Schema.Literals(["rules", "model"]),
  model: Schema.optionalKey(Schema.String)
})
export type Engine = typeof Engine.Type

/** The status of an extract: its state, the data that it found, and the source of each value. */
export const ExtractStatus = Schema.Struct({
  success: Schema.Boolean,
  id: Schema.String,
  status: ExtractState,
  data: Schema.Json,
  expiresAt: Schema.String,
  sources: Schema.optionalKey(Sources),
  missing: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Those of `missing` whose name a page has all the same: it may say them, and was not understood. */
  unclear: Schema.optionalKey(Schema.Array(Schema.String)),
  unsupported: Schema.optionalKey(Schema.Array(Unsupported)),
  /** With `showSources`: what the pages offer to fields and was not taken, a few for each. */
  considered: Schema.optionalKey(Schema.Array(Considered)),
  engine: Schema.optionalKey(Engine),
  /** How many pages gave the data. */
  pagesRead: Schema.optionalKey(Schema.Int),
  /** How many pages could not be read: what they say is not known. */
  pagesFailed: Schema.optionalKey(Schema.Int),
  /** Links that answer 404 or 410: there is no page. */
  pagesGone: Schema.optionalKey(Schema.Array(Schema.String)),
  tokensUsed: Schema.optionalKey(Schema.Int),
  creditsUsed: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.String),
  warning: Schema.optionalKey(Schema.String),
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "ExtractStatus" })
export type ExtractStatus = typeof ExtractStatus.Type
