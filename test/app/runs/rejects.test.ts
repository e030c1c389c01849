import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { alter, inFolder, millrace, query, statuses, withSite, write } from "../millrace.ts"

/** Of three pages, one says what it is about, and that one has a link. */
const described = '<html><head><title>a</title><meta name="description" content="about a"></head><body>A</body></html>'
const site = (): Record<string, string> => ({ "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") })

const pipeline = (contract: string): ReadonlyArray<string> => [
  "source: { type: crawl, url: http://site.test/ }",
  `table: { contract: ${contract} }`,
  "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
]

interface At {
  readonly folder: string
  readonly resolve: string
  readonly file: string
  readonly database: string
}

/** A table that a first run made, which then lost the column of its descriptions, and a site that has one now. */
const narrowed = (contract: string, use: (at: At) => Promise<void>, sql = "ALTER TABLE pages DROP description") => {
  const routes = site()
  return withSite(routes, async ({ folder, resolve }) => {
    const file = write(folder, "site.yaml", ...pipeline(contract))
    const database = join(folder, "out.duckdb")
    await millrace(folder, "run", file, "--resolve", resolve)
    await alter(database, sql)
    routes["/"] = page("home, newer", "/a", "/b")
    routes["/a"] = described
    routes["/b"] = page("b, newer")
    await use({ folder, resolve, file, database })
  })
}

interface Reject {
  readonly reject_id: string
  readonly table_name: string
  readonly path: string
  readonly reason: string
  readonly raw: unknown
  readonly _run_id: string
}

const rejectsOf = async (folder: string, ...flags: ReadonlyArray<string>): Promise<ReadonlyArray<Reject>> => {
  const { stdout } = await millrace(folder, "rejects", "list", "--json", ...flags)
  const lines = stdout.trim().split("\n")
  return lines.filter((line) => line !== "").map((line): Reject => JSON.parse(line))
}

it("the last line of a run with rejects has their number, and says where they are shown", () =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, "law"))
    for (const fee of ["one dollar", "two dollars"])
      write(
        folder,
        `law/${fee.slice(0, 3)}.html`,
        `<html><head><title>Code</title></head><body><h3>9-5-1. Fees.</h3><p>The fee is ${fee}.</p></body></html>`
      )
    const source = "source: { type: gov_corpus, path: ./law, jurisdiction: West Virginia }"
    const file = write(folder, "law.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
    const { stdout } = await millrace(folder, "run", file)

    expect(stdout).toMatch(
      /^law: 1 row was rejected: millrace rejects list shows each with its reason\n\nlaw: done in /
    )
  }))

describe("a table under quarantine", () => {
  it("keeps its columns; the row that needs another is rejected with its reason, and the sum adds up", () =>
    narrowed("quarantine", async ({ database, file, folder, resolve }) => {
      const { code, stdout } = await millrace(folder, "run", file, "--json", "--resolve", resolve)
      const { run_id: run } = JSON.parse(stdout)

      expect(code).toBe(0)
      const versions = "SELECT regexp_extract(url, '[^/]*$') AS path, _run_id = $run$RUN$run$ AS fresh FROM pages"
      expect(await query(database, `${versions.replace("RUN", run)} ORDER BY url`)).toEqual([
        { path: "", fresh: true },
        { path: "a", fresh: false },
        { path: "b", fresh: true }
      ])
      const columns =
        "SELECT count(*) AS n FROM duckdb_columns() WHERE table_name = 'pages' AND column_name = 'description'"
      expect(await query(database, columns)).toEqual([{ n: "0" }])
      expect(await rejectsOf(folder)).toMatchObject([
        {
          table_name: "pages",
          path: "description",
          reason: "table pages of the destination has no column description",
          raw: { url: "http://site.test/a", title: "a", description: "about a", status_code: 200 },
          resolved_by: null,
          _run_id: run
        }
      ])
      const shown = await millrace(folder, "runs", "show", run)
      expect(shown.stdout).toContain("\n  discovered 3 = 2 loaded + 1 rejected + 0 failed + 0 blocked\n")
      expect(shown.stdout).toMatch(/\n {2}pages +2 rows\n/)
      expect(shown.stdout).toMatch(/\n {2}pages__rejects +1 rows\n/)
    }))

  it("says when the run ends that rows were rejected", () =>
    narrowed("quarantine", async ({ file, folder, resolve }) => {
      const { stdout } = await millrace(folder, "run", file, "--json", "--resolve", resolve)

      expect(JSON.parse(stdout)).toMatchObject({
        status: "done",
        rejects: 1,
        rejected_by: { db: 1 },
        sinks: { db: { rows: { pages: 2, pages__rejects: 1 } } }
      })
    }))

  it("rejects every row where a column became too narrow for what it holds", () =>
    narrowed(
      "quarantine",
      async ({ database, file, folder, resolve }) => {
        const { code } = await millrace(folder, "run", file, "--resolve", resolve)

        expect(code).toBe(0)
        const rejects = await rejectsOf(folder)
        expect(rejects.map(({ path, reason }) => [path, reason])).toEqual(
          Array.from({ length: 3 }, () => ["status_code", "column status_code: a number is not a valid BOOLEAN: 200"])
        )
        expect(
          await query(database, "SELECT count(DISTINCT _run_id) AS runs, bool_and(status_code) AS ok FROM pages")
        ).toEqual([{ runs: "1", ok: true }])
      },
      "ALTER TABLE pages ALTER status_code TYPE BOOLEAN"
    ))

  it("lists its rejects, shows one with its raw value, and knows no other", () =>
    narrowed("quarantine", async ({ file, folder, resolve }) => {
      const before = await millrace(folder, "rejects", "list")
      const ran = await millrace(folder, "run", file, "--resolve", resolve)
      const [reject] = await rejectsOf(folder)
      if (reject === undefined) throw new Error("nothing was rejected")

      const listed = await millrace(folder, "rejects", "list")
      const shown = await millrace(folder, "rejects", "show", reject.reject_id.slice(0, 8))
      const unknown = await millrace(folder, "rejects", "show", "nobody")

      expect(ran.stdout).toContain("site: db: 1 row does not fit this sink: see millrace rejects list\n")
      expect(before.stdout).toBe("no rejects\n")
      const [head, line] = listed.stdout.trim().split("\n")
      expect(head?.split(/ {2,}/)).toEqual(["REJECT", "TABLE", "REJECTED", "RUN", "REASON"])
      expect(line?.split(/ {2,}/)).toEqual([
        reject.reject_id,
        "pages",
        expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}$/),
        reject._run_id,
        "table pages of the destination has no column description"
      ])
      expect(shown.stdout).toContain("\nreason       table pages of the destination has no column description\n")
      const raw: unknown = JSON.parse(shown.stdout.slice(shown.stdout.indexOf("\nraw\n") + 5))
      expect(raw).toEqual(reject.raw)
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        "no reject has an id that begins with nobody: see millrace rejects list\n"
      ])
    }))

  it("gets its rejects once they fit: a replay loads them and says by which run, and the next has none to try", () =>
    narrowed("quarantine", async ({ database, file, folder, resolve }) => {
      await millrace(folder, "run", file, "--resolve", resolve)
      const open = await rejectsOf(folder, "--all")
      const tooSoon = await millrace(folder, "rejects", "replay")
      const stillOpen = await rejectsOf(folder, "--all")
      await alter(database, "ALTER TABLE pages ADD description VARCHAR")

      const replayed = await millrace(folder, "rejects", "replay", "--json")
      const again = await millrace(folder, "rejects", "replay")

      expect(stillOpen).toEqual(open)
      expect(tooSoon.stdout).toBe("site: sink db: 0 of 1 rejects fit now and are loaded\n")
      const { resolved, run_id: run, tried } = JSON.parse(replayed.stdout)
      expect([tried, resolved]).toEqual([1, 1])
      expect(again.stdout).toBe("site: sink db: 0 of 0 rejects fit now and are loaded\n")
      const sql = "SELECT title, description, status_code, fetched_date IS NOT NULL AS fetched, _run_id FROM pages"
      expect(await query(database, `${sql} WHERE url LIKE '%/a'`)).toEqual([
        { title: "a", description: "about a", status_code: "200", fetched: true, _run_id: run }
      ])
      expect(await query(database, "SELECT count(*) AS n FROM pages")).toEqual([{ n: "3" }])
      expect(await rejectsOf(folder)).toEqual([])
      expect(await rejectsOf(folder, "--all")).toMatchObject([{ resolved_by: run, raw: { title: "a" } }])
    }))

  it("takes no step twice: a row that the destination rejected has its steps behind it", () => {
    const routes = site()
    return withSite(routes, async ({ folder, resolve }) => {
      const steps = "steps: [{ derive: { status_code: status_code + 1000 } }, { mask: { title: hash } }]"
      const file = write(folder, "site.yaml", ...pipeline("quarantine"), steps)
      const database = join(folder, "out.duckdb")
      await millrace(folder, "run", file, "--resolve", resolve)
      await alter(database, "ALTER TABLE pages DROP description")
      routes["/a"] = described
      await millrace(folder, "run", file, "--resolve", resolve)
      await alter(database, "ALTER TABLE pages ADD description VARCHAR")
      const before = await query(database, "SELECT status_code, title FROM pages WHERE url LIKE '%/a'")

      const { stdout } = await millrace(folder, "rejects", "replay")

      expect(stdout).toBe("site: sink db: 1 of 1 rejects fit now and are loaded\n")
      expect(before).toEqual([{ status_code: "1200", title: expect.stringMatching(/^[0-9a-f]{64}$/) }])
      const sql = "SELECT status_code, title, description FROM pages WHERE url LIKE '%/a'"
      expect(await query(database, sql)).toEqual([{ ...before[0], description: "about a" }])
    })
  })

  it("gets the rows of a child table back too", () =>
    withSite(site(), async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
        "table: { contract: quarantine, nested: tables }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      const database = join(folder, "out.duckdb")
      const links = "SELECT value FROM pages__links ORDER BY _index"
      await millrace(folder, "run", file, "--resolve", resolve)
      const before = await query(database, links)
      await alter(database, "ALTER TABLE pages__links DROP value")
      await millrace(folder, "run", file, "--resolve", resolve)
      const tables = (await rejectsOf(folder)).map((reject) => reject.table_name)
      await alter(database, "ALTER TABLE pages__links ADD value VARCHAR")

      const { stdout } = await millrace(folder, "rejects", "replay")

      expect(before).toHaveLength(2)
      expect(tables).toEqual(["pages__links", "pages__links"])
      expect(stdout).toBe("site: sink db: 2 of 2 rejects fit now and are loaded\n")
      expect(await query(database, links)).toEqual(before)
    }))
})

describe("a frozen table", () => {
  it("fails the run that has another column: exit code 1, and nothing is committed", () =>
    narrowed("freeze", async ({ database, file, folder, resolve }) => {
      const { code, stderr } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(1)
      expect(stderr).toBe(
        "site: the run failed, nothing was committed: table pages is frozen, and this run has the column " +
          "description VARCHAR, which it lacks; alter the table, or set the contract to evolve or quarantine\n"
      )
      expect(await query(database, "SELECT count(*) AS n FROM crawl_jobs")).toEqual([{ n: "1" }])
      expect(await query(database, "SELECT count(DISTINCT _run_id) AS n FROM pages")).toEqual([{ n: "1" }])
    }))

  it("is altered by its owner, and then the run loads", () =>
    narrowed("freeze", async ({ database, file, folder, resolve }) => {
      await millrace(folder, "run", file, "--resolve", resolve)
      await alter(database, "ALTER TABLE pages ADD description VARCHAR")

      const { code } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(await query(database, "SELECT description FROM pages WHERE url LIKE '%/a'")).toEqual([
        { description: "about a" }
      ])
      expect(await statuses(folder, file)).toEqual(["done", "done"])
    }))
})

describe("a table that evolves", () => {
  it("gets the column back, and nothing is rejected", () =>
    narrowed("evolve", async ({ database, file, folder, resolve }) => {
      const { code } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(await query(database, "SELECT description FROM pages ORDER BY url")).toEqual([
        { description: null },
        { description: "about a" },
        { description: null }
      ])
      expect(await rejectsOf(folder)).toEqual([])
    }))
})
