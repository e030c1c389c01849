/**
 * A way to a peer on which one message goes wrong: a proxy of bytes on loopback, in front of a database, a store, a service or a
 * site. A message is what arrives at once, in the order of all connections.
 */
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"

/**
 * drop: the message is gone, and what follows comes through. hold: from it on nothing comes through, and nobody closes. cut: the
 * connection is closed in its place. halve: half of it comes through, and then the connection is closed. repeat: it comes twice.
 */
export const faults = ["drop", "hold", "cut", "halve", "repeat"] as const

export interface Trouble {
  readonly fault: (typeof faults)[number]
  readonly from: "client" | "server"
  /** The number of the message, from 0. */
  readonly at: number
}

export const faultyWay = (target: { readonly host: string; readonly port: number }) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const messages = { client: 0, server: 0 }
      let trouble: Trouble | undefined
      let happened = Promise.withResolvers<void>()

      const proxy = createServer((client) => {
        const server = connect(target.port, target.host)
        const sides = { client, server }
        let isHeld = false
        for (const from of ["client", "server"] as const) {
          const [here, there] = from === "client" ? [client, server] : [server, client]
          sockets.add(here)
          here.on("error", () => {})
          here.on("close", () => {
            sockets.delete(here)
            there.destroy()
          })
          here.on("data", (bytes) => {
            const number = messages[from]++
            const isIt = trouble?.from === from && trouble.at === number
            if (isHeld) return
            if (!isIt || trouble === undefined) return void there.write(bytes)
            const { fault } = trouble
            trouble = undefined
            isHeld = fault === "hold"
            if (fault === "repeat") for (let times = 0; times < 2; times++) there.write(bytes)
            if (fault === "halve") there.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => end(sides))
            if (fault === "cut") end(sides)
            happened.resolve()
          })
        }
      })
      await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done))
      const address = proxy.address()
      const way = {
        port: typeof address === "object" && address !== null ? address.port : 0,
        /** What will go wrong; undefined: nothing. Messages are counted from here on. Resolves when it has happened. */
        expect: (next: Trouble | undefined): Promise<void> => {
          trouble = next
          happened = Promise.withResolvers<void>()
          Object.assign(messages, { client: 0, server: 0 })
          return happened.promise
        },
        /** How many messages came from each side. */
        messages: (): Readonly<Record<"client" | "server", number>> => ({ ...messages })
      }
      const close = () => {
        proxy.close()
        for (const socket of sockets) socket.destroy()
      }
      return { way, close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ way }) => way))

const end = ({ client, server }: { readonly client: Socket; readonly server: Socket }): void => {
  client.destroy()
  server.destroy()
}
