import { describe, expect, it } from "vitest"
import * as Gate from "#see/explore/gate"

const gate = { token: "the-token", port: 8080 }
const refused = (host: string | undefined, origin?: string) => Gate.refusalOf(gate, { host, origin })

describe("the gate of explore", () => {
  it("lets in who calls it by a loopback name and its port", () => {
    for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "a.localhost:8080"]) {
      expect(refused(host)).toBeUndefined()
      expect(refused(host, `http://${host}`)).toBeUndefined()
    }
  })

  it("refuses every other name, address and port, and requests of other pages", () => {
    for (const host of [
      undefined,
      "",
      "evil.test:8080",
      "127.0.0.1.evil.test:8080",
      "localhost",
      "localhost:8081",
      "192.168.0.2:8080"
    ]) {
      expect(refused(host)).toMatch(/this server only answers requests to localhost/)
    }
    for (const origin of ["http://evil.test", "http://localhost:8081", "https://localhost:8080", "null", ""]) {
      expect(refused("localhost:8080", origin)).toMatch(/another website/)
    }
  })

  it("knows its token from all others, and makes a new one each time", () => {
    expect(Gate.hasToken(gate, "the-token")).toBe(true)
    for (const said of [undefined, null, "", "the-toke", "the-token ", "The-token"]) {
      expect(Gate.hasToken(gate, said)).toBe(false)
    }
    expect(Gate.makeToken()).not.toBe(Gate.makeToken())
    expect(Gate.makeToken()).toMatch(/^[\w-]{32}$/)
  })
})
