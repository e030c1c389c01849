/**
 * The browser's only way to the web: a proxy on loopback that connects only where the address guard permits.
 *
 * Every connection of a page is made like a fetch: with the same name resolution, the same checks after it, mapped
 * hosts, proxies and certificate authorities. TLS ends here and begins again towards the site, so certificates are
 * verified in one place. Only an admitted page has a password; any other client gets 407.
 */
import * as http from "node:http"
import { type AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import { TLSSocket } from "node:tls"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as AddressGuard from "../AddressGuard.ts"
import { guardedConnector } from "../fetch/guardedConnector.ts"
import { authorityOf, type Options, ProxyVisit, portOf } from "./ProxyVisit.ts"
import * as SelfSigned from "./selfSigned.ts"

const idleMillis = 60_000
const maxConnections = 256

export interface GuardedProxy {
  readonly port: number
  /** The hash of the key that the browser accepts from this proxy. */
  readonly keyHash: string
  /** Admits a page until the scope ends. */
  readonly admit: (options: Options) => Effect.Effect<ProxyVisit, never, Scope>
}

/** Listens until the scope closes. */
export const serve = (guard: AddressGuard.Options): Effect.Effect<GuardedProxy, never, Scope> =>
  Effect.gen(function* () {
    const own = SelfSigned.issue()
    const visits = new Map<string, ProxyVisit>()
    const server = yield* Effect.acquireRelease(
      Effect.callback<http.Server>((resume) => {
        const server = make(guard, own, (password) => visits.get(password))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          for (const visit of visits.values()) visit.end()
          server.closeAllConnections()
          server.close()
        })
    )
    const admit = (options: Options) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const visit = new ProxyVisit(options)
          visits.set(visit.password, visit)
          return visit
        }),
        (visit) =>
          Effect.sync(() => {
            visits.delete(visit.password)
            visit.end()
          })
      )
    return { port: listeningAt(server.address()), keyHash: own.keyHash, admit }
  })

const listeningAt = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0

type Dialed = (error: Error | null, socket?: Socket) => void
type Target = { readonly hostname: string; readonly port: string }
type Dial = (visit: ProxyVisit, target: Target & { readonly protocol: string }, done: Dialed) => void

const make = (
  guard: AddressGuard.Options,
  own: SelfSigned.SelfSigned,
  visitOf: (password: string) => ProxyVisit | undefined
): http.Server => {
  const strict = guardedConnector(guard, { rejectUnauthorized: true, tunnels: true })
  const lenient = guardedConnector(guard, { rejectUnauthorized: false, tunnels: true })
  const dial: Dial = (visit, { hostname, port, protocol }, done) => {
    const connect = visit.options.rejectUnauthorized ? strict : lenient
    const bare = hostname.replace(/^\[|\]$/g, "")
    connect({ hostname: bare, host: `${hostname}:${port}`, port, protocol }, (error, socket) => {
      visit.dialed(authorityOf(hostname, port), error ?? undefined)
      if (error !== null) return done(error)
      tend(visit, socket)
      done(null, socket)
      socket.on("data", (chunk: Uint8Array) => visit.took(chunk.byteLength))
    })
  }
  const known = ({ headers }: http.IncomingMessage) => {
    const [scheme = "", credentials = ""] = (headers["proxy-authorization"] ?? "").split(" ")
    if (scheme.toLowerCase() !== "basic") return undefined
    return visitOf(Buffer.from(credentials, "base64").toString().split(":").slice(1).join(":"))
  }

  const server = http.createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const visit = known(request)
    if (visit === undefined) return void response.writeHead(407, { "proxy-authenticate": challenge }).end()
    forward(visit, request, response, dial)
  })
  server.maxConnections = maxConnections
  server.on("connect", (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy())
    const visit = known(request)
    if (visit === undefined || !(client instanceof Socket)) return void client.end(unknown)
    const target = URL.parse(`http://${request.url ?? ""}`)
    if (target === null) return void client.end("HTTP/1.1 400 Bad Request\r\n\r\n")
    const to = { hostname: target.hostname, port: portOf(target) }
    tend(visit, client)
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
    if (head.length > 0) client.unshift(head)
    client.once("readable", () => tunnel(visit, client, to, own, dial))
  })
  server.on("clientError", (_, socket) => socket.destroy())
  return server
}

const challenge = 'Basic realm="millrace"'
const unknown = `HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: ${challenge}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`

/** The first byte of a TLS connection. */
const handshake = 0x16

/**
 * Copies bytes both ways. If the browser begins TLS, the proxy first connects to the site by TLS, and both speak the
 * same HTTP.
 */
const tunnel = (visit: ProxyVisit, client: Socket, to: Target, own: SelfSigned.SelfSigned, dial: Dial): void => {
  const first: unknown = client.read()
  if (!(first instanceof Uint8Array)) return void client.destroy()
  client.unshift(first)
  const isTls = first[0] === handshake
  dial(visit, { ...to, protocol: isTls ? "https:" : "http:" }, (error, site) => {
    if (error !== null || site === undefined) return void client.destroy()
    const inner = isTls ? decrypted(visit, client, own, site) : client
    inner.pipe(site).pipe(inner)
    inner.on("close", () => site.destroy())
    site.on("close", () => inner.destroy())
  })
}

/** The decrypted side of the browser in a TLS tunnel. */
const decrypted = (visit: ProxyVisit, client: Socket, { context }: SelfSigned.SelfSigned, site: Socket): Socket => {
  const spoken = site instanceof TLSSocket && typeof site.alpnProtocol === "string" ? site.alpnProtocol : "http/1.1"
  const inner = new TLSSocket(client, { isServer: true, secureContext: context, ALPNProtocols: [spoken] })
  inner.on("error", () => inner.destroy())
  visit.keep(inner)
  return inner
}

/** Handles `GET http://host/path`, which browsers send to proxies for pages without TLS. */
const forward = (visit: ProxyVisit, request: http.IncomingMessage, response: http.ServerResponse, dial: Dial): void => {
  const target = URL.parse(request.url ?? "")
  if (target === null || target.protocol !== "http:") return void response.writeHead(400).end()
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hops.has(name)))
  dial(visit, { protocol: "http:", hostname: target.hostname, port: portOf(target) }, (error, socket) => {
    if (error !== null || socket === undefined) {
      return void response.writeHead(statusOf(error), { "content-type": "text/plain" }).end(error?.message)
    }
    const upstream = http.request({
      createConnection: () => socket,
      method: request.method,
      path: target.pathname + target.search,
      headers: { ...headers, host: target.host, connection: "close" }
    })
    upstream.on("response", (answer) => {
      const passed = Object.entries(answer.headers).filter(([name]) => !hops.has(name))
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(passed))
      answer.pipe(response)
      answer.on("error", () => response.destroy())
    })
    upstream.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on("close", () => socket.destroy())
    request.pipe(upstream)
  })
}

/** Headers that apply to one hop only. */
const hops = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "te",
  "upgrade",
  "trailer"
])

/** Closes a socket with its page, or when it is idle. */
const tend = (visit: ProxyVisit, socket: Socket): void => {
  visit.keep(socket)
  socket.on("error", () => socket.destroy())
  socket.setTimeout(idleMillis, () => socket.destroy())
}

const statusOf = (error: Error | null): number => (error instanceof AddressGuard.AddressBlocked ? 403 : 502)
