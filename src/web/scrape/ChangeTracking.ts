/**
 * What has changed on a page since it was last scraped with the same tag.
 *
 * A page is the same if its Markdown is, apart from white space. A known page that answers 404 or 410 is removed. An
 * answer that says nothing about the page (a 503) is neither compared nor stored. A text that another version of the
 * content finder read is not compared: the page counts as the same, and the new text replaces the old one.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as JsonDiff from "#base/JsonDiff"
import { unified } from "#base/unifiedDiff"
import type { Json } from "#contract/JsonSchema"
import type { ChangeTracking, Diff } from "#contract/PageDocument"
import { ScrapeStore, type Snapshot, type Watched } from "../ScrapeStore.ts"

interface Current {
  readonly status: number
  readonly markdown: string
  /** The version of the finder that read the text; undefined: the whole page was read. */
  readonly contentVersion: number | undefined
  /** The data of the mode json; undefined: not requested. */
  readonly json: Json | undefined
}

interface Tracked {
  readonly changeTracking?: ChangeTracking
  readonly warning?: string
}

/** Compares with the last state and replaces it. */
export const track = Effect.fnUntraced(function* (watched: Watched, current: Current, wantsDiff: boolean) {
  const store = yield* ScrapeStore
  const { status } = current
  const isGone = status === 404 || status === 410
  if (status >= 400 && !isGone) return tracked(undefined, `the site answers ${status}: changes were not determined`)
  const before = Option.getOrUndefined(yield* store.snapshot(watched))
  const markdown = normalize(current.markdown)
  if (isGone) {
    const changeStatus = before === undefined ? "new" : "removed"
    return tracked({ previousScrapeAt: at(before), changeStatus, visibility: "hidden" })
  }
  yield* store.remember(watched, {
    markdown,
    contentVersion: current.contentVersion ?? null,
    json: current.json === undefined ? null : JSON.stringify(current.json)
  })
  const json = current.json === undefined ? undefined : JsonDiff.of(jsonOf(before), current.json)
  const changeStatus =
    before === undefined ? "new" : isReadAnew(before, current) || before.markdown === markdown ? "same" : "changed"
  const base: ChangeTracking = {
    previousScrapeAt: at(before),
    changeStatus,
    visibility: "visible",
    ...(json === undefined || before === undefined ? {} : { json })
  }
  if (!wantsDiff || before === undefined || changeStatus !== "changed") return tracked(base)
  const diff: Diff | undefined = yield* Effect.promise(() => unified(before.markdown, markdown))
  return diff === undefined
    ? tracked(base, "the page has changed too much to be compared line by line")
    : tracked({ ...base, diff })
})

const isReadAnew = (before: Snapshot, { contentVersion }: Current): boolean =>
  contentVersion !== undefined && before.contentVersion !== contentVersion

const tracked = (changeTracking: ChangeTracking | undefined, warning?: string): Tracked => ({
  ...(changeTracking === undefined ? {} : { changeTracking }),
  ...(warning === undefined ? {} : { warning })
})

const at = (before: Snapshot | undefined): string | null =>
  before === undefined ? null : new Date(before.scrapedAt).toISOString()

const normalize = (markdown: string): string =>
  `${markdown
    .replaceAll(/(?<![^\S\n])[^\S\n]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()}\n`

const jsonOf = (before: Snapshot | undefined): Json =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON text says is JSON
  before?.json === undefined || before.json === null ? null : (JSON.parse(before.json) as Json)
