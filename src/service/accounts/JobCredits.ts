/**
 * The credits of one job of a team with limited credits: reserved for its pages in flight, and charged as the pages end.
 *
 * Guarantee (specification, Limits): all jobs of a team together never use and reserve more than its plan has. The
 * reservation is a row of the store under the id of the job. The transaction that ends a page subtracts the cost of the
 * page from it, and the end of the job deletes it. A killed process leaves the row behind; the next process that runs the
 * job replaces it.
 *
 * If no credits remain, a page waits while other pages of the job are in flight: one that fails gives its credits back.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Semaphore from "effect/Semaphore"
import type { Job } from "#web/Job"
import { OutOfCredits, type Turns } from "#web/Turns"
import type { AccountStore } from "../store/AccountStore.ts"

export interface JobCredits extends Omit<Turns, "settled"> {
  /** Whether the job could not get credits that it needed. */
  readonly isOut: () => boolean
}

/** `plan`: all credits of the team. `lane`: runs a page when it is its turn. */
export const ofJob = (
  job: Pick<Job, "id" | "teamId">,
  plan: number,
  store: Pick<AccountStore["Service"], "holdForJob">,
  lane: <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): JobCredits => {
  const { hold, lacking, out, sums } = reservation(job, plan, store)
  const queue = Semaphore.makeUnsafe(1)
  const pageEnded = Latch.makeUnsafe(false)

  const take = Effect.fnUntraced(function* (credits: number) {
    for (;;) {
      if (sums.isOut) return yield* out
      pageEnded.closeUnsafe()
      const lacks = lacking(credits)
      if (lacks <= 0 || (yield* hold(lacks, credits * pagesAhead(plan)))) break
      if (lacking(credits) <= 0) break
      if (sums.inFlight === 0) return yield* out
      yield* pageEnded.await
    }
    sums.inFlight += credits
  }, queue.withPermits(1))

  const reserve = Effect.fnUntraced(function* (credits: number) {
    const lacks = lacking(credits)
    if (lacks > 0 && !(yield* hold(lacks, 0))) return yield* out
    sums.reserved -= credits
  })

  const inTurn: Turns["inTurn"] = (page, { least, later: laterOf, of }) =>
    lane(
      Effect.gen(function* () {
        yield* take(least)
        let own = least
        const giveBack = Effect.sync(() => {
          sums.inFlight -= own
          own = 0
          pageEnded.openUnsafe()
        })
        const read = Effect.gen(function* () {
          const end = yield* page
          const cost = of(end)
          const owed = laterOf?.(end) ?? 0
          const lacks = lacking(cost + owed - own)
          if (lacks > 0 && !(yield* hold(lacks, 0))) return yield* out
          sums.reserved -= cost
          sums.later += owed
          return end
        })
        return yield* Effect.ensuring(read, giveBack)
      })
    )

  const afford = Effect.fnUntraced(function* (credits: number) {
    sums.later = 0
    const lacks = lacking(credits)
    if (lacks > 0) yield* hold(lacks, 0)
    return Math.min(credits, Math.floor(sums.reserved))
  })

  return { inTurn, reserve, afford, isOut: () => sums.isOut }
}

/** The row of the job in the store, and what of it is in use. */
const reservation = (
  { id, teamId }: Pick<Job, "id" | "teamId">,
  plan: number,
  store: Pick<AccountStore["Service"], "holdForJob">
) => {
  const sums = {
    /** Credits that are reserved and not yet charged. */
    reserved: 0,
    /** The part of them for pages in flight. */
    inFlight: 0,
    /** The part of them for work at the end of the job. */
    later: 0,
    isOut: false
  }
  let isFirst = true
  return {
    sums,
    lacking: (credits: number): number => Math.ceil(sums.inFlight + sums.later + credits - sums.reserved),
    /** Reserves the credits, and `ahead` more if so many remain. */
    hold: Effect.fnUntraced(function* (credits: number, ahead: number) {
      for (const more of ahead > 0 ? [credits + ahead, credits] : [credits]) {
        const isHeld = yield* store.holdForJob({ jobId: id, teamId, credits: more, isFirst }, plan)
        isFirst = false
        if (isHeld) sums.reserved += more
        if (isHeld) return true
      }
      return false
    }),
    out: Effect.suspend(() => {
      sums.isOut = true
      return Effect.fail(new OutOfCredits())
    })
  }
}

/** How many pages to reserve for in advance (a thousandth of the plan, 3 to 31), because each reservation locks the team. */
const pagesAhead = (plan: number): number => Math.min(31, Math.max(3, Math.floor(plan / 1000)))

export const warning =
  "the credits of the team ran out before the job was done: the pages that it read are kept; add credits, or lower the limit"
