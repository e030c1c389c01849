import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import * as AddressGuard from "#web/AddressGuard"
import { Fetch } from "#web/Fetch"
import { file, redirect, scriptedSite } from "../../service/scriptedSite.ts"

const forbidden = [
  "0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.0.9 169.254.169.254 172.16.0.1 172.31.9.9 192.0.0.1 192.0.2.1",
  "168.63.129.16 ::ffff:168.63.129.16 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255",
  "2130706433 0x7f000001 0177.0.0.1 127.1",
  ":: ::1 fc00::1 fd00::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1 2001:db8::1",
  "::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:0:10.0.0.1 ::10.0.0.1 ::a00:1 ::7f00:1",
  "64:ff9b::10.0.0.1 64:ff9b:1::a00:1 2002:a00:1:: 2001:0:a00:1::1",
  "localhost 10.0.0.1:80 [::1]"
].flatMap((line) => line.split(" "))

describe("an address", () => {
  test.each(forbidden)("%j is not one of the public internet", (address) => {
    expect(AddressGuard.isPublic(address)).toBe(false)
  })

  test.each(["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%j is one of the public internet",
    (address) => {
      expect(AddressGuard.isPublic(address)).toBe(true)
    }
  )
})

describe("HOST=ADDR:PORT", () => {
  test.each([
    ["shop.test=127.0.0.1:8080", ["shop.test", { address: "127.0.0.1", port: 8080 }]],
    [" SHOP.test=[::1]:80 ", ["shop.test", { address: "::1", port: 80 }]],
    ["a=1.2.3.4:65535", ["a", { address: "1.2.3.4", port: 65_535 }]]
  ])("%j is read", (text, read) => {
    expect(AddressGuard.parseResolve(text)).toEqual(read)
  })

  test.each([
    "",
    "shop.test",
    "shop.test=",
    "shop.test=127.0.0.1",
    "shop.test=127.0.0.1:",
    "=127.0.0.1:80",
    "shop.test=127.0.0.1:0",
    "shop.test=127.0.0.1:65536",
    "shop.test=127.0.0.1:x",
    "shop.test=::1:80",
    "shop.test=[::1:80",
    "shop.test=other.test:80",
    "shop.test=2130706433:80",
    "shop.test=127.1:80",
    "sh op=127.0.0.1:80",
    "shop.test=127.0.0.1:80 more"
  ])("%j is not one", (text) => {
    expect(AddressGuard.parseResolve(text)).toBeUndefined()
  })
})

/** DNS of this test: some names, some addresses. */
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "inside.test": ["10.0.0.5"],
  "mixed.test": ["93.184.216.34", "10.0.0.5"],
  "mapped.test": ["::ffff:10.0.0.5"],
  "loop.test": ["127.0.0.1"]
}

const lookup =
  (asked: Array<string>): AddressGuard.Lookup =>
  (host, _options, callback) => {
    asked.push(host)
    const found = names[host]
    if (found === undefined) return callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), [])
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    )
  }

const get = (url: string, options: Partial<AddressGuard.Options>) =>
  Effect.flatMap(Fetch, (fetch) => fetch.get(url, { timeoutMillis: 300_000 })).pipe(
    Effect.provide(Fetch.layer({ allowPrivate: false, resolve: new Map(), ...options }))
  )

describe("the guard", () => {
  it.live("lets no connection out to a private address, however it is written", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": "never" })
      const asked: Array<string> = []
      const hosts =
        "127.0.0.1 2130706433 0x7f000001 0177.0.0.1 127.1 127.0.0.1. [::1] [::ffff:127.0.0.1] [::7f00:1] " +
        "[64:ff9b::7f00:1] 0 inside.test mixed.test mapped.test LOOP.test"
      const urls = hosts.split(" ").map((host) => `http://${host}:${site.port}/`)
      for (const url of urls) {
        const error = yield* Effect.flip(get(url, { lookup: lookup(asked) }))
        expect([url, error.code]).toEqual([url, "SCRAPE_ADDRESS_BLOCKED"])
      }

      expect(site.requests).toEqual([])
      expect(asked).toEqual(["inside.test", "mixed.test", "mapped.test", "loop.test"])
    })
  )

  it.live("lets them out where private addresses are allowed", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/": "page" })
      const { status } = yield* get(`http://loop.test:${site.port}/`, { allowPrivate: true, lookup: lookup([]) })

      expect(status).toBe(200)
    })
  )

  it.live("says which name does not resolve", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(get("http://nowhere.test/", { lookup: lookup([]) }))

      expect(error).toMatchObject({ code: "SCRAPE_DNS_RESOLUTION_ERROR", retryable: false })
    })
  )

  it.live("takes a mapped host to its address, whatever port is asked, and no other host there", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/": file("text/plain", "here"),
        "/away": redirect(`http://127.0.0.1/`)
      })
      const asked: Array<string> = []
      const options = {
        lookup: lookup(asked),
        resolve: new Map([["site.test", { address: "127.0.0.1", port: site.port }]])
      }
      const bodies = yield* Effect.forEach(["http://site.test/", "http://SITE.test:81/", "https://site.test/"], (url) =>
        Effect.map(get(url, options), ({ body }) => new TextDecoder().decode(body))
      )
      const other = yield* Effect.flip(get("http://www.site.test/", options))

      expect(bodies).toEqual(["here", "here", "here"])
      expect(other.code).toBe("SCRAPE_DNS_RESOLUTION_ERROR")
      expect(asked).toEqual(["www.site.test"])
    })
  )
})
