import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { millrace, query, queryLake, statuses, withSite, write } from "../millrace.ts"

const three = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }

/** Two rows of three are staged, and five are wanted. */
const strict: ReadonlyArray<string> = [
  "source: { type: crawl, url: http://site.test/ }",
  "steps: [{ where: url NOT LIKE '%/b' }]",
  "checks:",
  "  - rows: { min: 5 }",
  "  - not_null: title",
  "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
]

const urls = "SELECT regexp_extract(url, '[^/]*$') AS path FROM pages ORDER BY url"
const tablesOf = (folder: string) =>
  query(join(folder, "out.duckdb"), "SELECT table_name FROM duckdb_tables() WHERE NOT internal")
const stageOf = (folder: string, run: string) => join(folder, ".millrace/pipelines/site/runs", run, "stage.duckdb")

/** A run that a check holds. */
const held = async (folder: string, resolve: string): Promise<string> => {
  const { stdout } = await millrace(folder, "run", "site.yaml", "--json", "--resolve", resolve)
  return JSON.parse(stdout).run_id
}

describe("a check that does not pass", () => {
  it("ends the run with 3, says which and what it found, and commits nothing", () =>
    withSite(three, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...strict)

      const { code, stderr, stdout } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(3)
      expect(stdout).toMatch(/\n\nsite: held in [\d.]+ s \(run \S+\)\n/)
      expect(stdout).toContain("site: FAILED  rows: at least 5: 2 rows\n")
      expect(stdout).toContain("\nsite: passed  title: a value in every row: 0 of 2 rows have no title\n")
      expect(stdout).toContain("\n  checks: 1 of 2 failed, see above\n")
      expect(stdout).toContain("discovered 3 = 3 loaded + 0 failed + 0 blocked; steps removed 1 of the loaded rows\n")
      const run = /run (\S+)\)/.exec(stdout)?.[1]
      expect(stderr).toBe(
        `site: held by a check, nothing was committed; look at it, then: millrace commit ${run}, or millrace drop ${run}\n`
      )
      expect(await tablesOf(folder)).toEqual([])
      expect(await statuses(folder, file)).toEqual(["held"])
    }))

  it("says so to programs", () =>
    withSite(three, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...strict)

      const { code, stdout } = await millrace(folder, "run", file, "--json", "--resolve", resolve)

      expect(code).toBe(3)
      expect(JSON.parse(stdout)).toMatchObject({
        status: "held",
        rows: { pages: 2 },
        sinks: {},
        checks: [
          { check: "rows: at least 5", table: "pages", passed: false, found: "2 rows" },
          { check: "title: a value in every row", table: "pages", passed: true }
        ]
      })
    }))

  it("leaves its rows where anybody can look at them, and commit loads just those", () =>
    withSite(three, async ({ folder, resolve, site }) => {
      const file = write(folder, "site.yaml", ...strict)
      const run = await held(folder, resolve)
      const asked = site.requests.length

      const staged = await query(stageOf(folder, run), urls)
      const { code, stdout } = await millrace(folder, "commit", run)

      expect(staged).toEqual([{ path: "" }, { path: "a" }])
      expect(code).toBe(0)
      expect(stdout).toContain(`(run ${run}, resumed)\n`)
      expect(await query(join(folder, "out.duckdb"), urls)).toEqual(staged)
      expect(site.requests).toHaveLength(asked)
      expect(await statuses(folder, file)).toEqual(["done"])
      expect(existsSync(stageOf(folder, run))).toBe(false)
    }))

  it("can be given up: nothing of the run stays but its journal", () =>
    withSite(three, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...strict)
      const run = await held(folder, resolve)

      const { code, stdout } = await millrace(folder, "drop", run.slice(0, 12))

      expect([code, stdout]).toEqual([0, `site: run ${run} is dropped; nothing of it was committed\n`])
      expect(await tablesOf(folder)).toEqual([])
      expect(await statuses(folder, file)).toEqual(["dropped"])
      expect(existsSync(stageOf(folder, run))).toBe(false)
      expect(existsSync(join(stageOf(folder, run), "../answers.ndjson.zst"))).toBe(true)
    }))

  it("is all that commit and drop are for: another run is refused with 2, and so is one that nobody knows", () =>
    withSite(three, async ({ folder, resolve }) => {
      write(folder, "site.yaml", ...strict.filter((line) => !line.includes("min: 5")))
      const run = await held(folder, resolve)

      const ends = [
        await millrace(folder, "commit", run),
        await millrace(folder, "drop", run),
        await millrace(folder, "commit", "19990101"),
        await millrace(folder, "drop", "19990101")
      ]

      expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2])
      const refused = `site: run ${run} is done, not held, so there is nothing to decide\n`
      const unknown = "no journal has a run whose id begins with 19990101: see millrace journal list\n"
      expect(ends.map(({ stderr }) => stderr)).toEqual([refused, refused, unknown, unknown])
      expect(await query(join(folder, "out.duckdb"), urls)).toHaveLength(2)
    }))
})

describe("millrace replay", () => {
  it("makes deleted tables again without a request, and twice over leaves each row once, merged and appended", () =>
    withSite(three, async ({ folder, resolve, site }) => {
      write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks:",
        "  db: { type: duckdb, path: ./out.duckdb }",
        "  log: { type: duckdb, path: ./log.duckdb, write: append }",
        "  lake: { type: parquet, path: ./lake }"
      )
      const run = await held(folder, resolve)
      const everything = "SELECT * FROM pages ORDER BY url"
      const seen = async () => [
        await query(join(folder, "out.duckdb"), everything),
        await query(join(folder, "log.duckdb"), everything),
        await queryLake(join(folder, "lake"), "pages", "SELECT * FROM lake ORDER BY url"),
        await query(join(folder, "log.duckdb"), "SELECT * FROM crawl_jobs")
      ]
      const before = await seen()
      const asked = site.requests.length
      for (const gone of ["out.duckdb", "log.duckdb", "lake"]) rmSync(join(folder, gone), { recursive: true })

      const once = await millrace(folder, "replay", run)
      const afterOnce = await seen()
      const twice = await millrace(folder, "replay", run.slice(0, 12))

      expect([once.code, twice.code]).toEqual([0, 0])
      expect(before.map((rows) => rows.length)).toEqual([3, 3, 3, 1])
      expect(afterOnce).toEqual(before)
      expect(await seen()).toEqual(before)
      expect(site.requests).toHaveLength(asked)
    }))

  it("leaves what other runs appended alone", () => {
    const routes: Record<string, string> = { ...three }
    return withSite(routes, async ({ folder, resolve }) => {
      write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks: { log: { type: duckdb, path: ./log.duckdb, write: append } }"
      )
      const first = await held(folder, resolve)
      routes["/a"] = page("a, newer")
      const second = await held(folder, resolve)
      const rows = () =>
        query(join(folder, "log.duckdb"), "SELECT _run_id, title FROM pages WHERE url LIKE '%/a' ORDER BY ALL")

      const { code } = await millrace(folder, "replay", first)

      expect(code).toBe(0)
      expect(await rows()).toEqual([
        { _run_id: first, title: "a" },
        { _run_id: second, title: "a, newer" }
      ])
    })
  })

  it("takes the pipeline as it is now: a step that was added since is taken", () =>
    withSite(three, async ({ folder, resolve, site }) => {
      const file = [
        "source: { type: crawl, url: http://site.test/ }",
        "sinks: { db: { type: duckdb, path: ./o.duckdb } }"
      ]
      write(folder, "site.yaml", ...file)
      const run = await held(folder, resolve)
      const asked = site.requests.length
      write(folder, "site.yaml", ...file, "steps: [{ derive: { shout: upper(title) } }]")

      const { code } = await millrace(folder, "replay", run)

      expect(code).toBe(0)
      expect(await query(join(folder, "o.duckdb"), "SELECT shout FROM pages ORDER BY url")).toEqual([
        { shout: "HOME" },
        { shout: "A" },
        { shout: "B" }
      ])
      expect(site.requests).toHaveLength(asked)
    }))
})
