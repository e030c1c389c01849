import { existsSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "vitest"
import { inFolder, millrace, write } from "../millrace.ts"

const source = "source: { type: crawl, url: http://site.test/ }"
const sinks = "sinks: { db: { type: duckdb, path: ./out.duckdb } }"

describe("millrace check", () => {
  it("refuses a place that nobody serves, and run does so before it asks anything", () =>
    inFolder(async (folder) => {
      const file = write(folder, "a.yaml", source, "sinks: { lake: { type: parquet, path: 'gs://b/lake' } }")

      const ends = [await millrace(folder, "check", file), await millrace(folder, "run", file)]

      for (const { code, stderr } of ends) {
        expect(code).toBe(2)
        expect(stderr).toContain("a.yaml:2:39: `sinks.lake.path`: no connector serves gs:// here")
      }
      expect(existsSync(join(folder, "gs:"))).toBe(false)
    }))

  it("tells everything that is wrong in SQL at once, each with its place, and with what DuckDB thinks is meant", () =>
    inFolder(async (folder) => {
      const steps = [
        "steps:",
        "  - where: statuscode = 200",
        "  - derive: { words: lenn(markdown), up: upper(titel), ok: upper(title) }",
        "  - where: words > 3 AND ok <> ''",
        "  - drop: [nothere, description]",
        "  - rename: { titlee: name }",
        "  - where: a = = b",
        "  - where: regexp_matches(title, 1)",
        "checks:",
        "  - not_null: [urll, up, name]",
        "  - sql: SELECT * FROM page",
        "  - sql: SELECT words FROM pages WHERE statuss = 1",
        "  - { table: nopages, rows: { min: 1 } }"
      ]
      const file = write(folder, "a.yaml", source, ...steps, sinks)

      const { code, stderr } = await millrace(folder, "check", file)

      expect(code).toBe(2)
      const told = stderr.split("\n").filter((line) => line.startsWith("a.yaml:"))
      expect(told.map((line) => line.replace(/^a.yaml:/, ""))).toEqual([
        '3:12: Binder Error: Referenced column "statuscode" not found in FROM clause!',
        "4:22: Catalog Error: Scalar Function with name lenn does not exist!",
        '4:42: Binder Error: Referenced column "titel" not found in FROM clause!',
        '6:12: Binder Error: Column "nothere" in EXCLUDE list not found in FROM clause',
        "7:15: there is no column titlee to rename",
        '8:12: Parser Error: syntax error at or near "="',
        expect.stringMatching(/^9:12: Binder Error: No function matches .* 'regexp_matches\(/),
        "11:5: table pages has no column urll",
        "12:10: the query is not valid: Catalog Error: Table with name page does not exist!",
        "14:14: there is no table nopages; a check looks at pages, page_links, crawl_errors, crawl_jobs"
      ])
      expect(stderr).toContain('  hint: Candidate bindings: "status_code"')
      expect(stderr).toContain('  hint: Did you mean "len"?')
      expect(stderr).toContain('  hint: Did you mean "pages"?')
      expect(stderr).toContain("  hint: Candidate functions: regexp_matches(VARCHAR, VARCHAR) -> BOOLEAN")
      expect(stderr).not.toContain("_millrace_")
    }))

  it("lets two columns exchange their names", () =>
    inFolder(async (folder) => {
      const file = write(folder, "a.yaml", source, "steps:", "  - rename: { title: kind, kind: title }", sinks)

      expect((await millrace(folder, "check", file)).code).toBe(0)
    }))

  it("tells of a step or a check that cannot be with its line and column, and ends with 2", () =>
    inFolder(async (folder) => {
      const faults: ReadonlyArray<readonly [place: string, message: string, ...lines: ReadonlyArray<string>]> = [
        [
          "4:11",
          'Column "nothere" in EXCLUDE list not found',
          "steps:",
          "  - where: title IS NULL",
          "  - drop: nothere"
        ],
        ["3:12", 'Referenced column "statuscode" not found', "steps:", "  - where: statuscode = 200"],
        ["3:22", "the table already has a column url", "steps:", "  - rename: { title: url }"],
        ["3:38", "the step makes two columns name", "steps:", "  - rename: { title: name, language: name }"],
        ["3:26", "the step makes two columns title", "steps:", "  - select: [url, title, title]"],
        ["3:34", "the step makes two columns Words", "steps:", "  - derive: { words: '1', Words: '2' }"],
        ["3:12", "syntax error at or near", "steps:", "  - where: status_code = = 200"],
        ["3:5", "the steps remove url, which is in the key of pages", "steps:", "  - drop: url"],
        ["4:12", "the source has no table nopages", "steps:", "  - where: title IS NULL", "    table: nopages"],
        ["4:5", "table pages has no column titel", "checks:", "  - rows: { min: 1 }", "  - not_null: titel"],
        ["3:10", "the query is not valid: ", "checks:", "  - sql: SELECT * FROM nopages"]
      ]
      for (const [at, [, , ...lines]] of faults.entries()) write(folder, `${at}.yaml`, source, ...lines, sinks)
      const files = faults.map((_, at) => `${at}.yaml`)

      const { code, stderr, stdout } = await millrace(folder, "check", ...files)

      expect([code, stdout]).toEqual([2, ""])
      const told = stderr.split("\n\n")
      expect(told).toHaveLength(faults.length)
      for (const [at, [place, message]] of faults.entries()) {
        expect(told[at]?.split("\n")[0]).toContain(`${at}.yaml:${place}: `)
        expect(told[at]?.split("\n")[0]).toContain(message)
      }
    }))

  it("keeps steps and checks from the files of this machine", () =>
    inFolder(async (folder) => {
      write(folder, "secret.csv", "a,b", "1,2")
      const file = write(folder, "site.yaml", source, "checks:", "  - sql: FROM read_csv('secret.csv')", sinks)

      const { code, stderr } = await millrace(folder, "check", file)

      expect(code).toBe(2)
      expect(stderr).toMatch(/^site\.yaml:3:10: the query is not valid: Permission Error: /)
    }))

  it("refuses a run of such a file before anything is asked or made", () =>
    inFolder(async (folder) => {
      const file = write(folder, "site.yaml", source, "steps: [{ where: statuscode = 200 }]", sinks)

      const { code, stderr } = await millrace(folder, "run", file)

      expect(code).toBe(2)
      expect(stderr).toMatch(/^site\.yaml:2:18: Binder Error: Referenced column "statuscode" not found/)
      expect(existsSync(join(folder, "out.duckdb"))).toBe(false)
    }))

  it("tells what else is at the path of a DuckDB sink, as plan does", () =>
    inFolder(async (folder) => {
      write(folder, "notes.txt", "no database, but a text of some length")
      write(folder, "empty.duckdb", "")
      const at = (path: string) => write(folder, "site.yaml", source, `sinks: { db: { type: duckdb, path: ${path} } }`)

      for (const [path, why] of [
        ["./notes.txt", "notes.txt exists and is not a DuckDB database; choose another path, or move it away"],
        ["./empty.duckdb", "empty.duckdb exists and is not a DuckDB database"],
        [".", " is a folder; name a file in it"]
      ] as const) {
        const checked = await millrace(folder, "check", at(path))
        const planned = await millrace(folder, "plan", at(path))

        expect([checked.code, planned.code, planned.stderr]).toEqual([2, 2, checked.stderr])
        expect(checked.stderr).toMatch(/^site\.yaml:2:36: /)
        expect(checked.stderr).toContain(why)
      }
      const database = await DuckDBInstance.create(join(folder, "real.duckdb"))
      database.closeSync()
      expect(await millrace(folder, "check", at("./real.duckdb"))).toMatchObject({ code: 0, stderr: "" })
      expect(await millrace(folder, "check", at("./not/there.duckdb"))).toMatchObject({ code: 0, stderr: "" })
    }))

  it("tells that a file is where a sink would have its folder, and a run asks nothing of the site", () =>
    inFolder(async (folder) => {
      write(folder, "taken", "a file")

      for (const sink of ["type: parquet", "format: csv, type: file"]) {
        for (const path of ["./taken", "./taken/below/it"]) {
          const file = write(folder, "site.yaml", source, `sinks: { out: { ${sink}, path: ${path} } }`)
          const checked = await millrace(folder, "check", file)
          const ran = await millrace(folder, "run", file)

          expect([checked.code, ran.code]).toEqual([2, 1])
          for (const said of [checked.stderr, ran.stderr])
            expect(said).toContain("taken is a file, and would have to be a folder; name another path")
          expect(checked.stderr).toMatch(/^site\.yaml:2:/)
        }
      }
    }))
})
