/**
 * How a connection to a web host is made: behind the address guard, through a proxy if there is one, and in the HTTP
 * version that the host speaks.
 *
 * Guarantee: nothing is sent to a host before the guard has permitted it. This holds through a proxy too; the operator
 * chooses the proxy's own address. HTTP/1.1 is offered, and HTTP/2 only to a host that speaks nothing else.
 */
import * as net from "node:net"
import type { buildConnector } from "undici"
import * as AddressGuard from "../AddressGuard.ts"
import type { Proxy } from "../Proxies.ts"
import { dialer } from "./dial.ts"
import * as ProxyTunnel from "./ProxyTunnel.ts"

interface Options {
  readonly rejectUnauthorized: boolean
  /** Whether only a byte stream is needed: then a proxy is used as a tunnel for every scheme. */
  readonly tunnels?: boolean
  /** Receives what the connection reads, if no stream is needed. */
  readonly onread?: net.OnReadOpts
}

type Request = buildConnector.Options
type Callback = buildConnector.Callback

export const guardedConnector = (guard: AddressGuard.Options, options: Options): buildConnector.connector => {
  const permitted = AddressGuard.permits(guard)
  const timeout = guard.connectTimeoutMillis ?? 10_000
  const { onread, rejectUnauthorized, tunnels = false } = options
  const lookup = AddressGuard.guardedLookup(guard)
  const dial = { rejectUnauthorized, timeout, lookup, ...(onread === undefined ? {} : { onread }) }
  const http1 = dialer({ ...dial, protocols: ["http/1.1"] })
  const negotiate = negotiation(http1, dialer({ ...dial, protocols: ["h2", "http/1.1"] }))
  const mapped = mapping(http1, negotiate)

  const direct = (request: Request, callback: Callback) =>
    negotiate(
      request,
      (next) => next(null, request),
      (...result) => {
        const [error, socket] = result
        const address = socket?.remoteAddress
        if (error !== null || address === undefined || permitted(address)) return callback(...result)
        socket?.destroy()
        callback(new AddressGuard.AddressBlocked(request.hostname, address), null)
      }
    )

  /** Checks the name here, because the proxy would resolve any name. Skipped if private addresses are allowed. */
  const judged = (host: string, next: (error: Error | null) => void) => {
    if (guard.allowPrivate || net.isIP(host) !== 0) return next(null)
    lookup(host, { all: true }, (error) => next(error === null || !isUnknown(error) ? error : new Unresolved(host)))
  }

  const proxied = (proxy: Proxy, request: Request, callback: Callback) =>
    judged(request.hostname.replace(/^\[|\]$/g, ""), (forbidden) => {
      if (forbidden !== null) return callback(forbidden, null)
      // Proxies expect the whole URL of a page without TLS.
      if (request.protocol === "http:" && !tunnels) return ProxyTunnel.connect(proxy, timeout, callback)
      const open: Dial = (next) =>
        ProxyTunnel.open(proxy, { host: request.hostname, port: request.port || "443", timeout }, (error, socket) =>
          next(error, socket === undefined ? request : { ...request, httpSocket: socket })
        )
      if (request.protocol === "https:") return negotiate(request, open, callback)
      open((error, { httpSocket }) =>
        error === null && httpSocket !== undefined
          ? callback(null, httpSocket)
          : callback(error ?? new Error("no tunnel"), null)
      )
    })

  return (request, callback) => {
    const host = request.hostname.replace(/^\[|\]$/g, "").toLowerCase()
    const endpoint = guard.resolve.get(host)
    if (endpoint !== undefined) return mapped(endpoint, request, callback)
    if (net.isIP(host) !== 0 && !permitted(host)) return callback(new AddressGuard.AddressBlocked(host, host), null)
    const protocol = tunnels && request.port === "443" ? "https:" : request.protocol
    const proxy = AddressGuard.proxyFor(guard, { protocol, hostname: host, port: request.port })
    return proxy === undefined ? direct(request, callback) : proxied(proxy, request, callback)
  }
}

/** Gives the request, with the socket to use if there is one: each attempt needs a copy. */
type Dial = (next: (error: Error | null, request: Request) => void) => void

type Negotiate = (request: Request, dial: Dial, callback: Callback) => void

/** Speaks HTTP/1.1, and HTTP/2 to hosts that speak nothing else, which it remembers. */
const negotiation = (http1: buildConnector.connector, http2: buildConnector.connector): Negotiate => {
  const onlyHttp2 = new Set<string>()
  return (request, dial, callback) => {
    const speak = (connect: buildConnector.connector, next: Callback) =>
      dial((error, dialed) => (error === null ? connect(dialed, next) : next(error, null)))
    if (onlyHttp2.has(request.host ?? request.hostname)) return speak(http2, callback)
    speak(http1, (...result) => {
      if (result[0] === null || !wantsHttp2(result[0])) return callback(...result)
      if (onlyHttp2.size < maxKnown) onlyHttp2.add(request.host ?? request.hostname)
      speak(http2, callback)
    })
  }
}

/**
 * Connects to the endpoint that stands for a host. It is often a plain file server in place of an https site: it is spoken to
 * as it speaks, and remembered.
 */
const mapping = (http1: buildConnector.connector, negotiate: Negotiate) => {
  const plain = new Set<string>()
  return (endpoint: AddressGuard.Endpoint, request: Request, callback: Callback) => {
    const target = {
      ...request,
      hostname: endpoint.address,
      host: `${endpoint.address}:${endpoint.port}`,
      port: String(endpoint.port)
    }
    const asPlain = () => http1({ ...target, protocol: "http:" }, callback)
    if (request.protocol === "http:" || plain.has(target.host)) return asPlain()
    const named = { ...target, servername: request.servername ?? request.hostname }
    negotiate(
      named,
      (next) => next(null, named),
      (...result) => {
        if (result[0] === null || !isNotTls(result[0])) return callback(...result)
        plain.add(target.host)
        asPlain()
      }
    )
  }
}

/** The maximum number of hosts whose protocol is remembered; for others it is found out each time. */
const maxKnown = 10_000

class Unresolved extends Error {
  readonly code = "ENOTFOUND_BEFORE_PROXY"
  constructor(host: string) {
    super(
      `${host} does not resolve here, and an address that is not checked is not given to the proxy; if only the proxy can ` +
        "resolve it, allow private addresses (network.allow_private, --allow-private)"
    )
  }
}

const isUnknown = (error: Error): boolean =>
  "code" in error && (error.code === "ENOTFOUND" || error.code === "EAI_AGAIN")

/** The error of a TLS client if the server does not speak HTTP/1.1. */
const wantsHttp2 = (error: Error): boolean =>
  "code" in error && error.code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"

/** The error of a TLS client if the server speaks plain HTTP. */
const isNotTls = (error: Error): boolean =>
  "code" in error &&
  (error.code === "ERR_SSL_WRONG_VERSION_NUMBER" ||
    error.code === "ERR_SSL_PACKET_LENGTH_TOO_LONG" ||
    error.code === "EPROTO" ||
    error.code === "ERR_SSL_HTTP_REQUEST")
