import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { file, page, redirect } from "../service/scriptedSite.ts"
import { timesOf } from "../thoroughness.ts"
import { byDice, type Order, orderedSite } from "../web/crawl/settledSite.ts"
import { inFolder, millrace, query, write } from "./millrace.ts"

const origin = "http://site.test"
const twin = page("docs", "/a", "/b?utm_source=docs")

/** A site whose start page and sitemap race for the spelling of a folder, and whose bytes differ each time. */
const site = {
  "/": page("home", "/docs/", "/old", "/b", "/docs/default.html"),
  "/sitemap.xml": file("application/xml", `<urlset><url><loc>${origin}/docs/index.html</loc></url></urlset>`),
  "/docs/": twin,
  "/docs/index.html": twin,
  "/docs/default.html": page("default", "/a#/one", "/a#/two"),
  "/old": redirect("/a"),
  "/a": page("a", "/b", "/docs/index.html"),
  "/b": page("b", "/a").replace("<html", `<html prefix="og: https://ogp.me/ns#"`)
}

const ofSite = (order: () => Order, use: (folder: string, resolve: string) => Promise<void>) =>
  inFolder((folder) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(
          orderedSite(site, (waiting) => order()(waiting)),
          ({ port }) => Effect.promise(() => use(folder, `site.test=127.0.0.1:${port}`))
        )
      )
    )
  )

const pipeline = (write: string) => [
  "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
  `sinks: { db: { type: duckdb, path: ./out.duckdb, ${write} } }`
]

const runs = timesOf(4, 10, 10)

describe("one page is one row", () => {
  it(`in ${runs} runs of an unchanged site, whatever the order of its answers: a history has no false version`, () => {
    let run = 0
    return ofSite(
      () => byDice(run),
      async (folder, resolve) => {
        const name = write(folder, "site.yaml", ...pipeline("write: scd2, removed: close"))
        for (run = 1; run <= runs; run++) {
          const { code, stderr } = await millrace(folder, "run", name, "--json", "--resolve", resolve)
          expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" })
        }
        const sql = `SELECT replace(url, '${origin}', '') AS path, count(*)::INT AS versions,
          bool_and(is_current) AS is_current FROM pages GROUP BY 1 ORDER BY 1`

        expect(await query(join(folder, "out.duckdb"), sql)).toEqual(
          ["/", "/a", "/b", "/docs/", "/docs/default.html"].map((path) => ({ path, versions: 1, is_current: true }))
        )
      }
    )
  })

  it("and says how near it is, what led there, and what the site said of it", () =>
    ofSite(
      () => byDice(3),
      async (folder, resolve) => {
        const name = write(folder, "site.yaml", ...pipeline("write: merge"))
        const { code, stdout } = await millrace(folder, "run", name, "--json", "--resolve", resolve)
        const sql = `SELECT replace(url, '${origin}', '') AS path, replace(source_url, '${origin}', '') AS source, depth::INT AS depth,
          replace(discovered_from, '${origin}', '') AS origin, length(content_hash)::INT AS hash, elapsed_ms >= 0 AS timed,
          metadata->>'depth' AS told FROM pages ORDER BY url`
        const row = (path: string, source: string, depth: number, from: string | null) => ({
          path,
          source,
          depth,
          origin: from,
          hash: 64,
          timed: true,
          told: String(depth)
        })

        expect(code).toBe(0)
        expect(JSON.parse(stdout)).toMatchObject({ accounting: { discovered: 5, loaded: 5 } })
        expect(await query(join(folder, "out.duckdb"), sql)).toEqual([
          row("/", "/", 0, null),
          row("/a", "/a", 1, "/"),
          row("/b", "/b", 1, "/"),
          row("/docs/", "/docs/", 0, null),
          row("/docs/default.html", "/docs/default.html", 1, "/")
        ])
      }
    ))
})
