/**
 * What the hosts of one job may waste: seconds, bytes and tries that gave no page.
 *
 * A host may waste a fixed amount, and as much again as it gave. If it wastes more, it is spent: the rest of its pages is
 * left, so that it does not hold up the job. Before that, a host of which many pages only trickle is in haste: a page
 * of it is left as soon as it trickles. So a site with some tarpits costs little more than one without, and its other
 * pages are read, however slow they are.
 *
 * The caller passes the times, in milliseconds: nothing here waits.
 */

export interface HostBudget {
  /** The host gave an answer, in this time and with so many bytes. */
  readonly gave: (host: string, millis: number, bytes: number) => void
  /** A page only trickled, for this time. */
  readonly trickled: (host: string, millis: number) => void
  /** A page did not arrive in this time, for another reason. */
  readonly waitedInVain: (host: string, millis: number) => void
  /** The host sent bytes that give no page. */
  readonly sentInVain: (host: string, bytes: number) => void
  /** A page has to be requested again. */
  readonly triedInVain: (host: string) => void
  /** The host was down, not slow: the time until now was not its waste. */
  readonly forgive: (host: string) => void
  /** The window of the least rate of the next page (`leastRate.ts`). `tries`: how often it was refused. */
  readonly windowOf: (host: string, tries: number) => number
  /** Whether a page that trickled ends, instead of being requested again. */
  readonly isInHaste: (host: string) => boolean
  /** Why the rest of its pages is left; undefined: it is not. */
  readonly spent: (host: string) => string | undefined
}

/** Seconds, bytes or tries: what gave pages, and what gave none. */
interface Account {
  useful: number
  wasted: number
}

interface Host {
  readonly millis: Account
  readonly bytes: Account
  readonly tries: Account
  /** The pages that trickled. */
  slow: number
}

export const create = (): HostBudget => {
  const hosts = new Map<string, Host>()
  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? newHost()
    hosts.set(name, host)
    return host
  }
  const isInHaste = (name: string): boolean => {
    const host = hosts.get(name)
    return (
      host !== undefined && host.slow >= fewSlow && host.slow * slowShare >= host.tries.useful && isOver(host, "haste")
    )
  }
  return {
    gave: (name, millis, bytes) => {
      const host = hostOf(name)
      host.millis.useful += millis
      host.bytes.useful += bytes
      host.tries.useful += 1
    },
    trickled: (name, millis) => {
      const host = hostOf(name)
      host.slow += 1
      host.millis.wasted += millis
    },
    waitedInVain: (name, millis) => {
      hostOf(name).millis.wasted += millis
    },
    sentInVain: (name, bytes) => {
      hostOf(name).bytes.wasted += bytes
    },
    triedInVain: (name) => {
      hostOf(name).tries.wasted += 1
    },
    forgive: (name) => {
      const host = hostOf(name)
      host.slow = 0
      host.millis.wasted = 0
      host.tries.wasted = 0
    },
    windowOf: (name, tries) => (isInHaste(name) ? hasteWindow : (windows[tries] ?? noWindow)),
    isInHaste,
    spent: (name) => {
      const host = hosts.get(name)
      return host === undefined ? undefined : spentOn(name, host)
    }
  }
}

const newHost = (): Host => ({
  millis: { useful: 0, wasted: 0 },
  bytes: { useful: 0, wasted: 0 },
  tries: { useful: 0, wasted: 0 },
  slow: 0
})

const isOver = ({ millis: { useful, wasted } }: Host, kind: "haste" | "spent"): boolean =>
  kind === "haste" ? wasted > hasteMillis + useful / 10 : wasted > mostMillis + useful

const spentOn = (name: string, host: Host): string | undefined => {
  const { bytes, tries } = host
  if (isOver(host, "spent")) return tooSlow(name, host.millis.wasted)
  if (bytes.wasted > mostBytes + bytes.useful)
    return `${name} sent ${Math.round(bytes.wasted / megabyte)} MB that gave no page; ${advice}`
  if (tries.wasted > mostTries + triesPerPage * tries.useful)
    return `${name} was asked ${tries.wasted} times in vain; ${advice}`
  return undefined
}

const tooSlow = (name: string, millis: number): string =>
  `left: host too slow: ${Math.round(millis / 1000)} s were spent on answers of ${name} that did not arrive; ${advice}`

/** Why a page of a host in haste was left. */
export const leftInHaste = (name: string, why: string): string =>
  `left: host too slow: ${why}, as many pages of ${name}; ${advice}`

const advice = "run again when the host is faster, or leave such pages out with excludePaths"

const megabyte = 1024 * 1024

/** A host is in haste if as many pages trickled, one in twenty, in so much time beside a tenth of the useful time. */
const fewSlow = 5
const slowShare = 20
const hasteMillis = 20_000

/** In haste: the bytes that come with the head, and a moment later. */
const hasteWindow = 100

/** The windows of a page's first tries: it may be slow if it was tried before. After these, the time of its request. */
const windows = [3000, 15_000]
const noWindow = Number.MAX_SAFE_INTEGER

/** What a host may waste beside as much as it gave. */
const mostMillis = 300_000
const mostBytes = 1024 * megabyte
const mostTries = 1000
const triesPerPage = 3
