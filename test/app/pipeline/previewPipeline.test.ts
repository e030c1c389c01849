import { expect, it } from "vitest"
import { millrace, withSite, write } from "../millrace.ts"

const hostile = {
  "/": "<html><head><title>T \u001b[31mred\u0007</title></head><body><h1>\u001b]0;pwned\u0007 hello</h1></body></html>"
}
const html = (
  _request: unknown,
  response: { setHeader: (name: string, value: string) => void; end: (text: string) => void }
) => {
  response.setHeader("content-type", "text/html; charset=utf-8")
  response.end(hostile["/"])
}
const file = ["source: { type: crawl, url: http://site.test/ }", "sinks: { db: { type: duckdb, path: ./out.duckdb } }"]

it("preview shows times as times, and sends no control character of a page to the terminal", () =>
  withSite({ "/": html }, async ({ folder, resolve }) => {
    const plain = write(folder, "plain.yaml", ...file)
    const stepped = write(
      folder,
      "stepped.yaml",
      ...file,
      "steps: [{ derive: { seen: _fetched_at, days: '[_fetched_at]' } }]"
    )

    const shown = await millrace(folder, "preview", plain, "--resolve", resolve)
    const json = await millrace(folder, "preview", stepped, "--json", "--resolve", resolve)

    expect(shown.stdout).toMatch(/ _fetched_at +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z\n/)
    expect(shown.stdout).toContain("T \\u001b[31mred\\u0007")
    expect(shown.stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u)
    const row = JSON.parse(json.stdout)
    for (const time of [row._fetched_at, row.seen, row.days[0]]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(row.title).toBe("T \u001b[31mred\u0007")
  }))

it("no command that shows what pages say sends their control characters to the terminal", () =>
  withSite({ "/": html }, async ({ folder, resolve }) => {
    const name = write(folder, "a.yaml", ...file, "checks: [{ sql: 'SELECT title FROM pages' }]")

    const ends = [
      await millrace(folder, "run", name, "--resolve", resolve),
      await millrace(folder, "runs", name),
      await millrace(folder, "journal", "list", name)
    ]

    expect(ends[0]?.code).toBe(3)
    for (const { stderr, stdout } of ends) expect(`${stdout}${stderr}`.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u)
  }))
