/**
 * What a model may read, and what it knows of the pages that it has read.
 *
 * A model may read an address that was given, found by a search, or linked from a page that was read; in a run that is
 * constrained to its URLs, only a given address. So a page cannot invent an address that carries data away.
 */
import type { PageDocument } from "../api/PageDocument.ts"
import * as PageUrl from "../api/PageUrl.ts"
import type { FilledPage } from "../extract/FilledPage.ts"
import type { Json } from "../jsonSchema/JsonSchema.ts"
import type { AgentPlan } from "./AgentPlan.ts"

export interface ReadPage {
  readonly url: string
  readonly text: string
  readonly html: string
  readonly filled: FilledPage["filled"]
}

export type Reader = ReturnType<typeof make>

export const make = (plan: AgentPlan, harvested: ReadonlyArray<FilledPage>) => {
  // What is harvested grows as pages are read.
  const before = [...harvested]
  const depths = new Map<string, number>()
  const told = new Map<string, Json>()
  const pages: Array<ReadPage> = []
  for (const url of plan.urls) depths.set(keyOf(url), 0)

  const allow = (href: string, depth = 0): void => {
    const url = PageUrl.normalize(href)
    if (url !== undefined && !plan.isStrict && !depths.has(keyOf(url))) depths.set(keyOf(url), depth)
  }

  /** Takes a page in that was read for the address. */
  const take = (
    address: URL,
    { markdown = "", metadata, rawHtml = "" }: PageDocument,
    links: ReadonlyArray<string>,
    filled: FilledPage["filled"]
  ): void => {
    const depth = depths.get(keyOf(address)) ?? 0
    for (const link of links.slice(0, maxAllowed)) allow(link, depth + 1)
    pages.push({ url: metadata.url, text: markdown, html: rawHtml, filled })
    told.set(keyOf(address), {
      url: metadata.url,
      title: metadata.title ?? null,
      text: markdown.slice(0, maxText),
      links: links.filter(({ length }) => length <= maxLength).slice(0, maxLinks),
      found: shortOf(filled.data)
    })
  }

  return {
    allow,
    take,
    told: (url: URL): Json | undefined => told.get(keyOf(url)),
    depthOf: (url: URL): number | undefined => depths.get(keyOf(url)),
    pages: (): ReadonlyArray<ReadPage> => pages,
    /** Pages that may still be read. */
    room: (): number => plan.pages - before.length - pages.length,
    /** Pages that were read before a restart, of which only what rules found is known. */
    earlier: (): ReadonlyArray<ReadPage> => before.map(({ filled, url }) => ({ url, text: "", html: "", filled })),
    isGiven: (url: URL): boolean => plan.urls.some((given) => keyOf(given) === keyOf(url)),
    known: (): Json => before.map(({ filled, url }) => ({ url, found: filled.data }))
  }
}

const keyOf = (url: URL): string => PageUrl.key(url, false)

/** What a model gets of one page. */
const maxText = 20_000
const maxLinks = 100
const maxLength = 1000
const maxFound = 10_000
/** Links of one page that may be read, told or not. */
const maxAllowed = 1000

/** Data of a page, as text that is cut where it is long. */
const shortOf = (data: Json): Json => {
  const text = JSON.stringify(data)
  return text.length <= maxFound ? data : `${text.slice(0, maxFound)} ...`
}
