import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"
import { cutStatements, hasSql } from "#see/sql/statements"
import { complete } from "#see/sqlShell"
import { command, millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

const typed = async (folder: string, input: string, ...args: ReadonlyArray<string>) => {
  const child = spawn(command, ["shell", "site.yaml", ...args], { cwd: folder, stdio: "pipe" })
  child.stdin.end(input)
  const ended = new Promise((done) => child.on("close", done))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

it("shell answers the questions of a file one after the other, in the format that was said, and ends at the first that fails", () =>
  withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve }) => {
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "sinks:",
      "  db: { type: duckdb, path: ./out.duckdb }",
      "  lake: { type: parquet, path: ./lake, write: replace }"
    )
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)

    const asked = await typed(
      folder,
      "-- the first\nSELECT title\nFROM pages ORDER BY 1; SELECT 'a;b' AS t;\n.format json\n.columns pages\nSELECT count(*) AS n FROM pages"
    )
    const wrong = await typed(folder, "SELECT 1 AS one;\nSELEC 2;\nSELECT 3 AS three;\n", "--sink", "lake")
    const mistyped = await typed(folder, ".tabels\n")

    expect([asked.code, asked.stderr]).toEqual([0, ""])
    expect(asked.stdout).toMatch(/^title\na\nhome\n2 rows\nt\na;b\n1 row\n\{"column_name":"url"/)
    expect(asked.stdout.trimEnd().split("\n").at(-1)).toBe('{"n":2}')
    expect([wrong.code, wrong.stdout]).toEqual([1, "one\n1\n1 row\n"])
    expect(wrong.stderr).toContain('syntax error at or near "SELEC"')
    expect([mistyped.code, mistyped.stderr]).toEqual([1, "there is no command .tabels; did you mean .tables?\n"])
  }))

const names = ["pages", "page_links", "title"]

it("a word is completed by names of tables and columns, and by words of SQL in the letters that were begun", () => {
  expect(complete("SELECT * FROM pa", names)).toEqual([["pages", "page_links"], "pa"])
  expect(complete("SELECT pages.ti", names)).toEqual([["title"], "ti"])
  expect(complete("sel", names)).toEqual([["select"], "sel"])
  expect(complete("SEL", names)).toEqual([["SELECT"], "SEL"])
  expect(complete("SELECT ", names)).toEqual([[], ""])
})

it("statements end at semicolons, and not at those in texts, names and comments", () => {
  const text = `SELECT 'a;''b' AS "c;d" -- e;
    , $$f;g$$, $x$ $$;$x$ /* h; */; ; SELECT 2;rest of `
  expect(cutStatements(text)).toEqual({
    statements: [`SELECT 'a;''b' AS "c;d" -- e;\n    , $$f;g$$, $x$ $$;$x$ /* h; */`, "SELECT 2"],
    rest: "rest of "
  })
})

it("what has not ended holds its semicolons until it has", () => {
  for (const open of ["SELECT 'a;", 'SELECT "a;', "SELECT $$a;", "/* a;"]) {
    expect(cutStatements(open)).toEqual({ statements: [], rest: open })
  }
})

it("comments say nothing", () => {
  expect([hasSql(" -- a\n/* b */ "), hasSql("-- a\n1")]).toEqual([false, true])
})
