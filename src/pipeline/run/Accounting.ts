/**
 * Where everything that a source discovered went: discovered = loaded + revalidated + gone + rejected + failed + blocked +
 * left. A
 * source whose rows are not what it discovers, such as the URLs of jobs, reports how many of those it read: read +
 * failed + blocked + left.
 *
 * The law: a run whose sum is wrong has lost something, and commits nothing. `loaded` is what a table has that was empty
 * before: failed rows are not in it, and gone rows are not in a table that is not a history. Rows that steps dropped
 * count as loaded in this sum: `dropped` says how many of them the sinks did not get.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Sink from "../Sink.ts"
import type { Counts } from "./Wholeness.ts"

/**
 * Where everything that a source discovered went: discovered = loaded + revalidated + gone + rejected + failed +
 * blocked + left.
 */
export interface Accounting {
  /** Everything that the source found. */
  readonly discovered: number
  /** Rows of the main table that the source gave, that fit it, and that say something. */
  readonly loaded: number
  /** Those that say that a thing is gone, where a history makes no row of them. */
  readonly gone: number
  /** Rows that did not fit their table. */
  readonly rejected: number
  /** Rows that are as they were: the site says so, and nothing of them is written. */
  readonly revalidated?: number
  /** What could not be read, and rows that say nothing of their thing. */
  readonly failed: number
  /** What robots.txt or a rule does not allow. */
  readonly blocked: number
  /** Known and not taken, because a limit came first. */
  readonly left: number
  /** Of the loaded ones: those that steps took out. */
  readonly dropped: number
  /** What was read, where that is not one row each: it stands in the sum for what was loaded and rejected. */
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
 * A destination that counts other rows than it was handed. What it committed is there.
 *
 * @example
 * ```ts
 * import { Run } from "millrace"
 *
 * console.log(new Run.CountError({ message: "warehouse wrote 9 of 10 rows; compare it" })._tag) // "CountError"
 * ```
 */
export class CountError extends Schema.TaggedError<CountError>()("CountError", { message: Schema.String }) {}

/** Rows that are in a table now: closed versions of a history do not count. */
export const loadedOf = ({ gone, seen }: Counts, isHistory: boolean) =>
  isHistory ? { loaded: seen, gone } : { loaded: seen + gone, gone: 0 }

/** Whether what a source has discovered is its rows, each counted in the sum as loaded, rejected, failed or left. */
export const countsRows = ({ discovered, read }: Readonly<Record<string, number>>): boolean =>
  discovered !== undefined && read === undefined

/** The sum of a run whose source says how much there is; none where it does not. */
export const account = Effect.fnUntraced(function* (
  facts: Readonly<Record<string, number>>,
  counts: Counts,
  outcome: { readonly dropped: number; readonly isHistory: boolean }
) {
  const { discovered, blocked = 0, left = 0, read } = facts
  if (discovered === undefined) return Option.none<Accounting>()
  const { rejected, revalidated = 0 } = counts
  const { gone, loaded } = loadedOf(counts, outcome.isHistory)
  const failed = (facts["failed"] ?? 0) + (read === undefined ? counts.failed : 0)
  const unchanged = revalidated === 0 ? {} : { revalidated }
  const sum = { discovered, loaded, ...unchanged, gone, rejected, failed, blocked, left, dropped: outcome.dropped }
  if (read !== undefined) {
    if (discovered === read + failed + blocked + left) return Option.some<Accounting>({ ...sum, read })
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${read} were read, ${failed} failed, ${blocked} are blocked and ` +
        `${left} were not reached: some are lost, so nothing is committed; run it again`
    })
  }
  if (discovered !== loaded + revalidated + gone + rejected + failed + blocked + left) {
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${loaded} were loaded, ${revalidated === 0 ? "" : `${revalidated} are unchanged, `}${gone === 0 ? "" : `${gone} are gone, `}` +
        `${rejected} rejected, ${failed} failed, ${blocked} are blocked and ${left} were not reached: some are lost, so nothing ` +
        "is committed; run it again"
    })
  }
  return Option.some<Accounting>(sum)
})

/** What a destination says it did with other rows than it was handed; undefined: it has them all. */
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
