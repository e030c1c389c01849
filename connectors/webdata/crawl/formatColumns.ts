/**
 * The columns of `pages` that are there because a format was asked for, and their cells.
 *
 * Every part of a page document has its column, or columns, if it is requested; the formats for which every table of
 * pages has a column are in `rows.ts`, and `json`, whose type follows from its schema, is in `jsonFormat.ts`.
 */
import * as Schema from "effect/Schema"
import type { PageDocument } from "../../../src/api/PageDocument.ts"
import { formatNames, type ScrapeOptions } from "../../../src/api/ScrapeOptions.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Instant from "../../../src/pipeline/Instant.ts"
import type * as Table from "../../../src/pipeline/Table.ts"

/** What one format adds to a row. */
export interface FormatColumns {
  readonly columns: ReadonlyArray<Column.Column>
  /** Whether another value of it is another page: it belongs to what tells a changed row. */
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

/** A PDF parser that is told to keep its pages apart. */
const asksPdfPages: Known["isAsked"] = (options) =>
  options?.parsers?.some((parser) => {
    const asked = typeof parser === "object" && parser.type === "pdf" ? parser : undefined
    return asked?.pages ?? asked?.pageMarkdown ?? false
  }) ?? false

const text = Schema.NullOr(Schema.String)
const texts = Schema.Array(Schema.String)

const formats: ReadonlyArray<Known> = [
  known(asks("summary"), { summary: text }, ({ summary }) => ({ summary: summary ?? null }), true),
  known(asks("images"), { images: Schema.NullOr(texts) }, ({ images }) => ({ images: images ?? null })),
  known(asks("screenshot"), { screenshot: text }, ({ screenshot }) => ({ screenshot: screenshot ?? null })),
  known(
    asks("changeTracking"),
    {
      change_status: text,
      previous_scrape_at: Schema.NullOr(Column.Timestamp),
      change_tracking: Schema.NullOr(Schema.Json)
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
      attributes: Schema.NullOr(
        Schema.Array(Schema.Struct({ selector: Schema.String, attribute: Schema.String, values: texts }))
      )
    },
    ({ attributes }) => ({ attributes: attributes ?? null }),
    true
  ),
  known(asks("branding"), { branding: Schema.NullOr(Schema.Json) }, ({ branding }) => ({ branding: branding ?? null })),
  known(
    (options) => asks("question")(options) || asks("query")(options),
    { answer: text },
    ({ answer }) => ({ answer: answer ?? null }),
    true
  ),
  known(asks("highlights"), { highlights: text }, ({ highlights }) => ({ highlights: highlights ?? null }), true),
  known(
    (options) => (options?.actions ?? []).length > 0,
    { actions: Schema.NullOr(Schema.Json) },
    ({ actions }) => ({ actions: actions ?? null })
  ),
  known(
    asksPdfPages,
    {
      pdf_pages: Schema.NullOr(Schema.Array(Schema.Struct({ page_number: Schema.Int, markdown: Schema.String })))
    },
    ({ pages }) => ({
      pdf_pages: pages?.map(({ markdown, pageNumber }) => ({ page_number: pageNumber, markdown })) ?? null
    }),
    true
  )
]

/** What is no point in time stays as it is: the row does not fit its table then, and is rejected for it. */
const momentOf = (moment: string): bigint | string => Instant.microsOf(moment) ?? moment
