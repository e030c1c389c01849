import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { followRedirects } from "#web/followRedirects"
import { moved, type Said, scriptedFetch } from "../crawl/scriptedFetch.ts"

const start = new URL("http://site.test/a/start")

const follow = (answers: Readonly<Record<string, Said>>) => {
  const { asked, get } = scriptedFetch(answers)
  const permitted: Array<string> = []
  const permit = (next: URL) => Effect.sync(() => void permitted.push(next.href))
  return Effect.map(Effect.result(followRedirects(start, get, permit)), (result) => ({
    asked,
    permitted,
    outcome: result._tag === "Success" ? result.success.url.href : result.failure.code
  }))
}

describe("a redirect", () => {
  it.effect("is followed hop by hop, relative or absolute, each asked for first", () =>
    Effect.gen(function* () {
      const followed = yield* follow({
        [start.href]: moved("../b", 301),
        "http://site.test/b": moved("//other.test/c?q#part", 302),
        "http://other.test/c?q": moved("https://other.test/d", 308),
        "https://other.test/d": moved("?e", 303),
        "https://other.test/d?e": "page"
      })

      const hops = ["http://site.test/b", "http://other.test/c?q", "https://other.test/d", "https://other.test/d?e"]
      expect(followed).toEqual({
        asked: [start.href, ...hops],
        permitted: hops,
        outcome: "https://other.test/d?e"
      })
    })
  )

  it.effect("counts for the page that it leads to: the bytes of its body too", () =>
    Effect.gen(function* () {
      const { get } = scriptedFetch({
        [start.href]: { status: 301, location: "/b", wireBytes: 7 },
        "http://site.test/b": { status: 302, location: "/c", wireBytes: 20 },
        "http://site.test/c": { wireBytes: 300, bodyBytes: 900 }
      })
      const before: Array<number> = []
      const counted = (url: URL, bytes: number) => {
        before.push(bytes)
        return get(url)
      }
      const { fetched } = yield* followRedirects(start, counted, () => Effect.void)

      expect(before).toEqual([0, 7, 27])
      expect(fetched).toMatchObject({ wireBytes: 327, bodyBytes: 900 })
    })
  )

  it.effect("that comes back to where it was is a loop", () =>
    Effect.gen(function* () {
      const self = yield* follow({ [start.href]: moved(start.href) })
      const pair = yield* follow({ [start.href]: moved("/b"), "http://site.test/b": moved("/a/start#part") })

      expect(self).toMatchObject({ asked: [start.href], outcome: "SCRAPE_REDIRECT_LOOP" })
      expect(pair).toMatchObject({ asked: [start.href, "http://site.test/b"], outcome: "SCRAPE_REDIRECT_LOOP" })
    })
  )

  it.effect("is followed ten times and not eleven", () =>
    Effect.gen(function* () {
      const chain = (hops: number) =>
        Object.fromEntries(
          Array.from({ length: hops }, (_, hop) => [
            hop === 0 ? start.href : `http://site.test/${hop}`,
            moved(`/${hop + 1}`)
          ])
        )
      const just = yield* follow({ ...chain(10), ["http://site.test/10"]: "page" })
      const over = yield* follow(chain(11))

      expect(just.outcome).toBe("http://site.test/10")
      expect(over).toMatchObject({ outcome: "SCRAPE_REDIRECT_ERROR" })
      expect(over.asked).toHaveLength(11)
    })
  )

  it.effect("to what is no web page is an error, one to nowhere is the page itself", () =>
    Effect.gen(function* () {
      for (const location of ["mailto:a@b.test", "javascript:alert(1)", "file:///etc/passwd", "http://"]) {
        expect([location, (yield* follow({ [start.href]: moved(location) })).outcome]).toEqual([
          location,
          "SCRAPE_REDIRECT_ERROR"
        ])
      }
      expect((yield* follow({ [start.href]: { status: 302, text: "no location" } })).outcome).toBe(start.href)
      expect((yield* follow({ [start.href]: { status: 304, location: "/b" } })).outcome).toBe(start.href)
      expect((yield* follow({ [start.href]: { status: 200, location: "/b" } })).outcome).toBe(start.href)
    })
  )

  it.effect("that is not permitted is not asked for", () =>
    Effect.gen(function* () {
      const { asked, get } = scriptedFetch({ [start.href]: moved("/b"), "http://site.test/b": "never" })
      const error = yield* Effect.flip(followRedirects(start, get, () => Effect.fail("no" as const)))

      expect([error, asked]).toEqual(["no", [start.href]])
    })
  )
})
