/**
 * The table `pages` for the options of a crawl, and how documents become its rows.
 *
 * It is made once for the options of a source. The schema of the format json is compiled once, when the first answer is
 * read or before the first request, so nobody pays for pages that an invalid schema could not read.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Struct from "effect/Struct"
import * as PageDocument from "#contract/PageDocument"
import { formatNames, type ScrapeOptions } from "#contract/ScrapeOptions"
import * as Column from "#engine/Column"
import * as Instant from "#engine/Instant"
import type { JsonSchemaError } from "#engine/JsonSchemaValidator"
import type * as Table from "#engine/Table"
import { once } from "../once.ts"
import { jsonFormat } from "./jsonFormat.ts"
import type { Page } from "./rows.ts"
import { pages, presenceOf } from "./tables.ts"

export interface PagesTable {
  readonly table: Table.Table
  readonly reader: Effect.Effect<ReadPage, JsonSchemaError>
}

/**
 * Reads a document of the service, or says why it cannot be a row. `known`: the document, if it is already validated.
 */
export type ReadPage = (raw: unknown, known?: PageDocument.PageDocument) => Result.Result<Page, Unread>

export interface Unread {
  readonly reason: string
  /** The JSON pointer to the part of the document that does not fit. */
  readonly path: string
}

export const pagesTable = (options: ScrapeOptions | undefined): PagesTable => {
  const formats = formatColumns(options)
  const json = jsonFormat(options)
  const askedColumns = [...json.columns, ...formats.flatMap(({ columns }) => columns)]
  const content = [...json.columns, ...formats.flatMap(({ columns, isContent }) => (isContent ? columns : []))]
  const compile = Effect.map(
    json.reader,
    (readJson): ReadPage =>
      (raw, known) => {
        const document = known === undefined ? PageDocument.fromJson(raw) : Result.succeed(known)
        if (Result.isFailure(document)) return Result.fail(noDocument(document.failure))
        const { json = null, metadata } = document.success
        // The json of a page that was not read is not its data.
        const isRead = !["failed", "unread"].includes(presenceOf(metadata.statusCode, metadata))
        const shown = isRead
          ? document.success
          : Struct.omit(document.success, ["answer", "highlights", "sources", "summary", "unsupported"])
        return Result.mapBoth(readJson(isRead ? json : null), {
          onSuccess: (cells): Page => ({
            document: document.success,
            formatRow: formats.reduce((all, { cellsOf }) => ({ ...all, ...cellsOf(shown) }), cells)
          }),
          onFailure: ({ message, path }): Unread => ({
            reason: `its json does not fit the schema: ${message}`,
            path: `/json${path}`
          })
        })
      }
  )
  return {
    table: {
      ...pages,
      columns: pages.columns.flatMap((column) => (column.name === "metadata" ? [...askedColumns, column] : [column])),
      // A summary is derived from the text.
      ...(pages.reading === undefined
        ? {}
        : { reading: { ...pages.reading, columns: { ...pages.reading.columns, summary: true } } }),
      fingerprint: [...(pages.fingerprint ?? []), ...content.map(({ name }) => name)]
    },
    reader: once(compile)
  }
}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const noDocument = ({ issue, message }: Schema.SchemaError): Unread => {
  const [first] = issuesOf(issue).issues
  const steps = (first?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
  return {
    reason: `it is not a page document: ${first?.message ?? message}`,
    path: steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  }
}

/** What one format adds to a row. */
interface FormatColumns {
  readonly columns: ReadonlyArray<Column.Column>
  /** Whether a change of it is a change of the page. */
  readonly isContent: boolean
  readonly cellsOf: (document: PageDocument.PageDocument) => Table.Row
}

/**
 * The columns of `pages` for requested formats, and their cells.
 *
 * Every requested part of a page document has one or more columns. The formats that every table of pages has are in
 * `rows.ts`; `json`, whose type follows from its schema, is in `jsonFormat.ts`.
 */
const formatColumns = (options: ScrapeOptions | undefined): ReadonlyArray<FormatColumns> =>
  formats.filter(({ isAsked }) => isAsked(options)).map(({ columns }) => columns)

interface Known {
  readonly isAsked: (options: ScrapeOptions | undefined) => boolean
  readonly columns: FormatColumns
}

const known = <const Fields extends Schema.Struct.Fields>(
  isAsked: Known["isAsked"],
  fields: Fields,
  cellsOf: (document: PageDocument.PageDocument) => { readonly [Name in keyof Fields]: unknown },
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
    asks("json"),
    {
      json_sources: described(
        Schema.NullOr(Schema.Json),
        "where the page says the values of json: by the JSON pointer of each, its places (url, kind, path, span, certainty)"
      ),
      json_unsupported: described(Schema.NullOr(Schema.Json), "what a model gave for json that the page does not say")
    },
    ({ sources, unsupported }) => ({ json_sources: sources ?? null, json_unsupported: unsupported ?? null })
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
