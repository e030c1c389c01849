import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { tableFromIPC } from "apache-arrow"
import { expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

/** A site of two pages, to which the second run finds a third, in a file and a lake. */
const crawled = (use: (folder: string) => Promise<void>) => {
  const routes: Record<string, string> = { "/": page("home, sweet", "/a"), "/a": page("a"), "/b": page("b") }
  return withSite(routes, async ({ folder, resolve }) => {
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "sinks:",
      "  db: { type: duckdb, path: ./out.duckdb }",
      "  lake: { type: parquet, path: ./lake, write: replace }"
    )
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    routes["/"] = page("home, sweet", "/a", "/b")
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    await use(folder)
  })
}

it("sql asks a database or a lake before files for hand-over, and the files where they are named or alone", () =>
  withSite({ "/": page("home") }, async ({ folder, resolve }) => {
    const source = "source: { type: crawl, url: http://site.test/ }"
    const files = "  files: { type: file, path: ./out, format: jsonl }"
    write(folder, "both.yaml", source, "sinks:", files, "  db: { type: duckdb, path: ./out.duckdb }")
    write(folder, "alone.yaml", source, "sinks:", files.replace("./out", "./alone"))
    for (const file of ["both.yaml", "alone.yaml"]) await millrace(folder, "run", file, "--resolve", resolve)
    const tables = async (...args: ReadonlyArray<string>) =>
      (await millrace(folder, "sql", ...args, "--format", "csv")).stdout.split("\n").includes("_millrace_runs")

    expect(await tables("both.yaml", "SHOW TABLES")).toBe(true)
    expect(await tables("both.yaml", "SHOW TABLES", "--sink", "files")).toBe(false)
    const alone = await millrace(folder, "sql", "alone.yaml", "SELECT title FROM pages", "--format", "json")
    expect([alone.code, alone.stdout]).toEqual([0, '{"title":"home"}\n'])
    const notebook = await millrace(folder, "notebook", "alone.yaml")
    expect([notebook.code, notebook.stderr]).toEqual([
      2,
      expect.stringContaining("opens databases and lakes, not file")
    ])
  }))

const titles = "SELECT title, depth, status_code = 200 AS fine, NULL AS nothing, '' AS empty FROM pages ORDER BY url"

it("sql asks a DuckDB file and a lake the same questions, and prints tables, CSV, JSON, Arrow and Parquet", () =>
  crawled(async (folder) => {
    const ask = (...args: ReadonlyArray<string>) => millrace(folder, "sql", "site.yaml", ...args)

    const table = await ask(titles, "--sink", "lake")
    const csv = await ask(titles, "--format", "csv", "--sink", "lake")
    const json = await ask(`${titles} LIMIT 1; -- the first`, "--format", "json")
    const shown = await ask("SHOW TABLES", "--sink", "lake")
    const arrow = await ask(
      "FROM pages ORDER BY url",
      "--sink",
      "lake",
      "--format",
      "arrow",
      "--output",
      join(folder, "pages.arrow")
    )
    const parquet = await ask("FROM pages", "--format", "parquet", "--output", join(folder, "pages.parquet"))
    const read = tableFromIPC(readFileSync(join(folder, "pages.arrow")))

    expect(table.stdout).toBe(
      "title        depth  fine  nothing  empty\nhome, sweet  0      true\na            1      true\nb            1      true\n3 rows\n"
    )
    expect(csv.stdout).toBe('title,depth,fine,nothing,empty\n"home, sweet",0,true,,""\na,1,true,,""\nb,1,true,,""\n')
    expect(JSON.parse(json.stdout)).toEqual({ title: "home, sweet", depth: 0, fine: true, nothing: null, empty: "" })
    expect(shown.stdout).toMatch(/^name\ncrawl_errors\n[^]*\npages\n/)
    expect([arrow.code, read.numRows, read.get(1)?.["title"]]).toEqual([0, 3, "a"])
    expect(String(read.schema.fields.find(({ name }) => name === "_fetched_at")?.type)).toBe(
      "Timestamp<MICROSECOND, UTC>"
    )
    expect([parquet.code, readFileSync(join(folder, "pages.parquet")).subarray(0, 4).toString()]).toEqual([0, "PAR1"])
  }))

it("an answer that cannot be made or written is said in words, and a Parquet file is written over", () =>
  crawled(async (folder) => {
    const to = (output: string, format: string, query = "FROM pages") =>
      millrace(folder, "sql", "site.yaml", query, "--format", format, "--output", join(folder, output))

    for (const format of ["arrow", "json"]) {
      const broken = await to("answer", format, "SELECT error('no such luck') FROM pages")
      expect([broken.code, broken.stderr]).toEqual([1, "site: sink db: the query failed: no such luck\n"])
    }
    for (const format of ["csv", "parquet"]) {
      expect((await to("lake", format)).stderr).toContain("lake cannot be written: it is a folder; name a file in it\n")
      expect((await to("none/answer", format)).stderr).toContain("its folder does not exist")
    }
    for (const n of ["1", "2"]) {
      const written = await to("answer.parquet", "parquet", `SELECT title FROM pages LIMIT ${n}`)
      expect([written.code, written.stderr]).toEqual([0, ""])
    }
  }))

it("sql sees a lake as an earlier load left it, and says of a DuckDB file that it cannot", () =>
  crawled(async (folder) => {
    const count = ["site.yaml", "SELECT count(*) AS n FROM pages", "--format", "json"]
    const now = await millrace(folder, "sql", ...count, "--sink", "lake")
    const before = await millrace(folder, "sql", ...count, "--sink", "lake", "--as-of", "previous")
    const file = await millrace(folder, "sql", ...count, "--sink", "db", "--as-of", "previous")
    const unknown = await millrace(folder, "sql", ...count, "--sink", "lake", "--as-of", "2001-01-01")

    expect([now.stdout, before.stdout]).toEqual(['{"n":3}\n', '{"n":2}\n'])
    expect([file.code, file.stderr]).toEqual([1, expect.stringContaining("keeps its tables as they are now")])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("has no load at 2001-01-01 or earlier")])
  }))

it("sql reads these tables alone: no file, no second statement, nothing that writes, and says what is wrong", () =>
  crawled(async (folder) => {
    const evil = join(folder, "evil.parquet")
    const refused = async (query: string, sink = "lake") => {
      const { code, stderr } = await millrace(folder, "sql", "site.yaml", query, "--sink", sink)
      return [code, stderr]
    }
    const files = "a query reads the tables of this destination only"

    for (const sink of ["lake", "db"]) {
      expect(await refused("FROM read_text('/etc/hostname')", sink)).toEqual([1, expect.stringContaining(files)])
      expect(await refused(`SELECT 1); COPY (SELECT 1) TO '${evil}'; SELECT (1`, sink)).toEqual([
        1,
        expect.stringContaining("syntax error")
      ])
      expect(await refused("SELECT 1; SELECT 2", sink)).toEqual([
        1,
        expect.stringContaining("the query is 2 statements: ask one at a time")
      ])
      for (const change of [
        "DROP TABLE pages",
        "delete from pages",
        "WITH a AS (SELECT 1) UPDATE pages SET depth = 1"
      ]) {
        expect(await refused(change, sink)).toEqual([
          1,
          expect.stringContaining("this statement is not a query, and tables are only read here; begin with SELECT")
        ])
      }
      expect(await refused("PIVOT pages ON depth USING count(*)", sink)).toEqual([
        1,
        expect.stringContaining(
          "a PIVOT is one statement if it names its values: PIVOT pages ON language IN ('en', 'de')"
        )
      ])
      expect(await refused("FROM zzz", sink)).toEqual([
        1,
        expect.stringMatching(/Table with name zzz does not exist! SHOW TABLES lists those that do\n$/)
      ])
      expect(await refused("SELEC 1", sink)).toEqual([1, expect.stringContaining('syntax error at or near "SELEC"')])
      expect(await refused("SELECT titel FROM pages", sink)).toEqual([
        1,
        expect.stringMatching(/"titel" not found.*Candidate bindings: "title"/)
      ])
    }
    expect(await refused(" ")).toEqual([2, expect.stringContaining("the query is empty")])
    expect(await refused("SELECT 1", "lakes")).toEqual([
      2,
      expect.stringContaining("has no sink lakes; sinks: db, lake")
    ])
    expect(existsSync(evil)).toBe(false)
  }))

it("sql and diff name the file that they cannot write their answer into", () =>
  crawled(async (folder) => {
    const asked = await millrace(folder, "sql", "site.yaml", "FROM pages", "--format", "csv", "--output", "no/out.csv")
    const compared = await millrace(folder, "diff", "pages", "site.yaml", "--html", "no/out.html")

    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringMatching(/^no\/out\.csv cannot be written: its folder does not exist/)
    ])
    expect([compared.code, compared.stderr]).toEqual([
      1,
      expect.stringMatching(/^no\/out\.html cannot be written: its folder does not exist/)
    ])
  }))
