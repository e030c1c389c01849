import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"
import { databaseUrl } from "./database.ts"

const url = await databaseUrl()

/** Every file below a folder. */
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())

describe.skipIf(url === undefined)("the command line with Postgres", () => {
  it("runs, asks, lists runs and compares loads, and writes the password down nowhere", () => {
    const routes: Record<string, string> = { "/": page("home", "/a"), "/a": page("a"), "/b": page("b") }
    return withSite(routes, async ({ folder, resolve }) => {
      // The server of tests trusts everybody, whatever the password.
      process.env["MILLRACE_SECRET_WAREHOUSE"] = Object.assign(new URL(url ?? ""), { password: "geheim" }).href
      write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks:",
        '  db: { type: postgres, url: "${secrets.WAREHOUSE}", schema: line }',
        '  past: { type: postgres, url: "${secrets.WAREHOUSE}", schema: past, write: scd2, removed: close }'
      )
      const said: Array<string> = []
      const run = async (...args: ReadonlyArray<string>) => {
        const { code, stderr, stdout } = await millrace(folder, ...args)
        said.push(stdout, stderr)
        return { code, stdout, stderr }
      }
      const first = await run("run", "site.yaml", "--resolve", resolve)
      routes["/"] = page("home", "/b")
      const second = await run("run", "site.yaml", "--resolve", resolve)

      expect([first.code, second.code]).toEqual([0, 0])
      expect(first.stdout + first.stderr).toContain("(schema line)")
      const pages = await run("sql", "site.yaml", "SELECT title FROM pages ORDER BY url", "--format", "csv")
      expect(pages.stdout).toBe("title\nhome\na\nb\n")
      const runs = await run("sql", "site.yaml", "SELECT count(*) AS n FROM _millrace_runs", "--format", "json")
      expect(runs.stdout).toBe('{"n":2}\n')
      expect((await run("runs", "site.yaml")).stdout.trim().split("\n")).toHaveLength(3)
      const current = await run(
        "sql",
        "site.yaml",
        "SELECT title FROM pages_current ORDER BY url",
        "--sink",
        "past",
        "--format",
        "csv"
      )
      expect(current.stdout).toBe("title\nhome\nb\n")
      expect((await run("diff", "pages", "site.yaml", "--sink", "past")).stdout).toContain("1 added, 1 removed")
      const report = JSON.parse((await run("report", "site.yaml", "--json")).stdout)
      expect(report.tables[0]).toMatchObject({ name: "pages", stored_rows: 3 })
      expect(report.tables[0].columns[0]).toMatchObject({ name: "url", fill: 1 })
      const why = await run("why", "site.yaml", "pages", "http://site.test/b", "title", "--json")
      expect(JSON.parse(why.stdout)).toMatchObject({ value: "b", row: { url: "http://site.test/b" } })
      const refused = await run("sql", "site.yaml", "SELECT pg_read_file('/etc/passwd')")
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("a query may not call pg_read_file")])
      process.env["MILLRACE_SECRET_WAREHOUSE"] = "postgres://nobody:geheim@127.0.0.1:1/nowhere"
      expect((await run("runs", "site.yaml")).code).not.toBe(null)
      expect((await run("sql", "site.yaml", "SELECT 1")).stderr).toContain("is the server running")
      process.env["MILLRACE_SECRET_WAREHOUSE"] = "mysql://nobody:geheim@127.0.0.1:1/nowhere"
      expect((await run("check", "site.yaml")).stderr).toContain("must be postgres://USER:PASSWORD@HOST:5432/DATABASE")

      expect(said.join("\n")).not.toContain("geheim")
      expect(filesIn(folder).filter((file) => readFileSync(file).includes("geheim"))).toEqual([])
      delete process.env["MILLRACE_SECRET_WAREHOUSE"]
    })
  })
})
