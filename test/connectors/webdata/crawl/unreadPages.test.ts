import { expect, it } from "vitest"
import { leftOut, serviceFault, unread } from "#connectors/webdata/crawl/unreadPages"

const failing = (...errors: ReadonlyArray<string>) =>
  serviceFault({
    errors: errors.map((error, at) => ({
      id: String(at),
      url: `http://site.test/${at}`,
      code: "SCRAPE_FETCH_ERROR",
      error
    })),
    robotsBlocked: []
  })

it("a page that failed for want of file descriptors, room or memory is a fault of the machine", () => {
  expect(
    failing("connect ECONNREFUSED 10.0.0.1:80", "connect EMFILE 10.0.0.1:443", "connect EMFILE 10.0.0.1:443")
  ).toBe(
    "2 pages failed because of the machine that crawls, not because of the site, so nothing is loaded: connect EMFILE " +
      "10.0.0.1:443 (http://site.test/1); give it what it lacks (open files: ulimit -n; disk space; memory), then run it again"
  )
  expect(failing("ENOSPC: no space left on device, write")).toContain("ENOSPC")
  expect(failing("cannot write /x: the disk is full; make room, then run again (ENOSPC)")).toContain("ENOSPC")
})

it("every other failure is the site's", () => {
  expect(failing("connect ECONNREFUSED 10.0.0.1:80", "no host DEMFILE.test", "read ECONNRESET")).toBeUndefined()
})

it("names each failed URL: as a cause, or, where it is no page of the crawl, in a warning", () => {
  const errors = [
    { id: "1", url: "http://site.test/broken", code: "SCRAPE_TIMEOUT", error: "it took too long" },
    { id: "2", url: "http://site.test/offer", code: "EXTERNAL_LINK", error: "redirects off the domain" },
    { id: "3", url: "http://site.test/other", code: "EXTERNAL_LINK", error: "redirects off the domain" }
  ]
  const said = { errors, robotsBlocked: [] }
  const named = unread(said).flatMap(({ urls, why }) => (why === undefined ? [] : urls))
  const elements = leftOut(said)
  const warned = elements.flatMap((element) => (element._tag === "Warning" ? element.about : []))

  expect([...named, ...warned]).toEqual(errors.map(({ url }) => url))
  expect(elements).toContainEqual({
    _tag: "Warning",
    message: "failed, and is not a page of this crawl: redirects off the domain",
    about: ["http://site.test/offer", "http://site.test/other"]
  })
  expect(leftOut({ errors: [], robotsBlocked: [] })).toEqual([])
})

it("counts the pages that were left, names their hosts, and says that a crawl ended in random words", () => {
  const left = (url: string) => ({ id: url, url, code: "SCRAPE_HOST_TOO_SLOW", error: "left: host too slow" })
  const trap = { id: "4", url: "http://c.test/x", code: "CRAWL_RANDOM_WORDS", error: "9 addresses were not followed" }
  const said = {
    errors: [left("http://a.test/1"), left("http://a.test/2"), left("http://b.test/"), trap],
    robotsBlocked: []
  }
  const elements = leftOut(said)
  const facts = elements.flatMap((each) => (each._tag === "Progress" ? [each.facts] : []))
  const hosts = elements.flatMap((each) =>
    each._tag === "Warning" && each.message.includes("too slow") ? each.about : []
  )

  expect(facts).toContainEqual({ too_slow: 3 })
  expect(facts).toContainEqual({ random_words: 1 })
  expect(hosts).toEqual(["a.test", "b.test"])
})
