import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { expect } from "vitest"
import { checked } from "#service/http/HostNames"
import { isLoopback } from "#web/AddressGuard"
import { served } from "../served.ts"

/** The name for which a request is refused; undefined: it is let in. */
const wrongName = async (names: Parameters<typeof checked>[0], host: string, origin: string | undefined) => {
  const headers = origin === undefined ? { host } : { host, origin }
  const request = HttpServerRequest.fromWeb(new Request("http://service.test/", { headers }))
  const answer = await Effect.succeed(HttpServerResponse.empty()).pipe(
    checked(names),
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.runPromise
  )
  const text = await HttpServerResponse.toWeb(answer).text()
  return answer.status === 403 ? /answer to the name (.*); start it/.exec(text)?.[1] : undefined
}

describe("the names of a service", () => {
  it("are addresses, localhost and what is allowed", async () => {
    const names = { host: "Mill.lan", allowed: ["data.example.com"] }
    const known = [
      "127.0.0.1:3002",
      "[::1]:3002",
      "10.1.2.3",
      "localhost:3002",
      "a.localhost",
      "mill.lan",
      "DATA.example.com.:80"
    ]
    expect(await Promise.all(known.map((host) => wrongName(names, host, undefined)))).toEqual(
      known.map(() => undefined)
    )
    expect(await wrongName(names, "evil.example.com", undefined)).toBe("evil.example.com")
    expect(await wrongName(names, "localhost.evil.example.com", undefined)).toBe("localhost.evil.example.com")
    expect(await wrongName(names, "127.0.0.1.evil.example.com", undefined)).toBe("127.0.0.1.evil.example.com")
    expect(
      await wrongName({ ...names, allowed: ["*"] }, "evil.example.com", "https://evil.example.com")
    ).toBeUndefined()
  })

  it("are those of the page that asks, too", async () => {
    const names = { host: "127.0.0.1", allowed: [] }
    expect(await wrongName(names, "localhost:3002", "http://localhost:5173")).toBeUndefined()
    expect(await wrongName(names, "localhost:3002", "https://evil.example.com")).toBe("https://evil.example.com")
    expect(await wrongName(names, "localhost:3002", "null")).toBe("null")
  })

  it("are of a page at an address that very address, and none where only a name is asked for", async () => {
    const names = { host: "0.0.0.0", allowed: ["203.0.113.9"] }
    expect(await wrongName(names, "192.168.1.6:3002", "http://192.168.1.6:3002")).toBeUndefined()
    expect(await wrongName(names, "[2001:db8::1]:3002", "http://[2001:db8::1]")).toBeUndefined()
    expect(await wrongName(names, "192.168.1.6:3002", "http://127.0.0.1:5173")).toBeUndefined()
    expect(await wrongName(names, "127.0.0.1:3002", "http://203.0.113.9")).toBeUndefined()
    for (const origin of ["http://203.0.113.5", "http://[2001:db8::5]", "https://192.168.1.7"]) {
      expect(await wrongName(names, "127.0.0.1:3002", origin)).toBe(origin)
      expect(await wrongName(names, "192.168.1.6:3002", origin)).toBe(origin)
    }
  })

  it("tell what only this machine reaches", () => {
    expect(["localhost", "127.0.0.1", "127.9.9.9", "::1"].map(isLoopback)).toEqual([true, true, true, true])
    expect(["0.0.0.0", "::", "10.0.0.1", "mill.lan", "127.evil.com"].map(isLoopback)).toEqual([
      false,
      false,
      false,
      false,
      false
    ])
  })

  it.live("keep a website that has rebound its name from a service that only this machine reaches", () =>
    Effect.gen(function* () {
      const service = yield* served()
      const headers = { origin: "https://evil.example.com" }
      const rebound = yield* service.ask("POST", "/v2/crawl", { body: { url: "http://a.test/" }, headers })
      const own = yield* service.ask("GET", "/v2/team/queue-status", { headers: { origin: service.url } })

      expect(rebound.status).toBe(403)
      expect(rebound.body.error).toContain("--allow-host")
      expect(own.status).toBe(200)
    })
  )
})
