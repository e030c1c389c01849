import * as http from "node:http"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as AddressGuard from "#web/AddressGuard"
import * as GuardedProxy from "#web/browser/GuardedProxy"
import { file, scriptedSite } from "../../service/scriptedSite.ts"

interface At {
  readonly port: number
  readonly authorization: Readonly<Record<string, string>>
}

const options = { rejectUnauthorized: true, maxBytes: 10_000 }

/** The proxy, as a page sees it that was let in. */
const admitted = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const proxy = yield* GuardedProxy.serve(guard)
  const visit = yield* proxy.admit(options)
  return { proxy, visit, at: { port: proxy.port, authorization: basic(visit.username, visit.password) } }
})

const basic = (username: string, password: string) => ({
  "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
})

/** What the proxy answers to a request in absolute form. */
const get = ({ port, authorization }: At, url: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number | undefined; readonly body: string }>((done, fail) => {
        http
          .get(
            { host: "127.0.0.1", port, path: url, headers: { host: new URL(url).host, ...authorization } },
            (response) => {
              let body = ""
              response.on("data", (chunk) => (body += chunk.toString()))
              response.on("end", () => done({ status: response.statusCode, body }))
            }
          )
          .on("error", fail)
      })
  )

/** The status of a tunnel, and what comes through it for a plain request. */
const connect = ({ port, authorization }: At, authority: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number | undefined; readonly body: string }>((done, fail) => {
        const request = http.request({
          host: "127.0.0.1",
          port,
          method: "CONNECT",
          path: authority,
          headers: authorization
        })
        request.on("error", fail)
        request.on("connect", ({ statusCode }, socket) => {
          let body = ""
          socket.on("data", (chunk: Buffer) => (body += chunk.toString()))
          socket.on("close", () => done({ status: statusCode, body }))
          socket.on("error", () => {})
          if (statusCode === 200) socket.write("GET /x HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n\r\n")
          else socket.destroy()
        })
        request.end()
      })
  )

const around = Effect.gen(function* () {
  const site = yield* scriptedSite({
    "/x": file("text/plain", "reached"),
    "/big": file("text/plain", "b".repeat(6000))
  })
  const resolve = new Map([["site.test", { address: "127.0.0.1", port: site.port }]])
  return { site, ...(yield* admitted({ allowPrivate: false, resolve })) }
})

describe("the guarded proxy", () => {
  it.live("goes to a mapped host, and to no private address, for pages and for tunnels", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { at, site, visit } = yield* around
        const page = yield* get(at, "http://site.test/x")
        const tunnel = yield* connect(at, "site.test:443")
        const hosts = [
          `127.0.0.1:${site.port}`,
          `localhost:${site.port}`,
          `[::1]:${site.port}`,
          "169.254.169.254:80",
          "0x7f000001:80"
        ]
        const pages = yield* Effect.forEach(hosts, (authority) => get(at, `http://${authority}/x`))
        const tunnels = yield* Effect.forEach(hosts, (authority) => connect(at, authority))

        expect(page).toEqual({ status: 200, body: "reached" })
        expect(tunnel.status).toBe(200)
        expect(tunnel.body).toContain("reached")
        expect(pages.map(({ status }) => status)).toEqual(hosts.map(() => 403))
        expect(tunnels.map(({ body }) => body)).toEqual(hosts.map(() => ""))
        expect(hosts.map((host) => visit.failureOf(`http://${host}/`))).toEqual(
          hosts.map(() => expect.any(AddressGuard.AddressBlocked))
        )
        expect(site.requests).toEqual(["/x", "/x"])
      })
    )
  )

  it.live("answers 502 where nothing listens, and 400 to what is no proxy request", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const closed = { address: "127.0.0.1", port: 1 }
        const { at } = yield* admitted({ allowPrivate: false, resolve: new Map([["site.test", closed]]) })

        expect((yield* get(at, "http://site.test/x")).status).toBe(502)
        expect(yield* connect(at, "site.test:443")).toEqual({ status: 200, body: "" })
        expect((yield* get(at, "ftp://site.test/x")).status).toBe(400)
      })
    )
  )

  it.live("lets in nobody without the password of a page, and nobody once the page has ended", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { proxy, site } = yield* around
        const ended = yield* Effect.scoped(proxy.admit(options))
        const others = [{}, basic("page", "guessed"), basic("page", ""), basic(ended.username, ended.password)]
        const answers = yield* Effect.forEach(others, (authorization) => {
          const at = { port: proxy.port, authorization }
          return Effect.all([get(at, "http://site.test/x"), connect(at, "site.test:443")])
        })

        expect(answers.flat().map(({ status }) => status)).toEqual(answers.flat().map(() => 407))
        expect(site.requests).toEqual([])
      })
    )
  )

  it.live("cuts a page off when all that it loads is too much, and not before", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { at, site, visit } = yield* around
        const first = yield* get(at, "http://site.test/big")
        const before = visit.overflow
        yield* Effect.exit(get(at, "http://site.test/big"))
        yield* Effect.exit(connect(at, "site.test:443"))

        expect(first.body).toHaveLength(6000)
        expect(before).toBe(undefined)
        expect(visit.overflow?.message).toContain("the page loads more than")
        expect(site.requests).toEqual(["/big", "/big"])
      })
    )
  )
})
