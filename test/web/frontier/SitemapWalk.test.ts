import { gzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as SitemapWalk from "#web/SitemapWalk"
import { moved, type Said, scriptedFetch } from "../crawl/scriptedFetch.ts"

const at = (path: string) => `http://site.test${path}`
const index = (...paths: ReadonlyArray<string>) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${at(path)}</loc></sitemap>`).join("")}</sitemapindex>`
const urlset = (...paths: ReadonlyArray<string>) =>
  `<urlset>${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join("")}</urlset>`

const walk = (
  answers: Readonly<Record<string, Said>>,
  from: ReadonlyArray<string> = [at("/sitemap.xml")],
  isNamed = true
) => {
  const { asked, get } = scriptedFetch(answers)
  const found: Array<string> = []
  const problems: Array<string> = []
  return Effect.map(
    SitemapWalk.walk({
      from: from.map((url) => ({ url, isNamed })),
      get,
      found: (urls) => Effect.sync(() => void found.push(...urls)),
      problem: (message) => Effect.sync(() => void problems.push(message))
    }),
    () => ({ asked, found, problems })
  )
}

describe("a walk over sitemaps", () => {
  it.effect(
    "reads indexes of indexes, gzipped or redirected, each file once, and ends where they point in circles",
    () =>
      Effect.gen(function* () {
        const walked = yield* walk({
          [at("/sitemap.xml")]: index("/sitemap.xml", "/one.xml", "/two.xml.gz"),
          [at("/one.xml")]: index("/sitemap.xml", "/two.xml.gz", "/moved.xml"),
          [at("/two.xml.gz")]: gzipSync(urlset("/a", "/b")),
          [at("/moved.xml")]: moved("/new.xml"),
          [at("/new.xml")]: urlset("/c")
        })

        expect(walked).toEqual({
          asked: ["/sitemap.xml", "/one.xml", "/two.xml.gz", "/moved.xml", "/new.xml"].map(at),
          found: ["/a", "/b", "/c"].map(at),
          problems: []
        })
      })
  )

  it.effect(
    "takes a page, or nothing, for no news where nobody named a sitemap, and for a problem where somebody did",
    () =>
      Effect.gen(function* () {
        const pages = ["<!doctype html><html><body>Welcome</body></html>", "<title>Not found</title><p>Sorry"]
        for (const text of [...pages, "", "Not found", '{"error":"not found"}', "<error><code>404</code></error>"]) {
          const guessed = yield* walk({ [at("/sitemap.xml")]: text }, [at("/sitemap.xml")], false)
          const named = yield* walk({ [at("/sitemap.xml")]: text })

          expect(guessed).toMatchObject({ found: [], problems: [] })
          expect(named.problems).toHaveLength(1)
        }
        const broken = yield* walk({ [at("/sitemap.xml")]: "<urlset></urlset>" }, [at("/sitemap.xml")], false)
        expect(broken.problems).toEqual([expect.stringContaining("names no address")])
      })
  )

  it.effect(
    "tells at the end of all that could not be read: those that may be there, and those that are too many",
    () =>
      Effect.gen(function* () {
        const down: Said = { status: 503, text: "down" }
        const absent: Said = { status: 404 }
        const one = yield* walk({
          [at("/sitemap.xml")]: index("/a.xml", "/gone.xml", "/b.xml"),
          [at("/a.xml")]: urlset("/a"),
          [at("/b.xml")]: down,
          [at("/gone.xml")]: absent
        })
        const two = yield* walk({
          [at("/sitemap.xml")]: index("/a.xml", "/b.xml"),
          [at("/a.xml")]: { status: 403 },
          [at("/b.xml")]: down
        })
        const guessed = (said: Said) => walk({ [at("/sitemap.xml")]: said }, [at("/sitemap.xml")], false)
        const many = yield* walk({
          [at("/sitemap.xml")]: index(...Array.from({ length: 1003 }, (_, n) => `/${n}.xml`)),
          ...Object.fromEntries(Array.from({ length: 1003 }, (_, n) => [at(`/${n}.xml`), urlset(`/page${n}`)]))
        })

        expect(one).toMatchObject({ found: [at("/a")], problems: [`the sitemap ${at("/b.xml")} answered 503`] })
        expect(two.problems).toEqual([
          `2 sitemaps could not be read (${at("/a.xml")}, ${at("/b.xml")}): the first answered 403`
        ])
        expect((yield* guessed(down)).problems).toHaveLength(1)
        expect((yield* guessed({ status: 403 })).problems).toEqual([])
        expect(many.found).toHaveLength(999)
        expect(many.problems).toEqual([
          `4 sitemaps could not be read (${[999, 1000, 1001, 1002].map((n) => at(`/${n}.xml`)).join(", ")}): ` +
            "the first was not read: these are more than 1000"
        ])
      })
  )

  it.effect("keeps the cookie with which a site redirects everybody who comes without it", () =>
    Effect.gen(function* () {
      const found: Array<string> = []
      const problems: Array<string> = []
      const { get } = scriptedFetch({ [at("/sitemap.xml")]: urlset("/a") })
      yield* SitemapWalk.walk({
        from: [{ url: at("/sitemap.xml"), isNamed: true }],
        get: (url, options) =>
          options.headers?.["cookie"] === "in=1"
            ? get(url)
            : Effect.map(get(url), (fetched) => ({
                ...fetched,
                status: 302,
                location: at("/sitemap.xml"),
                cookies: ["in=1; Path=/"]
              })),
        found: (urls) => Effect.sync(() => void found.push(...urls)),
        problem: (message) => Effect.sync(() => void problems.push(message))
      })

      expect({ found, problems }).toEqual({ found: [at("/a")], problems: [] })
    })
  )

  it.effect("takes a sitemap that is not there for no news", () =>
    Effect.gen(function* () {
      const walked = yield* walk({
        [at("/sitemap.xml")]: { status: 404, text: urlset("/never") },
        [at("/gone.xml")]: { status: 410 }
      })

      expect(walked).toMatchObject({ found: [], problems: [] })
    })
  )

  it.effect("says which sitemap cannot be had or read, and reads the others", () =>
    Effect.gen(function* () {
      const walked = yield* walk(
        {
          [at("/down.xml")]: { fails: "SCRAPE_CONNECTION_ERROR" },
          [at("/loop.xml")]: moved("/loop.xml"),
          [at("/page.xml")]: "<html><body>no sitemap</body></html>",
          [at("/noise.xml")]: new Uint8Array([0xff, 0xfe, 0x00, 0x12, 0x99, 0x80]),
          [at("/empty.xml")]: "",
          [at("/broken.xml.gz")]: new Uint8Array([0x1f, 0x8b, 1, 2, 3]),
          [at("/half.xml")]: urlset("/a").slice(0, -15),
          [at("/good.xml")]: urlset("/b")
        },
        ["down.xml", "loop.xml", "page.xml", "noise.xml", "empty.xml", "broken.xml.gz", "half.xml", "good.xml"].map(
          (name) => at(`/${name}`)
        )
      )

      expect(walked.found).toContain(at("/b"))
      const [problem = ""] = walked.problems
      expect(Array.from(problem.matchAll(/http:\/\/site\.test\/([a-z]+)/g), ([, name]) => name)).toEqual(
        expect.arrayContaining(["down", "loop", "page", "noise", "empty", "broken"])
      )
    })
  )

  it.effect("reads a thousand files at most", () =>
    Effect.gen(function* () {
      const answers: Record<string, Said> = {}
      for (let file = 0; file < 1100; file++) answers[at(`/${file}.xml`)] = index(`/${file + 1}.xml`)
      const { asked } = yield* walk(answers, [at("/0.xml")])

      expect(asked).toHaveLength(1000)
    })
  )

  it.effect("tries the places of the programs of many sites, if there is no sitemap at the usual ones", () =>
    Effect.gen(function* () {
      const walkFrom = (answers: Readonly<Record<string, Said>>) => {
        const { asked, get } = scriptedFetch(answers)
        const found: Array<string> = []
        return Effect.map(
          SitemapWalk.walk({
            from: SitemapWalk.candidates(new URL(at("/")), []),
            get,
            found: (urls) => Effect.sync(() => void found.push(...urls)),
            problem: (message) => Effect.die(new Error(message))
          }),
          () => ({ asked, found })
        )
      }
      const usual = yield* walkFrom({ [at("/sitemap.xml")]: urlset("/a") })
      const other = yield* walkFrom({ [at("/wp-sitemap.xml")]: index("/one.xml"), [at("/one.xml")]: urlset("/b") })

      expect(usual).toEqual({ asked: [at("/sitemap.xml")], found: [at("/a")] })
      expect(other).toEqual({
        asked: ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/one.xml"].map(at),
        found: [at("/b")]
      })
    })
  )

  it.effect("ignores addresses that are none", () =>
    Effect.gen(function* () {
      const loc = (text: string) => `<url><loc>${text}</loc></url>`
      const walked = yield* walk({
        [at("/sitemap.xml")]:
          `<urlset>${["javascript:1", "", "file:///etc/passwd", " /rel ", "http://["].map(loc).join("")}</urlset>`
      })

      expect(walked.found).toEqual([at("/rel")])
    })
  )
})

describe("the candidates", () => {
  const lastPlaces = ["/sitemap_index.xml", "/wp-sitemap.xml"].map((path) => ({
    url: at(path),
    isNamed: false,
    isLast: true
  }))

  it("are those of robots.txt, then the start's folder, then the root, each once", () => {
    expect(SitemapWalk.candidates(new URL("http://site.test/docs/a"), [at("/maps.xml")])).toEqual([
      { url: at("/maps.xml"), isNamed: true },
      { url: at("/docs/sitemap.xml"), isNamed: false },
      { url: at("/sitemap.xml"), isNamed: false },
      ...lastPlaces
    ])
    expect(SitemapWalk.candidates(new URL("http://site.test/"), [at("/sitemap.xml")])).toEqual([
      { url: at("/sitemap.xml"), isNamed: true },
      ...lastPlaces
    ])
  })
})
