import { describe, expect, test } from "vitest"
import * as PageUrl from "#contract/PageUrl"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import * as Frontier from "#web/frontier/Frontier"

const url = (path: string) => new URL(path, "http://site.test/")

describe("a frontier", () => {
  test("numbers pages in the order found, and knows each of them under all its names", () => {
    const frontier = Frontier.open(PageUrl.plainly(false))
    const found = ["/", "/a", "/a/", "/a#x", "/index.html", "/b?q", "/b"].map((path) =>
      frontier.discover(url(path), 1, "link")
    )

    expect(found.map((one) => one?.seq)).toEqual([0, 1, undefined, undefined, undefined, 2, 3])
    expect(found[1]).toEqual({
      seq: 1,
      key: "site.test/a",
      url: "http://site.test/a",
      depth: 1,
      kind: "link",
      state: "queued"
    })
  })

  test("looks at a link text once", () => {
    const frontier = Frontier.open(PageUrl.plainly(false))
    const looked: Array<string> = []
    const follow = (path: string) =>
      frontier.follow(url(path).href, 1, { seq: 0, url: "http://site.test/" }, ({ href }) => {
        looked.push(href.slice("http://site.test".length))
        return { kind: "link" }
      })
    for (const path of ["/a", "/a", "/b", "/c#one", "/c#two", "/c", "/#/route", "/#/other", "/#!/third"]) follow(path)

    expect(looked).toEqual(["/a", "/b", "/c", "/#/route", "/#/other", "/#!/third"])
  })

  test("gives a page to the first who redirects there, and makes the others aliases", () => {
    const frontier = Frontier.open(PageUrl.plainly(false))
    for (const path of ["/1", "/2", "/page"]) frontier.discover(url(path), 0, "link")

    expect(frontier.claim(url("/new"), 0)).toBe("own")
    expect(frontier.claim(url("/new/"), 0)).toBe("own")
    expect(frontier.claim(url("/new"), 1)).toBe("other")
    expect(frontier.claim(url("/page"), 0)).toBe("other")
    expect(frontier.discover(url("/new"), 0, "link")).toBeUndefined()
  })

  test("tells a loop of known pages from aliases, however long it is", () => {
    const frontier = Frontier.open(PageUrl.plainly(false))
    for (const path of ["/1", "/2", "/3"]) frontier.discover(url(path), 0, "link")

    expect(frontier.claim(url("/2"), 0)).toBe("other")
    expect(frontier.claim(url("/3"), 1)).toBe("other")
    expect(frontier.claim(url("/1"), 2)).toBe("loop")
  })

  test("that is made again from the ledger knows what it knew: numbers, owners, aliases", () => {
    const row = (seq: number, path: string, landed: string, state: DiscoveredUrl["state"]): DiscoveredUrl => ({
      seq,
      url: url(path).href,
      key: `site.test${landed}`,
      depth: 0,
      kind: "link",
      state
    })
    const known = [
      row(0, "/", "/home", "scraped"),
      row(1, "/old", "/home", "alias"),
      row(2, "/loop", "/loop2", "alias"),
      row(3, "/loop2", "/loop2", "queued")
    ]
    const frontier = Frontier.open(PageUrl.plainly(false))
    for (const one of known) frontier.remember([one])
    for (const one of known) frontier.reclaim([one])

    expect(["/", "/home", "/old", "/loop"].map((path) => frontier.discover(url(path), 0, "link"))).toEqual(
      Array(4).fill(undefined)
    )
    expect(frontier.discover(url("/x"), 0, "link")?.seq).toBe(4)
    expect(frontier.claim(url("/loop"), 3)).toBe("loop")
    expect(frontier.claim(url("/old"), 4)).toBe("other")
  })

  test("takes a page over that links alone have found for the next level, whichever came first", () => {
    const order = (claimsFirst: boolean) => {
      const frontier = Frontier.open(PageUrl.plainly(false), "order")
      for (const path of ["/", "/old"]) frontier.discover(url(path), 1, "link")
      const link = () => frontier.follow(url("/new").href, 2, { seq: 0, url: url("/").href }, () => ({ kind: "link" }))
      if (!claimsFirst) link()
      frontier.begin(1)
      const claim = frontier.claim(url("/new"), 1)
      if (claimsFirst) link()
      return { claim, overtaken: frontier.overtakenBy(1), owner: frontier.ownerOf(url("/new")) }
    }

    expect(order(true)).toEqual({ claim: "own", overtaken: [], owner: 1 })
    expect(order(false)).toEqual({ claim: "own", overtaken: [2], owner: 1 })
  })

  test("learns the least URL that leads to a page, a nearer place for it, and its other spellings", () => {
    const frontier = Frontier.open({ ...PageUrl.plainly(false), routes: false, indexIsFolder: false }, "identity")
    frontier.discover(url("/"), 0, "start")
    const follow = (href: string, seq: number, from: string) =>
      frontier.follow(href, 1, { seq, url: url(from).href }, () => ({ kind: "link" }))
    follow(url("/x/").href, 2, "/c")
    follow(url("/x#/route").href, 1, "/b")
    follow(url("/x/").href, 3, "/d")
    const learned = frontier.changes()
    frontier.discover(url("/x"), 0, "sitemap")

    expect(learned).toEqual([
      { _tag: "Spelling", seq: 1, url: "http://site.test/x" },
      { _tag: "From", seq: 1, from: 1 }
    ])
    expect(frontier.changes()).toEqual([
      { _tag: "Nearer", seq: 1, depth: 0, was: 1, kind: "sitemap", url: "http://site.test/x" }
    ])
  })
})
