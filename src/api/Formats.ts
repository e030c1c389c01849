/**
 * The formats of a page document, written as text or as an object with `type`.
 *
 * An unknown format, or an unknown field of a format, is answered with 400 and a list of the choices. The answer also names
 * the formats of this API that this service does not support.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import * as JsonRules from "./JsonRules.ts"
import * as Limits from "./Limits.ts"

/** All formats that this service supports. */
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

/** Other texts that older clients send for a format. */
const textForms = ["screenshot@fullPage"] as const

/** The formats of this API that this service does not support, because they need a model or a media engine. */
const refused = "product, menu, audio, video"

/** A JSON Schema of a caller. An invalid one is found when it is compiled (422). */
export const JsonSchema = Bounds.object(Limits.maxSchemaLength)

export const JsonFormat = Schema.Struct({
  type: Schema.Literal("json"),
  schema: Schema.optional(JsonSchema.annotate({ description: "what the data looks like, as JSON Schema" })),
  prompt: Schema.optional(Bounds.prompt),
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
export type ChangeTrackingFormat = typeof ChangeTrackingFormat.Type

const Viewport = Schema.Struct({
  width: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7680 })),
  height: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4320 }))
})

/** How a screenshot is taken, as a format or as an action. */
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
export type ScreenshotFormat = typeof ScreenshotFormat.Type

const AttributesFormat = Schema.Struct({
  type: Schema.Literal("attributes"),
  selectors: Schema.Array(
    Schema.Struct({
      selector: Bounds.filled(2000).check(JsonRules.format("css-selector")),
      attribute: Bounds.filled(500)
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(100))
})
export type AttributesFormat = typeof AttributesFormat.Type

const words = Bounds.filled(Limits.maxPromptLength)

const QuestionFormat = Schema.Struct({
  type: Schema.Literal("question"),
  question: words.annotate({
    description: "a question to the page; `answer` is the passage of the page that answers it"
  })
})
const HighlightsFormat = Schema.Struct({
  type: Schema.Literal("highlights"),
  query: words.annotate({ description: "the words to look for; `highlights` are the passages of the page about them" })
})
/** The older form of `question` and `highlights`. */
const QueryFormat = Schema.Struct({
  type: Schema.Literal("query"),
  prompt: words,
  mode: Schema.optional(
    Schema.Literals(["freeform", "directQuote"]).annotate({
      description: "accepted and ignored: the answer is always a literal passage of the page"
    })
  )
})

const plain = <const Name extends string>(type: Name) => Schema.Struct({ type: Schema.Literal(type) })

const expected =
  `Expected one of the formats ${names.join(", ")}, as text or as { type }; ` +
  `this service does not have the formats ${refused}`

/** Formats that need options, with the message for a name alone. */
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
 * A format of a page document: its name, or an object with its name and options.
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
