import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { searxng } from "#web/search/searxng"
import { type Answer, file, gate, redirect, scriptedSite } from "../../service/scriptedSite.ts"

const results = (...results: ReadonlyArray<unknown>) => file("application/json", JSON.stringify({ results }))

/** What a web search that answers so gives, or why it does not. */
const searched = Effect.fnUntraced(function* (answer: Answer, limit = 10) {
  const site = yield* scriptedSite({ "/search": answer })
  const found = yield* Effect.result(searxng(new URL(`http://127.0.0.1:${site.port}`), "ash lamp", limit))
  return { found: found._tag === "Success" ? found.success : found.failure.message, site }
})

describe("a web search", () => {
  it.live("is asked for JSON, and gives its results in their order, no more than are asked for", () =>
    Effect.gen(function* () {
      const { found, site } = yield* searched(
        results(
          { url: "http://a.test/", title: "A", content: "first" },
          { url: "http://b.test/", title: null },
          { url: "http://c.test/" }
        ),
        2
      )

      expect(found).toEqual([
        { url: "http://a.test/", title: "A", description: "first" },
        { url: "http://b.test/", title: "", description: "" }
      ])
      expect(site.requests).toEqual(["/search?q=ash+lamp&format=json"])
    })
  )

  it.live("gives no address that is none of the web, and no more than a few words of each", () =>
    Effect.gen(function* () {
      const long = "x".repeat(100_000)
      const { found } = yield* searched(
        results(
          { url: "javascript:alert(1)" },
          { url: "file:///etc/passwd" },
          { url: "/relative" },
          { url: "" },
          { url: " https://a.test/ ", title: long, content: long }
        )
      )

      expect(found).toEqual([{ url: "https://a.test/", title: "x".repeat(300), description: "x".repeat(1000) }])
    })
  )

  it.live("is asked for kinds and times, and tells when a page is from and where a picture is", () =>
    Effect.gen(function* () {
      const picture = { img_src: "http://a.test/a.png", resolution: "64x48", publishedDate: "2026-01-02T00:00:00Z" }
      const odd = { img_src: "javascript:alert(1)", resolution: "big", publishedDate: "soon" }
      const site = yield* scriptedSite({
        "/search": results({ url: "http://a.test/", ...picture }, { url: "http://b.test/", ...odd })
      })
      const base = new URL(`http://127.0.0.1:${site.port}`)
      const found = yield* searxng(base, "lamp", 10, { kind: "images", range: "week" })

      expect(found).toEqual([
        {
          url: "http://a.test/",
          title: "",
          description: "",
          publishedAt: Date.UTC(2026, 0, 2),
          image: { url: "http://a.test/a.png", width: 64, height: 48 }
        },
        { url: "http://b.test/", title: "", description: "" }
      ])
      expect(site.requests).toEqual(["/search?q=lamp&format=json&categories=images&time_range=week"])
    })
  )

  it.live("that fails, answers nonsense or leads elsewhere is told, and not followed", () =>
    Effect.gen(function* () {
      const elsewhere = yield* scriptedSite({ "/": results({ url: "http://a.test/" }) })
      const said = yield* Effect.forEach(
        [
          file("application/json", "{}", 403),
          file("text/html", "<html>"),
          file("application/json", '{"results":[{"title":"no url"}]}'),
          redirect(`http://127.0.0.1:${elsewhere.port}/`)
        ],
        (answer) => Effect.map(searched(answer), ({ found }) => String(found))
      )

      expect(said[0]).toContain("cannot be used: answers 403")
      expect(said[1]).toContain("did not answer with a list of results; enable its json format")
      expect(said[2]).toContain("did not answer with a list of results")
      expect(said[3]).toContain("cannot be used")
      expect(elsewhere.requests).toEqual([])
    })
  )

  it.live("that answers without end is not read to its end", () =>
    Effect.gen(function* () {
      const endless: Answer = (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const more = (): void => {
          while (!response.destroyed && response.write(" ".repeat(64 * 1024)));
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      }

      expect((yield* searched(endless)).found).toContain("its answer is longer than 4 MB")
    })
  )

  it.effect("is waited for 15 seconds", () =>
    Effect.gen(function* () {
      const held = gate("{}")
      const site = yield* scriptedSite({ "/search": held.answer })
      const asking = yield* Effect.forkChild(Effect.flip(searxng(new URL(`http://127.0.0.1:${site.port}`), "lamp", 10)))
      yield* held.reached
      yield* TestClock.adjust("15 seconds")

      expect((yield* Fiber.join(asking)).message).toContain("does not answer within 15 s")
      yield* held.left
    })
  )

  it.live("stands below any path, and its name and password go into a header and nowhere else", () =>
    Effect.gen(function* () {
      let sent: string | undefined
      const site = yield* scriptedSite({
        "/find/search": (request, response) => {
          sent = request.headers.authorization
          response.writeHead(500).end()
        }
      })
      const base = new URL(`http://me:s%40cret@127.0.0.1:${site.port}/find/`)
      const { message } = yield* Effect.flip(searxng(base, "lamp", 10))

      expect(sent).toBe(`Basic ${Buffer.from("me:s@cret").toString("base64")}`)
      expect(message).toBe(`the web search at http://127.0.0.1:${site.port} cannot be used: answers 500`)
    })
  )
})
