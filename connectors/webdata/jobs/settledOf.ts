/** The result of an ended job of the sources that find data: how much data it has, and what is asked again. */
import * as Effect from "effect/Effect"
import type * as Source from "#engine/Source"
import { askAgain } from "./askAgain.ts"
import type { Settled } from "./askJobs.ts"
import { type Given, ofPage } from "./extractedItems.ts"
import { isRow } from "./extractedRows.ts"
import type { ExtractedSource } from "./extractedSource.ts"
import * as JobPlan from "./JobPlan.ts"
import { defaultRetries, defaultSplit } from "./jobOptions.ts"

/** Of a page that is not there. */
const nothingWanted = { filled: 0, missing: 0, lacking: {}, again: [] }

interface End {
  readonly jobId: string
  readonly given: Given
  /** How many of its targets it could not read, if it did not fail as a whole. */
  readonly failed: number
  /** How many of its links answer 404 or 410. */
  readonly gone?: number
  /** How many pages it has read, if its target is a wildcard and the service says it. */
  readonly pages?: number
  readonly credits: number
  /** Why it failed; undefined: it did not. */
  readonly error: string | undefined
  readonly isCancelled: boolean
}

export const settledOf = Effect.fnUntraced(function* (
  { extracted, items }: ExtractedSource,
  options: { readonly split?: number; readonly retry_missing?: number },
  task: JobPlan.Task,
  { credits, error, failed, given, gone = 0, isCancelled, jobId, pages }: End
): Effect.fn.Return<Settled, Source.SourceError> {
  const hasFailed = error !== undefined
  const { retry_missing: times = defaultRetries, split: size = defaultSplit } = options
  const found = hasFailed ? [] : (yield* items)(given).map((item) => ofPage(extracted, task.urls, item))
  const isGone = pages === undefined && gone > 0
  const { again, filled, lacking, missing } = isGone
    ? nothingWanted
    : askAgain(extracted, found, task, { jobId, times, size })
  return {
    ...(hasFailed || pages === undefined ? {} : { pages }),
    empty: !hasFailed && !isGone && extracted.isOfPage && !found.some((item) => isRow(extracted, item)) ? 1 : 0,
    failed: hasFailed ? JobPlan.targetsOf(task.urls) : failed,
    gone: hasFailed ? 0 : gone,
    credits,
    filled,
    missing,
    lacking,
    error,
    isCancelled,
    again: hasFailed ? [] : again
  }
})
