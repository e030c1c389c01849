/** A way to a database that can be cut: a proxy in this process. While it is cut, all connections end and none begins. */

import type { AddressInfo } from "node:net"
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"

/** `cut`: until the effect that it is given has ended. */
export const cuttable = (database: string, address = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{
          readonly url: string
          readonly cut: <A>(meanwhile: Effect.Effect<A>) => Effect.Effect<A>
          readonly close: () => void
        }>((done) => {
          const target = new URL(database)
          const sockets = new Set<Socket>()
          let isCut = false
          const server = createServer((near) => {
            if (isCut) return near.destroy()
            const far = connect(Number(target.port), target.hostname)
            for (const [one, other] of [
              [near, far],
              [far, near]
            ] as const) {
              sockets.add(one)
              one.on("error", () => other.destroy())
              one.on("close", () => {
                sockets.delete(one)
                other.destroy()
              })
              one.pipe(other)
            }
          })
          const end = () => {
            for (const socket of sockets) socket.destroy()
          }
          server.listen(0, address, () => {
            // A TCP server has this address.
            const { port } = server.address() as AddressInfo
            const url = Object.assign(new URL(database), { host: `${address}:${port}` }).href
            const cut = <A>(meanwhile: Effect.Effect<A>) =>
              Effect.acquireUseRelease(
                Effect.sync(() => {
                  isCut = true
                  end()
                }),
                () => meanwhile,
                () => Effect.sync(() => (isCut = false))
              )
            const close = () => {
              end()
              server.close()
            }
            done({ url, cut, close })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )
