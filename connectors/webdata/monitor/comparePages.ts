/**
 * Compares the pages of a crawl with their earlier versions, for a source that compares pages itself.
 *
 * It decides as the service's own monitor does. A page that is reached again is the same or changed, by its meaning; a
 * page that is reached for the first time is new. A known page that answers 404 or 410 is removed, even if something
 * still links to it. A page that cannot be read is an error, and its earlier version is kept. A text that another
 * version of the content finder read is not compared. Variants of one URL are one page, under the URL by which it was
 * first found.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as PageDiff from "#base/PageDiff"
import { isGone } from "#base/Removal"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import type { Watched } from "#contract/Watching"
import * as PageVersions from "./PageVersions.ts"

/** The finding about one page. `hash`: its meaning from now on; null: unknown. */
export const Found = Schema.Struct({
  url: Schema.String,
  status: PageVersions.Status,
  hash: Schema.NullOr(Schema.String),
  statusCode: Schema.NullOr(Schema.Int),
  title: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  diff: Schema.optionalKey(Schema.String),
  fields: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ previous: Schema.Json, current: Schema.Json }))
  )
})
export type Found = typeof Found.Type

/**
 * The pages that a reading starts from: by `keyOf`, the URL by which a page was first found, and the hash of its
 * content.
 */
export interface Known {
  readonly pages: ReadonlyMap<string, { readonly url: string; readonly hash: string }>
  readonly keyOf: (url: string) => string
}

export const knownOf = (pages: Readonly<Record<string, string>>, ignoresQuery: boolean): Known => {
  const keyOf = (url: string) => {
    const plain = PageUrl.normalize(url.trim())
    return plain === undefined ? url : PageUrl.key(plain, ignoresQuery)
  }
  return { pages: new Map(Object.entries(pages).map(([url, hash]) => [keyOf(url), { url, hash }])), keyOf }
}

/** Documents in order. One that cannot be read is given as its URL and the reason. */
type Came = PageDocument | Unread
interface Unread {
  readonly url: string
  readonly reason: string
}

export const comparePages = Effect.fnUntraced(function* (
  pages: ReadonlyArray<Came>,
  context: { readonly known: Known; readonly versions: PageVersions.Versions; readonly watched: Watched }
) {
  const found: Array<Found> = []
  const versions = new Map<string, PageDiff.Version>()
  for (const page of pages) {
    if ("reason" in page) {
      found.push(notRead(context.known, page.url, page.reason))
      continue
    }
    const { sourceURL, statusCode, title, unread, url } = page.metadata
    const before = known(context.known, url) ?? known(context.known, sourceURL)
    const base = { url: before?.url ?? url, statusCode, title: title ?? null, error: null }
    if (statusCode >= 400 || unread !== undefined) {
      found.push({ ...base, ...refused(page, before?.hash) })
      continue
    }
    const version = versionOf(page, context.watched)
    const hash = PageVersions.hashOf(version, context.watched.text ? page.metadata.contentVersion : undefined)
    if (hash !== before?.hash) versions.set(hash, version)
    found.push({ ...base, hash, ...(yield* compared(before?.hash, hash, version, context)) })
  }
  yield* context.versions.take(found, versions)
  return found
})

/** A page that could not be read, with the reason. Its earlier version is kept. */
export const notRead = (pages: Known, url: string, error: string): Found => {
  const before = known(pages, url)
  return {
    url: before?.url ?? url,
    status: "error",
    hash: before?.hash ?? null,
    statusCode: null,
    title: null,
    error
  }
}

export const known = ({ keyOf, pages }: Known, url: string) => pages.get(keyOf(url))

const refused = ({ metadata: { error, statusCode, unread }, warning }: PageDocument, before: string | undefined) =>
  before !== undefined && isGone(statusCode)
    ? { status: "removed" as const, hash: null }
    : {
        status: "error" as const,
        hash: before ?? null,
        error: error ?? (unread === undefined ? `the site answers ${statusCode}` : (warning ?? "the page was not read"))
      }

const compared = Effect.fnUntraced(function* (
  before: string | undefined,
  hash: string,
  version: PageDiff.Version,
  { versions, watched }: { readonly versions: PageVersions.Versions; readonly watched: Watched }
) {
  if (before === undefined) return { status: "new" as const }
  if (before === hash) return { status: "same" as const }
  const previous = yield* versions.of(before)
  const isReadAnew = PageVersions.isReadAnew(before, hash)
  // Another version of the finder read the text, so the text shows no change: without fields to compare, the page
  // counts as the same.
  if (isReadAnew && (previous === undefined || !watched.fields)) return { status: "same" as const }
  // The change is certain even without the earlier text.
  if (previous === undefined) return { status: "changed" as const }
  const { fields, isChanged, text } = yield* Effect.promise(() =>
    PageDiff.between(previous, version, isReadAnew ? { ...watched, text: false } : watched)
  )
  if (!isChanged) return { status: "same" as const }
  return {
    status: "changed" as const,
    ...(text === undefined ? {} : { diff: text.text }),
    ...(fields === undefined ? {} : { fields })
  }
})

const versionOf = ({ json, markdown, metadata }: PageDocument, watched: Watched): PageDiff.Version => ({
  title: metadata.title,
  description: metadata.description,
  markdown: watched.text ? (markdown ?? "") : "",
  ...(watched.fields ? { json: json ?? null } : {})
})
