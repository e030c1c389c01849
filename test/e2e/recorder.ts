/** A proxy before a service that keeps every answer which passes. WebSockets pass unread. */
import { createServer, type IncomingMessage, request } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type { Duplex } from "node:stream"

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export interface Recorder {
  readonly url: string
  readonly exchanges: ReadonlyArray<Exchange>
  readonly stop: () => void
}

export const recorder = async (service: string): Promise<Recorder> => {
  const { hostname, port } = new URL(service)
  const exchanges: Array<Exchange> = []

  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url: path = "/", headers } = incoming
    // The Host header stays: the service builds its URLs from it.
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      const chunks: Array<Buffer> = []
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        outgoing.write(chunk)
      })
      answer.on("end", () => {
        exchanges.push({
          method,
          path,
          status: answer.statusCode ?? 502,
          contentType: answer.headers["content-type"]?.split(";", 1).join("") ?? "",
          body: Buffer.concat(chunks).toString()
        })
        outgoing.end()
      })
    })
    onward.on("error", () => outgoing.destroy())
    outgoing.on("close", () => void (outgoing.writableFinished || onward.destroy()))
    incoming.pipe(onward)
  })

  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onward = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`)
      onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    onward.on("error", () => socket.destroy())
    socket.on("error", () => onward.destroy())
  })

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
