/**
 * Makes the finding of a check about one page, by comparing the page with its earlier state.
 *
 * Specification, Monitor: a page that is reached again is same or changed, a page that is reached for the first time is
 * new, a page that is no longer reached is removed. A known page that answers 404 or 410 is removed too, even if
 * something still links to it. A page that cannot be read is an error, and its earlier state is kept for the next check.
 */

import type * as PageDiff from "#base/PageDiff"
import { isGone } from "#base/Removal"
import type { PageDocument } from "#contract/PageDocument"
import * as KnownPage from "./KnownPage.ts"
import type { Finding, State } from "./Monitor.ts"
import * as OuterLinks from "./OuterLinks.ts"

/** A page that answered. */
export interface Page {
  readonly targetId: string
  /** The key of the URL that answered, and the key of the URL that was requested. */
  readonly key: string
  readonly askedKey: string
  readonly url: string
  readonly document: PageDocument
}

const nothing = { judgment: null, diff: null, snapshot: null, error: null, credits: 0 } as const

/** `ofSite`: links that other pages of the site have, too. */
export const ofPage = async (
  page: Page,
  before: State | undefined,
  watched: PageDiff.Watched,
  ofSite: ReadonlySet<string> = new Set()
): Promise<Finding> => {
  const { document, targetId, url } = page
  const { scrapeId, statusCode, unread } = document.metadata
  const base = {
    ...nothing,
    targetId,
    key: before?.key ?? page.key,
    url,
    statusCode,
    previousScrapeId: before?.scrapeId ?? null,
    currentScrapeId: scrapeId,
    metadata: metadataOf(document)
  }
  if (statusCode >= 400 || unread !== undefined) {
    const error =
      document.metadata.error ?? (unread === undefined ? `the site answers ${statusCode}` : warningOf(document))
    return before !== undefined && isGone(statusCode)
      ? { ...base, status: "removed", state: "forget" }
      : { ...base, status: "error", error, state: "unseen" }
  }
  const current = versionOf(document, watched)
  const links = watched.text ? OuterLinks.read(document) : undefined
  const stateOf = (known: KnownPage.KnownPage) => ({ version: JSON.stringify(known), askedKey: page.askedKey })
  const snapshot = watched.fields ? { json: current.json ?? null, ...evidenceOf(document) } : null
  if (before === undefined)
    return { ...base, status: "new", snapshot, state: stateOf({ ...current, ...KnownPage.linksOf(links) }) }
  const comparison = await KnownPage.compare(
    KnownPage.inState(before),
    current,
    watched,
    links === undefined ? undefined : { ...links, ofSite }
  )
  const own = {
    ...base,
    snapshot,
    state: comparison.next === undefined ? ("keep" as const) : stateOf(comparison.next),
    ...(comparison.flips === 0 ? {} : { flips: comparison.flips }),
    ...(comparison.isReadAnew ? { isReadAnew: true } : {})
  }
  if (comparison.status === "same") return { ...own, status: "same" }
  const { fields, text } = comparison.diff
  const json = watched.fields ? { json: fields ?? {} } : text === undefined ? {} : { json: text.json }
  const diff = { ...(text === undefined ? {} : { text: text.text }), ...json }
  return { ...own, status: "changed", diff }
}

/** Where the fields stand, and what a model gave that the page does not say. */
const evidenceOf = ({ sources, unsupported }: PageDocument) => ({
  ...(sources === undefined ? {} : { sources }),
  ...(unsupported === undefined ? {} : { unsupported })
})

/** Why a page was not read as its reader sees it. */
const warningOf = ({ warning }: PageDocument): string => warning ?? "the page was not read"

/** The finding for a page that could not be read. */
export const ofFailure = (
  { key, targetId, url }: Pick<Page, "key" | "targetId" | "url">,
  error: string,
  before: State | undefined
): Finding => ({
  ...nothing,
  targetId,
  key: before?.key ?? key,
  url,
  status: "error",
  statusCode: null,
  previousScrapeId: before?.scrapeId ?? null,
  currentScrapeId: null,
  error,
  metadata: null,
  state: "unseen"
})

/** The finding for a known page that the check did not reach. */
export const ofRemoved = (targetId: string, { key, scrapeId, url }: State): Finding => ({
  ...nothing,
  targetId,
  key,
  url,
  status: "removed",
  statusCode: null,
  previousScrapeId: scrapeId,
  currentScrapeId: null,
  metadata: null,
  state: "forget"
})

const versionOf = ({ json, markdown, metadata }: PageDocument, watched: PageDiff.Watched): KnownPage.KnownPage => ({
  ...(watched.text && metadata.contentVersion !== undefined ? { contentVersion: metadata.contentVersion } : {}),
  title: metadata.title,
  description: metadata.description,
  markdown: watched.text ? (markdown ?? "") : "",
  ...(watched.fields ? { json: json ?? null } : {})
})

const metadataOf = ({ metadata }: PageDocument): Finding["metadata"] => {
  const { contentType, description, language, sourceURL, statusCode, title, url } = metadata
  const known = { title, description, language, sourceURL, url, statusCode, contentType }
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
}
