/**
 * What a job is told of the world around it: when its pages may be read, and what they may cost.
 *
 * The law: a page is read only if what it costs at least is reserved, and it is kept only if what it has cost is. A job that
 * meets `OutOfCredits` stops where it is and keeps what it has.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreError } from "../StoreError.ts"

/** No credits remain for the next page. */
export class OutOfCredits extends Schema.TaggedError<OutOfCredits>()("OutOfCredits", {}) {
  override get message(): string {
    return "no credits remain for the next page"
  }
}

/** What reading a page costs. */
export interface Price<in End> {
  /** Before it is read. */
  readonly least: number
  /** As it has turned out: what is charged with the page's end. */
  readonly of: (end: End) => number
  /** What its end adds to the cost that is charged with the end of the job. */
  readonly later?: (end: End) => number
}

export interface Turns {
  /** A page has ended. */
  readonly settled: Effect.Effect<void>
  /** Runs one page's work in its turn among the jobs of its team, where its price remains. */
  readonly inTurn: <A, E, R>(
    page: Effect.Effect<A, E, R>,
    price: Price<A>
  ) => Effect.Effect<A, E | OutOfCredits | StoreError, R>
  /** Reserves credits for what is no page, and is charged next. */
  readonly reserve: (credits: number) => Effect.Effect<void, OutOfCredits | StoreError>
  /** How many of these credits the end of the job may cost: as many as are reserved, or remain. */
  readonly afford: (credits: number) => Effect.Effect<number, StoreError>
}

/** Where nothing is paid for. */
export const unpaid = (
  settled: Effect.Effect<void> = Effect.void,
  lane: <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = (page) => page
): Turns => ({
  settled,
  inTurn: (page) => lane(page),
  reserve: () => Effect.void,
  afford: Effect.succeed
})
