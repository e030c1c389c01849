import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { overHttp } from "../mcp/clients.ts"
import { scriptedSite } from "../scriptedSite.ts"
import { serve } from "../serve.ts"

const keys = ["first", "second"].map((key) => ({ key: Redacted.make(key), teamId: key }))
const served = (use: (base: string, site: string) => Promise<void>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const links = Array.from({ length: 50 }, (_, at) => `<a href="/${at}">${at}</a>`).join("")
        const html = `<main><h1>Tea</h1><p>Tea is 3 EUR.</p>${links}</main>`
        const site = yield* scriptedSite(Object.fromEntries(["", ...Array(50).keys()].map((at) => [`/${at}`, html])))
        const base = yield* serve({ keys, allowPrivate: true })
        yield* Effect.promise(() => use(base, `http://127.0.0.1:${site.port}/`))
      })
    )
  )

const active = async (base: string): Promise<number> => {
  const answer = await fetch(`${base}/v2/crawl/active`, { headers: { authorization: "Bearer first" } })
  return JSON.parse(await answer.text()).crawls.length
}
const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }
}
const post = (base: string, key: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${base}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    },
    body: JSON.stringify(body)
  })

describe("the tools over HTTP", () => {
  it("work for the official client with a key of the service, and for nobody else", () =>
    served(async (base, site) => {
      await overHttp(base, "first", async ({ tell }) => {
        const { isError, texts } = await tell("firecrawl_scrape", { url: site })

        expect(isError).toBe(false)
        expect(texts[0]).toContain("Tea is 3 EUR.")
      })
      for (const key of [undefined, "third"]) {
        await expect(overHttp(base, key, () => Promise.resolve())).rejects.toThrow("Unauthorized: Invalid token")
      }
    }))

  it("are at an address that ends in a slash too", () =>
    served(async (base) => {
      const { status } = await fetch(`${base}/mcp/`, {
        method: "POST",
        headers: {
          authorization: "Bearer first",
          "content-type": "application/json",
          accept: "application/json, text/event-stream"
        },
        body: JSON.stringify(initialize)
      })

      expect(status).toBe(200)
    }))

  it("cancel the job of a call that is cancelled", () =>
    served((base, site) =>
      overHttp(base, "first", async ({ tell }) => {
        const stop = new AbortController()
        const crawl = tell(
          "firecrawl_crawl",
          { url: site, delay: 1 },
          { signal: stop.signal, onprogress: () => stop.abort("enough") }
        )

        await expect(crawl).rejects.toThrow("enough")
        await expect.poll(() => active(base)).toBe(0)
      })
    ))

  it("answer to no foreign origin, and keep a session for the key that started it", () =>
    served(async (base) => {
      const foreign = await post(base, "first", initialize, { origin: "http://evil.example" })
      const local = await post(base, "first", initialize, { origin: "http://localhost:3000" })
      const session = { "mcp-session-id": local.headers.get("mcp-session-id") ?? "" }
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }

      expect(foreign.status).toBe(403)
      expect(local.status).toBe(200)
      expect((await post(base, "first", list, session)).status).toBe(200)
      expect((await post(base, "second", list, session)).status).toBe(404)
    }))

  it("say why they refuse a message", () =>
    served(async (base) => {
      const begun = await post(base, "first", initialize)
      const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" }
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
      const refused = async (body: unknown, headers: Readonly<Record<string, string>>) => {
        const answer = await post(base, "first", body, { ...session, ...headers })
        return [answer.status, JSON.parse(await answer.text()).error]
      }

      expect(await refused(ping, { accept: "*/*" })).toEqual([
        406,
        "Not Acceptable: the header Accept must name application/json and text/event-stream"
      ])
      expect(await refused([ping, ping], {})).toEqual([
        400,
        "Bad Request: the body must be one message of JSON-RPC 2.0; an array of several is not accepted"
      ])
    }))

  it("end the session that was not used for longest when there are a thousand", () =>
    served(async (base) => {
      const named = async () => (await post(base, "first", initialize)).headers.get("mcp-session-id") ?? ""
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
      const [oldest, kept] = [await named(), await named()]
      for (let at = 0; at < 998; at++) await named()
      expect((await post(base, "first", list, { "mcp-session-id": oldest })).status).toBe(200)
      await named()

      expect((await post(base, "first", list, { "mcp-session-id": oldest })).status).toBe(200)
      expect((await post(base, "first", list, { "mcp-session-id": kept })).status).toBe(404)
    }))

  it("take bodies as large as every request may be", () =>
    served(async (base) => {
      const large = await post(base, "first", { ...initialize, more: "x".repeat(11 * 1024 * 1024) })

      expect(large.status).toBe(413)
    }))
})
