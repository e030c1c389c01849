/** A server that says exactly these bytes to whoever connects: for answers that no HTTP server would give. */
import { createServer, type Socket } from "node:net"
import * as tls from "node:tls"
import * as Effect from "effect/Effect"

export interface Listening {
  readonly port: number
  readonly connections: () => number
}

/** Calls `answer` once the first bytes of a request have come. Served until the scope closes. */
export const rawServer = (
  answer: (socket: Socket) => void,
  certificate?: { readonly cert: string; readonly key: string | Buffer }
) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly listening: Listening; readonly close: Effect.Effect<void> }>((resume) => {
      const sockets = new Set<Socket>()
      let connections = 0
      const connected = (socket: Socket) => {
        connections += 1
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
        socket.once("data", () => answer(socket))
      }
      const server = certificate === undefined ? createServer(connected) : tls.createServer(certificate, connected)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
        resume(Effect.succeed({ listening: { port, connections: () => connections }, close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ listening }) => listening))

/** An HTTP answer as bytes. */
export const httpAnswer = (
  head: ReadonlyArray<string>,
  body: string | Uint8Array = "",
  status = "200 OK"
): Uint8Array =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)])
