import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Answer, page } from "../service/scriptedSite.ts"
import { millrace, query, start, withSite, write } from "./millrace.ts"

const file = [
  "source:",
  "  type: monitor",
  "  by: crawl",
  "  monitor: mill",
  "  targets: [{ type: crawl, url: http://site.test/, crawlOptions: { sitemap: skip, maxConcurrency: 1 } }]",
  "sinks:",
  "  db: { type: duckdb, path: ./out.duckdb, write: scd2, removed: close }"
]

const links = ["/a", "/b", "/c", "/d", "/e"]

const site = (): Record<string, Answer> => ({
  "/": page("home", ...links),
  ...Object.fromEntries(links.map((path) => [path, page(`page ${path}`)]))
})

describe("a monitor by crawl, run from its file", () => {
  it("keeps the pages as a history and has each change once, also where a run is killed half-way", () => {
    const pages = site()
    return withSite(pages, async ({ folder, resolve }) => {
      const name = write(folder, "watch.yaml", ...file)
      const run = () => millrace(folder, "run", name, "--json", "--resolve", resolve)
      expect((await run()).code).toBe(0)

      pages["/"] = page("home", "/a", "/b", "/d", "/e", "/new")
      pages["/b"] = page("page b, anew")
      pages["/new"] = page("new")
      const last = pages["/new"]
      const killed = start(folder, "run", name, "--resolve", resolve)
      pages["/new"] = (_, response) => {
        pages["/new"] = last
        killed.process.kill("SIGKILL")
        response.destroy()
      }
      await killed.ended
      const { code, stdout } = await run()

      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ resumed: true, status: "done" })
      const out = join(folder, "out.duckdb")
      const changes = await query(
        out,
        `SELECT replace(url, 'http://site.test', '') AS path, status FROM page_changes
           WHERE check_id = (SELECT max(check_id) FROM monitor_checks) ORDER BY url`
      )
      expect(changes).toEqual([
        { path: "/", status: "changed" },
        { path: "/b", status: "changed" },
        { path: "/c", status: "removed" },
        { path: "/new", status: "new" }
      ])
      const history = await query(
        out,
        `SELECT replace(url, 'http://site.test', '') AS path, list(is_current ORDER BY valid_from) AS versions
           FROM pages GROUP BY url ORDER BY url`
      )
      expect(history).toEqual([
        { path: "/", versions: [false, true] },
        { path: "/a", versions: [true] },
        { path: "/b", versions: [false, true] },
        { path: "/c", versions: [false] },
        { path: "/d", versions: [true] },
        { path: "/e", versions: [true] },
        { path: "/new", versions: [true] }
      ])
      expect(await query(out, "SELECT count(*) AS n FROM monitor_checks")).toEqual([{ n: "2" }])
    })
  })

  it("says at its place in the file what it cannot do", () =>
    withSite({}, async ({ folder }) => {
      const name = write(folder, "watch.yaml", ...file.slice(0, 5), "  goal: prices", ...file.slice(5))
      const { code, stderr } = await millrace(folder, "check", name)

      expect(code).toBe(2)
      expect(stderr).toMatch(/watch\.yaml:6:\d+/)
      expect(stderr).toContain("is judged by the service; leave out goal, or by")
    }))
})
