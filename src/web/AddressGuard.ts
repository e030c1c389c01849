/**
 * Decides which addresses the service may connect to.
 *
 * Guarantee: an address is checked after resolution: literals, every DNS answer, and once more on the connected socket. A
 * host name that resolves to any forbidden address is forbidden as a whole. Redirects are checked again, because every
 * hop makes its own connection. A host that the operator mapped (`--resolve HOST=ADDR:PORT`) is reached at that address
 * only, and permitted there, private or not. If a proxy connects for us, the name is resolved and checked here before
 * the proxy gets it.
 */

import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from "node:dns"
import * as net from "node:net"
import ipaddr from "ipaddr.js"
import type { Proxies, Proxy, Target } from "./Proxies.ts"

/** Which addresses of the network may be reached, and how names become addresses. */
export interface Options {
  /** Whether private, loopback and other non-public addresses may be reached. */
  readonly allowPrivate: boolean
  /** Host names (lower case), and the address that serves each of them. */
  readonly resolve: ReadonlyMap<string, Endpoint>
  /** How long a connection may take, in milliseconds; default: 10,000. */
  readonly connectTimeoutMillis?: number
  /** DNS; default: that of the system. */
  readonly lookup?: Lookup
  /** The proxies through which the web is reached; undefined: none. */
  readonly proxies?: Proxies
  /** Whether an answer may be shorter than its Content-Length. Default: this is an error. */
  readonly acceptsWrongLength?: boolean
  /** The maximum number of connections to one host. Default: 16. */
  readonly connections?: number
}

/** Every address of a host name. */
export type Lookup = (
  /** A name, not an address. */
  host: string,
  /** As `dns.lookup` of Node takes them, with `all`. */
  options: LookupAllOptions,
  /** Called once: with an error, or with at least one address. */
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

/** An IP address and a port. */
export interface Endpoint {
  /** An IP address. */
  readonly address: string
  /** 1 to 65535. */
  readonly port: number
}

/**
 * An address that the guard refuses: it is not a public one.
 *
 * @example
 * ```ts
 * import { AddressGuard } from "millrace/service"
 *
 * console.log(new AddressGuard.AddressBlocked("intranet.example", "10.0.0.1").code) // "ERR_ADDRESS_BLOCKED"
 * ```
 */
export class AddressBlocked extends Error {
  readonly code = "ERR_ADDRESS_BLOCKED"
  constructor(host: string, address: string) {
    const what = host === address ? address : `${host} (${address})`
    super(`${what} is not a public address; allow private addresses to reach it (--allow-private, or --resolve)`)
  }
}

/**
 * Whether the address is one of the public internet. IPv4 inside IPv6 is judged as IPv4. A text that is not an address is
 * not public.
 *
 * @see the special-purpose address registries of IANA, as ipaddr.js reads them
 * @example
 * ```ts
 * import { AddressGuard } from "millrace/service"
 *
 * console.log(AddressGuard.isPublic("1.1.1.1"), AddressGuard.isPublic("::ffff:10.0.0.1")) // true false
 * ```
 */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== "unicast" || ofMachines.has(parsed.toString())) return false
  return !(parsed instanceof ipaddr.IPv6 && parsed.match(compatible, 96))
}

/** In a public range, but on Azure each machine reaches the agent of its own host there: settings, names, health. */
const ofMachines: ReadonlySet<string> = new Set(["168.63.129.16"])

/**
 * `::10.0.0.1`: the deprecated way to write IPv4 as IPv6. It is not routed, but some hosts still take it for the IPv4
 * address.
 */
const compatible = ipaddr.IPv6.parse("::")

/**
 * Whether a name or an address, with or without the brackets of a URL, is this machine's own.
 *
 * @internal
 */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^\[?::1\]?$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

/**
 * Reads `HOST=ADDR:PORT` or `HOST=[V6]:PORT`: what `--resolve` takes. Undefined: the text is neither.
 *
 * @example
 * ```ts
 * import { AddressGuard } from "millrace/service"
 *
 * const resolve = new Map([AddressGuard.parseResolve("shop.example=127.0.0.1:8080")].filter((one) => one !== undefined))
 * console.log(resolve.get("shop.example")?.port) // 8080
 * ```
 */
export const parseResolve = (text: string): readonly [host: string, endpoint: Endpoint] | undefined => {
  const match = /^([^=\s]+)=(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim())
  const host = match?.[1]
  const address = match?.[2] ?? match?.[3]
  const port = Number(match?.[4])
  if (host === undefined || address === undefined || net.isIP(address) === 0 || port < 1 || port > 65_535)
    return undefined
  return [host.toLowerCase(), { address, port }]
}

/**
 * Whether this guard permits an address.
 *
 * @internal
 */
export const permits =
  ({ allowPrivate }: Options) =>
  (address: string): boolean =>
    allowPrivate || isPublic(address)

/**
 * The proxy for a target; undefined: none. A mapped host is reached directly.
 *
 * @internal
 */
export const proxyFor = ({ proxies, resolve }: Options, target: Target): Proxy | undefined =>
  proxies === undefined || resolve.has(target.hostname.toLowerCase()) ? undefined : proxies(target)

/**
 * A DNS lookup that checks its answers: a name with one forbidden address is forbidden.
 *
 * @internal
 */
export const guardedLookup =
  ({ lookup = dnsLookup, ...options }: Options): net.LookupFunction =>
  (host, lookupOptions, callback) =>
    lookup(host, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const forbidden = addresses.find(({ address }) => !permits(options)(address))
      if (forbidden !== undefined) return callback(new AddressBlocked(host, forbidden.address), [])
      const [first] = addresses
      if (lookupOptions.all === true || first === undefined) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    })
