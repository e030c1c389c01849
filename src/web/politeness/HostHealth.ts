/**
 * Whether the hosts of one job answer at all.
 *
 * A host that refused several pages in a row, without an answer in between, is down if the page that it served last is
 * refused too. It is left alone for a while, then one page is requested while the others wait. If that fails often
 * enough, the host is given up: this job requests nothing more from it. So broken pages on a working host do not hold
 * up the others, and a host that restarts loses no pages.
 *
 * The caller passes the times, in milliseconds: nothing here waits.
 */
import type { Patience } from "../Patience.ts"

export interface HostHealth {
  /** Whether the host may be asked now. probe: yes, and the caller must report the result or call `release`. */
  readonly enter: (host: string, now: number) => Entry
  /** The host answered, whatever the status of this page. */
  readonly answered: (url: URL) => void
  /** The host refused a page. suspect: requesting the page at `last` would show whether it is down. */
  readonly refused: (host: string, now: number, refusal: Refusal) => Standing
  /** The page that was requested to find out was refused too. */
  readonly isDown: (host: string, now: number, refusal: Refusal) => Standing
  /** The connection of a page broke at its first try. */
  readonly broke: (host: string) => void
  /** Whether the host breaks the connections of many pages, and answers others. */
  readonly isFlaky: (host: string) => boolean
  /** The page was not requested after all, or its result says nothing about the host. */
  readonly release: (host: string) => void
}

export interface Refusal {
  /** The reason, for people. */
  readonly why: string
  /** How long the host asked to be left alone. */
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
  /** The page that it served last. */
  last: URL | undefined
  /** Refusals since its last answer, and the time of the first. */
  refusals: number
  since: number
  /** The number of refusals that make it suspect. */
  limit: number
  /** Until when it is left alone; undefined: it is not. */
  downUntil: number | undefined
  /** How often it was left alone since its last answer. */
  rounds: number
  /** Whether a request is finding out whether it answers again. */
  isProbed: boolean
  /** The message for its pages; undefined: it is not given up. */
  givenUp: string | undefined
  /** The number of answers, and of pages whose connection broke. */
  answers: number
  broken: number
}

/** `startHost`: the host of the start, of which every page is wanted. Its first refusal has already been waited out. */
export const create = (patience: Patience, startHost?: string): HostHealth => {
  const hosts = new Map<string, Host>()

  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? newHost(Math.min(refusalsInARow, patience.tries))
    hosts.set(name, host)
    return host
  }

  /** The durations for which the host is left alone, one after the other. */
  const coolings = (name: string, { last }: Host): ReadonlyArray<number> =>
    last !== undefined
      ? patience.coolingMillis
      : patience.coolingMillis.slice(0, name === startHost ? roundsOfSilentHome : roundsOfSilent)

  const leaveAlone = (name: string, now: number, { askedMillis = 0, why }: Refusal): Standing => {
    const host = hostOf(name)
    host.isProbed = false
    const cooling = coolings(name, host)[host.rounds]
    host.rounds += 1
    if (cooling === undefined) host.givenUp = givenUp(name, host, now, why)
    else host.downUntil = now + Math.max(cooling, askedMillis)
    return standing(host, now)
  }

  const refused = (name: string, now: number, refusal: Refusal): Standing => {
    const host = hostOf(name)
    if (host.refusals === 0) host.since = now
    host.refusals += 1
    if (patience.coolingMillis.length === 0 || patience.tries <= 1) return { _tag: "Up" }
    if (host.givenUp !== undefined) return standing(host, now)
    if (host.downUntil !== undefined) {
      const isProbe = host.isProbed && host.downUntil <= now
      return isProbe ? leaveAlone(name, now, refusal) : standing(host, now)
    }
    if (host.isProbed) return standing(host, now)
    const { last } = host
    if (last === undefined) {
      return host.refusals >= (name === startHost ? 1 : host.limit) ? leaveAlone(name, now, refusal) : { _tag: "Up" }
    }
    if (host.refusals < host.limit) return { _tag: "Up" }
    host.isProbed = true
    return { _tag: "Suspect", last }
  }

  return {
    enter: (name, now) => {
      const host = hosts.get(name)
      return host === undefined ? free : enter(host, now)
    },
    answered: (url) => answered(hostOf(url.host), url),
    refused,
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

const newHost = (limit: number): Host => ({
  last: undefined,
  refusals: 0,
  since: 0,
  limit,
  downUntil: undefined,
  rounds: 0,
  isProbed: false,
  givenUp: undefined,
  answers: 0,
  broken: 0
})

const standing = ({ downUntil, givenUp: message, isProbed }: Host, now: number): Refused => {
  if (message !== undefined) return { _tag: "GivenUp", message }
  // The probe takes a moment.
  const until = isProbed ? now + probeMillis : (downUntil ?? now)
  return { _tag: "Down", until: Math.max(until, now + minMillis) }
}

const enter = (host: Host, now: number): Entry => {
  if (host.downUntil === undefined && host.givenUp === undefined) return free
  if (host.givenUp !== undefined || host.isProbed || (host.downUntil ?? 0) > now) return standing(host, now)
  host.isProbed = true
  return { _tag: "Probe", last: host.last }
}

const answered = (host: Host, url: URL): void => {
  // The host works although its pages fail: next time it takes more refusals to make it suspect.
  if (host.isProbed && host.downUntil === undefined) host.limit = Math.min(maxRefusals, host.limit * 2)
  host.last = url
  host.answers += 1
  host.refusals = 0
  host.rounds = 0
  host.downUntil = undefined
  host.isProbed = false
  host.givenUp = undefined
}

const free: Entry = { _tag: "Free" }

/** The refusals in a row that make a host suspect, and the maximum for a host whose pages often fail. */
const refusalsInARow = 3
const maxRefusals = 96

/** How often a host that never answered is left alone before it is given up: the start's host, and any other. */
const roundsOfSilentHome = 3
const roundsOfSilent = 1

/** How soon others look for the result of a probe, and the minimum wait. */
const probeMillis = 1000
const minMillis = 100

/** Up to so many broken connections may be due to the pages themselves: retrying them would hold up the crawl. */
const fewBroken = 5

/** States a duration, not a date, because the clock has no calendar. */
const givenUp = (name: string, { rounds, since }: Host, now: number, why: string): string =>
  `${why}; ${name} has not answered for ${Math.round((now - since) / 1000)} s, even after ${rounds - 1} ` +
  `${rounds === 2 ? "pause" : "pauses"}: run again when it works`
