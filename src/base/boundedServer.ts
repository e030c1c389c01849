/**
 * An HTTP server on which every request ends: a body that stalls or takes too long gets 408. The answer to bytes that are
 * not HTTP has the JSON body of the error catalogue too.
 */
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

export interface RequestTimes {
  /** How long a body may stall, in milliseconds. */
  readonly idle: number
  /** How long a request may take to arrive, in milliseconds. */
  readonly total: number
}

const requestTimes: RequestTimes = { idle: 30_000, total: 300_000 }

/**
 * How long a connection is kept for the next request: longer than callers wait between two, and longer than load balancers
 * keep theirs, because a request that is sent while its connection closes gets no answer.
 */
const keptMillis = 65_000

export const boundedServer = ({ idle, total }: RequestTimes = requestTimes): Server => {
  const server = createServer({
    requestTimeout: total,
    headersTimeout: Math.min(idle, total),
    connectionsCheckingInterval: Math.max(100, Math.min(idle, total) / 4),
    keepAliveTimeout: keptMillis
  })
  // A server that closes ends its idle connections. A connection without any request does not count as idle, and a client
  // may keep one open for later.
  const silent = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    silent.add(socket)
    socket.once("close", () => silent.delete(socket))
  })
  server.on("request", ({ socket }) => silent.delete(socket))
  const close = server.close.bind(server)
  server.close = (done) => {
    for (const socket of silent) socket.destroy()
    return close(done)
  }
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    const [status, text] = failures[error.code ?? ""] ?? malformed
    refuse(socket, status, text)
  })
  server.on("request", (request: IncomingMessage) => {
    const { socket } = request
    if (request.headers["content-length"] === undefined && request.headers["transfer-encoding"] === undefined) return
    // The timeout holds only while the body arrives: an answer may take as long as its page.
    const rest = () => socket.setTimeout(0)
    request.setTimeout(idle, () => {
      refuse(socket, 408, `Request Timeout: the body has stood still for ${idle / 1000} s`)
    })
    request.once("end", rest)
    request.once("close", rest)
  })
  return server
}

const malformed = [400, "Bad Request: the request is not valid HTTP"] as const

/** Errors of the HTTP parser, before there is a request. */
const failures: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large: the head of a request takes at most 16 kB"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large: the chunk extensions of the body are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout: the request did not arrive in time"]
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large"
}

/** Answers on the socket itself, and closes it. */
const refuse = (socket: Duplex, status: number, error: string): void => {
  const body = JSON.stringify({ success: false, error })
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? ""}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close"
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy())
}
