/**
 * The HTML of the pages that have evidence: from a table of the pipeline that stores it (`raw_html`), or fetched again if the
 * user asks for that.
 */
import * as Effect from "effect/Effect"
import { WebData } from "#contract/WebData"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { type NetworkFlags, serviceOf } from "#library/services"
import { failed } from "../CliFailure.ts"
import type { Loaded } from "../loadPipeline.ts"
import type * as TableReader from "./TableReader.ts"

export interface PageHtml {
  readonly html: string
  readonly source: string
}

/** The HTML of a page, from the first table that has a column for it. */
export const keptHtml = Effect.fnUntraced(function* <R>(
  reader: TableReader.TableReader<R>,
  tables: ReadonlyArray<Table.Table>,
  urls: ReadonlyArray<string>
) {
  const pages = new Map<string, PageHtml>()
  for (const table of tables) {
    const has = (name: string) => Column.named(table.columns, name) !== undefined
    if (!has("raw_html") || !has("url")) continue
    for (const url of urls) {
      const [row] = yield* reader.find(table, { url })
      const html = row?.["raw_html"]
      if (typeof html === "string") pages.set(url, { html, source: `raw_html of ${table.name}` })
    }
  }
  return pages
})

/** Fetches the pages again with the service of the pipeline, which checks every address as in a run. */
export const fetchedHtml = Effect.fnUntraced(function* (
  { file }: Loaded,
  flags: NetworkFlags,
  urls: ReadonlyArray<string>,
  most: number
) {
  const service = yield* serviceOf(file, flags)
  return yield* Effect.gen(function* () {
    const client = yield* WebData
    const pages = new Map<string, PageHtml>()
    const notes: Array<string> = []
    for (const url of urls.slice(0, most)) {
      const answer = yield* Effect.result(client.scrape.scrape({ payload: { url, formats: ["rawHtml"] } }))
      if (answer._tag === "Failure") notes.push(`${url} cannot be read again: ${answer.failure.message}`)
      else if (!answer.success.success) notes.push(`${url} cannot be read again: ${answer.success.error}`)
      else if ("rawHtml" in answer.success.data && answer.success.data.rawHtml !== undefined)
        pages.set(url, { html: answer.success.data.rawHtml, source: "the page as it is now" })
      else notes.push(`${url} has no HTML any more`)
    }
    if (urls.length > most) notes.push(`only the first ${most} of ${urls.length} pages were read again`)
    return { pages, notes }
  }).pipe(
    Effect.provide(service),
    Effect.mapError((cause) =>
      failed(`the service cannot start: ${cause instanceof Error ? cause.message : String(cause)}`)
    )
  )
})
