/**
 * What the surroundings of a job decide: when it may read pages, and what they may cost.
 *
 * Guarantee: a page is read only if its minimum cost is reserved, and kept only if its actual cost is. A job that fails
 * with `OutOfCredits` stops and keeps what it has.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreError } from "./StoreError.ts"

/** No credits are left for the next page. */
export class OutOfCredits extends Schema.TaggedError<OutOfCredits>()("OutOfCredits", {}) {
  override get message(): string {
    return "no credits remain for the next page"
  }
}

/** The price of a page. */
export interface Price<in End> {
  /** The minimum, which is reserved before it is read. */
  readonly least: number
  /** The actual price, which is charged with the end of the page. */
  readonly of: (end: End) => number
  /** What the end of the page adds to the cost that is charged with the end of the job. */
  readonly later?: (end: End) => number
}

export interface Turns {
  /** Called when a page has ended. */
  readonly settled: Effect.Effect<void>
  /** Reads one page when the job has its turn among the jobs of its team, if its price can be reserved. */
  readonly inTurn: <A, E, R>(
    page: Effect.Effect<A, E, R>,
    price: Price<A>
  ) => Effect.Effect<A, E | OutOfCredits | StoreError, R>
  /** Reserves credits for work that is not a page and is charged next. */
  readonly reserve: (credits: number) => Effect.Effect<void, OutOfCredits | StoreError>
  /** How many of these credits can be reserved for the end of the job. */
  readonly afford: (credits: number) => Effect.Effect<number, StoreError>
}

/** For jobs that cost nothing. */
export const unpaid = (
  settled: Effect.Effect<void> = Effect.void,
  lane: <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = (page) => page
): Turns => ({
  settled,
  inTurn: (page) => lane(page),
  reserve: () => Effect.void,
  afford: Effect.succeed
})
