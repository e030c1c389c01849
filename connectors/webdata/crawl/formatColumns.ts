/**
 * The columns of `pages` for requested formats, and their cells.
 *
 * Every requested part of a page document has one or more columns. The formats that every table of pages has are in
 * `rows.ts`; `json`, whose type follows from its schema, is in `jsonFormat.ts`.
 */
import * as Schema from "effect/Schema"
import type { PageDocument } from "#contract/PageDocument"
import { formatNames, type ScrapeOptions } from "#contract/ScrapeOptions"
import * as Column from "#engine/Column"
import * as Instant from "#engine/Instant"
import type * as Table from "#engine/Table"

/** What one format adds to a row. */
interface FormatColumns {
  readonly columns: ReadonlyArray<Column.Column>
  /** Whether a change of it is a change of the page. */
  readonly isContent: boolean
  readonly cellsOf: (document: PageDocument) => Table.Row
}

export const formatColumns = (options: ScrapeOptions | undefined): ReadonlyArray<FormatColumns> =>
  formats.filter(({ isAsked }) => isAsked(options)).map(({ columns }) => columns)

interface Known {
  readonly isAsked: (options: ScrapeOptions | undefined) => boolean
  readonly columns: FormatColumns
}

const known = <const Fields extends Schema.Struct.Fields>(
  isAsked: Known["isAsked"],
  fields: Fields,
  cellsOf: (document: PageDocument) => { readonly [Name in keyof Fields]: unknown },
  isContent = false
): Known => ({ isAsked, columns: { columns: Column.fromSchema(Schema.Struct(fields)), cellsOf, isContent } })

const asks =
  (format: ReturnType<typeof formatNames>[number]): Known["isAsked"] =>
  (options) =>
    formatNames(options).includes(format)

/** Whether a PDF parser is to keep its pages separate. */
const asksPdfPages: Known["isAsked"] = (options) =>
  options?.parsers?.some((parser) => {
    const pdfParser = typeof parser === "object" && parser.type === "pdf" ? parser : undefined
    return pdfParser?.pages ?? pdfParser?.pageMarkdown ?? false
  }) ?? false

const { described } = Column
const text = Schema.NullOr(Schema.String)
const texts = Schema.Array(Schema.String)

const formats: ReadonlyArray<Known> = [
  known(
    asks("summary"),
    { summary: described(text, "a summary of the page") },
    ({ summary }) => ({ summary: summary ?? null }),
    true
  ),
  known(
    asks("images"),
    { images: described(Schema.NullOr(texts), "the images of the page, as absolute URLs") },
    ({ images }) => ({ images: images ?? null })
  ),
  known(
    asks("screenshot"),
    { screenshot: described(text, "a screenshot of the page: its URL, or the image as a data URL") },
    ({ screenshot }) => ({ screenshot: screenshot ?? null })
  ),
  known(
    asks("changeTracking"),
    {
      change_status: described(text, "what became of the page since it was read before"),
      previous_scrape_at: described(Schema.NullOr(Column.Timestamp), "when the page was read before"),
      change_tracking: described(Schema.NullOr(Schema.Json), "all that the service says of the change")
    },
    ({ changeTracking: tracked }) => ({
      change_status: tracked?.changeStatus ?? null,
      previous_scrape_at: tracked?.previousScrapeAt == null ? null : momentOf(tracked.previousScrapeAt),
      change_tracking: tracked ?? null
    })
  ),
  known(
    asks("attributes"),
    {
      attributes: described(
        Schema.NullOr(
          Schema.Array(Schema.Struct({ selector: Schema.String, attribute: Schema.String, values: texts }))
        ),
        "the values of each selector and attribute that were asked for"
      )
    },
    ({ attributes }) => ({ attributes: attributes ?? null }),
    true
  ),
  known(
    asks("branding"),
    { branding: described(Schema.NullOr(Schema.Json), "colours, fonts and logo of the site") },
    ({ branding }) => ({ branding: branding ?? null })
  ),
  known(
    (options) => asks("question")(options) || asks("query")(options),
    { answer: described(text, "the answer to the question, from the page") },
    ({ answer }) => ({ answer: answer ?? null }),
    true
  ),
  known(
    asks("highlights"),
    { highlights: described(text, "the passages of the page that answer the query") },
    ({ highlights }) => ({ highlights: highlights ?? null }),
    true
  ),
  known(
    (options) => (options?.actions ?? []).length > 0,
    { actions: described(Schema.NullOr(Schema.Json), "what the actions gave: screenshots, results of scripts, PDFs") },
    ({ actions }) => ({ actions: actions ?? null })
  ),
  known(
    asksPdfPages,
    {
      pdf_pages: described(
        Schema.NullOr(Schema.Array(Schema.Struct({ page_number: Schema.Int, markdown: Schema.String }))),
        "the pages of a PDF, one by one"
      )
    },
    ({ pages }) => ({
      pdf_pages: pages?.map(({ markdown, pageNumber }) => ({ page_number: pageNumber, markdown })) ?? null
    }),
    true
  )
]

/** A value that is not a point in time stays unchanged, so its row does not fit the table and is rejected. */
const momentOf = (moment: string): bigint | string => Instant.microsOf(moment) ?? moment
