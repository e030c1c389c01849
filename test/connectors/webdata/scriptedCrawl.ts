/** What tests of the crawl source share: a service that crawled these documents, and what the source makes of them. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { crawl } from "#connectors/webdata/index"
import * as Source from "#engine/Source"
import { validateRow } from "#engine/validateRow"
import { type Reply, scriptedService, statusAnswer } from "../../contract/client/scriptedService.ts"
import { origin } from "../../service/crawlSite.ts"

export const url = `${origin}/`
export const address = (path: string) => ({ url: `${origin}${path}`, sourceURL: `${origin}${path}` })

/** A document as a service gives it. */
export const documentOf = (path: string, more: object = {}) => ({
  ...more,
  metadata: { ...address(path), statusCode: 200, scrapeId: `scrape of ${path}` }
})

/** A service with a crawl of these documents, two an answer. */
export const serviceOf = (documents: ReadonlyArray<unknown>) =>
  scriptedService((what): Reply => {
    if (what.startsWith("POST")) return { status: 200, body: { success: true, id: "1", url: "http://service.test/" } }
    if (what.startsWith("DELETE")) return { status: 200, body: { status: "cancelled" } }
    if (what.endsWith("/errors")) return { status: 200, body: { errors: [], robotsBlocked: [`${origin}/private`] } }
    const skip = Number(/skip=(\d+)/.exec(what)?.[1])
    const data = documents.slice(skip, skip + 2)
    const total = documents.length
    const next = skip + 2 < total ? { next: "http://service.test/" } : {}
    return { status: 200, body: statusAnswer({ total, completed: total, data, ...next }) }
  })

export type ScrapeOptions = NonNullable<Parameters<typeof crawl.with>[0]["scrapeOptions"]>
export const sourceOf = (scrapeOptions: ScrapeOptions) => crawl.with({ url, scrapeOptions })

export const elementsOf = Effect.fnUntraced(function* (
  scrapeOptions: ScrapeOptions,
  documents: ReadonlyArray<unknown>
) {
  const { layer } = serviceOf(documents)
  return [...(yield* Effect.provide(Stream.runCollect(Source.read(sourceOf(scrapeOptions))), layer))]
})

/** The rows of pages, each of them one of its table. */
export const pagesOf = (elements: ReadonlyArray<Source.Element<unknown>>) =>
  elements.flatMap((element) => {
    if (element._tag !== "Batch" || element.table.name !== "pages") return []
    for (const row of element.rows) expect(validateRow(element.table, row)).toBeUndefined()
    return element.rows
  })

export const rejectsOf = (elements: ReadonlyArray<Source.Element<unknown>>) =>
  elements.filter((element) => element._tag === "Reject")

export const product = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    price: { type: "number", multipleOf: 0.01, minimum: 0 },
    inStock: { type: "boolean" },
    since: { type: "string", format: "date" },
    offers: { type: "array", items: { type: "object", properties: { seller: { type: "string" } } } }
  }
}
export const typed: ScrapeOptions = { formats: ["markdown", { type: "json", schema: product }] }
