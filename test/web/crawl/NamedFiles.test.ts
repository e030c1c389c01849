import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { crawlSite } from "../../service/crawlSite.ts"
import { type Answer, file, page } from "../../service/scriptedSite.ts"
import { settle } from "./settledSite.ts"

const image = file("image/png", Buffer.alloc(200_000, 7))
const numbers = Array.from({ length: 30 }, (_, at) => at)

const routes: Record<string, Answer> = {
  "/": page(
    "home",
    "/wiki/Node.js",
    "/wiki/Vue.js",
    "/wiki/D3.js",
    "/wiki/File:Foo.jpg",
    "/vercel/next.js",
    "/cgi-bin/show.exe?id=1",
    "/man/ld.so",
    "/static/app.js",
    "/closed/a.zip",
    "/secret/x.png",
    "/a",
    ...numbers.map((at) => `/img/${at}.png`)
  ),
  "/wiki/Node.js": page("Node.js", "/wiki/Bun.js"),
  "/wiki/Bun.js": page("Bun.js"),
  "/wiki/Vue.js": page("Vue.js"),
  "/wiki/D3.js": page("D3.js"),
  "/wiki/File:Foo.jpg": page("File:Foo.jpg"),
  "/vercel/next.js": page("next.js"),
  "/cgi-bin/show.exe": page("show 1"),
  "/man/ld.so": page("ld.so"),
  "/static/app.js": file("text/javascript", "let a"),
  "/closed/a.zip": file("text/html", "no", 403),
  "/a": page("a"),
  ...Object.fromEntries(numbers.map((at) => [`/img/${at}.png`, image])),
  "/robots.txt": file("text/plain", "User-agent: *\nDisallow: /secret")
}

const pages = [
  "/",
  "/a",
  "/cgi-bin/show.exe?id=1",
  "/man/ld.so",
  "/vercel/next.js",
  "/wiki/Bun.js",
  "/wiki/D3.js",
  "/wiki/File:Foo.jpg",
  "/wiki/Node.js",
  "/wiki/Vue.js"
]

describe("a page that is named like a file", () => {
  it.live("is read where its folder answers pages, and files are counted and named without being read", () =>
    Effect.gen(function* () {
      const { errors, requests, status, urls } = yield* settle(routes)
      const asked = requests.filter((path) => path.startsWith("/img/"))
      const reasons = new Map(errors.map(({ error, path }) => [path, error]))

      expect(urls.toSorted()).toEqual(pages)
      expect(asked).toEqual(["/img/0.png", "/img/1.png"])
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["NOT_A_PAGE"]))
      expect(errors).toHaveLength(numbers.length + 2)
      expect(reasons.get("/img/29.png")).toBe("is a file and no page: image/png")
      expect(reasons.get("/static/app.js")).toBe("is a file and no page: text/javascript")
      expect(reasons.get("/closed/a.zip")).toBe("is a file and no page: HTTP 403")
      expect(requests).not.toContain("/secret/x.png")
      expect(status?.ledger).toMatchObject({ discovered: 43, scraped: 10, failed: 32, blocked: 1, left: 0 })
      expect(status?.creditsUsed).toBe(10)
    })
  )

  it.live("is read by a crawl of the service too, and no sample counts in its limit", () =>
    Effect.gen(function* () {
      const { paths, status } = yield* crawlSite(routes, { limit: 10 })

      expect(paths).toEqual(pages)
      expect(status.creditsUsed).toBe(10)
    })
  )

  it.live("is read where only a sitemap names it", () =>
    Effect.gen(function* () {
      const listed = ["/wiki/Node.js", "/wiki/File:Foo.jpg", "/img/0.png", "/img/1.png", "/img/2.png"]
      const locations = listed.map((path) => `<url><loc>http://site.test${path}</loc></url>`).join("")
      const { errors, urls } = yield* settle({
        ...routes,
        "/": page("home"),
        "/wiki/Node.js": page("Node.js"),
        "/sitemap.xml": file("application/xml", `<urlset>${locations}</urlset>`)
      })

      expect(urls.toSorted()).toEqual(["/", "/wiki/File:Foo.jpg", "/wiki/Node.js"])
      expect(errors.map(({ code, path }) => [path, code]).toSorted()).toEqual([
        ["/img/0.png", "NOT_A_PAGE"],
        ["/img/1.png", "NOT_A_PAGE"],
        ["/img/2.png", "NOT_A_PAGE"]
      ])
    })
  )

  it.live("is a file alone where its folder has pages", () =>
    Effect.gen(function* () {
      const { errors, urls } = yield* settle({
        "/": page("home", "/docs/a.js", "/docs/b.js", "/docs/c.js"),
        "/docs/a.js": page("a.js"),
        "/docs/b.js": page("b.js"),
        "/docs/c.js": file("image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]))
      })

      expect(urls.toSorted()).toEqual(["/", "/docs/a.js", "/docs/b.js"])
      expect(errors.map(({ code, path }) => [path, code])).toEqual([["/docs/c.js", "NOT_A_PAGE"]])
    })
  )

  it.live("needs no samples of every folder below one that holds files", () =>
    Effect.gen(function* () {
      const folders = Array.from({ length: 40 }, (_, at) => `/uploads/2026/${at}/a.jpg`)
      const { errors, requests } = yield* settle({
        "/": page("home", "/one", ...folders.slice(0, 10)),
        "/one": page("one", ...folders),
        ...Object.fromEntries(folders.map((path) => [path, file("image/jpeg", "x")]))
      })

      expect(errors).toHaveLength(40)
      expect(requests.filter((path) => path.startsWith("/uploads"))).toHaveLength(10)
    })
  )
})
