/** A site crawled again: what has not changed is not read again, and counts as being there. */
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Answer, page } from "../service/scriptedSite.ts"
import { sampleOf } from "../thoroughness.ts"
import { millrace, query, withSite, write } from "./millrace.ts"

/** A page with an ETag, which answers 304 to who has it. */
const tagged =
  (html: () => string): Answer =>
  (request, response) => {
    const etag = `"${createHash("sha256").update(html()).digest("hex").slice(0, 8)}"`
    const isKnown = request.headers["if-none-match"] === etag
    response.writeHead(isKnown ? 304 : 200, { "content-type": "text/html", etag })
    response.end(isKnown ? undefined : html())
  }

const untagged =
  (html: () => string): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/html" })
    response.end(html())
  }

const texts: Record<string, string> = {}
const reset = () => {
  for (const path of Object.keys(texts)) delete texts[path]
  Object.assign(texts, {
    "/": page("home", "/a", "/b"),
    "/a": page("a", "/", "/c"),
    "/b": page("b", "/"),
    "/c": page("c", "/d"),
    "/d": page("d", "/")
  })
}
reset()
const sitemap: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/xml" })
  const urls = Object.keys(texts).map(
    (path) => `<url><loc>http://site.test${path}</loc><lastmod>${lastmod}</lastmod></url>`
  )
  response.end(`<urlset>${urls.join("")}</urlset>`)
}
let lastmod = "2020-01-01"
const routes = (answering: typeof tagged): Record<string, Answer> => ({
  ...Object.fromEntries(Object.keys(texts).map((path) => [path, answering(() => texts[path] ?? "")])),
  "/e": answering(() => texts["/e"] ?? ""),
  "/sitemap.xml": sitemap
})

const source = (more = "") =>
  `source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] }${more} }`
const duckdb = (write: string) => `sinks: { db: { type: duckdb, path: ./out.duckdb, ${write} } }`

const with2 = (
  write2: string,
  use: (
    again: () => Promise<{ readonly asked: ReadonlyArray<string>; readonly said: any }>,
    folder: string
  ) => Promise<void>,
  more: { readonly source?: string; readonly lines?: ReadonlyArray<string>; readonly isPlain?: boolean } = {}
) =>
  withSite(routes(more.isPlain === true ? untagged : tagged), async ({ folder, resolve, site }) => {
    reset()
    write(folder, "site.yaml", source(more.source), duckdb(write2), ...(more.lines ?? []))
    const run = async () => {
      const before = site.requests.length
      const { code, stderr, stdout } = await millrace(folder, "run", "site.yaml", "--json", "--resolve", resolve)
      expect([0, 3], stderr).toContain(code)
      const asked = site.requests.slice(before).filter((path) => !/robots|sitemap/.test(path))
      return { asked, said: JSON.parse(stdout.trim().split("\n").at(-1) ?? "") }
    }
    const first = await run()
    expect(first.said).toMatchObject({ status: "done", accounting: { discovered: 5, loaded: 5 } })
    expect(first.said.accounting.revalidated).toBeUndefined()
    await use(run, folder)
  })

const rows = (folder: string, columns = "url, title") =>
  query(join(folder, "out.duckdb"), `SELECT ${columns} FROM pages ORDER BY ALL`)

describe("a page that has not changed", () => {
  it.each(sampleOf(["write: merge", "write: scd2, removed: close"], 1, (how) => how))(
    "is neither read nor written, and is there all the same: %s",
    (how) =>
      with2(how, async (again, folder) => {
        const before = await rows(folder, "url, title, markdown, _run_id")
        const second = await again()
        expect(second.said).toMatchObject({
          status: "done",
          rows: { pages: 0, page_links: 0 },
          credits: 0,
          accounting: { discovered: 5, loaded: 0, revalidated: 5, failed: 0 },
          whole: { expected: 5, present: 5, missing: 0 }
        })
        expect(second.asked.toSorted()).toEqual(["/", "/a", "/b", "/c", "/d"])
        expect(await rows(folder, "url, title, markdown, _run_id")).toEqual(before)

        // Its links are followed: /d is found by a page that was not read, and is another one now.
        texts["/d"] = page("d, anew", "/", "/e")
        texts["/e"] = page("e")
        const third = await again()
        expect(third.said.accounting).toMatchObject({ discovered: 6, loaded: 2, revalidated: 4, gone: 0 })
        texts["/b"] = page("b, anew")
        const fourth = await again()
        expect(fourth.said.accounting).toMatchObject({ loaded: 1, revalidated: 5 })
        const current = how.includes("scd2") ? "WHERE is_current" : ""
        const titles = await query(join(folder, "out.duckdb"), `SELECT title FROM pages ${current} ORDER BY url`)
        expect(titles.map(({ title }) => title)).toEqual(["home", "a", "b, anew", "c", "d, anew", "e"])
        const links = await query(join(folder, "out.duckdb"), "SELECT count(*)::INTEGER AS n FROM page_links")
        expect(links).toEqual([{ n: 7 }])
      })
  )

  it("is read where a destination needs every row, where the file says so, and with --full-refresh", async () => {
    for (const how of ["write: append", "write: replace"]) {
      await with2(how, async (again) => {
        expect((await again()).said.accounting).toMatchObject({ discovered: 5, loaded: 5 })
      })
    }
    await with2(
      "write: merge",
      async (again) => {
        expect((await again()).said.accounting).toMatchObject({ discovered: 5, loaded: 5 })
      },
      { source: ", revalidate: false" }
    )
  })

  it("is not read again where data of it is asked for, and the same rules would give it", async () => {
    const schema = "{ type: object, properties: { title: { type: string } } }"
    await with2("write: merge", async (again, folder) => {
      const asked = source().replace("links]", `links, { type: json, schema: ${schema} }]`)
      write(folder, "site.yaml", asked, duckdb("write: merge"))
      expect((await again()).said.accounting).toMatchObject({ loaded: 5 })
      expect((await again()).said.accounting).toMatchObject({ loaded: 0, revalidated: 5 })
      expect(await rows(folder, "json->>'title' AS title")).toHaveLength(5)
    })
  })

  it("is read again where rows are made otherwise than before", () =>
    with2("write: merge", async (again, folder) => {
      write(folder, "site.yaml", source(), duckdb("write: merge"), "steps: [{ derive: { size: len(markdown) } }]")
      expect((await again()).said.accounting).toMatchObject({ loaded: 5 })
      expect((await again()).said.accounting).toMatchObject({ revalidated: 5 })
    }))

  it("is read again where steps give its key another value, so no history of it is closed", () =>
    with2(
      "write: scd2, removed: close",
      async (again, folder) => {
        texts["/b"] = page("b, anew")
        expect((await again()).said.accounting).toMatchObject({ discovered: 5, loaded: 5 })
        const current = "FROM pages WHERE is_current"
        expect(await query(join(folder, "out.duckdb"), `SELECT title ${current} ORDER BY url`)).toEqual(
          ["home", "a", "b, anew", "c", "d"].map((title) => ({ title }))
        )
        const links = `SELECT count(*)::INTEGER AS n FROM page_links WHERE page_url IN (SELECT url ${current})`
        expect(await query(join(folder, "out.duckdb"), links)).toEqual([{ n: 6 }])
      },
      { lines: ["steps: [{ derive: { url: upper(url) } }]"] }
    ))

  it("counts in checks", () =>
    with2(
      "write: merge",
      async (again) => {
        const { said } = await again()
        expect(said).toMatchObject({ status: "done", accounting: { revalidated: 5 } })
        expect(said.checks.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, true, true, true])
      },
      {
        lines: [
          "checks: [{ rows: { min: 5, drop: 0% } }, { ok_status: 100% }, { whole: 0% }, { freshness: { column: _fetched_at, max: 1h } }]"
        ]
      }
    ))

  it("is not even asked for where the sitemap says that it is as it was", () =>
    with2(
      "write: merge",
      async (again) => {
        const second = await again()
        expect(second.said.accounting).toMatchObject({ discovered: 5, loaded: 0, revalidated: 5 })
        // The start may be asked for before the sitemap is read.
        expect(second.asked.filter((path) => path !== "/")).toEqual([])
        lastmod = new Date(Date.now() + 2 * 86_400_000).toISOString()
        const third = await again()
        lastmod = "2020-01-01"
        expect(third.asked.toSorted()).toEqual(["/", "/a", "/b", "/c", "/d"])
        expect(third.said.accounting).toMatchObject({ revalidated: 5 })
      },
      { source: ", revalidate: lastmod" }
    ))

  it("is not asked for before its time, also where its site has no ETag, and is there all the same", () =>
    with2(
      "write: merge",
      async (again, folder) => {
        texts["/b"] = page("b, anew")
        const second = await again()
        expect(second.asked).toEqual([])
        expect(second.said).toMatchObject({
          accounting: { discovered: 5, loaded: 0, revalidated: 5 },
          whole: { expected: 5, present: 5, missing: 0 }
        })
        write(
          folder,
          "site.yaml",
          source(", revalidate: { minInterval: 2 days, maxInterval: 1 day }"),
          duckdb("write: merge")
        )
        const { code, stderr } = await millrace(folder, "check", "site.yaml")
        expect(code).toBe(2)
        expect(stderr).toContain("a minInterval that is not longer than the maxInterval")
      },
      { source: ", revalidate: { maxInterval: 7 days }", isPlain: true }
    ))

  it("is asked for when its time has come, and what has changed is loaded", () =>
    with2(
      "write: merge",
      async (again, folder) => {
        texts["/b"] = page("b, anew")
        const second = await again()
        expect(second.asked.toSorted()).toEqual(["/", "/a", "/b", "/c", "/d"])
        expect(second.said.accounting).toMatchObject({ loaded: 1, revalidated: 4 })
        expect((await rows(folder)).map(({ title }) => title)).toContain("b, anew")
      },
      { source: ", revalidate: { minInterval: 0 s, maxInterval: 0 s }" }
    ))

  it("is known once, by what the last run has committed", () =>
    with2("write: merge", async (again, folder) => {
      const home = join(folder, ".millrace/pipelines/site")
      await again()
      const { said } = await again()
      const known = readdirSync(join(home, "known"))

      expect(known).toEqual([expect.stringMatching(new RegExp(`^${said.run_id}-[0-9a-f]{12}\\.zst$`))])
      expect(readdirSync(join(home, "runs", said.run_id)).toSorted()).toEqual([
        "answers.ndjson.zst",
        "blocks.zst",
        "run.json"
      ])
    }))
})
