/**
 * The table `pages` for the options of a crawl, and how documents become its rows.
 *
 * It is made once for the options of a source. The schema of the format json is compiled once, when the first answer is
 * read or before the first request, so nobody pays for pages that an invalid schema could not read.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Struct from "effect/Struct"
import * as PageDocument from "#contract/PageDocument"
import type { ScrapeOptions } from "#contract/ScrapeOptions"
import type { JsonSchemaError } from "#engine/JsonSchemaValidator"
import type * as Table from "#engine/Table"
import { once } from "../once.ts"
import { formatColumns } from "./formatColumns.ts"
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
        const shown = isRead ? document.success : Struct.omit(document.success, ["answer", "highlights", "summary"])
        return Result.mapBoth(readJson(isRead ? json : null), {
          onSuccess: (cells): Page => ({
            document: document.success,
            asked: formats.reduce((all, { cellsOf }) => ({ ...all, ...cellsOf(shown) }), cells)
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
