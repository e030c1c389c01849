/**
 * Scrape options, compiled once for a request or a whole job and used for every page.
 *
 * Every problem of the options is reported here, before the first page is requested.
 */
import * as Effect from "effect/Effect"
import { BadRequest, Unprocessable } from "#contract/Errors"
import type { FormatName } from "#contract/Formats"
import * as JsonSchema from "#contract/JsonSchema"
import * as Limits from "#contract/Limits"
import { maxPdfPages, type PdfParser } from "#contract/Parsers"
import * as ScrapeOptions from "#contract/ScrapeOptions"
import type * as Page from "#page/Page"
import * as Selection from "#page/Selection"

export interface ScrapePlan {
  readonly options: ScrapeOptions.ScrapeOptions
  readonly formats: ReadonlySet<FormatName>
  readonly page: Page.PageOptions
  /** The time limit of one page, in milliseconds. */
  readonly timeoutMillis: number
  /** Undefined: PDFs are not read. */
  readonly pdf: PdfPlan | undefined
  readonly needsBrowser: boolean
  /** Whether changes of data are tracked in addition to those of the text. */
  readonly tracksJson: boolean
  /** Whether documents say more than the contract demands (`Metadata`, extensions). */
  readonly isExtended?: boolean
  /** Whether nothing of its pages may be kept (zero data retention). */
  readonly keepsNothing?: boolean
}

interface PdfPlan {
  readonly maxPages: number
  readonly pages: boolean
  readonly markers: boolean
}

export const ofOptions = Effect.fnUntraced(function* (
  options: ScrapeOptions.ScrapeOptions = {}
): Effect.fn.Return<ScrapePlan, BadRequest | Unprocessable> {
  const formats = new Set(ScrapeOptions.formatNames(options))
  const choice = Selection.choose({
    include: options.includeTags ?? [],
    exclude: options.excludeTags ?? [],
    attributes: ScrapeOptions.formatOf(options, "attributes")?.selectors ?? []
  })
  if (typeof choice === "string") return yield* new BadRequest({ message: `Bad Request: ${choice}` })
  const { timeout = Limits.defaultScrapeTimeoutMillis, waitFor = 0 } = options
  if (waitFor >= timeout) {
    return yield* new BadRequest({
      message: `Bad Request: waitFor: the page may take ${timeout} ms (timeout), and waits ${waitFor} ms of them: wait less, or set a longer timeout`
    })
  }
  for (const type of ["json", "changeTracking"] as const) {
    const schema = ScrapeOptions.formatOf(options, type)?.schema
    const problem = schema === undefined ? undefined : JsonSchema.problem(schema)
    if (problem !== undefined) {
      return yield* new Unprocessable({ message: `the JSON Schema of the format ${type} is not valid: ${problem}` })
    }
  }
  const tracksJson = ScrapeOptions.formatOf(options, "changeTracking")?.modes?.includes("json") === true
  if (formats.has("changeTracking")) formats.add("markdown")
  const plan: ScrapePlan = {
    options,
    formats,
    page: {
      markdown: formats.has("markdown") || formats.has("summary") || formats.has("json"),
      html: formats.has("html"),
      rawHtml: tracksJson || readsHtml.some((format) => formats.has(format)),
      onlyMainContent: options.onlyMainContent ?? true,
      removeBase64Images: options.removeBase64Images ?? true,
      images: formats.has("images"),
      choice
    },
    timeoutMillis: options.timeout ?? Limits.defaultScrapeTimeoutMillis,
    pdf: pdfPlan(options),
    needsBrowser:
      (options.waitFor ?? 0) > 0 ||
      (options.actions ?? []).length > 0 ||
      options.mobile === true ||
      formats.has("screenshot"),
    tracksJson
  }
  return plan
})

/** Formats that need the HTML as the site sent it. */
const readsHtml = ["rawHtml", "json", "branding", "question", "highlights", "query"] as const

const pdfPlan = (options: ScrapeOptions.ScrapeOptions): PdfPlan | undefined => {
  const parser = (options.parsers ?? ["pdf" as const]).find(
    (parser): parser is "pdf" | PdfParser => parser === "pdf" || (typeof parser === "object" && parser.type === "pdf")
  )
  if (parser === undefined) return undefined
  const pdf = typeof parser === "string" ? undefined : parser
  return {
    maxPages: Math.min(pdf?.maxPages ?? maxPdfPages, maxPdfPages),
    pages: pdf?.pages ?? pdf?.pageMarkdown ?? false,
    markers: pdf?.pageMarkers ?? false
  }
}
