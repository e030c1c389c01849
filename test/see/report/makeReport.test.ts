import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type { ReportModel } from "#see/report/ReportModel"
import { compareColumns } from "#see/report/reportColumns"
import { inFolder, millrace, query, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"
import { sampleOf } from "../../thoroughness.ts"

const article = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${body}</p></main></body></html>`

const modelOf = async (folder: string, ...args: ReadonlyArray<string>): Promise<ReportModel> => {
  const { code, stderr, stdout } = await millrace(folder, "report", "site.yaml", ...args, "--json")
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

/** A site with a page that is not there, crawled, changed and crawled again. */
const crawledTwice = (
  sinks: ReadonlyArray<string>,
  use: (folder: string, again: () => Promise<void>) => Promise<void>
) => {
  const routes: Record<string, string> = {
    "/": page("home", "/a", "/b", "/missing"),
    "/a": article("Fees", "The fee of the permit is ten euro a year."),
    "/b": article("Hours", "Open from nine to five.")
  }
  return withSite(routes, async ({ folder, resolve }) => {
    write(folder, "site.yaml", "source: { type: crawl, url: http://site.test/ }", ...sinks)
    const run = async () => {
      await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    }
    await run()
    routes["/a"] = article("Fees", "The fee of the permit is twelve euro a year.")
    routes["/c"] = article("News", "<script>alert(1)</script>It came.")
    routes["/"] = page("home", "/a", "/b", "/c", "/missing")
    await run()
    await use(folder, run)
  })
}

for (const [kind, sinks, where] of sampleOf(
  [
    ["a DuckDB file", ["sinks: { db: { type: duckdb, path: ./out.duckdb } }"], () => "true"],
    [
      "a lake, beside a history",
      ["sinks:", "  lake: { type: parquet, path: ./lake }", "  db: { type: duckdb, path: ./out.duckdb, write: scd2 }"],
      (run: string) => `_run_id = '${run}'`
    ]
  ] as const,
  1,
  ([kind]) => kind
)) {
  it(`report says of a run what SQL finds in ${kind}`, () =>
    crawledTwice(sinks, async (folder) => {
      const model = await modelOf(folder)
      const [run] = await query(
        join(folder, "out.duckdb"),
        "SELECT run_id, discovered, credits FROM _millrace_runs ORDER BY committed_at DESC LIMIT 1"
      )
      const asked = await millrace(
        folder,
        "sql",
        "site.yaml",
        `SELECT count(*) AS rows, count(title) AS filled, count(DISTINCT title) AS "distinct", min(elapsed_ms) AS min,
          max(elapsed_ms) AS max
          FROM pages WHERE ${where(model.run.run_id)}`,
        "--format",
        "json"
      )
      const problems = await millrace(
        folder,
        "sql",
        "site.yaml",
        `SELECT (SELECT count(*) FROM crawl_errors WHERE _run_id = '${model.run.run_id}') AS n,
          (SELECT count(*) FROM pages WHERE _run_id = '${model.run.run_id}') AS written`,
        "--format",
        "json"
      )
      const found = JSON.parse(asked.stdout)
      const [pages] = model.tables
      const title = pages?.columns.find(({ name }) => name === "title")

      expect(model.run.run_id).toBe(run?.["run_id"])
      expect(model.ledger?.discovered).toBe(Number(run?.["discovered"]))
      expect((model.ledger?.parts ?? []).reduce((sum, { count }) => sum + count, 0)).toBe(Number(run?.["discovered"]))
      expect(model.credits?.used).toBe(Number(run?.["credits"]))
      expect(title?.profile).toMatchObject({ rows: found.rows, filled: found.filled, distinct: found.distinct })
      expect(title?.fill).toBe(found.filled / found.rows)
      expect(model.status_codes?.reduce((sum, { count }) => sum + count, 0)).toBe(found.rows)
      // Merge leaves the time of an earlier visit where nothing else has changed.
      if (where("") !== "true") expect(model.latency_ms).toMatchObject({ min: found.min, max: found.max })
      expect(model.errors.reduce((sum, { count }) => sum + count, 0)).toBe(JSON.parse(problems.stdout).n)
      // Merge writes only what is new or changed; a lake says which of its rows are.
      expect(model.credits?.changed_rows).toBe(where("") === "true" ? JSON.parse(problems.stdout).written : 3)
      // A lake knows what its tables take.
      expect(pages?.stored_bytes).toEqual(where("") === "true" ? null : expect.any(Number))
      expect(model.history.at(-1)?.bytes === null).toBe(where("") === "true")
      expect(model.compared_with).toHaveLength(1)
      expect(title?.usual_fill?.median).toBe(1)
      expect(model.history.map(({ run_id }) => run_id)).toEqual([...model.compared_with, model.run.run_id])
      expect(model.history.at(-1)?.latency_p50_ms).toBe(model.latency_ms?.p50)
      expect(model.notes.filter((note) => /cannot|older/.test(note))).toEqual([])
    }))
}

it("report shows what changed word by word, rows that changed count for credits, and page text stays text", () =>
  crawledTwice(["sinks: { lake: { type: parquet, path: ./lake } }"], async (folder) => {
    const { code, stdout } = await millrace(folder, "report", "site.yaml", "--html", "out/report.html")
    const model = await modelOf(folder)
    const html = readFileSync(join(folder, "out/report.html"), "utf8")

    expect([code, stdout]).toEqual([0, expect.stringContaining("out/report.html")])
    // The lines of the command answer the same questions in the same order.
    expect(stdout).toMatch(
      /\nis it good\n {2}passed {2}whole: [^]*\n {2}No checks were made\.\nwhat changed since the run before\n {2}pages: 1 added, 0 removed, 2 changed\n[^]*\nwhat is missing, and why\n {2}\d+ discovered = /
    )
    expect(html).toContain("<del>ten</del><ins>twelve</ins>")
    expect(html).not.toContain("<script")
    expect(html).toContain("default-src 'none'")
    const changed = model.changes.find(({ table }) => table === "pages")
    expect(changed).toMatchObject({ whole: true, counts: { added: 1, removed: 0, changed: 2 } })
    // On one's own machine nobody pays: only the figures have credits.
    expect(stdout).not.toContain("credits")
    expect(html).not.toMatch(/\d credits|<th[^>]*>credits</)
    expect(model.credits).toMatchObject({ changed_rows: 3 })
    expect(model.credits?.per_changed_row).toBeCloseTo((model.credits?.used ?? 0) / 3, 2)
  }))

it("report of an earlier run compares it with the runs before it alone, and finds runs by name", () =>
  crawledTwice(["sinks: { lake: { type: parquet, path: ./lake } }"], async (folder, again) => {
    await again()
    const latest = await modelOf(folder)
    const previous = await modelOf(folder, "previous")
    const first = await modelOf(folder, latest.compared_with.at(-1) ?? "")
    const unknown = await millrace(folder, "report", "site.yaml", "2019")

    expect(latest.compared_with).toEqual([previous.run.run_id, first.run.run_id])
    expect(previous.compared_with).toEqual([first.run.run_id])
    expect(first.compared_with).toEqual([])
    expect(first.changes).toEqual([])
    expect(first.credits?.changed_rows).toBe(first.run.rows["pages"])
    expect(first.notes).toEqual([expect.stringContaining("nothing is compared word by word")])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("has no run 2019: see millrace runs")])
  }))

it("report says what is known of a run that a check holds, and of no run", () =>
  withSite({ "/": page("home", "/a"), "/a": article("Fees", "Ten.") }, async ({ folder, resolve }) => {
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "checks: [{ rows: { min: 500 } }]",
      "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
    )
    const before = await millrace(folder, "report", "site.yaml")
    const run = await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    const told = await millrace(folder, "report", "site.yaml")
    const model = await modelOf(folder, "--html", "held.html")

    expect([before.code, before.stderr]).toEqual([2, expect.stringContaining("has no run yet")])
    expect(run.code).toBe(3)
    expect(told.stdout).toMatch(/^site: run \S+, held, no good run before it to compare with\n/)
    expect(told.stdout).toMatch(/\nis it good\n {2}FAILED {2}held: pages: rows: at least 500: 2 rows\n/)
    expect(told.stdout).toContain(`\n  millrace commit ${model.run.run_id}\n`)
    expect(model.run).toMatchObject({ status: "held", sinks: [], message: expect.stringContaining("rows") })
    expect(model.ledger?.discovered).toBe(2)
    expect(model.tables.every(({ columns }) => columns.every(({ profile }) => profile === null))).toBe(true)
    expect(model.notes[0]).toMatch(/has committed nothing, so no destination has rows or profiles of it/)
    expect(existsSync(join(folder, "held.html"))).toBe(true)
  }))

it("report --open says that the page is written where nothing can open it", () =>
  withSite({ "/": page("home") }, ({ folder, resolve }) =>
    inFolder(async (empty) => {
      write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      await millrace(folder, "run", "site.yaml", "--resolve", resolve)
      const path = process.env["PATH"]
      process.env["PATH"] = empty
      const { code, stderr } = await millrace(folder, "report", "site.yaml", "--html", "r.html", "--open")
      process.env["PATH"] = path

      expect([code, existsSync(join(folder, "r.html"))]).toEqual([1, true])
      expect(stderr).toMatch(/r\.html was written, but xdg-open cannot open it/)
    })
  ))

const profile = (more: Partial<ColumnProfile>): ColumnProfile => ({
  table: "pages",
  column: "title",
  type: "VARCHAR",
  rows: 100,
  filled: 100,
  distinct: 100,
  distinct_exact: true,
  length: { min: 1, mean: 40, max: 90 },
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  top: null,
  ...more
})

const columns = [{ name: "title", type: { _tag: "VARCHAR" }, nullable: true }] as const
const compared = (now: Partial<ColumnProfile>, ...before: ReadonlyArray<Partial<ColumnProfile>>) =>
  compareColumns(
    "pages",
    columns,
    [profile(now)],
    before.map((one) => [profile(one)])
  )[0]

it("a column is unusual when it is outside of what three runs had", () => {
  const good = [{ filled: 95 }, { filled: 100 }, { filled: 97, length: { min: 1, mean: 50, max: 90 } }]

  expect(compared({ filled: 96 }, ...good)).toMatchObject({
    fill: 0.96,
    usual_fill: { min: 0.95, median: 0.97, max: 1 },
    unusual: []
  })
  expect(compared({ filled: 40, distinct: 40 }, ...good)?.unusual).toEqual([
    "fill below 0.95",
    "distinct values below 100"
  ])
  expect(compared({ length: { min: 1, mean: 61, max: 90 } }, ...good)?.unusual).toEqual(["mean length above 50"])
  expect(compared({ length: { min: 1, mean: 59, max: 90 } }, ...good)?.unusual).toEqual([])
})

it("two runs are too few to call anything unusual, and a run without rows has no fill", () => {
  expect(compared({ filled: 0 }, {}, {})).toMatchObject({ fill: 0, usual_fill: { min: 1 }, unusual: [] })
  expect(compared({ rows: 0, filled: 0, distinct: 0, length: null }, {}, {}, {})).toMatchObject({
    fill: null,
    unusual: []
  })
})
