/**
 * Which pages a model may read, and what it gets of the pages that were read.
 *
 * A model may read a URL that was given, found by a search, or linked from a page that was read; in a run that is
 * constrained to its URLs, only a given URL. So a page cannot make the model send data away in an invented URL.
 */

import type { Json } from "#contract/JsonSchema"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import type { FilledPage } from "#extract/FilledPage"
import type { AgentPlan } from "./AgentPlan.ts"

export interface ReadPage {
  readonly url: string
  readonly text: string
  readonly html: string
  readonly filled: FilledPage["filled"]
}

export type Reader = ReturnType<typeof start>

export const start = (plan: AgentPlan, harvested: ReadonlyArray<FilledPage>) => {
  // A copy, because `harvested` grows as pages are read.
  const before = [...harvested]
  const depths = new Map<string, number>()
  const reports = new Map<string, Json>()
  const pages: Array<ReadPage> = []
  for (const url of plan.urls) depths.set(keyOf(url), 0)

  const allow = (href: string, depth = 0): void => {
    const url = PageUrl.normalize(href)
    if (url !== undefined && !plan.isStrict && !depths.has(keyOf(url))) depths.set(keyOf(url), depth)
  }

  /** Adds the page that was read for a URL. */
  const take = (
    address: URL,
    { markdown = "", metadata, rawHtml = "" }: PageDocument,
    links: ReadonlyArray<string>,
    filled: FilledPage["filled"]
  ): void => {
    const depth = depths.get(keyOf(address)) ?? 0
    for (const link of links.slice(0, maxAllowed)) allow(link, depth + 1)
    pages.push({ url: metadata.url, text: markdown, html: rawHtml, filled })
    reports.set(keyOf(address), {
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
    told: (url: URL): Json | undefined => reports.get(keyOf(url)),
    depthOf: (url: URL): number | undefined => depths.get(keyOf(url)),
    pages: (): ReadonlyArray<ReadPage> => pages,
    /** How many more pages may be read. */
    room: (): number => plan.pages - before.length - pages.length,
    /** The pages that were read before a restart: only the data that rules found is known. */
    earlier: (): ReadonlyArray<ReadPage> => before.map(({ filled, url }) => ({ url, text: "", html: "", filled })),
    isGiven: (url: URL): boolean => plan.urls.some((given) => keyOf(given) === keyOf(url)),
    known: (): Json => before.map(({ filled, url }) => ({ url, found: filled.data }))
  }
}

const keyOf = (url: URL): string => PageUrl.key(url, false)

/** The limits for the part of a page that a model gets: characters of text, number of links, their length, data. */
const maxText = 20_000
const maxLinks = 100
const maxLength = 1000
const maxFound = 10_000
/** How many links of one page the model may read, whether it got them or not. */
const maxAllowed = 1000

/** The data of a page; if it is too long, as text that is cut. */
const shortOf = (data: Json): Json => {
  const text = JSON.stringify(data)
  return text.length <= maxFound ? data : `${text.slice(0, maxFound)} ...`
}
