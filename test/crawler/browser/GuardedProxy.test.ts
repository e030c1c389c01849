import * as http from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as GuardedProxy from "../../../src/crawler/browser/GuardedProxy.ts"
import { file, scriptedSite } from "../../service/scriptedSite.ts"

/** What the proxy answers to a request in absolute form. */
const get = (port: number, url: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number | undefined; readonly body: string }>((done, fail) => {
        http
          .get({ host: "127.0.0.1", port, path: url, headers: { host: new URL(url).host } }, (response) => {
            let body = ""
            response.on("data", (chunk) => (body += chunk.toString()))
            response.on("end", () => done({ status: response.statusCode, body }))
          })
          .on("error", fail)
      })
  )

/** The status of a tunnel, and what comes through it for a plain request. */
const connect = (port: number, authority: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number | undefined; readonly body: string }>((done, fail) => {
        const request = http.request({ host: "127.0.0.1", port, method: "CONNECT", path: authority })
        request.on("error", fail)
        request.on("connect", ({ statusCode }, socket) => {
          let body = ""
          socket.on("data", (chunk: Buffer) => (body += chunk.toString()))
          socket.on("close", () => done({ status: statusCode, body }))
          if (statusCode === 200) socket.write("GET /x HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n\r\n")
          else socket.destroy()
        })
        request.end()
      })
  )

const around = Effect.gen(function* () {
  const site = yield* scriptedSite({ "/x": file("text/plain", "reached") })
  const resolve = new Map([["site.test", { address: "127.0.0.1", port: site.port }]])
  return { site, port: yield* GuardedProxy.serve({ allowPrivate: false, resolve }) }
})

describe("the guarded proxy", () => {
  it.live("goes to a mapped host, and to no private address, for pages and for tunnels", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { site, port } = yield* around
        const page = yield* get(port, "http://site.test/x")
        const tunnel = yield* connect(port, "site.test:443")
        const blocked = yield* Effect.forEach(
          [
            `127.0.0.1:${site.port}`,
            `localhost:${site.port}`,
            `[::1]:${site.port}`,
            "169.254.169.254:80",
            "0x7f000001:80"
          ],
          (authority) => Effect.all([get(port, `http://${authority}/x`), connect(port, authority)])
        )

        expect(page).toEqual({ status: 200, body: "reached" })
        expect(tunnel.status).toBe(200)
        expect(tunnel.body).toContain("reached")
        expect(blocked.flat().map(({ status }) => status)).toEqual(blocked.flat().map(() => 403))
        expect(site.requests).toEqual(["/x", "/x"])
      })
    )
  )

  it.live("answers 502 where nothing listens, and 400 to what is no proxy request", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const closed = { address: "127.0.0.1", port: 1 }
        const port = yield* GuardedProxy.serve({ allowPrivate: false, resolve: new Map([["site.test", closed]]) })

        expect((yield* get(port, "http://site.test/x")).status).toBe(502)
        expect((yield* connect(port, "site.test:443")).status).toBe(502)
        expect((yield* get(port, "ftp://site.test/x")).status).toBe(400)
      })
    )
  )
})
