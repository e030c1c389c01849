/** An HTTP proxy in this process, as operators run one: it connects to hosts that only it can find. */
import * as http from "node:http"
import * as net from "node:net"
import * as Effect from "effect/Effect"

export interface TestProxy {
  readonly port: number
  /** What it was asked, in order: `CONNECT host:port`, or `GET http://host/path`. */
  readonly asked: ReadonlyArray<string>
}

/** `ports`: where it finds `host:port`. `credentials`: `user:password`, without which it serves nobody. */
export const testProxy = (ports: Readonly<Record<string, number>>, credentials?: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly proxy: TestProxy; readonly close: Effect.Effect<void> }>((resume) => {
      const asked: Array<string> = []
      const sockets = new Set<net.Socket>()
      const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`
      const isKnown = ({ headers }: http.IncomingMessage) =>
        wanted === undefined || headers["proxy-authorization"] === wanted
      const server = http.createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        if (!isKnown(request)) return void response.writeHead(407).end("who are you?")
        const url = new URL(request.url ?? "")
        const port = ports[`${url.hostname}:${url.port || "80"}`]
        if (port === undefined) return void response.writeHead(502).end("no such host")
        const { "proxy-authorization": _, ...headers } = request.headers
        const path = url.pathname + url.search
        http.get({ host: "127.0.0.1", port, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
      })
      server.on("connect", (request: http.IncomingMessage, client: net.Socket) => {
        asked.push(`CONNECT ${request.url}`)
        const port = ports[request.url ?? ""]
        if (!isKnown(request)) return void client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
        if (port === undefined) return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n")
        const upstream = net.connect(port, "127.0.0.1", () => {
          client.write("HTTP/1.1 200 Connection established\r\n\r\n")
          client.pipe(upstream).pipe(client)
        })
        upstream.on("error", () => client.destroy())
        client.on("error", () => upstream.destroy())
      })
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
        resume(Effect.succeed({ proxy: { port, asked }, close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ proxy }) => proxy))
