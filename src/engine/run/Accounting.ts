/**
 * What happened to everything that a source discovered: discovered = loaded + revalidated + gone + rejected + failed +
 * skipped + blocked + left. A source whose rows are not what it discovers, such as the URLs of jobs, reports how many of those
 * it has read: discovered = read + gone + failed + skipped + blocked + left.
 *
 * Guarantee: if the sum of a run is wrong, something was lost, and the run commits nothing. Failed rows are not loaded. Gone
 * rows count as loaded, but as gone if a sink keeps a history, which gets no row of them. Rows that steps dropped count as
 * loaded; `dropped` says how many of them the sinks did not get.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Sink from "../Sink.ts"
import type { Counts } from "./Wholeness.ts"

/**
 * What happened to everything that a source discovered: discovered = loaded + revalidated + gone + rejected + failed +
 * skipped + blocked + left.
 */
export interface Accounting {
  /** Everything that the source found. */
  readonly discovered: number
  /** Rows of the main table that fit it and did not fail. */
  readonly loaded: number
  /** Rows for things that no longer exist, if a sink keeps a history. They make no version. */
  readonly gone: number
  /** Rows that did not fit the main table. */
  readonly rejected: number
  /** Rows that the source reports as unchanged, and that are not written again. */
  readonly revalidated?: number
  /** What could not be read. */
  readonly failed: number
  /** What the source does not read, such as files and external home pages of a crawl. Absent: nothing. */
  readonly skipped?: number
  /** What robots.txt or a rule does not allow. */
  readonly blocked: number
  /** What was discovered and not read, because a limit was reached, or its host was too slow. */
  readonly left: number
  /** How many of those were left because their host was too slow. Absent: none. */
  readonly tooSlow?: number
  /** Loaded rows that steps removed. */
  readonly dropped: number
  /** What was read, if that is not one row each. In the sum, it takes the place of loaded, revalidated, gone and rejected. */
  readonly read?: number
}

/**
 * A run whose sum is wrong: it read more or less than the source discovered. Nothing was committed.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Run } from "millrace"
 *
 * const lost = Effect.fail(new Run.AccountingError({ message: "10 discovered, 9 accounted for" })).pipe(
 *   Effect.catchTag("AccountingError", ({ message }) => Effect.succeed(message))
 * )
 * console.log(await Effect.runPromise(lost)) // "10 discovered, 9 accounted for"
 * ```
 */
export class AccountingError extends Schema.TaggedError<AccountingError>()("AccountingError", {
  message: Schema.String
}) {}

/**
 * A destination that reports another number of rows than it got. Its commit stays.
 *
 * @example
 * ```ts
 * import { Run } from "millrace"
 *
 * console.log(new Run.CountError({ message: "warehouse wrote 9 of 10 rows; compare it" })._tag) // "CountError"
 * ```
 */
export class CountError extends Schema.TaggedError<CountError>()("CountError", { message: Schema.String }) {}

/** The loaded and the gone rows of a run: gone rows are loaded into every table but a history. */
export const loadedOf = ({ gone, seen }: Counts, isHistory: boolean) =>
  isHistory ? { loaded: seen, gone } : { loaded: seen + gone, gone: 0 }

/** Whether the things that a source discovers are its rows. */
export const countsRows = ({ discovered, read }: Readonly<Record<string, number>>): boolean =>
  discovered !== undefined && read === undefined

/** The accounting of a run; none: its source does not report how much it has discovered. */
export const account = Effect.fnUntraced(function* (
  facts: Readonly<Record<string, number>>,
  counts: Counts,
  outcome: { readonly dropped: number; readonly isHistory: boolean }
) {
  const { discovered, blocked = 0, left = 0, read, skipped = 0, too_slow: tooSlow = 0 } = facts
  if (discovered === undefined) return Option.none<Accounting>()
  const { rejected, revalidated = 0, unread = 0 } = counts
  const { gone: withRows, loaded } = loadedOf(counts, outcome.isHistory)
  const gone = read === undefined ? withRows : (facts["gone"] ?? 0)
  // A source counts what it skips among its failures.
  const failed = (facts["failed"] ?? 0) - skipped + (read === undefined ? counts.failed + unread : 0)
  const some = {
    ...(revalidated === 0 ? {} : { revalidated }),
    ...(skipped === 0 ? {} : { skipped }),
    ...(tooSlow === 0 ? {} : { tooSlow })
  }
  const sum = { discovered, loaded, ...some, gone, rejected, failed, blocked, left, dropped: outcome.dropped }
  const others = failed + skipped + blocked + left
  const passedBy = skipped === 0 ? "" : `${skipped} were skipped, `
  if (read !== undefined) {
    if (discovered === read + gone + others) return Option.some<Accounting>({ ...sum, read })
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${read} were read, ${gone === 0 ? "" : `${gone} are gone, `}${failed} failed, ${passedBy}${blocked} are blocked and ` +
        `${left} were not reached: some are lost, so nothing is committed; run it again`
    })
  }
  if (discovered !== loaded + revalidated + gone + rejected + others) {
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${loaded} were loaded, ${revalidated === 0 ? "" : `${revalidated} are unchanged, `}${gone === 0 ? "" : `${gone} are gone, `}` +
        `${rejected} rejected, ${failed} failed, ${passedBy}${blocked} are blocked and ${left} were not reached: some are lost, so nothing ` +
        "is committed; run it again"
    })
  }
  return Option.some<Accounting>(sum)
})

/** Why the counts of a destination are not those of the rows that it got; undefined: they are right. */
export const miscount = (
  sink: string,
  handed: Readonly<Record<string, number>>,
  { tables }: Sink.CommitResult
): string | undefined => {
  for (const [table, { received, superseded, unchanged, written }] of Object.entries(tables)) {
    const rows = handed[table] ?? 0
    if (received !== rows) {
      return `sink ${sink}: table ${table}: ${rows} rows were handed over, and the destination received ${received}`
    }
    if (received !== written + unchanged + superseded) {
      return (
        `sink ${sink}: table ${table}: ${received} rows were received, and the destination counts ${written} written, ` +
        `${unchanged} unchanged and ${superseded} superseded`
      )
    }
  }
  return undefined
}
