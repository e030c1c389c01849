import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Answer, file, page } from "../service/scriptedSite.ts"
import { sampleOf } from "../thoroughness.ts"
import { millrace, query, statuses, withSite, write } from "./millrace.ts"

const paths = Array.from({ length: 29 }, (_, at) => `/p${at + 1}`)

/** A site of thirty pages. */
const site = (): Record<string, Answer> => ({
  "/": page("home", ...paths),
  ...Object.fromEntries(paths.map((path) => [path, page(`page ${path}`)]))
})
const robots = (text: string, status = 200) => file("text/plain", text, status)
const down = file("text/html", "<title>maintenance</title>", 503)

/** Nobody waits until the site is better. */
const pipeline = (disposition: string) => [
  "source: { type: crawl, url: http://site.test/ }",
  "network: { tries: 1 }",
  `sinks: { db: { type: duckdb, path: ./out.duckdb, ${disposition} } }`
]
const dispositions = ["write: replace", "write: scd2, removed: close", "write: merge"]

const titles = (folder: string) => {
  const count = "SELECT count(*) AS n, count(*) FILTER (title = 'maintenance') AS down FROM pages"
  return query(join(folder, "out.duckdb"), count)
}

describe("a crawl that was not whole", () => {
  for (const disposition of sampleOf(dispositions, 1, (one) => one)) {
    it(`destroys nothing under ${disposition}, and says what it lacked`, () => {
      const routes = site()
      return withSite(routes, async ({ folder, resolve }) => {
        const name = write(folder, "site.yaml", ...pipeline(disposition))
        const run = () => millrace(folder, "run", name, "--resolve", resolve)
        const all = [{ n: "30", down: "0" }]
        const first = await run()
        expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("discovered 30 = 30 loaded + 0 failed")])

        routes["/robots.txt"] = robots("User-agent: *\nDisallow: /\n")
        const forbidden = await run()
        routes["/robots.txt"] = robots("out of order", 500)
        const unknown = await run()
        delete routes["/robots.txt"]
        routes["/"] = down
        const maintained = await run()
        expect([forbidden.code, unknown.code, maintained.code]).toEqual([1, 1, 1])
        expect(forbidden.stderr).toContain("robots.txt of the site forbids the start page http://site.test/")
        expect(maintained.stderr).toContain("the start page http://site.test/ answers 503, so nothing is loaded")

        Object.assign(routes, site(), Object.fromEntries(paths.slice(11).map((path) => [path, down])))
        const died = await run()
        expect(died.code).toBe(3)
        expect(died.stdout).toMatch(
          /^site: FAILED {2}whole: at most 10% may be missing: 12 of 30 were read, 18 \(60%\) are missing: 18 HTTP 503, first/
        )
        expect(await titles(folder)).toEqual(all)

        Object.assign(routes, site(), { "/robots.txt": robots("User-agent: *\nDisallow: /p1\n") })
        const narrower = await run()
        expect([narrower.code, narrower.stdout]).toEqual([3, expect.stringContaining("blocked by robots.txt, first")])
        expect(await titles(folder)).toEqual(all)
        expect(await statuses(folder, name)).toEqual(["done", "failed", "failed", "failed", "held", "held"])
      })
    })
  }

  it("is partial where little is missing: it says so everywhere, and a history closes nothing", () => {
    const routes = site()
    return withSite(routes, async ({ folder, resolve }) => {
      const name = write(folder, "site.yaml", ...pipeline("write: scd2, removed: close"))
      const run = (...flags: ReadonlyArray<string>) => millrace(folder, "run", name, "--resolve", resolve, ...flags)
      await run()
      routes["/p7"] = file("text/html", "<title>out of order</title>", 500)
      routes["/"] = page("home", ...paths.filter((path) => path !== "/p9"))
      const told = await run()
      const json = await run("--json")
      const listed = await millrace(folder, "runs", name)
      const reported = await millrace(folder, "report", name)
      const model = JSON.parse((await millrace(folder, "report", name, "--json")).stdout)
      const current = "SELECT count(*) AS n FROM pages WHERE is_current"
      const open = await query(join(folder, "out.duckdb"), current)
      routes["/p7"] = page("page /p7")
      const whole = await run()

      expect(told.code).toBe(0)
      expect(told.stdout).toMatch(/\n\nsite: partial in /)
      expect(told.stdout).toContain("\n  discovered 29 = 28 loaded + 1 failed + 0 blocked\n")
      expect(told.stdout).toContain(
        "site: partial: 2 of 30 could not be read (1 HTTP 500, first http://site.test/p7; 1 that run "
      )
      expect(JSON.parse(json.stdout)).toMatchObject({ status: "done", notice: "partial", whole: { missing: 2 } })
      expect(listed.stdout.match(/ partial /g)).toHaveLength(2)
      // One that failed, and one that no page links to any more.
      expect(model.whole).toEqual({ expected: 30, present: 28, missing: 2, not_met: 1 })
      expect(reported.stdout).toContain("\n  Partial: 2 of 30 could not be read. 28 rows of pages are in db.")
      expect(reported.stdout).toContain("\n  look    whole: everything that was expected: 28 of 30, 2 missing\n")
      expect(reported.stdout).toContain("\n  1  the site answers 500 (HTTP_500), for example http://site.test/p7\n")
      expect(reported.stdout).toContain("\n  1  an earlier run had it, and this one met no link to it\n")
      const errors = "SELECT DISTINCT code, error FROM crawl_errors"
      expect(await query(join(folder, "out.duckdb"), errors)).toMatchObject([{ code: "HTTP_500" }])
      expect(open).toEqual([{ n: "30" }])
      expect([whole.code, whole.stdout]).toEqual([0, expect.stringMatching(/^site: done in /)])
      expect(await query(join(folder, "out.duckdb"), current)).toEqual([{ n: "29" }])
    })
  })

  it("removes nothing on any of the days on which a sitemap answers 503, and says which it is", () => {
    const xml = (text: string) => file("application/xml", text)
    const urlset = (...names: ReadonlyArray<string>) =>
      xml(`<urlset>${names.map((name) => `<url><loc>http://site.test${name}</loc></url>`).join("")}</urlset>`)
    const hidden = urlset("/h1", "/h2")
    const routes: Record<string, Answer> = {
      ...site(),
      "/h1": page("hidden 1"),
      "/h2": page("hidden 2"),
      "/sitemap.xml": xml(
        "<sitemapindex>" +
          "<sitemap><loc>http://site.test/known.xml</loc></sitemap>" +
          "<sitemap><loc>http://site.test/hidden.xml</loc></sitemap></sitemapindex>"
      ),
      "/known.xml": urlset(...paths),
      "/hidden.xml": hidden
    }
    return withSite(routes, async ({ folder, resolve }) => {
      const name = write(folder, "site.yaml", ...pipeline("write: replace"))
      const run = () => millrace(folder, "run", name, "--resolve", resolve)
      const rows = async () => (await titles(folder))[0]?.["n"]
      const first = await run()
      expect([first.stdout, await rows()]).toEqual([expect.stringContaining("32 = 32 loaded"), "32"])

      routes["/hidden.xml"] = down
      for (const _day of ["first", "second"]) {
        const { code, stdout } = await run()
        expect([code, stdout, await rows()]).toEqual([
          0,
          expect.stringContaining("(the sitemap http://site.test/hidden.xml answered 503; 2 that run"),
          "32"
        ])
      }
      routes["/hidden.xml"] = hidden
      const back = await run()
      routes["/hidden.xml"] = file("text/html", "gone", 404)
      const gone = await run()
      expect([back.stdout, gone.stdout]).toEqual([
        expect.stringMatching(/^site: done in /),
        expect.stringMatching(/^site: done in /)
      ])
      expect(await rows()).toBe("30")
    })
  })

  it("is loaded by a commit, from the journal and without a stage, and removes nothing", () => {
    const routes = site()
    return withSite(routes, async ({ folder, resolve, site: { requests } }) => {
      const name = write(folder, "site.yaml", ...pipeline("write: scd2, removed: close"))
      await millrace(folder, "run", name, "--resolve", resolve)
      for (const path of paths.slice(11)) routes[path] = down
      routes["/p1"] = page("page /p1, anew")
      const held = await millrace(folder, "run", name, "--json", "--resolve", resolve)
      const asked = requests.length
      const committed = await millrace(folder, "commit", JSON.parse(held.stdout).run_id)

      expect([held.code, committed.code, requests.length]).toEqual([3, 0, asked])
      expect(committed.stdout).toMatch(/\n\nsite: partial in /)
      const versions = "SELECT count(*) AS n, count(*) FILTER (is_current) AS current FROM pages"
      expect(await query(join(folder, "out.duckdb"), versions)).toEqual([{ n: "31", current: "30" }])
    })
  })

  it("is let pass by checks that say so", () => {
    const routes: Record<string, Answer> = { ...site(), ...Object.fromEntries(paths.slice(11).map((p) => [p, down])) }
    return withSite(routes, async ({ folder, resolve }) => {
      for (const [whole, code] of [
        ["59%", 3],
        ["60%", 0],
        ["off", 0]
      ] as const) {
        const [source = "", network = ""] = pipeline("")
        const sinks = `sinks: { db: { type: duckdb, path: "./${whole}.duckdb" } }`
        const name = write(folder, `w${code}.yaml`, `checks: [{ whole: ${whole} }]`, source, network, sinks)
        expect((await millrace(folder, "run", name, "--resolve", resolve)).code).toBe(code)
      }
      const odd = write(folder, "odd.yaml", "checks: [{ whole: 10%, table: crawl_jobs }]", ...pipeline("write: merge"))
      const { code, stderr } = await millrace(folder, "check", odd)
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("whole applies to the main table only; leave table out")
      ])
    })
  })
})

describe("what is gone", () => {
  it("is no row of a history, and the sum is true of the table", () => {
    const routes: Record<string, Answer> = { ...site(), "/p3": file("text/html", "<title>gone</title>", 404) }
    return withSite(routes, async ({ folder, resolve }) => {
      const name = write(folder, "site.yaml", ...pipeline("write: scd2"))
      const { stdout } = await millrace(folder, "run", name, "--resolve", resolve)

      expect(stdout).toMatch(/\n {2}rows: pages 29\b/)
      expect(stdout).toContain("discovered 30 = 29 loaded + 1 gone + 0 failed + 0 blocked\n")
      expect(await titles(folder)).toEqual([{ n: "29", down: "0" }])
    })
  })
})
