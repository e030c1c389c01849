/**
 * The formats of a page document, requested by name or as an object with `type`.
 *
 * An unknown format, or a field that a format does not have, is answered with 400 and a list of the choices, which also
 * names the formats of this API that this service does not have.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import * as JsonRules from "./api/JsonRules.ts"
import * as Limits from "./Limits.ts"

/** Every format that this service has. */
export const names = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "branding",
  "json",
  "changeTracking",
  "screenshot",
  "attributes",
  "question",
  "highlights",
  "query"
] as const
/** The names of formats: markdown, html, links, json and others. */
export type FormatName = (typeof names)[number]

/** Names of older clients for formats with options. */
const textForms = ["screenshot@fullPage"] as const

/** Formats of this API that this service does not have: they need a model or a media engine. */
const refused = "product, menu, audio, video"

/** A JSON Schema. Its validity is checked later, when it is compiled (422). */
export const JsonSchema = Bounds.object(Limits.maxSchemaLength)

/** What becomes of facts that a model gave and no page says. */
export const UnsupportedOption = Schema.Literals(["leave_out", "keep"]).annotate({
  description:
    "facts that a model gives and no page says: leave_out makes them null, keep leaves them in the data; both list them in " +
    "unsupported; default: as the service is set up, which is leave_out unless it was started with --unsupported keep"
})
export type UnsupportedOption = typeof UnsupportedOption.Type

/** Undefined: the request does not say. */
export const keepsUnsupported = (option: UnsupportedOption | null | undefined): boolean | undefined =>
  option == null ? undefined : option === "keep"

export const JsonFormat = Schema.Struct({
  type: Schema.Literal("json"),
  schema: Schema.optional(JsonSchema.annotate({ description: "what the data looks like, as JSON Schema" })),
  prompt: Schema.optional(Bounds.prompt),
  unsupported: Schema.optional(UnsupportedOption),
  checkPromptInjection: Schema.optional(Schema.Boolean)
})
export type JsonFormat = typeof JsonFormat.Type

const ChangeTrackingMode = Schema.Literals(["git-diff", "json"])

const ChangeTrackingFormat = Schema.Struct({
  type: Schema.Literal("changeTracking"),
  modes: Schema.optional(Bounds.list(ChangeTrackingMode, 10)),
  schema: Schema.optional(JsonSchema),
  prompt: Schema.optional(Bounds.prompt),
  tag: Schema.optional(
    Schema.NullOr(Schema.String.check(Schema.isMaxLength(200))).annotate({
      description: "the name of a history: a scrape is compared only with scrapes of the same tag"
    })
  )
})
type ChangeTrackingFormat = typeof ChangeTrackingFormat.Type

const Viewport = Schema.Struct({
  width: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7680 })),
  height: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4320 }))
})

/** The options of a screenshot, for the format and the action. */
export const screenshotFields = {
  fullPage: Schema.optional(Schema.Boolean),
  quality: Schema.optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description: "1 to 100: a JPEG of that quality; default: a PNG"
    })
  ),
  viewport: Schema.optional(Viewport)
}

const ScreenshotFormat = Schema.Struct({ type: Schema.Literal("screenshot"), ...screenshotFields })
type ScreenshotFormat = typeof ScreenshotFormat.Type

const AttributesFormat = Schema.Struct({
  type: Schema.Literal("attributes"),
  selectors: Schema.Array(
    Schema.Struct({
      selector: Bounds.filled(2000).check(JsonRules.format("css-selector")),
      attribute: Bounds.filled(500)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(100))
})
type AttributesFormat = typeof AttributesFormat.Type

const words = Bounds.filled(Limits.maxPromptLength)

const QuestionFormat = Schema.Struct({
  type: Schema.Literal("question"),
  question: words.annotate({ description: "the question; `answer` is the passage of the page that answers it" })
})
const HighlightsFormat = Schema.Struct({
  type: Schema.Literal("highlights"),
  query: words.annotate({ description: "the subject to look for; `highlights` are the passages about it" })
})
/** The older form of these two formats. */
const QueryFormat = Schema.Struct({
  type: Schema.Literal("query"),
  prompt: words,
  mode: Schema.optional(
    Schema.Literals(["freeform", "directQuote"]).annotate({
      description: "accepted and ignored: an answer is always a passage in the page's own words"
    })
  )
})

const plain = <const Name extends string>(type: Name) => Schema.Struct({ type: Schema.Literal(type) })

const expected =
  `Expected one of the formats ${names.join(", ")}, as text or as { type }; ` +
  `this service does not have the formats ${refused}`

/** The messages for formats that need options. */
const incomplete: Readonly<Record<string, string>> = {
  attributes: 'the format attributes needs selectors: { type: "attributes", selectors: [{ selector, attribute }] }',
  question: 'the format question needs a question: { type: "question", question }',
  highlights: 'the format highlights needs a query: { type: "highlights", query }',
  query: 'the format query needs a prompt: { type: "query", prompt }'
}

/** Refuses a format without the options that it needs. */
const complete = Schema.makeFilter(
  (format: string | { readonly type: string }) => {
    if (format === "json" || (typeof format === "object" && format.type === "json" && !saysWhat(format))) {
      return 'the format json needs a schema, a prompt or both: { type: "json", schema }'
    }
    return typeof format === "string" ? (incomplete[format] ?? true) : true
  },
  JsonRules.as({
    not: { enum: ["json", ...Object.keys(incomplete)] },
    ...JsonRules.ofType("json", { anyOf: [JsonRules.given("schema"), JsonRules.given("prompt")] })
  })
)

const saysWhat = (format: object): boolean =>
  ("schema" in format && format.schema !== undefined) || ("prompt" in format && format.prompt !== undefined)

/**
 * A format of a page document: a name, or a name with options.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Format } from "millrace/api"
 *
 * const isFormat = Schema.is(Format)
 * console.log(isFormat("markdown"), isFormat({ type: "screenshot", fullPage: true }), isFormat("pdf")) // true true false
 * ```
 */
export const Format = Schema.Union([
  Schema.Literals([...names, ...textForms]).annotate({ message: expected }),
  plain("markdown"),
  plain("html"),
  plain("rawHtml"),
  plain("links"),
  plain("images"),
  plain("summary"),
  plain("branding"),
  JsonFormat,
  ChangeTrackingFormat,
  ScreenshotFormat,
  AttributesFormat,
  QuestionFormat,
  HighlightsFormat,
  QueryFormat
])
  .annotate({ message: expected })
  .check(complete)
export type Format = typeof Format.Type
