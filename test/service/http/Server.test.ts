import { request } from "node:http"
import { connect, createServer } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Server from "#service/Server"
import * as ServiceConfig from "#service/ServiceConfig"
import { databaseUrl } from "../../connectors/postgres/database.ts"
import { silentAt } from "../../connectors/postgres/silentAt.ts"

const url = await databaseUrl()

const freePort = Effect.promise(
  () =>
    new Promise<number>((done) => {
      const server = createServer()
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
)

/** What a caller gets: a status, or why there is no connection. */
const ask = (port: number) =>
  new Promise<string>((done) => {
    const asked = request({ host: "127.0.0.1", port, path: "/openapi.json" }, (answer) => {
      answer.resume()
      done(String(answer.statusCode))
    })
    asked.on("error", (error) => done("code" in error ? String(error.code) : error.message))
    asked.end()
  })

describe("the port of the service", () => {
  it.live.skipIf(url === undefined)(
    "is closed until the service can answer: while its database starts it, nobody hangs",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        const { href, silent } = yield* silentAt(url ?? "", "CREATE TABLE", false)
        const config = { ...ServiceConfig.defaults, database: Redacted.make(href) }
        const starting = yield* Effect.forkChild(Layer.build(Server.layer(config, { host: "127.0.0.1", port })))
        yield* silent

        expect(yield* Effect.promise(() => ask(port))).toBe("ECONNREFUSED")
        starting.interruptUnsafe()
      })
  )

  it.live("answers whoever comes as soon as it is open", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const opened = Effect.promise(async () => {
        for (;;) {
          const isOpen = await new Promise<boolean>((done) => {
            const socket = connect(port, "127.0.0.1", () => (socket.destroy(), done(true)))
            socket.on("error", () => done(false))
          })
          if (isOpen) return ask(port)
        }
      })
      const answer = yield* Effect.forkChild(opened)
      yield* Layer.build(Server.layer(ServiceConfig.defaults, { host: "127.0.0.1", port }))

      expect(yield* Fiber.join(answer)).toBe("200")
    })
  )
})
