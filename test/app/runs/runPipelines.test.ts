import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { gate, page } from "../../service/scriptedSite.ts"
import { millrace, query, queryLake, start, statuses, withSite, write } from "../millrace.ts"

const three = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }
const source = "source: { type: crawl, url: http://site.test/ }"

/** How far each run came, by the journal alone: the oldest first. */
const journaled = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await millrace(folder, "journal", "list", "--json")
  // After the runs, what else a pipeline keeps.
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return lines.flatMap(({ run_id: run, status }): ReadonlyArray<string> => (run === undefined ? [] : [status]))
}

describe("two runs of one pipeline at once", () => {
  it("are refused: the second ends with 1 and is told which process has it, and the first goes on", () => {
    const held = gate(page("a"))
    return withSite({ ...three, "/a": held.answer }, async ({ folder, resolve, site }) => {
      const file = write(folder, "site.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
      const first = start(folder, "run", file, "--resolve", resolve)
      await Effect.runPromise(held.reached)
      const asked = site.requests.length

      const second = await millrace(folder, "run", file, "--resolve", resolve)
      await Effect.runPromise(held.open)
      const { code } = await first.ended

      expect([second.code, second.stdout]).toEqual([1, ""])
      expect(second.stderr).toContain(`site is being run by process ${first.process.pid}; wait until it ends`)
      expect(asked).toBeGreaterThan(0)
      expect(code).toBe(0)
      expect(site.requests.filter((path) => path === "/a")).toHaveLength(1)
      expect(await query(join(folder, "out.duckdb"), "SELECT count(*) AS n FROM crawl_jobs")).toEqual([{ n: "1" }])
      expect(await statuses(folder, file)).toEqual(["done"])
    })
  })
})

describe("a sink that cannot be opened", () => {
  it("does not keep the others from their rows, and is brought up from the journal by the next run", () => {
    const routes: Record<string, string> = { ...three }
    return withSite(routes, async ({ folder, resolve, site }) => {
      const file = write(
        folder,
        "site.yaml",
        source,
        "sinks:",
        "  db: { type: duckdb, path: ./out.duckdb }",
        "  log: { type: duckdb, path: ./log.duckdb, write: append }"
      )
      mkdirSync(join(folder, "log.duckdb"))
      const titles = "SELECT title, _run_id FROM pages WHERE url LIKE '%/a' ORDER BY _run_id"

      const first = await millrace(folder, "run", file, "--resolve", resolve)
      const between = await query(join(folder, "out.duckdb"), titles)
      const behind = await journaled(folder)
      rmdirSync(join(folder, "log.duckdb"))
      routes["/a"] = page("a, newer")
      const second = await millrace(folder, "run", file, "--resolve", resolve)

      expect(first.code).toBe(1)
      expect(first.stdout).toMatch(/^site: partly done in /)
      expect(first.stderr).toMatch(/^site: sink log is behind: .*log\.duckdb/)
      expect(first.stderr).toContain("\nsite: the next run loads from the journal what is missing there\n")
      const run = /run (\S+)\)/.exec(first.stdout)?.[1]
      expect(between).toEqual([{ title: "a", _run_id: run }])
      expect(behind).toEqual(["behind"])

      expect(second.code).toBe(0)
      expect(second.stdout).toContain(`site: before it, a sink that was behind loaded run ${run} from the journal\n`)
      const later = /run (\S+)\)/.exec(second.stdout)?.[1]
      expect(await query(join(folder, "log.duckdb"), titles)).toEqual([
        { title: "a", _run_id: run },
        { title: "a, newer", _run_id: later }
      ])
      expect(await query(join(folder, "out.duckdb"), titles)).toEqual([{ title: "a, newer", _run_id: later }])
      expect(site.requests.filter((path) => path === "/a")).toHaveLength(2)
      expect(await statuses(folder, file)).toEqual(["done", "done"])
    })
  })

  it("that is still broken stays behind, run after run, and gets them all in their order once it is mended", () =>
    withSite(three, async ({ folder, resolve, site }) => {
      const file = write(
        folder,
        "site.yaml",
        source,
        "sinks:",
        "  log: { type: duckdb, path: ./log.duckdb, write: append }",
        "  db: { type: duckdb, path: ./out.duckdb, write: append }"
      )
      mkdirSync(join(folder, "log.duckdb"))

      const ends = [
        await millrace(folder, "run", file, "--resolve", resolve),
        await millrace(folder, "run", file, "--resolve", resolve)
      ]
      const behind = await journaled(folder)
      rmdirSync(join(folder, "log.duckdb"))
      const mended = await millrace(folder, "run", file, "--json", "--resolve", resolve)

      expect(ends.map(({ code }) => code)).toEqual([1, 1])
      expect(behind).toEqual(["behind", "behind"])
      expect(mended.code).toBe(0)
      expect(JSON.parse(mended.stdout).caught_up).toHaveLength(2)
      const jobs = "SELECT job_id, _run_id FROM crawl_jobs"
      const both = [await query(join(folder, "log.duckdb"), jobs), await query(join(folder, "out.duckdb"), jobs)]
      expect(both[0]).toHaveLength(3)
      expect(both[0]).toEqual(both[1])
      expect(site.requests.filter((path) => path === "/a")).toHaveLength(3)
    }))

  it("is all there is: the run fails before anything is asked", () =>
    withSite(three, async ({ folder, resolve, site }) => {
      const file = write(folder, "site.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
      mkdirSync(join(folder, "out.duckdb"))

      const { code, stderr } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(1)
      expect(stderr).toContain("site: the run failed, nothing was committed: ")
      expect(site.requests).toEqual([])
    }))
})

describe("steps", () => {
  it("change what both sinks get: where, derive, rename, drop and mask", () => {
    const about =
      '<html><head><title>a</title><meta name="description" content="secret"></head><body>one two</body></html>'
    return withSite({ "/": page("home", "/a", "/gone"), "/a": about }, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        source,
        "steps:",
        "  - where: status_code = 200",
        '  - derive: { words: "len(string_split(trim(markdown), \' \'))", status_code: "status_code + 1000" }',
        "  - rename: { markdown: body, url: address }",
        "  - drop: [html, raw_html, metadata]",
        "  - mask: { title: hash, description: redact, scrape_id: remove }",
        "    salt: pepper",
        "sinks:",
        "  db: { type: duckdb, path: ./out.duckdb }",
        "  lake: { type: parquet, path: ./lake }"
      )

      const { code, stdout } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(stdout).toContain("discovered 3 = 3 loaded + 0 failed + 0 blocked; steps removed 1 of the loaded rows\n")
      const hash = (text: string) => createHash("sha256").update(`pepper${text}`).digest("hex")
      const sql = "SELECT address, status_code, title, description, scrape_id, words, body LIKE '%two%' AS two FROM"
      const expected = [
        {
          address: "http://site.test/",
          status_code: "1200",
          title: hash("home"),
          description: null,
          scrape_id: null,
          two: false
        },
        {
          address: "http://site.test/a",
          status_code: "1200",
          title: hash("a"),
          description: "***",
          scrape_id: null,
          words: "2",
          two: true
        }
      ]
      const inDatabase = await query(join(folder, "out.duckdb"), `${sql} pages ORDER BY address`)
      const inLake = await queryLake(join(folder, "lake"), "pages", `${sql} lake ORDER BY address`)
      expect(inDatabase).toMatchObject(expected)
      expect(inLake).toEqual(inDatabase)
      const columns = await query(join(folder, "out.duckdb"), "SELECT column_name FROM (DESCRIBE pages)")
      const names = columns.map((row) => row["column_name"])
      expect(names).toEqual(expect.arrayContaining(["address", "words", "body", "_run_id"]))
      for (const gone of ["url", "markdown", "html", "raw_html", "metadata"]) expect(names).not.toContain(gone)
      const described = await queryLake(join(folder, "lake"), "pages", "SELECT column_name FROM (DESCRIBE FROM lake)")
      expect(described.map((row) => row["column_name"])).toEqual(names)
      expect(existsSync(join(folder, ".millrace/pipelines/site/stage.duckdb"))).toBe(false)
    })
  })

  it("keep the key: the renamed column is what the next run merges by", () => {
    const routes: Record<string, string> = { "/": page("home", "/a"), "/a": page("a") }
    return withSite(routes, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        source,
        "steps: [{ rename: { url: address } }]",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      await millrace(folder, "run", file, "--resolve", resolve)
      routes["/a"] = page("a, newer")

      const { code } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(await query(join(folder, "out.duckdb"), "SELECT title FROM pages ORDER BY address")).toEqual([
        { title: "home" },
        { title: "a, newer" }
      ])
    })
  })

  it("take the children of a page that they take out with it", () =>
    withSite(three, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
        "steps: [{ where: url <> 'http://site.test/' }]",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      const whole = write(
        folder,
        "whole.yaml",
        "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
        "sinks: { db: { type: duckdb, path: ./whole.duckdb } }"
      )

      await millrace(folder, "run", file, whole, "--resolve", resolve)

      const links = "SELECT count(*) AS n FROM page_links"
      expect(await query(join(folder, "whole.duckdb"), links)).toEqual([{ n: "2" }])
      expect(await query(join(folder, "out.duckdb"), links)).toEqual([{ n: "0" }])
      expect(await query(join(folder, "out.duckdb"), "SELECT count(*) AS n FROM pages")).toEqual([{ n: "2" }])
    }))
})

describe("nested: tables", () => {
  it("gives the lists of a page a table of their own, in both sinks, and a second run replaces its rows", () => {
    const routes: Record<string, string> = { ...three }
    return withSite(routes, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
        "table: { nested: tables }",
        "checks: [{ whole: 50% }]",
        "sinks:",
        "  db: { type: duckdb, path: ./out.duckdb }",
        "  lake: { type: parquet, path: ./lake, write: merge }"
      )
      const sql = "SELECT _parent_url, _index, value FROM"
      const seen = async () => {
        const inDatabase = await query(join(folder, "out.duckdb"), `${sql} pages__links ORDER BY ALL`)
        expect(await queryLake(join(folder, "lake"), "pages__links", `${sql} lake ORDER BY ALL`)).toEqual(inDatabase)
        return inDatabase
      }
      const link = (index: number, path: string) => ({
        _parent_url: "http://site.test/",
        _index: String(index),
        value: `http://site.test${path}`
      })

      const { code } = await millrace(folder, "run", file, "--resolve", resolve)
      const first = await seen()
      const counts = await query(join(folder, "out.duckdb"), "SELECT links__count AS n FROM pages ORDER BY url")
      routes["/"] = page("home", "/b")
      await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(first).toEqual([link(0, "/a"), link(1, "/b")])
      expect(counts).toEqual([{ n: "2" }, { n: "0" }, { n: "0" }])
      expect(await seen()).toEqual([link(0, "/b")])
    })
  })
})
