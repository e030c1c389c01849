/**
 * Which types of files are converted to Markdown (`scrapeOptions.parsers`). Default: PDF; empty list: none.
 */
import * as Schema from "effect/Schema"
import * as JsonRules from "./api/JsonRules.ts"

/** The maximum number of pages that are read of one PDF. */
export const maxPdfPages = 500

const PdfParser = Schema.Struct({
  type: Schema.Literal("pdf"),
  mode: Schema.optional(Schema.Literals(["fast", "auto", "ocr"])),
  maxPages: Schema.optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({
      description: `the maximum number of pages to read; default and maximum: ${maxPdfPages}`
    })
  ),
  pages: Schema.optional(Schema.Boolean.annotate({ description: "the Markdown of each page too, as `pages`" })),
  pageMarkdown: Schema.optional(Schema.Boolean),
  pageMarkers: Schema.optional(Schema.Boolean.annotate({ description: "mark in the Markdown where pages begin" })),
  blocks: Schema.optional(Schema.Boolean)
})
export type PdfParser = typeof PdfParser.Type

const expected = 'Expected the parser "pdf" or { type: "pdf", maxPages }'

export const Parser = Schema.Union([
  Schema.Literals(["pdf", "image"]).annotate({ message: expected }),
  PdfParser,
  Schema.Struct({ type: Schema.Literal("image") })
])
  .annotate({ message: expected })
  .check(
    Schema.makeFilter(
      (parser) => {
        if (parser === "image" || (typeof parser === "object" && parser.type === "image")) {
          return "this service does not read text in images (OCR); it has the parser pdf"
        }
        if (typeof parser === "string") return true
        if (parser.mode === "ocr") return "this service does not read text in images (OCR); leave mode out"
        return parser.blocks !== true || "this service does not have the layout blocks of a PDF; leave blocks out"
      },
      JsonRules.as({
        not: {
          anyOf: [
            { const: "image" },
            { type: "object", properties: { type: { const: "image" } }, required: ["type"] },
            { type: "object", properties: { mode: { const: "ocr" } }, required: ["mode"] },
            { type: "object", properties: { blocks: { const: true } }, required: ["blocks"] }
          ]
        }
      })
    )
  )
export type Parser = typeof Parser.Type
