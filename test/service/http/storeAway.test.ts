import { connect, createServer, type Socket } from "node:net"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { onPostgres } from "../databases.ts"
import { scriptedSite } from "../scriptedSite.ts"
import { hosts, served } from "../served.ts"

/** A way to a database that can be closed, with all that is under way, and opened again. */
const wayTo = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const target = new URL(url)
      const sockets = new Set<Socket>()
      let isOpen = true
      const proxy = createServer((client) => {
        if (!isOpen) return void client.destroy()
        const server = connect(Number(target.port || 5432), target.hostname)
        for (const [here, there] of [
          [client, server],
          [server, client]
        ] as const) {
          sockets.add(here)
          here.on("error", () => {})
          here.on("close", () => (sockets.delete(here), there.destroy()))
          here.pipe(there)
        }
      })
      await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done))
      const address = proxy.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = () => {
        isOpen = false
        for (const socket of sockets) socket.destroy()
      }
      const through = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href
      return { url: through, close, open: () => void (isOpen = true), end: () => (close(), proxy.close()) }
    }),
    ({ end }) => Effect.sync(end)
  )

onPostgres("a service whose database is away", (database) => {
  it.live("answers 503 with Retry-After, lives on, and serves again when it is back", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": "<title>home</title>" })
      const fresh = yield* database.fresh
      const way = yield* wayTo(Redacted.isRedacted(fresh) ? Redacted.value(fresh) : "")
      const { ask } = yield* served({ database: Redacted.make(way.url), resolve: hosts(site.port) })
      const crawl = ask("POST", "/v2/crawl", { body: { url: "http://site.test/" } })
      const before = yield* crawl
      way.close()
      const away = yield* crawl
      const read = yield* ask("GET", `/v2/crawl/${before.body.id}`)
      const live = yield* ask("GET", "/livez")
      way.open()
      let after = yield* crawl
      while (after.status === 503) after = yield* crawl

      expect([before.status, away.status, read.status, live.status, after.status]).toEqual([200, 503, 503, 200, 200])
      expect([away.headers.get("retry-after"), read.headers.get("retry-after")]).toEqual(["5", "5"])
      expect(away.body).toEqual({ success: false, error: expect.stringContaining("the store cannot be reached") })
    })
  )
})
