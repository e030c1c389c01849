/**
 * Whether the hosts of one job answer at all.
 *
 * A host that refused several pages in a row, and answered nothing between, counts as down once the page that it served
 * last is refused too. It is left alone for a while, then one page is requested; the others wait. When that has failed
 * often enough the host is given up: this job requests nothing more from it. So broken pages on a working host do not
 * hold up the others, and a host that restarts loses no pages.
 *
 * Times are given, in milliseconds: nothing here waits.
 */
import type { Patience } from "./Patience.ts"

export interface HostHealth {
  /** Whether the host may be asked now. probe: yes, and `release` or a word on how it went has to follow. */
  readonly enter: (host: string, now: number) => Entry
  /** The host answered, whatever it said of this page. */
  readonly answered: (url: URL) => void
  /** The host refused a page. suspect: the page at `last` would tell whether it is down. */
  readonly refused: (host: string, now: number, refusal: Refusal) => Standing
  /** The page that was asked for to find that out was refused too. */
  readonly isDown: (host: string, now: number, refusal: Refusal) => Standing
  /** The connection of a page broke at its first try. */
  readonly broke: (host: string) => void
  /** Whether the host breaks the connections of many pages, and answers others. */
  readonly isFlaky: (host: string) => boolean
  /** The page was not asked for after all, or its end says nothing about the host. */
  readonly release: (host: string) => void
}

export interface Refusal {
  /** What happened, for people. */
  readonly why: string
  /** How long the host wants to be left alone. */
  readonly askedMillis?: number | undefined
}

export type Standing =
  | { readonly _tag: "Up" }
  | { readonly _tag: "Suspect"; readonly last: URL }
  | { readonly _tag: "Down"; readonly until: number }
  | { readonly _tag: "GivenUp"; readonly message: string }

type Entry = { readonly _tag: "Free" } | { readonly _tag: "Probe"; readonly last: URL | undefined } | Refused
type Refused = Exclude<Standing, { readonly _tag: "Up" | "Suspect" }>

interface Host {
  /** The page that it gave last. */
  last: URL | undefined
  /** Refusals since its last answer, and since when. */
  refusals: number
  since: number
  /** So many make it suspect. */
  limit: number
  /** Until when it is left alone; undefined: it is not. */
  downUntil: number | undefined
  /** How often it was left alone since its last answer. */
  rounds: number
  /** Whether somebody is finding out whether it answers again. */
  isProbed: boolean
  /** What its pages end with; undefined: it is not given up. */
  givenUp: string | undefined
  /** Answers in all, and pages whose connection broke. */
  answers: number
  broken: number
}

/** `startHost`: the host of the start, whose every page is wanted: its first refusal is waited out already. */
export const make = (patience: Patience, startHost?: string): HostHealth => {
  const hosts = new Map<string, Host>()

  const hostOf = (name: string): Host => {
    const known = hosts.get(name)
    if (known !== undefined) return known
    const host: Host = {
      last: undefined,
      refusals: 0,
      since: 0,
      limit: Math.min(refusalsInARow, patience.tries),
      downUntil: undefined,
      rounds: 0,
      isProbed: false,
      givenUp: undefined,
      answers: 0,
      broken: 0
    }
    hosts.set(name, host)
    return host
  }

  /** How long it is left alone, time after time. */
  const coolings = (name: string, host: Host): ReadonlyArray<number> =>
    host.last !== undefined
      ? patience.coolingMillis
      : patience.coolingMillis.slice(0, name === startHost ? roundsOfSilentHome : roundsOfSilent)

  const leaveAlone = (name: string, now: number, { askedMillis = 0, why }: Refusal): Standing => {
    const host = hostOf(name)
    host.isProbed = false
    const cooling = coolings(name, host)[host.rounds]
    host.rounds += 1
    if (cooling === undefined) host.givenUp = givenUp(name, host, now, why)
    else host.downUntil = now + Math.max(cooling, askedMillis)
    return standing(name, host, now)
  }

  const standing = (name: string, host: Host, now: number): Refused => {
    if (host.givenUp !== undefined) return { _tag: "GivenUp", message: host.givenUp }
    // Whoever finds out takes a moment.
    const until = host.isProbed ? now + probeMillis : (host.downUntil ?? now)
    return { _tag: "Down", until: Math.max(until, now + minMillis) }
  }

  return {
    enter: (name, now) => {
      const host = hosts.get(name)
      if (host === undefined || (host.downUntil === undefined && host.givenUp === undefined)) return free
      if (host.givenUp !== undefined || host.isProbed || (host.downUntil ?? 0) > now) return standing(name, host, now)
      host.isProbed = true
      return { _tag: "Probe", last: host.last }
    },
    answered: (url) => {
      const host = hostOf(url.host)
      // Seen to work while its pages fail: next time it takes more of them to doubt it.
      if (host.isProbed && host.downUntil === undefined) host.limit = Math.min(maxRefusals, host.limit * 2)
      host.last = url
      host.answers += 1
      host.refusals = 0
      host.rounds = 0
      host.downUntil = undefined
      host.isProbed = false
      host.givenUp = undefined
    },
    refused: (name, now, refusal) => {
      const host = hostOf(name)
      if (host.refusals === 0) host.since = now
      host.refusals += 1
      if (patience.coolingMillis.length === 0 || patience.tries <= 1) return { _tag: "Up" }
      if (host.givenUp !== undefined) return standing(name, host, now)
      if (host.downUntil !== undefined) {
        const isProbe = host.isProbed && host.downUntil <= now
        return isProbe ? leaveAlone(name, now, refusal) : standing(name, host, now)
      }
      if (host.isProbed) return standing(name, host, now)
      const { last } = host
      if (last === undefined) {
        return host.refusals >= (name === startHost ? 1 : host.limit) ? leaveAlone(name, now, refusal) : { _tag: "Up" }
      }
      if (host.refusals < host.limit) return { _tag: "Up" }
      host.isProbed = true
      return { _tag: "Suspect", last }
    },
    isDown: leaveAlone,
    broke: (name) => {
      hostOf(name).broken += 1
    },
    isFlaky: (name) => {
      const host = hosts.get(name)
      return host !== undefined && host.answers > 0 && host.broken >= fewBroken && host.broken * 10 > host.answers
    },
    release: (name) => {
      const host = hosts.get(name)
      if (host !== undefined) host.isProbed = false
    }
  }
}

const free: Entry = { _tag: "Free" }

/** Refusals in a row that make a host suspect, and how many it takes at most where its pages often fail. */
const refusalsInARow = 3
const maxRefusals = 96

/** How often a host is left alone that never answered: one that a link names is soon given up. */
const roundsOfSilentHome = 3
const roundsOfSilent = 1

/** How soon others look whether somebody has found out, and how soon anybody looks again at all. */
const probeMillis = 1000
const minMillis = 100

/** So few pages may be broken themselves: asking for them again and again would hold the crawl up. */
const fewBroken = 5

/** For how long, not since when: the clock that is given has no days. */
const givenUp = (name: string, { rounds, since }: Host, now: number, why: string): string =>
  `${why}; ${name} has not answered for ${Math.round((now - since) / 1000)} s, even after ${rounds - 1} ` +
  `${rounds === 2 ? "pause" : "pauses"}: run again when it works`
