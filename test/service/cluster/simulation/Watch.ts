/**
 * What is seen of a simulated cluster: how near the requests of a host came, how long hosts that moved were not asked, and what
 * each team and each job had of the permits.
 */
import type { Hosts } from "./Hosts.ts"

export interface Watch {
  /** A request to a host begins, and ends. */
  readonly asks: (host: number, now: number) => void
  readonly answered: (host: number, now: number) => void
  /** A page of a job has its permit, and gives it back. */
  readonly begins: (team: number, host: number, now: number) => void
  readonly ends: (team: number, host: number, now: number) => void
  /** `wants`: how many pages it would have in flight. */
  readonly starts: (team: number, host: number, wants: number, now: number) => void
  readonly stops: (host: number) => void
  /** Locks whose hosts live elsewhere from now on. */
  readonly moves: (locks: ReadonlyArray<boolean>, now: number) => void
  readonly seen: () => Seen
  /** Of the jobs of a team that ran all the time since this was last asked. */
  readonly fairness: (team: number, permits: number, now: number) => Fairness
}

/** Jain's index: 1 if all had the same, and one divided by their number if one had all. */
export interface Fairness {
  readonly jobs: number
  /** Over the pages that each was given a turn for. */
  readonly ofPages: number
  /** Over the time for which each had permits, as a part of what would be fair: as much as the others, or all that it wants. */
  readonly ofPermits: number
}

export interface Seen {
  readonly requests: number
  /** Hosts that were asked. */
  readonly hosts: number
  /** By how much the nearest two requests of a host that asks for a delay were farther apart than it. */
  readonly leastBeyondDelay: number
  /** The most requests to one host at a time: of hosts that ask for a delay, and of others. */
  readonly mostDelayed: number
  readonly mostFree: number
  readonly pagesOfTeams: ReadonlyArray<number>
  readonly mostOfTeams: ReadonlyArray<number>
  readonly moves: ReadonlyArray<Move>
}

export interface Move {
  /** Of all hosts, and of those that a job was reading. */
  readonly hosts: number
  readonly reading: number
  /** Of these: milliseconds until each was asked again, in order; without its own delay. */
  readonly silences: ReadonlyArray<number>
}

interface Job {
  readonly team: number
  readonly wants: number
  /** Since when it is counted; pages in flight; permits times milliseconds; pages that began. */
  since: number
  at: number
  inFlight: number
  had: number
  began: number
}

export const make = (hosts: Hosts, teams: number): Watch => {
  const answeredAt = new Float64Array(hosts.count).fill(Number.NEGATIVE_INFINITY)
  const open = new Uint8Array(hosts.count)
  const isAsked = new Uint8Array(hosts.count)
  const jobs = new Map<number, Job>()
  const seen = { requests: 0, hosts: 0, leastBeyondDelay: Number.POSITIVE_INFINITY, mostDelayed: 0, mostFree: 0 }
  const pagesOfTeams = Array.from({ length: teams }, () => 0)
  const inFlight = Array.from({ length: teams }, () => 0)
  const mostOfTeams = Array.from({ length: teams }, () => 0)
  const moves: Array<Move & { readonly silences: Array<number> }> = []
  /** Hosts that moved and were not asked since. */
  const moved = new Map<number, { readonly at: number; readonly of: { readonly silences: Array<number> } }>()

  const count = (host: number, by: number, now: number) => {
    const job = jobs.get(host)
    if (job === undefined) return
    job.had += job.inFlight * (now - job.at)
    job.at = now
    job.inFlight += by
    if (by > 0) job.began += 1
  }

  return {
    asks: (host, now) => {
      const delay = hosts.delayMillis(host)
      seen.requests += 1
      if (isAsked[host] === 0) seen.hosts += 1
      isAsked[host] = 1
      const number = (open[host] ?? 0) + 1
      open[host] = number
      if (delay === 0) seen.mostFree = Math.max(seen.mostFree, number)
      else {
        seen.mostDelayed = Math.max(seen.mostDelayed, number)
        seen.leastBeyondDelay = Math.min(seen.leastBeyondDelay, now - (answeredAt[host] ?? 0) - delay)
      }
      const move = moved.get(host)
      if (move === undefined) return
      moved.delete(host)
      move.of.silences.push(Math.max(0, now - move.at - delay))
    },
    answered: (host, now) => {
      open[host] = (open[host] ?? 1) - 1
      answeredAt[host] = now
    },
    begins: (team, host, now) => {
      const number = (inFlight[team] ?? 0) + 1
      inFlight[team] = number
      mostOfTeams[team] = Math.max(mostOfTeams[team] ?? 0, number)
      count(host, 1, now)
    },
    ends: (team, host, now) => {
      inFlight[team] = (inFlight[team] ?? 1) - 1
      pagesOfTeams[team] = (pagesOfTeams[team] ?? 0) + 1
      count(host, -1, now)
    },
    starts: (team, host, wants, now) =>
      void jobs.set(host, { team, wants, since: now, at: now, inFlight: 0, had: 0, began: 0 }),
    stops: (host) => void jobs.delete(host),
    moves: (locks, now) => {
      let all = 0
      for (let host = 0; host < hosts.count; host++) if (locks[hosts.lock(host)] === true) all += 1
      const reading = Array.from(jobs.keys()).filter((host) => locks[hosts.lock(host)] === true)
      const move = { hosts: all, reading: reading.length, silences: [] }
      moves.push(move)
      for (const host of reading) moved.set(host, { at: now, of: move })
    },
    seen: () => ({ ...seen, pagesOfTeams, mostOfTeams, moves }),
    fairness: (team, permits, now) => {
      const own = Array.from(jobs).filter(([, job]) => job.team === team)
      for (const [host] of own) count(host, 0, now)
      const first = Math.min(...own.map(([, { since }]) => since))
      const whole = own.flatMap(([, job]) => (job.since === first ? { ...job } : []))
      const level = levelOf(
        permits,
        own.map(([, { wants }]) => wants)
      )
      for (const [, job] of own) Object.assign(job, { since: now, had: 0, began: 0 })
      return {
        jobs: whole.length,
        ofPages: jain(whole.map(({ began }) => began)),
        ofPermits: jain(whole.map(({ had, wants }) => had / Math.min(wants, level)))
      }
    }
  }
}

const jain = (values: ReadonlyArray<number>): number => {
  const sum = values.reduce((all, value) => all + value, 0)
  const squares = values.reduce((all, value) => all + value * value, 0)
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares)
}

/** As many permits as each may have at most, so that together they have all. */
const levelOf = (permits: number, wants: ReadonlyArray<number>): number => {
  let left = permits
  const inOrder = wants.toSorted((one, other) => one - other)
  for (const [at, want] of inOrder.entries()) {
    const each = left / (inOrder.length - at)
    if (want >= each) return each
    left -= want
  }
  return Number.POSITIVE_INFINITY
}
