/** A way to a Postgres that becomes silent: from a word of the client on, nothing of the server comes through, and nobody closes. */
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"

/**
 * The address of the way, and when it is silent. `isHeard`: whether the server still gets the word. A second session comes through
 * until it says the word too.
 */
export const silentAt = (url: string, word: string, isHeard: boolean) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const target = new URL(url)
      const sockets = new Set<Socket>()
      const silent = Promise.withResolvers<void>()
      const proxy = createServer((client) => {
        const server = connect(Number(target.port), target.hostname)
        for (const socket of [client, server]) {
          sockets.add(socket)
          socket.on("error", () => {})
        }
        let isSilent = false
        client.on("data", (bytes) => {
          if (isSilent) return
          isSilent = bytes.includes(word)
          if (!isSilent || isHeard) server.write(bytes)
          if (isSilent) silent.resolve()
        })
        server.on("data", (bytes) => isSilent || client.write(bytes))
        client.on("close", () => server.destroy())
        server.on("close", () => client.destroy())
      })
      await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done))
      const address = proxy.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return {
        href: Object.assign(new URL(url), { port: String(port) }).href,
        silent: Effect.promise(() => silent.promise),
        close: () => {
          proxy.close()
          for (const socket of sockets) socket.destroy()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )
