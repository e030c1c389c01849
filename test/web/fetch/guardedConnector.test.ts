import * as http2 from "node:http2"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import type * as AddressGuard from "#web/AddressGuard"
import { Fetch } from "#web/Fetch"
import { PoliteFetch } from "#web/PoliteFetch"
import { Politeness } from "#web/Politeness"
import * as Proxies from "#web/Proxies"
import { file, scriptedSite } from "../../service/scriptedSite.ts"
import { selfSigned } from "../../service/selfSigned.ts"
import { testProxy } from "../../service/testProxy.ts"

/** DNS of this test: what does not begin with "inside" or "hidden" is public. */
const lookup: AddressGuard.Lookup = (host, _options, callback) => {
  if (host.startsWith("hidden")) {
    return callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), [])
  }
  callback(null, [{ address: host.startsWith("inside") ? "10.0.0.5" : "93.184.216.34", family: 4 }])
}

const guardOf = (env: Record<string, string>, more: Partial<AddressGuard.Options> = {}): AddressGuard.Options => {
  const proxies = Proxies.make(env)
  return {
    allowPrivate: false,
    resolve: new Map(),
    lookup,
    connectTimeoutMillis: 2000,
    ...more,
    ...(proxies === undefined ? {} : { proxies })
  }
}

const get = (guard: AddressGuard.Options, url: string) =>
  Effect.flatMap(Fetch, (fetch) => fetch.get(url, { timeoutMillis: 300_000, skipTlsVerification: true })).pipe(
    Effect.provide(Fetch.layer(guard))
  )

const textOf = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body)

/** A TLS server until the scope closes. */
const served = <
  A extends {
    listen: (port: number, host: string, done: () => void) => unknown
    close: () => unknown
    address: () => AddressInfo | string | null
  }
>(
  server: A,
  end: () => void = () => {}
) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.sync(() => {
        end()
        server.close()
      })
  )

const tlsSite = Effect.suspend(() => {
  const server = https.createServer(selfSigned("site.test"), (request, response) => response.end(`tls ${request.url}`))
  return served(server, () => server.closeAllConnections())
})

/** A server that speaks nothing but HTTP/2: its port, and the most streams that were open at once. */
const onlyHttp2 = Effect.gen(function* () {
  let open = 0
  let peak = 0
  const sessions = new Set<http2.ServerHttp2Session>()
  const server = http2.createSecureServer({ ...selfSigned("site.test"), allowHTTP1: false }, (request, response) => {
    open += 1
    peak = Math.max(peak, open)
    response.on("close", () => (open -= 1))
    setImmediate(() => {
      response.setHeader("content-type", "text/plain")
      response.end(`two ${request.url} ${String(request.headers["accept-encoding"]).includes("zstd")}`)
    })
  })
  server.on("session", (session) => sessions.add(session))
  const port = yield* served(server, () => sessions.forEach((session) => session.destroy()))
  return { port, peak: () => peak, sessions: () => sessions.size }
})

describe("a connection", () => {
  it.live("speaks HTTP/2 with a host that speaks nothing else", () =>
    Effect.gen(function* () {
      const site = yield* onlyHttp2
      const guard = guardOf({}, { resolve: new Map([["site.test", { address: "127.0.0.1", port: site.port }]]) })
      const bodies = yield* Effect.gen(function* () {
        const fetch = yield* Fetch
        return yield* Effect.forEach(["/a", "/b?c"], (path) =>
          Effect.map(
            fetch.get(`https://site.test${path}`, { timeoutMillis: 300_000, skipTlsVerification: true }),
            textOf
          )
        )
      }).pipe(Effect.provide(Fetch.layer(guard)))

      expect(bodies).toEqual(["two /a true", "two /b?c true"])
    })
  )

  it.live("keeps to the limits of a host over HTTP/2 as over any other", () =>
    Effect.gen(function* () {
      const site = yield* onlyHttp2
      const guard = guardOf({}, { resolve: new Map([["site.test", { address: "127.0.0.1", port: site.port }]]) })
      const layer = PoliteFetch.layer.pipe(Layer.provide([Fetch.layer(guard), Politeness.layer({ perHost: 3 })]))
      const statuses = yield* Effect.gen(function* () {
        const polite = yield* PoliteFetch
        return yield* Effect.forEach(
          Array.from({ length: 30 }, (_, index) => new URL(`https://site.test/${index}`)),
          (url) =>
            Effect.map(
              polite.get(url, { timeoutMillis: 300_000, skipTlsVerification: true }, 0),
              ({ status }) => status
            ),
          { concurrency: "unbounded" }
        )
      }).pipe(Effect.provide(layer))

      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(site.peak()).toBeLessThanOrEqual(3)
    })
  )

  it.live("goes through the proxy of the environment, with TLS and without, after the guard has looked", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/a": file("text/plain", "plain") })
      const proxy = yield* testProxy({ "site.test:80": site.port, "site.test:443": yield* tlsSite }, "me:p@ss")
      const address = `http://me:p%40ss@127.0.0.1:${proxy.port}`
      const guard = guardOf({ HTTPS_PROXY: address, http_proxy: address })

      expect(textOf(yield* get(guard, "http://site.test/a?b"))).toBe("plain")
      expect(textOf(yield* get(guard, "https://site.test/c"))).toBe("tls /c")
      expect(proxy.asked).toEqual(["GET http://site.test/a?b", "CONNECT site.test:443"])
    })
  )

  it.live("speaks HTTP/2 through a proxy too", () =>
    Effect.gen(function* () {
      const site = yield* onlyHttp2
      const proxy = yield* testProxy({ "site.test:443": site.port })
      const guard = guardOf({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })

      expect(textOf(yield* get(guard, "https://site.test/x"))).toBe("two /x true")
      expect(proxy.asked).toEqual(["CONNECT site.test:443", "CONNECT site.test:443"])
    })
  )

  it.live("never hands a private host to a proxy, and one that it cannot judge only where that is allowed", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": file("text/plain", "inside") })
      const ports = { "inside.test:80": site.port, "hidden.test:80": site.port, "10.0.0.5:80": site.port }
      const proxy = yield* testProxy({ ...ports, "inside.test:443": site.port })
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
      const guard = guardOf(env)
      for (const url of [
        "http://inside.test/",
        "https://inside.test/",
        "http://10.0.0.5/",
        "https://[::ffff:10.0.0.5]/"
      ]) {
        expect([url, (yield* Effect.flip(get(guard, url))).code]).toEqual([url, "SCRAPE_ADDRESS_BLOCKED"])
      }
      const hidden = yield* Effect.flip(get(guard, "http://hidden.test/"))

      expect(hidden).toMatchObject({
        code: "SCRAPE_DNS_RESOLUTION_ERROR",
        message: expect.stringContaining("network.allow_private")
      })
      expect(proxy.asked).toEqual([])
      const open = guardOf(env, { allowPrivate: true })
      expect(textOf(yield* get(open, "http://hidden.test/"))).toBe("inside")
      expect(textOf(yield* get(open, "http://10.0.0.5/"))).toBe("inside")
    })
  )

  it.live("goes past the proxy where NO_PROXY says so, and to a mapped host", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": file("text/plain", "here") })
      const proxy = yield* testProxy({})
      const at = { address: "127.0.0.1", port: site.port }
      const guard = guardOf(
        { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "other.test,.direct.test" },
        {
          resolve: new Map([["site.test", at]]),
          allowPrivate: true,
          lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }])
        }
      )

      expect(textOf(yield* get(guard, "http://site.test/"))).toBe("here")
      expect(textOf(yield* get(guard, `http://www.direct.test:${site.port}/`))).toBe("here")
      expect(textOf(yield* get(guard, `http://127.0.0.1:${site.port}/`))).toBe("here")
      expect(proxy.asked).toEqual([])
    })
  )

  it.live("says what a proxy does not do, and where it was configured, but no password", () =>
    Effect.gen(function* () {
      const proxy = yield* testProxy({}, "me:right")
      const wrong = `http://me:secret@127.0.0.1:${proxy.port}`
      const right = `http://me:right@127.0.0.1:${proxy.port}`
      const said = (env: Record<string, string>, url: string) =>
        Effect.map(Effect.flip(get(guardOf(env), url)), ({ code, message, retryable }) => [code, message, retryable])
      const name = `the proxy 127.0.0.1:${proxy.port}`

      expect(yield* said({ HTTPS_PROXY: wrong }, "https://site.test/")).toEqual([
        "SCRAPE_PROXY_ERROR",
        `${name} does not accept our credentials (407): check user and password in HTTPS_PROXY`,
        false
      ])
      expect(yield* said({ HTTP_PROXY: wrong }, "http://site.test/")).toEqual([
        "SCRAPE_PROXY_ERROR",
        "the proxy does not accept our credentials (407): check user and password in network.proxy, HTTP_PROXY or HTTPS_PROXY",
        false
      ])
      expect(yield* said({ HTTPS_PROXY: right }, "https://site.test/")).toEqual([
        "SCRAPE_PROXY_ERROR",
        `${name} refuses to connect to the host: it answers 403`,
        false
      ])
      expect(yield* said({ HTTPS_PROXY: "http://me:secret@127.0.0.1:1" }, "https://site.test/")).toEqual([
        "SCRAPE_PROXY_ERROR",
        "the proxy 127.0.0.1:1 (HTTPS_PROXY) cannot be reached: ECONNREFUSED",
        true
      ])
    })
  )
})
