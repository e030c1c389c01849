import { describe, expect, it } from "vitest"
import * as RecentLinks from "#web/frontier/RecentLinks"

describe("links of a short time ago", () => {
  it("are known by the numbers of their pages, until they are cleared", () => {
    const links = RecentLinks.create()
    links.set("/a", 7)
    links.set("/out", RecentLinks.nowhere)

    expect([links.get("/a"), links.get("/out"), links.get("/b")]).toEqual([7, RecentLinks.nowhere, undefined])
    links.clear()
    expect(links.get("/a")).toBeUndefined()
  })

  it("are forgotten together when there are too many", () => {
    const links = RecentLinks.create()
    for (let at = 0; at < 10_001; at++) links.set(`/${at}`, at)

    expect([links.get("/0"), links.get("/9999"), links.get("/10000")]).toEqual([undefined, undefined, 10_000])
  })
})
