/** An S3 server that fails once: what stands between us and a server can do it, and so can the server. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/**
 * reset: before the server has heard it. lost: the server has done it, and its answer does not arrive; cut: not all of it.
 * page: a proxy answers in its place, with 200 and a page of its own.
 */
export type Fault = "reset" | "500" | "slow down" | "page" | "lost" | "cut"

export interface FaultyServer {
  readonly url: string
  /** How many requests there were. */
  readonly requests: () => number
  readonly stop: () => void
}

/** Fails the nth request, once. */
export const faultyServer = async (target: string, fault: Fault, nth: number): Promise<FaultyServer> => {
  const { hostname, port } = new URL(target)
  let requests = 0

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const number = ++requests
    const body = await buffer(incoming)
    if (number === nth && fault !== "lost" && fault !== "cut") return failWith(fault, incoming, outgoing)
    // The Host header is signed: it stays.
    const { method, url: path, headers } = incoming
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      if (number === nth && fault === "cut") return cut(answer, outgoing)
      if (number === nth) return void answer.on("end", () => incoming.socket.destroy()).resume()
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => incoming.socket.destroy())
    onward.end(body)
  }
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing))
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Passes on what comes first, and hangs up. */
const cut = (answer: IncomingMessage, outgoing: ServerResponse) => {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.once("data", (chunk: Buffer) => {
    outgoing.write(chunk.subarray(0, chunk.length / 2), () => outgoing.socket?.destroy())
    answer.destroy()
  })
}

const failWith = (fault: Exclude<Fault, "lost" | "cut">, incoming: IncomingMessage, outgoing: ServerResponse) => {
  if (fault === "reset") return void incoming.socket.resetAndDestroy()
  if (fault === "page") return void outgoing.writeHead(200, { "content-type": "text/html" }).end("<html>log in</html>")
  const [status, code] = fault === "500" ? [500, "InternalError"] : [503, "SlowDown"]
  outgoing.writeHead(status, { "content-type": "application/xml" })
  outgoing.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>later</Message></Error>`)
}
