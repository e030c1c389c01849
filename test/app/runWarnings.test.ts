import { afterEach, expect, it, vi } from "vitest"
import { chromiumPath } from "#web/chromiumPath"
import { file, page } from "../service/scriptedSite.ts"
import { millrace, query, queryLake, withSite, write } from "./millrace.ts"

afterEach(() => void vi.unstubAllEnvs())

const shell = file("text/html", '<title>App</title><script src="/app.js"></script><div id="root"></div>')

it("a run says what the service warns of pages that are rows all the same: once, how often, and where first", () =>
  withSite(
    { "/": page("home", "/one", "/two", "/three"), "/one": shell, "/two": shell, "/three": page("three") },
    async ({ folder, resolve }) => {
      const name = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, maxConcurrency: 1 }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      vi.stubEnv("PLAYWRIGHT_CHROMIUM", "/nowhere")
      const run = (...flags: ReadonlyArray<string>) => millrace(folder, "run", name, "--resolve", resolve, ...flags)

      const told = await run()
      const json = await run("--json")

      expect(told.code).toBe(0)
      const warning = told.stdout.split("\n").filter((line) => line.startsWith("site: warning: "))
      expect(warning).toEqual([
        expect.stringMatching(
          /^site: warning: the page is an empty shell that scripts fill; .* \(2 times, first http:\/\/site\.test\/one\)$/
        )
      ])
      expect(JSON.parse(json.stdout)).toMatchObject({
        status: "done",
        notice: "partial",
        warnings: [{ count: 2, first: "http://site.test/one" }]
      })
    }
  ))

const chromium = chromiumPath()

it.skipIf(chromium === undefined)(
  "a page that says little keeps the text that a browser has shown, in every later run without a browser",
  () => {
    const little = file("text/html", '<title>App</title><p>Our shop</p><script src="/app.js"></script>')
    const app = file("text/javascript", 'document.querySelector("p").textContent = "Twelve chairs, from 40 euros"')
    return withSite({ "/": page("home", "/shop"), "/shop": little, "/app.js": app }, async ({ folder, resolve }) => {
      const name = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, sitemap: skip }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      const run = async (...flags: ReadonlyArray<string>) => {
        const { code, stdout } = await millrace(folder, "run", name, "--resolve", resolve, "--json", ...flags)
        const [row] = await query(`${folder}/out.duckdb`, "SELECT markdown FROM pages WHERE url LIKE '%shop'")
        return { code, notice: JSON.parse(stdout).notice, text: String(row?.["markdown"]).trim() }
      }

      vi.stubEnv("PLAYWRIGHT_CHROMIUM", chromium)
      const shown = await run()
      vi.stubEnv("PLAYWRIGHT_CHROMIUM", "/nowhere")
      const later = [await run(), await run("--full-refresh"), await run()]

      const text = "Twelve chairs, from 40 euros"
      expect([shown, ...later]).toEqual([
        { code: 0, notice: undefined, text },
        { code: 0, notice: "partial", text },
        { code: 0, notice: "partial", text },
        { code: 0, notice: "partial", text }
      ])
      const errors = await query(`${folder}/out.duckdb`, "SELECT DISTINCT code, error FROM crawl_errors")
      expect(errors).toEqual([
        { code: "SCRAPE_BROWSER_UNAVAILABLE", error: expect.stringContaining("a browser has shown before") }
      ])
    })
  }
)

it("a page that no browser has shown keeps its stored row, is an error, and has a row without a text where none is stored", () => {
  const paged = { "/": page("home", "/one", "/two"), "/one": page("one"), "/two": page("two") }
  return withSite({ ...paged }, async ({ folder, resolve, site }) => {
    const name = write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/, sitemap: skip }",
      "sinks:",
      "  merged: { type: duckdb, path: ./merged.duckdb }",
      "  history: { type: duckdb, path: ./history.duckdb, write: scd2 }",
      "  replaced: { type: duckdb, path: ./replaced.duckdb, write: replace }",
      "  added: { type: duckdb, path: ./added.duckdb, write: append }",
      "  lake: { type: parquet, path: ./lake, write: merge }",
      "  files: { type: file, path: ./files, format: jsonl }"
    )
    vi.stubEnv("PLAYWRIGHT_CHROMIUM", "/nowhere")
    const run = () => millrace(folder, "run", name, "--resolve", resolve, "--json")
    const texts = "SELECT replace(url, 'http://site.test', '') AS url, markdown IS NOT NULL AS has_text FROM"
    const stored = async () => [
      await query(`${folder}/merged.duckdb`, `${texts} pages ORDER BY url`),
      await query(`${folder}/history.duckdb`, `${texts} pages WHERE valid_to IS NULL ORDER BY url`),
      await query(`${folder}/replaced.duckdb`, `${texts} pages ORDER BY url`),
      await queryLake(`${folder}/lake`, "pages", `${texts} lake ORDER BY url`),
      await query(":memory:", `${texts} read_json('${folder}/files/pages.jsonl') ORDER BY url`)
    ]
    const text = (url: string) => ({ url, has_text: true })
    const none = (url: string) => ({ url, has_text: false })

    const first = await run()
    site.routes["/two"] = shell
    site.routes["/three"] = shell
    site.routes["/"] = page("home", "/one", "/two", "/three")
    const second = await run()
    const third = await run()

    expect([first, second, third].map(({ code }) => code)).toEqual([0, 0, 0])
    const reports = [first, second, third].map(({ stdout }) => JSON.parse(stdout))
    expect(reports.map(({ notice }) => notice)).toEqual([undefined, "partial", "partial"])
    expect(reports[1].accounting).toMatchObject({ discovered: 4, loaded: 2, failed: 2 })
    const all = [text("/"), text("/one"), none("/three"), text("/two")]
    expect(await stored()).toEqual([all, all, all, all, all])
    const added = await query(
      `${folder}/added.duckdb`,
      "SELECT url FROM pages WHERE url SIMILAR TO '.*(two|three)' ORDER BY url DESC"
    )
    expect(added).toEqual([{ url: "http://site.test/two" }, { url: "http://site.test/three" }])
    const errors = await query(
      `${folder}/merged.duckdb`,
      "SELECT DISTINCT url, code, error FROM crawl_errors ORDER BY url"
    )
    const why = { code: "SCRAPE_BROWSER_UNAVAILABLE", error: expect.stringContaining("npm install playwright-core") }
    expect(errors).toEqual([
      { url: "http://site.test/three", ...why },
      { url: "http://site.test/two", ...why }
    ])

    site.routes["/three"] = page("three")
    await run()
    const read = [text("/"), text("/one"), text("/three"), text("/two")]
    const [merged] = await stored()
    expect(merged).toEqual(read)
  })
})
