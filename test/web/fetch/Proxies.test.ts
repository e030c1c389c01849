import { describe, expect, it } from "vitest"
import * as Proxies from "#web/Proxies"

/** The proxy's host for a URL; undefined: none. */
const through = (env: Record<string, string>, url: string, own?: string) =>
  Proxies.make(env, own)?.(new URL(url))?.url.host

const both = { HTTPS_PROXY: "http://secure.proxy:1", HTTP_PROXY: "http://plain.proxy:2" }

describe("the proxy", () => {
  it("is that of the scheme, in either case, the lower one first", () => {
    expect(through(both, "https://a.test/")).toBe("secure.proxy:1")
    expect(through(both, "http://a.test/")).toBe("plain.proxy:2")
    expect(through({ https_proxy: "low:1", HTTPS_PROXY: "high:2" }, "https://a.test/")).toBe("low:1")
    expect(through({ HTTPS_PROXY: "low:1" }, "http://a.test/")).toBeUndefined()
    expect(through({ HTTPS_PROXY: " " }, "https://a.test/")).toBeUndefined()
    expect(through({}, "https://a.test/")).toBeUndefined()
  })

  it("is that of the file before the environment's, and none where the file says none", () => {
    expect(through(both, "http://a.test/", "http://file.proxy:3")).toBe("file.proxy:3")
    expect(through({ NO_PROXY: "a.test" }, "http://a.test/", "http://file.proxy:3")).toBeUndefined()
    expect(through(both, "http://a.test/", "none")).toBeUndefined()
  })

  it.each([
    ["a.test", "http://a.test/", true],
    ["a.test", "http://www.a.test/", true],
    [".a.test", "http://www.a.test/", true],
    ["*.a.test", "http://www.a.test/", true],
    ["A.TEST", "http://a.test/", true],
    ["a.test", "http://ba.test/", false],
    ["a.test", "http://a.test.evil.test/", false],
    ["b.test, a.test", "https://a.test/", true],
    ["b.test a.test", "https://a.test/", true],
    ["a.test:8080", "http://a.test:8080/", true],
    ["a.test:8080", "http://a.test/", false],
    ["a.test:443", "https://a.test/", true],
    ["*", "http://a.test/", true],
    ["10.0.0.0/8", "http://10.1.2.3/", true],
    ["10.0.0.0/8", "http://11.1.2.3/", false],
    ["10.1.2.3", "http://10.1.2.3:99/", true],
    ["fd00::/8", "http://[fd00::1]/", true],
    ["[fd00::1]", "http://[fd00::1]/", true],
    ["", "http://a.test/", false],
    [",,", "http://a.test/", false]
  ])("is left out by NO_PROXY=%s for %s: %s", (noProxy, url, isLeftOut) => {
    expect(through({ ...both, NO_PROXY: noProxy }, url) === undefined).toBe(isLeftOut)
  })

  it("is never asked for this machine", () => {
    for (const host of ["localhost", "app.localhost", "127.0.0.1", "127.9.9.9", "[::1]"]) {
      expect([host, through(both, `http://${host}:8080/`)]).toEqual([host, undefined])
    }
  })

  it("has user and password of its address, decoded", () => {
    const proxy = Proxies.make({ HTTP_PROXY: "http://me:p%40ss@a:1" })?.(new URL("http://b.test/"))

    expect(proxy?.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`)
  })

  it("that is no HTTP proxy is refused, with the name of what says so and without its password", () => {
    expect(() => Proxies.make({ HTTPS_PROXY: "socks5://me:secret@a:1" })).toThrow(
      "HTTPS_PROXY is not the address of an HTTP proxy: use http://HOST:PORT or https://HOST:PORT"
    )
    expect(() => Proxies.make({}, "ftp://a")).toThrow("network.proxy is not the address")
  })
})
