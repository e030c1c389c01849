/**
 * The only way from the browser to the web: a proxy on loopback that connects where the address guard permits.
 *
 * Every connection, of a page or of anything a page loads, goes through the guard's checks, mapped hosts
 * included; what is refused is 403 and never retried elsewhere; idle and endless connections are cut.
 */
import * as http from "node:http"
import { type AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as AddressGuard from "../fetch/AddressGuard.ts"
import { guardedConnector } from "../fetch/guardedConnector.ts"

/** One connection may bring this much; a page that streams for ever is cut. */
const maxBytes = 100 * 1024 * 1024
const idleMillis = 60_000
const maxConnections = 256

/** Listens until the scope closes; answers the port. */
export const serve = (guard: AddressGuard.Options) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: http.Server; readonly sockets: Set<Duplex> }>((resume) => {
      const { server, sockets } = make(guard)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, sockets })))
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map(({ server }) => portOf(server.address())))

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0

type Dialed = (error: Error | null, socket?: Socket) => void

const make = (guard: AddressGuard.Options) => {
  const connect = guardedConnector(guard, { rejectUnauthorized: true, tunnels: true })
  const sockets = new Set<Duplex>()
  const dial = (hostname: string, port: string, done: Dialed) =>
    connect({ hostname, host: `${hostname}:${port}`, port, protocol: "http:" }, (error, socket) => {
      if (error !== null) return done(error)
      keep(sockets, socket)
      done(null, socket)
    })

  const server = http.createServer({ maxHeaderSize: 64 * 1024 }, (request, response) =>
    forward(request, response, dial)
  )
  server.maxConnections = maxConnections
  server.on("connect", (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    keep(sockets, client)
    const target = URL.parse(`http://${request.url ?? ""}`)
    if (target === null) return void client.end("HTTP/1.1 400 Bad Request\r\n\r\n")
    dial(target.hostname, target.port || "80", (error, upstream) => {
      if (error !== null || upstream === undefined) return void client.end(refusal(error))
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      upstream.write(head)
      limit(upstream)
      client.pipe(upstream).pipe(client)
      client.on("close", () => upstream.destroy())
      upstream.on("close", () => client.destroy())
    })
  })
  server.on("clientError", (_, socket) => socket.destroy())
  return { server, sockets }
}

/** `GET http://host/path`, as browsers ask proxies for pages without TLS. */
const forward = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  dial: (hostname: string, port: string, done: Dialed) => void
): void => {
  const target = URL.parse(request.url ?? "")
  if (target === null || target.protocol !== "http:") return void response.writeHead(400).end()
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hops.has(name)))
  dial(target.hostname, target.port || "80", (error, socket) => {
    if (error !== null || socket === undefined) {
      return void response.writeHead(statusOf(error), { "content-type": "text/plain" }).end(error?.message)
    }
    limit(socket)
    const upstream = http.request({
      createConnection: () => socket,
      method: request.method,
      path: target.pathname + target.search,
      headers: { ...headers, host: target.host, connection: "close" }
    })
    upstream.on("response", (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !hops.has(name))
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept))
      answer.pipe(response)
      answer.on("error", () => response.destroy())
    })
    upstream.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on("close", () => socket.destroy())
    request.pipe(upstream)
  })
}

/** Headers of one hop. */
const hops = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "te",
  "upgrade",
  "trailer"
])

/** Forgotten when it closes; closed when nothing moves on it. */
const keep = (sockets: Set<Duplex>, socket: Duplex): void => {
  sockets.add(socket)
  socket.on("close", () => sockets.delete(socket))
  socket.on("error", () => socket.destroy())
  if (socket instanceof Socket) socket.setTimeout(idleMillis, () => socket.destroy())
}

const limit = (socket: Socket): void => {
  let bytes = 0
  socket.on("data", (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > maxBytes) socket.destroy()
  })
}

const statusOf = (error: Error | null): number => (error instanceof AddressGuard.AddressBlocked ? 403 : 502)

const refusal = (error: Error | null): string => {
  const status = statusOf(error) === 403 ? "403 Forbidden" : "502 Bad Gateway"
  return `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`
}
