/** A manual crawled again: its pages are read by the theme of its host, which the run before has learned. */
import { createHash } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import { contentVersion } from "#page/contentVersion"
import type { Answer } from "../service/scriptedSite.ts"
import { millrace, query, withSite, write } from "./millrace.ts"

const nouns = "wheel roof door stone race sluice hopper spout axle gear brake chain".split(" ")
const links = (about: string, count: number) =>
  Array.from({ length: count }, (_, i) => `<li><a href="#${i}">More of the ${about} in chapter ${i}</a></li>`).join("")
const chapter = (about: string) =>
  `<p>The ${about} of the mill is set with the small key. Call <code>mill.set()</code> with the ${about} to change it.</p>
<pre>import mill
mill.set("${about}", by=3)
mill.oil("${about}")</pre>
<div class="sidebar"><p>Never touch the ${about} while the mill is turning, as every edge of the ${about} is sharp.</p></div>
<h2>Parameters</h2><dl><dt><code>${about}</code></dt><dd>The ${about} to set, which must be clean, dry and without load.</dd>
<dt><code>by</code></dt><dd>By how many teeth the ${about} is moved; a negative number moves it back again.</dd></dl>
<h2>Example</h2><pre>for each in mill.parts("${about}"):
    each.check()</pre>
<p>Every spring the ${about} is oiled, and it is then good for another year. A dry ${about} is heard from afar.</p>
<p>The function raises <code>MillError</code> if the ${about} is under load, and returns the new position of the ${about} otherwise.</p>`
const page = (
  about: string,
  text = chapter(about)
) => `<html><head><title>The ${about} - Mill 3.1 documentation</title></head><body>
<div class="related"><ul>${nouns.map((noun) => `<li><a href="/docs/${noun}.html">The ${noun}</a></li>`).join("")}<li><a href="/docs/bell.html">The bell</a></li></ul></div>
<div class="side"><h3>Contents</h3><ul>${links(about, 12)}</ul></div>
<div class="text"><h1>The ${about}</h1>${text}</div>
<div class="foot"><p>Printed by the millers of the valley</p><p>Made with Grinder 2</p></div></body></html>`

/** Answers 304 to who has the page. */
const tagged =
  (html: () => string): Answer =>
  (request, response) => {
    const etag = `"${createHash("sha256").update(html()).digest("hex").slice(0, 8)}"`
    const isKnown = request.headers["if-none-match"] === etag
    response.writeHead(isKnown ? 304 : 200, { "content-type": "text/html", etag })
    response.end(isKnown ? undefined : html())
  }

const short = "<p>The bell rings when no grain is left.</p>"

/** Runs the pipeline over the manual as often as it is called. `texts`: what changes on the site. */
const withManual = (
  use: (at: {
    readonly folder: string
    readonly texts: Record<string, string>
    readonly run: () => Promise<any>
  }) => Promise<void>,
  more = ""
) => {
  const texts: Record<string, string> = Object.fromEntries(nouns.map((noun) => [noun, page(noun)]))
  texts["bell"] = page("bell", short)
  const routes = Object.fromEntries(
    Object.keys(texts).map((noun) => [`/docs/${noun}.html`, tagged(() => texts[noun] ?? "")])
  )
  return withSite(routes, async ({ folder, resolve }) => {
    const source = `source: { type: crawl, url: "http://site.test/docs/wheel.html", crawlEntireDomain: true${more} }`
    write(
      folder,
      "site.yaml",
      source,
      "sinks: { db: { type: duckdb, path: ./out.duckdb, write: scd2, removed: close } }"
    )
    const run = async () => {
      const { code, stderr, stdout } = await millrace(folder, "run", "site.yaml", "--json", "--resolve", resolve)
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "").sinks.db.tables.pages
    }
    await use({ folder, texts, run })
  })
}

const rows = (folder: string, columns: string) =>
  query(join(folder, "out.duckdb"), `SELECT ${columns} FROM pages WHERE is_current ORDER BY url`)
const bellOf = async (folder: string) =>
  (await query(join(folder, "out.duckdb"), "SELECT markdown FROM pages WHERE is_current AND url LIKE '%bell%'"))[0]

it("reads a manual by its theme from the second run on, without a version of any page", () =>
  withManual(async ({ folder, run, texts }) => {
    expect(await run()).toMatchObject({ received: 13, written: 13 })
    const first = await rows(folder, "content_version::BIGINT::VARCHAR AS version")
    expect(new Set(first.map(({ version }) => version))).toEqual(new Set([String(contentVersion)]))
    expect((await bellOf(folder))?.["markdown"]).not.toBe("# The bell\n\nThe bell rings when no grain is left.")

    expect(await run()).toMatchObject({ received: 13, written: 0, unchanged: 13 })
    expect((await bellOf(folder))?.["markdown"]).toBe("# The bell\n\nThe bell rings when no grain is left.")
    expect(await rows(folder, "url")).toHaveLength(13)

    expect(await run()).toMatchObject({ received: 0, written: 0 })
    texts["bell"] = page("bell", "<p>The bell is silent since the storm.</p>")
    expect(await run()).toMatchObject({ received: 1, written: 1 })
    expect((await bellOf(folder))?.["markdown"]).toBe("# The bell\n\nThe bell is silent since the storm.")
    const versions = await query(join(folder, "out.duckdb"), "SELECT count(*)::INTEGER AS n FROM pages")
    expect(versions).toEqual([{ n: 14 }])
  }))

it("sees a change of a page between the first run and the theme", () =>
  withManual(async ({ folder, run, texts }) => {
    await run()
    texts["bell"] = page("bell", "<p>The bell is silent since the storm, which came at night.</p>")
    texts["wheel"] = page("wheel", `${chapter("wheel")}<p>The old wheel is in the yard.</p>`)

    expect(await run()).toMatchObject({ received: 13, written: 2, unchanged: 11 })
    expect(await run()).toMatchObject({ received: 2, written: 0, unchanged: 2 })
    expect((await bellOf(folder))?.["markdown"]).toBe(
      "# The bell\n\nThe bell is silent since the storm, which came at night."
    )
    expect(await run()).toMatchObject({ received: 0, written: 0 })
  }))

it("reads by a theme that it has used also where nothing is known of the last pages, so that a change is a version", () =>
  withManual(async ({ folder, run, texts }) => {
    await run()
    await run()
    rmSync(join(folder, ".millrace"), { recursive: true })
    texts["bell"] = page("bell", "<p>The bell is silent since the storm.</p>")

    expect(await run()).toMatchObject({ received: 13, written: 1, unchanged: 12 })
    expect((await bellOf(folder))?.["markdown"]).toBe("# The bell\n\nThe bell is silent since the storm.")
    expect(await run()).toMatchObject({ received: 0, written: 0 })
  }))

it("uses no theme before it is known what pages said without it", () =>
  withManual(async ({ folder, run, texts }) => {
    await run()
    rmSync(join(folder, ".millrace"), { recursive: true })
    texts["bell"] = page("bell", `${chapter("bell")}<p>It is silent since the storm.</p>`)

    expect(await run()).toMatchObject({ received: 13, written: 1, unchanged: 12 })
    expect(await run()).toMatchObject({ received: 13, written: 0, unchanged: 13 })
  }))

it("gives the same rows whichever page is read first", async () => {
  const states: Array<unknown> = []
  for (const concurrency of [1, 8])
    await withManual(async ({ folder, run }) => {
      await run()
      await run()
      states.push(await rows(folder, "url, markdown, content_version::VARCHAR AS version"))
    }, `, maxConcurrency: ${concurrency}`)

  expect(states[1]).toEqual(states[0])
})

it("learns the theme of a site that an earlier version has crawled, though its pages have not changed", () =>
  withManual(async ({ folder, run }) => {
    await run()
    const instance = await DuckDBInstance.create(join(folder, "out.duckdb"))
    const connection = await instance.connect()
    await connection.run("UPDATE _millrace_state SET state = json_merge_patch(state, '{\"themes\": null}')")
    connection.closeSync()
    instance.closeSync()

    expect(await run()).toMatchObject({ received: 13, written: 0, unchanged: 13 })
    expect((await bellOf(folder))?.["markdown"]).not.toBe("# The bell\n\nThe bell rings when no grain is left.")
    expect(await run()).toMatchObject({ received: 13, written: 0, unchanged: 13 })
    expect((await bellOf(folder))?.["markdown"]).toBe("# The bell\n\nThe bell rings when no grain is left.")
  }))
