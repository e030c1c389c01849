/**
 * The table `pages` as the options of a crawl ask for it, and how documents become its rows.
 *
 * It is made once for the options of a source; the schema of the format json is compiled once, when the first answer is
 * read, or before the first request: nobody pays for pages that no schema can read.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as PageDocument from "../../../src/api/PageDocument.ts"
import type { ScrapeOptions } from "../../../src/api/ScrapeOptions.ts"
import type { JsonSchemaError } from "../../../src/jsonSchema/JsonSchemaValidator.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import { once } from "../once.ts"
import { formatColumns } from "./formatColumns.ts"
import { jsonFormat } from "./jsonFormat.ts"
import type { Page } from "./rows.ts"
import { pages, presenceOf } from "./tables.ts"

export interface PagesTable {
  readonly table: Table.Table
  readonly reader: Effect.Effect<ReadPage, JsonSchemaError>
}

/** A document as the service gave it, read; or why it is no row. `known`: that it is one needs no check. */
export type ReadPage = (raw: unknown, known?: PageDocument.PageDocument) => Result.Result<Page, Unread>

export interface Unread {
  readonly reason: string
  /** A JSON pointer to the part of the document that does not fit. */
  readonly path: string
}

export const pagesTable = (options: ScrapeOptions | undefined): PagesTable => {
  const formats = formatColumns(options)
  const json = jsonFormat(options)
  const asked = [...json.columns, ...formats.flatMap(({ columns }) => columns)]
  const content = [...json.columns, ...formats.flatMap(({ columns, isContent }) => (isContent ? columns : []))]
  const compile = Effect.map(
    json.reader,
    (readJson): ReadPage =>
      (raw, known) => {
        const document = known === undefined ? PageDocument.fromJson(raw) : Result.succeed(known)
        if (Result.isFailure(document)) return Result.fail(noDocument(document.failure))
        const { json = null, metadata } = document.success
        // What a page that failed shows is no json of its: the row says that it failed, and is written nowhere.
        return Result.mapBoth(readJson(presenceOf(metadata.statusCode) === "failed" ? null : json), {
          onSuccess: (cells): Page => ({
            document: document.success,
            asked: formats.reduce((all, { cellsOf }) => ({ ...all, ...cellsOf(document.success) }), cells)
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
      columns: pages.columns.flatMap((column) => (column.name === "metadata" ? [...asked, column] : [column])),
      // A summary is made of the text.
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
