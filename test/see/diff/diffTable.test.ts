import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

const article = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${body}</p></main></body></html>`

/** A site that is crawled, changes and is crawled again, by these sinks. */
const crawledTwice = (
  sinks: ReadonlyArray<string>,
  use: (folder: string, runs: ReadonlyArray<string>) => Promise<void>
) => {
  const routes: Record<string, string> = {
    "/": page("home", "/a", "/b", "/c"),
    "/a": article("Fees", "The fee of the permit is ten euro a year."),
    "/b": article("Hours", "Open from nine to five."),
    "/c": article("<Old> page", "It goes.")
  }
  return withSite(routes, async ({ folder, resolve }) => {
    write(folder, "site.yaml", "source: { type: crawl, url: http://site.test/ }", "sinks:", ...sinks)
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    routes["/"] = page("home", "/a", "/b", "/d")
    routes["/a"] = article("Fees", "The fee of the permit is twelve euro a year.")
    routes["/d"] = article("News", "<script>alert(1)</script>It came.")
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    const { stdout } = await millrace(folder, "runs", "--json")
    const runs = stdout
      .trim()
      .split("\n")
      .map((line): string => JSON.parse(line).run_id)
    await use(folder, runs.toReversed())
  })
}
const lines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))

it("diff shows rows, fields and words between the last two loads, of the first sink that has both", () =>
  crawledTwice(
    ["  db: { type: duckdb, path: ./out.duckdb }", "  lake: { type: parquet, path: ./lake }"],
    async (folder, runs) => {
      const shown = await millrace(folder, "diff", "pages")
      const json = await millrace(
        folder,
        "diff",
        "pages",
        "--json",
        "--from",
        runs[0]?.slice(0, 20) ?? "",
        "--to",
        "latest"
      )
      const back = await millrace(
        folder,
        "diff",
        "pages",
        "--json",
        "--from",
        "latest",
        "--to",
        "previous",
        "--limit",
        "1"
      )

      const few = await millrace(folder, "diff", "pages", "--limit", "3")

      expect(shown.code).toBe(0)
      expect(shown.stdout).toContain("1 added, 1 removed, 2 changed\n")
      expect(few.stdout).toContain("\n1 more: --limit 4 shows all")
      expect(shown.stdout).toContain("compared by the rows that each run added (sink lake)")
      expect(shown.stdout).toMatch(
        /~ http:\/\/site\.test\/a\n {4}markdown .*permit is \[-ten-\]\{\+twelve\+\} euro a year/s
      )
      expect(shown.stdout).toMatch(/\+ http:\/\/site\.test\/d\n {4}title +News/)
      expect(shown.stdout).not.toContain("\u001b")
      const told = lines(json.stdout)
      expect(told.slice(0, -1).map(({ key, kind }) => [kind, key])).toEqual([
        ["changed", { url: "http://site.test/" }],
        ["changed", { url: "http://site.test/a" }],
        ["removed", { url: "http://site.test/c" }],
        ["added", { url: "http://site.test/d" }]
      ])
      expect(told.at(-1)).toMatchObject({
        summary: {
          sink: "lake",
          from: { run_id: runs[0] },
          to: { run_id: runs[1] },
          whole: true,
          rows: { from: 4, to: 4 },
          counts: { added: 1, removed: 1, changed: 2, written: 0 }
        }
      })
      expect(lines(back.stdout)).toHaveLength(2)
      expect(lines(back.stdout)[1]).toMatchObject({ summary: { counts: { added: 1, removed: 1, changed: 2 } } })
    }
  ))

it("diff --html writes one page in which the text of pages is text", () =>
  crawledTwice(["  db: { type: duckdb, path: ./out.duckdb, write: scd2, removed: close }"], async (folder) => {
    const { code, stdout } = await millrace(folder, "diff", "pages", "site.yaml", "--html", "out.html")

    expect([code, stdout.split("\n")[1]]).toEqual([0, "  1 added, 1 removed, 2 changed"])
    const html = readFileSync(join(folder, "out.html"), "utf8")
    expect(html).toContain("<del>ten</del><ins>twelve</ins>")
    expect(html).toContain("&lt;Old&gt; page")
    expect(html).not.toContain("<script")
    expect(html.endsWith("</html>\n")).toBe(true)
  }))

it("diff says what is not known any more, and what it does not find", () =>
  crawledTwice(
    ["  db: { type: duckdb, path: ./out.duckdb }", "  last: { type: duckdb, path: ./last.duckdb, write: replace }"],
    async (folder) => {
      const merged = await millrace(folder, "diff", "pages")
      const replaced = await millrace(folder, "diff", "pages", "--sink", "last")
      const table = await millrace(folder, "diff", "pagse")
      const column = await millrace(folder, "diff", "pages", "--column", "tilte")
      const same = await millrace(folder, "diff", "pages", "--from", "latest")
      const sink = await millrace(folder, "diff", "pages", "--sink", "nobody")

      expect(merged.code).toBe(0)
      expect(merged.stdout).toContain("3 written\n  NOT THE WHOLE DIFFERENCE: it is merged")
      expect([replaced.code, replaced.stderr]).toEqual([1, expect.stringContaining("the older one is gone")])
      expect([table.code, table.stderr]).toEqual([
        2,
        expect.stringContaining("no pipeline here has a table pagse; tables: pages,")
      ])
      expect([column.code, column.stderr]).toEqual([2, expect.stringContaining("has no column tilte; columns: url,")])
      expect([same.code, same.stderr]).toEqual([2, expect.stringContaining("are the same load")])
      expect([sink.code, sink.stderr]).toEqual([2, "site has no sink nobody; sinks: db, last\n"])
    }
  ))
