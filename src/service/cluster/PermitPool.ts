/**
 * The permits of one team that this process may use, and the pages that wait for one: their jobs take turns.
 *
 * It only counts. Guarantee: a page starts if fewer pages are in flight than the limit, and the limit was confirmed recently.
 * A page that has started continues whatever happens to the limit. Permits that were not used for a second or two are
 * given back.
 */
import * as Effect from "effect/Effect"
import type { Statement } from "./TeamShares.ts"

/** A page that waits for a permit, or has one. */
interface Turn {
  /** Ends when the page may start. */
  readonly begun: Effect.Effect<void>
  /** The page has ended, or waits no longer. */
  readonly end: Effect.Effect<void>
}

interface PermitPool {
  readonly turn: (job: string) => Turn
  /** The permits that are held and wanted now. Gives back unused permits first. */
  readonly statement: () => Pick<Statement, "limit" | "inFlight" | "wants">
  /** Sets the limit that the team confirmed, and until when it holds. */
  readonly allow: (limit: number, until: number) => void
  /** Whether the limit holds now. */
  readonly isConfirmed: () => boolean
  readonly inFlight: () => number
}

interface Job {
  /** Pages in flight or waiting: now, and the maximum since the last statement, in this second, and in the second before. */
  pages: number
  wanted: number
  most: number
  mostBefore: number
  readonly waiting: Set<() => void>
}

/** `now`: milliseconds, monotonic. `sendNow`: sends the next statement to the team at once, not only after a second. */
export const create = (now: () => number, sendNow: () => void): PermitPool => {
  const jobs = new Map<string, Job>()
  let inFlight = 0
  let waiting = 0
  let limit = 0
  let until = 0
  /** How many wanted permits the last statement named. */
  let stated = 0
  let second = now()

  /** Gives up a limit that was not confirmed in time, except for pages that have started. */
  const lapse = () => {
    if (now() >= until) limit = Math.min(limit, inFlight)
  }

  const hasRoom = () => waiting > 0 && inFlight < limit

  const admit = () => {
    lapse()
    // A page may end while it starts.
    while (hasRoom()) nextOf(jobs)?.()
  }

  const turn = (name: string): Turn => {
    let leave = () => {}
    const begun = Effect.callback<void>((resume) => {
      const job = enter(jobs, name)
      const begin = () => {
        job.waiting.delete(begin)
        waiting -= 1
        inFlight += 1
        resume(Effect.void)
      }
      job.waiting.add(begin)
      waiting += 1
      leave = () => {
        job.pages -= 1
        if (job.waiting.delete(begin)) {
          waiting -= 1
          return
        }
        inFlight -= 1
        // The limit was lowered: other processes wait for this permit.
        if (inFlight >= limit) sendNow()
        admit()
      }
      admit()
      if (job.waiting.has(begin) && stated <= limit) sendNow()
    })
    const end = Effect.sync(() => {
      leave()
      leave = () => {}
    })
    return { begun, end }
  }

  return {
    turn,
    statement: () => {
      const wants = Array.from(jobs.values(), ({ wanted }) => wanted).filter((want) => want > 0)
      stated = wants.reduce((sum, want) => sum + want, 0)
      lapse()
      const isNew = now() - second >= 1000
      if (isNew) second = now()
      limit = Math.min(limit, roll(jobs, isNew))
      return { limit, inFlight, wants }
    },
    allow: (confirmed, end) => {
      limit = confirmed
      until = end
      admit()
    },
    isConfirmed: () => now() < until,
    inFlight: () => inFlight
  }
}

const enter = (jobs: Map<string, Job>, name: string): Job => {
  const job = jobs.get(name) ?? { pages: 0, wanted: 0, most: 0, mostBefore: 0, waiting: new Set() }
  jobs.set(name, job)
  job.pages += 1
  job.wanted = Math.max(job.wanted, job.pages)
  job.most = Math.max(job.most, job.pages)
  return job
}

/** Starts the next count. `isNew`: a second is over. Returns how many permits the last two seconds could use. */
const roll = (jobs: Map<string, Job>, isNew: boolean): number => {
  let used = 0
  for (const [name, job] of jobs) {
    job.wanted = job.pages
    if (isNew) {
      job.mostBefore = job.most
      job.most = job.pages
    }
    if (job.mostBefore + job.most === 0) jobs.delete(name)
    used += Math.max(job.most, job.mostBefore)
  }
  return used
}

/** The next page, of the job whose turn it is. That job moves to the end. */
const nextOf = (jobs: Map<string, Job>): (() => void) | undefined => {
  for (const [name, job] of jobs) {
    const [first] = job.waiting
    if (first === undefined) continue
    jobs.delete(name)
    jobs.set(name, job)
    return first
  }
  return undefined
}
