/**
 * The hosts that live in this process, and the exchanges that wait for each: for `GET /cluster` and the metrics.
 *
 * It only counts: nothing here decides when a host gets a request.
 */
import * as Effect from "effect/Effect"

export interface Host {
  readonly name: string
  /** When it came here. All times here are milliseconds since the epoch. */
  readonly since: number
  /** The exchanges that have not ended, with the time at which each was asked for, oldest first. */
  readonly waiting: Set<{ readonly at: number }>
  /** When a request from here to it last started or ended. */
  askedAt: number | undefined
  requests: number
}

export interface HostRegistry {
  readonly enter: (name: string, now: number) => Host
  readonly leave: (host: Host) => void
  /** A request goes to the host now. */
  readonly requestBegan: (name: string, now: number) => void
  /** A request to the host has ended. */
  readonly requestEnded: (name: string, now: number) => void
  /** Counts work for the host until it ends. */
  readonly during: <A, E, R>(host: Host, now: number, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly hosts: () => ReadonlyArray<Host>
  /** How many hosts have moved here since the start. */
  readonly arrivals: () => number
  /** The number of requests to hosts that no longer live here. */
  readonly requestsBefore: () => number
}

export const create = (): HostRegistry => {
  const hosts = new Map<string, Host>()
  let arrivals = 0
  let requestsBefore = 0
  return {
    enter: (name, now) => {
      const host: Host = { name, since: now, waiting: new Set(), askedAt: undefined, requests: 0 }
      hosts.set(name, host)
      arrivals += 1
      return host
    },
    leave: (host) => {
      requestsBefore += host.requests
      // The host may have come here again already.
      if (hosts.get(host.name) === host) hosts.delete(host.name)
    },
    requestBegan: (name, now) => {
      const host = hosts.get(name)
      if (host === undefined) return
      host.askedAt = now
      host.requests += 1
    },
    requestEnded: (name, now) => {
      const host = hosts.get(name)
      if (host !== undefined) host.askedAt = now
    },
    during: (host, now, work) =>
      Effect.suspend(() => {
        const entry = { at: now }
        host.waiting.add(entry)
        return Effect.ensuring(
          work,
          Effect.sync(() => void host.waiting.delete(entry))
        )
      }),
    hosts: () => Array.from(hosts.values()),
    arrivals: () => arrivals,
    requestsBefore: () => requestsBefore
  }
}

/** How long the oldest exchange of a host has waited; 0: none waits. */
export const oldestMillis = ({ waiting }: Host, now: number): number => {
  const [first] = waiting
  return first === undefined ? 0 : Math.max(0, now - first.at)
}
