/**
 * Which addresses the service may connect to.
 *
 * The law: an address is judged after resolution, for literals, for every answer of DNS, and once more on the socket
 * that came up; a host name that resolves to any forbidden address is forbidden as a whole. Redirects come through
 * here again, because every hop makes its own connection. A host that the operator mapped (`--resolve HOST=ADDR:PORT`)
 * goes to that address and nowhere else, and is permitted there, private or not.
 */

import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from "node:dns"
import * as net from "node:net"
import ipaddr from "ipaddr.js"
import { buildConnector } from "undici"

export interface Options {
  /** Whether private, loopback and other non-public addresses may be reached. */
  readonly allowPrivate: boolean
  /** Host name (lower case) to where it is served. */
  readonly resolve: ReadonlyMap<string, Endpoint>
  readonly connectTimeoutMillis?: number
  /** DNS: the system's where silent. */
  readonly lookup?: Lookup
}

/** Every address of a host name. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** An address that the guard refuses. */
export class AddressBlocked extends Error {
  readonly code = "ERR_ADDRESS_BLOCKED"
  constructor(host: string, address: string) {
    const what = host === address ? address : `${host} (${address})`
    super(`${what} is not a public address; allow private addresses to reach it (--allow-private, or --resolve)`)
  }
}

/** Whether the address is one of the public internet. IPv4 inside IPv6 is judged as IPv4. */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === "unicast" && !(parsed instanceof ipaddr.IPv6 && parsed.match(compatible, 96))
}

/** `::10.0.0.1`: the old way to write IPv4 as IPv6, which nobody routes and some hosts still take for the IPv4. */
const compatible = ipaddr.IPv6.parse("::")

/** Reads `HOST=ADDR:PORT` or `HOST=[V6]:PORT`; undefined: it is not one. */
export const parseResolve = (text: string): readonly [host: string, endpoint: Endpoint] | undefined => {
  const match = /^([^=\s]+)=(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim())
  const host = match?.[1]
  const address = match?.[2] ?? match?.[3]
  const port = Number(match?.[4])
  if (host === undefined || address === undefined || net.isIP(address) === 0 || port < 1 || port > 65_535)
    return undefined
  return [host.toLowerCase(), { address, port }]
}

/** A connector for undici that connects only where the guard permits. */
export const connector = (
  options: Options,
  tls: { readonly rejectUnauthorized: boolean }
): buildConnector.connector => {
  const permitted = (address: string) => options.allowPrivate || isPublic(address)
  const timeout = options.connectTimeoutMillis ?? 10_000
  const connect = buildConnector({
    ...tls,
    timeout,
    allowH2: false,
    lookup: guardedLookup(permitted, options.lookup ?? dnsLookup)
  })
  const plain = new Set<string>()

  const mapped = (endpoint: Endpoint, request: buildConnector.Options, callback: buildConnector.Callback) => {
    const target = {
      ...request,
      hostname: endpoint.address,
      host: `${endpoint.address}:${endpoint.port}`,
      port: String(endpoint.port)
    }
    const asPlain = () => connect({ ...target, protocol: "http:" }, callback)
    if (request.protocol === "http:" || plain.has(target.host)) return asPlain()
    // A mapped endpoint is often a plain file server that stands in for an https site: believe what it speaks.
    connect({ ...target, servername: request.servername ?? request.hostname }, (...result) => {
      if (result[0] === null || !isNotTls(result[0])) return callback(...result)
      plain.add(target.host)
      asPlain()
    })
  }

  return (request, callback) => {
    const host = request.hostname.replace(/^\[|\]$/g, "").toLowerCase()
    const endpoint = options.resolve.get(host)
    if (endpoint !== undefined) return mapped(endpoint, request, callback)
    if (net.isIP(host) !== 0 && !permitted(host)) return callback(new AddressBlocked(host, host), null)
    connect(request, (...result) => {
      const [error, socket] = result
      const address = socket?.remoteAddress
      if (error !== null || address === undefined || permitted(address)) return callback(...result)
      socket?.destroy()
      callback(new AddressBlocked(host, address), null)
    })
  }
}

const guardedLookup =
  (permitted: (address: string) => boolean, lookup: Lookup): net.LookupFunction =>
  (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const forbidden = addresses.find(({ address }) => !permitted(address))
      if (forbidden !== undefined) return callback(new AddressBlocked(host, forbidden.address), [])
      const [first] = addresses
      if (options.all === true || first === undefined) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    })

/** What a TLS client sees when a server speaks plain HTTP. */
const isNotTls = (error: Error): boolean =>
  "code" in error &&
  (error.code === "ERR_SSL_WRONG_VERSION_NUMBER" ||
    error.code === "ERR_SSL_PACKET_LENGTH_TOO_LONG" ||
    error.code === "EPROTO" ||
    error.code === "ERR_SSL_HTTP_REQUEST")
