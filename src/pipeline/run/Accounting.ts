/**
 * Where everything that a source discovered went: discovered = loaded + rejected + failed + blocked + left. A source whose
 * rows are not what it discovers, as the URLs of jobs, says how many of those it read: read + failed + blocked + left.
 *
 * The law: a run whose sum is wrong has lost something, and commits nothing. Rows that steps dropped were loaded as far
 * as this sum goes: `dropped` says how many of them the sinks did not get.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export interface Accounting {
  readonly discovered: number
  /** Rows of the main table that the source gave and that fit it. */
  readonly loaded: number
  readonly rejected: number
  readonly failed: number
  readonly blocked: number
  /** Known and not taken, because a limit came first. */
  readonly left: number
  /** Of the loaded ones: those that steps took out. */
  readonly dropped: number
  /** What was read, where that is not one row each: it stands in the sum for what was loaded and rejected. */
  readonly read?: number
}

/** A run that read something else than it was told exists. Nothing was committed. */
export class AccountingError extends Schema.TaggedError<AccountingError>()("AccountingError", {
  message: Schema.String
}) {}

/** The sum of a run whose source says how much there is; none where it does not. */
export const account = Effect.fnUntraced(function* (
  facts: Readonly<Record<string, number>>,
  { dropped, loaded, rejected }: { readonly loaded: number; readonly rejected: number; readonly dropped: number }
) {
  const { discovered, failed = 0, blocked = 0, left = 0, read } = facts
  if (discovered === undefined) return Option.none<Accounting>()
  if (read !== undefined) {
    if (discovered === read + failed + blocked + left) {
      return Option.some<Accounting>({ discovered, loaded, rejected, failed, blocked, left, dropped, read })
    }
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${read} were read, ${failed} failed, ${blocked} are blocked and ` +
        `${left} are left: some are lost, so nothing is committed; run it again`
    })
  }
  if (discovered !== loaded + rejected + failed + blocked + left) {
    return yield* new AccountingError({
      message:
        `the source discovered ${discovered}, but ${loaded} were loaded, ${rejected} rejected, ${failed} failed, ` +
        `${blocked} are blocked and ${left} are left: some are lost, so nothing is committed; run it again`
    })
  }
  return Option.some<Accounting>({ discovered, loaded, rejected, failed, blocked, left, dropped })
})
