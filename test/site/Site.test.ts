import { describe, expect, it } from "vitest"
import * as Site from "#site/Site"
import { get, origin, seen, sitemapPaths, textOf, walk } from "./walk.ts"

const site = Site.make({ seed: 1, revision: 1 })

/** The site as bytes, whole. */
const bytesOf = (edition: Parameters<typeof Site.make>[0]) => {
  const made = Site.make(edition)
  return new Map(Array.from(made.pages.keys(), (path) => [path, Buffer.from(get(made, path).body).toString("latin1")]))
}

describe("the site", () => {
  it("is the same to the byte for the same seed and revision", () => {
    expect(bytesOf({ seed: 7, revision: 3 })).toEqual(bytesOf({ seed: 7, revision: 3 }))
  })

  it("is another one for another seed", () => {
    const [one, other] = [bytesOf({ seed: 7, revision: 1 }), bytesOf({ seed: 8, revision: 1 })]
    expect(one.get("/council/law/1/1-203")).not.toBe(other.get("/council/law/1/1-203"))
    expect([...one.keys()].filter((path) => path.startsWith("/shop/p/"))).not.toEqual(
      [...other.keys()].filter((path) => path.startsWith("/shop/p/"))
    )
  })

  it("has every part in its size", () => {
    const count = (prefix: string) => [...site.pages.keys()].filter((path) => path.startsWith(prefix)).length
    expect({
      products: count("/shop/p/"),
      docs: count("/docs/v"),
      posts: count("/blog/20"),
      jobs: count("/jobs/j-"),
      sections: [...site.pages.keys()].filter((path) => /^\/council\/law\/\d\/\d-\d+$/.test(path)).length,
      languages: ["de", "fr", "ja", "ar"].map((lang) => count(`/${lang}/`)),
      pdfs: [...site.pages.keys()].filter((path) => path.endsWith(".pdf")).length
    }).toEqual({ products: 120, docs: 62, posts: 50, jobs: 30, sections: 30, languages: [4, 4, 4, 3], pdfs: 3 })
  })

  it("is found by a walk exactly as the truth says", () => {
    for (const revision of [1, 4]) {
      const made = Site.make({ seed: 1, revision })
      const truth = Array.from(made.truth.pages, ([path, one]) => {
        // A loop answers like any redirect; that it leads nowhere shows only to those who follow it.
        const kind = path.startsWith("/r/loop") ? "redirect" : one.kind
        return [path, { status: one.status, by: one.foundBy, kind }] as const
      })
      expect(new Map([...walk(made)].sort())).toEqual(new Map(truth.sort()))
    }
  })

  it("lists in its sitemaps only pages that answer, and each once", () => {
    const paths = sitemapPaths(site)
    expect(paths.length).toBe(new Set(paths).size)
    expect(paths.filter((path) => get(site, path).status !== 200)).toEqual([])
    expect(paths).toContain("/notes/unlinked")
  })

  it("answers under any origin with addresses of that origin", () => {
    const html = new TextDecoder().decode(
      site.respond({ method: "GET", path: "/lab/links", headers: {}, origin: "http://127.0.0.1:9" }).body
    )
    expect(html).toContain('<link rel="canonical" href="http://127.0.0.1:9/lab/links">')
    expect(html).not.toMatch(/\{\{|www\.127|northmere\.test/)
    expect(textOf(site, "/lab/links")).toContain('href="http://www.northmere.test:8080/about"')
  })

  it("says in JSON-LD what the truth says", () => {
    const products = [...site.truth.pages].filter(([path]) => path.startsWith("/shop/p/"))
    const read = products.map(([path]) => {
      const json = JSON.parse(
        /<script type="application\/ld\+json">(.*?)<\/script>/.exec(textOf(site, path))?.[1] ?? "null"
      )
      const { aggregateRating, name, offers, sku } = json
      return {
        name,
        sku,
        price: offers.price,
        currency: offers.priceCurrency,
        availability: offers.availability.slice("https://schema.org/".length),
        rating: aggregateRating.ratingValue,
        reviews: aggregateRating.reviewCount
      }
    })
    expect(read).toEqual(products.map(([, { facts }]) => ({ ...facts, title: undefined })))
    expect(new Set(read.map((one) => one.sku)).size).toBe(120)
    const jobs = [...site.truth.pages].filter(([path]) => path.startsWith("/jobs/j-"))
    for (const [path, { facts }] of jobs) {
      const json = JSON.parse(
        /<script type="application\/ld\+json">(.*?)<\/script>/.exec(textOf(site, path))?.[1] ?? "null"
      )
      expect([json.identifier.value, json.baseSalary.value.value]).toEqual([facts["reference"], facts["salary"]])
    }
  })

  it("can be read in every charset", () => {
    const decoded = (path: string, charset: string) =>
      new TextDecoder(charset, { fatal: true }).decode(get(site, path).body)
    for (const [path, charset] of [
      ["/fr/archives-1998.html", "windows-1252"],
      ["/ja/tayori.html", "shift_jis"],
      ["/de/brief-utf16.html", "utf-16le"]
    ] as const) {
      expect(decoded(path, charset)).toContain(String(site.truth.pages.get(path)?.facts["text"]))
    }
    expect(textOf(site, "/ar/")).toContain('<html lang="ar" dir="rtl">')
    expect(textOf(site, "/ja/")).toContain('<link rel="alternate" hreflang="de" href="http://northmere.test:8080/de/">')
  })

  it("has a page of more than a megabyte", () => {
    expect(get(site, "/lab/encyclopedia").body.length).toBeGreaterThan(1_048_576)
  })
})

describe("a revision", () => {
  it("has no changes to tell when it is the first", () => {
    expect(site.truth.changes.size).toBe(0)
  })

  it("changes what a reader sees exactly where the truth says so", () => {
    for (const revision of [2, 3, 9]) {
      const before = Site.make({ seed: 5, revision: revision - 1 })
      const after = Site.make({ seed: 5, revision })
      const changes = [...after.truth.changes]
      const pages = changes.filter(([path]) => after.pages.get(path)?.type.startsWith("text/html; charset=utf-8"))
      const looks = pages.filter(([, { status }]) => status === "same" || status === "changed")
      expect(
        looks.map(([path]) => [path, seen(textOf(before, path)) === seen(textOf(after, path)) ? "same" : "changed"])
      ).toEqual(looks.map(([path, { status }]) => [path, status]))
      const found = { before: walk(before), after: walk(after) }
      const readable = (paths: typeof found.before) =>
        [...paths].flatMap(([path, { kind }]) => (kind === "page" || kind === "file" ? [path] : []))
      const of = (status: string) => changes.flatMap(([path, one]) => (one.status === status ? [path] : [])).sort()
      expect(of("new")).toEqual(
        readable(found.after)
          .filter((path) => !readable(found.before).includes(path))
          .sort()
      )
      expect(of("removed")).toEqual(
        readable(found.before)
          .filter((path) => !readable(found.after).includes(path))
          .sort()
      )
      const statuses = new Set(changes.map(([, { status }]) => status))
      expect([...statuses].sort()).toEqual(["changed", "new", "removed", "same"])
    }
  })

  it("differs in noise on every page of HTML, also where nothing changed", () => {
    const next = Site.make({ seed: 1, revision: 2 })
    const same = [...next.truth.changes].flatMap(([path, { status }]) => (status === "same" ? [path] : []))
    const still = same.filter((path) => Buffer.from(get(site, path).body).equals(get(next, path).body))
    expect(still.filter((path) => path !== "/lab/truncated.html" && path !== "/r/moved.html")).toEqual([
      "/files/council-budget.pdf",
      "/files/sluice-commands.pdf"
    ])
  })

  it("dates what it changes, and nothing later than itself", () => {
    for (const [revision, day] of [
      [2, "2026-03-09"],
      [6, "2026-04-06"]
    ] as const) {
      const made = Site.make({ seed: 3, revision })
      const changed = [...made.truth.changes].filter(([, { status }]) => status === "changed" || status === "new")
      expect(changed.filter(([path]) => made.pages.get(path)?.modified !== day)).toEqual([])
      expect([...made.pages.values()].filter(({ modified }) => modified > day)).toEqual([])
    }
  })

  it("moves prices, and says which", () => {
    const before = Site.make({ seed: 1, revision: 1 })
    const after = Site.make({ seed: 1, revision: 2 })
    const moved = [...after.truth.changes].filter(([, { fields }]) => fields.includes("price"))
    expect(moved.length).toBeGreaterThan(0)
    for (const [path] of moved) {
      const price = (made: Site.Site) => made.truth.pages.get(path)?.facts["price"]
      expect(price(after)).not.toBe(price(before))
      expect(textOf(after, path)).toContain(`£${price(after)}<`)
    }
  })

  it("leaves most of the site in place, however high it is", () => {
    const made = Site.make({ seed: 1, revision: 200 })
    const products = [...made.pages.keys()].filter((path) => path.startsWith("/shop/p/")).length
    expect(products).toBe(60)
    expect(get(made, "/").status).toBe(200)
  })
})

describe("an answer", () => {
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    site.respond({ method, path, headers, origin })

  it("is 304 where the visitor has it already", () => {
    const { headers } = ask("/about")
    const etag = headers["etag"] ?? ""
    expect(ask("/about", { "if-none-match": `"x", ${etag}` })).toMatchObject({ status: 304, body: new Uint8Array() })
    expect(ask("/about", { "if-modified-since": headers["last-modified"] ?? "" }).status).toBe(304)
    expect(ask("/about", { "if-none-match": '"x"', "if-modified-since": headers["last-modified"] ?? "" }).status).toBe(
      200
    )
  })

  it("is gzipped only where that is asked for", () => {
    expect(ask("/about", { "accept-encoding": "br, gzip" }).headers["content-encoding"]).toBe("gzip")
    expect(ask("/about", { "accept-encoding": "gzip;q=0" }).headers["content-encoding"]).toBeUndefined()
    expect(ask("/files/price-list.pdf", { "accept-encoding": "gzip" }).headers["content-encoding"]).toBeUndefined()
  })

  it("has no body for HEAD, and the length that GET would have", () => {
    const head = ask("/about", {}, "HEAD")
    expect([head.body.length, head.headers["content-length"]]).toEqual([0, ask("/about").headers["content-length"]])
  })

  it("is 405 for what would change something, and 404 for what is not there", () => {
    expect(ask("/about", {}, "POST")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } })
    expect([ask("/nowhere").status, ask("/shop/c/lamps?page=99").status]).toEqual([404, 404])
  })

  it("does not mind a query that means nothing", () => {
    expect(ask("/about?utm_source=x").headers["etag"]).toBe(ask("/about").headers["etag"])
  })

  it("goes on without end under the calendar", () => {
    expect(textOf(site, "/calendar/?month=2031-12")).toContain("/calendar/?month=2032-01")
  })
})
