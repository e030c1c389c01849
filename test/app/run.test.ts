import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { filesOf } from "../connectors/parquet/lake.ts"
import { page } from "../service/scriptedSite.ts"
import { isEveryCase, sampleOf } from "../thoroughness.ts"
import { inFolder, millrace, query, start, withSite, write } from "./millrace.ts"

const pipeline = (...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  "source: { type: crawl, url: http://site.test/ }",
  "sinks:",
  "  db: { type: duckdb, path: ./out.duckdb }",
  ...more
]

const three = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }

/** Many pages, so that a run can be stopped in the middle: every page links to the next ones. */
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    index === 0 ? "/" : `/p${index}`,
    page(`page ${index}`, ...Array.from({ length: 60 }, (_, other) => `/p${other}`).slice(1))
  ])
)

/** A page that calls somebody before it answers. */
const calling =
  (call: () => void, text: string) =>
  (_request: unknown, response: { setHeader: (name: string, value: string) => void; end: (text: string) => void }) => {
    call()
    response.setHeader("content-type", "text/html")
    response.end(text)
  }

describe("millrace run", () => {
  it("loads a site into DuckDB, tells what it did and ends with 0", () =>
    withSite(three, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline())

      const { code, stdout } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      expect(stdout).toContain("discovered 3 = 3 loaded + 0 failed + 0 blocked")
      const rows = await query(
        join(folder, "out.duckdb"),
        "SELECT count(*) AS n, count(DISTINCT url) AS urls FROM pages"
      )
      expect(rows).toEqual([{ n: "3", urls: "3" }])
    }))

  it("prints one JSON object on stdout with --json, and nothing else", () =>
    withSite(three, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline())

      const { stdout } = await millrace(folder, "run", file, "--json", "--resolve", resolve)

      expect(JSON.parse(stdout)).toMatchObject({
        pipeline: "site",
        status: "done",
        rows: { pages: 3, crawl_jobs: 1 },
        rejects: 0,
        credits: 3,
        accounting: { discovered: 3, loaded: 3, failed: 0, blocked: 0, left: 0 },
        sinks: { db: { rows: { pages: 3 } } }
      })
    }))

  it("merges by key: a second run leaves as many rows, with the newer text", () => {
    const routes = { ...three }
    return withSite(routes, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline())
      await millrace(folder, "run", file, "--resolve", resolve)
      routes["/a"] = page("a, newer")

      await millrace(folder, "run", file, "--resolve", resolve)

      const rows = await query(join(folder, "out.duckdb"), "SELECT title FROM pages ORDER BY url")
      expect(rows).toEqual([{ title: "home" }, { title: "a, newer" }, { title: "b" }])
      const runs = await query(join(folder, "out.duckdb"), "SELECT count(*) AS n FROM crawl_jobs")
      expect(runs).toEqual([{ n: "2" }])
    })
  })

  it("ends with 1 and commits nothing where the site cannot be reached", () =>
    inFolder(async (folder) => {
      const file = write(folder, "site.yaml", ...pipeline("network: { tries: 1 }"))

      const { code, stderr, stdout } = await millrace(folder, "run", file, "--resolve", "site.test=127.0.0.1:1")

      expect(code).toBe(1)
      expect(stdout).toBe("")
      expect(stderr).toContain("site: the run failed, nothing was committed: ")
      expect(stderr).toContain("the host refuses the connection")
    }))

  it("refuses private addresses unless they are allowed", () =>
    withSite(three, async ({ folder, site }) => {
      const file = write(
        folder,
        "private.yaml",
        `source: { type: crawl, url: "http://127.0.0.1:${site.port}/" }`,
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )

      const refused = await millrace(folder, "run", file)
      const allowed = await millrace(folder, "run", file, "--allow-private")

      expect([refused.code, allowed.code]).toEqual([1, 0])
      expect(refused.stderr).toContain("127.0.0.1 is not a public address; allow private addresses to reach it")
    }))

  it("ends with 2 for wrong arguments, a missing file, a broken file and a wrong --resolve", () =>
    inFolder(async (folder) => {
      const good = write(folder, "good.yaml", ...pipeline())
      const broken = write(folder, "broken.yaml", "source: { type: crawll, url: http://site.test/ }", "sinks: {}")

      const ends = await Promise.all([
        millrace(folder, "run"),
        millrace(folder, "rum"),
        millrace(folder, "run", "absent.yaml"),
        millrace(folder, "run", broken),
        millrace(folder, "run", good, "--resolve", "site.test")
      ])

      expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
      expect(ends[2]?.stderr).toBe("absent.yaml: cannot be read: there is no such file\n")
      expect(ends[4]?.stderr).toContain(
        '--resolve must be HOST=ADDR:PORT, such as shop.example=127.0.0.1:8080, not "site.test"'
      )
    }))

  it("checks every file before the first one runs", () =>
    withSite(three, async ({ folder, resolve, site }) => {
      const good = write(folder, "good.yaml", ...pipeline())
      const broken = write(folder, "broken.yaml", "sinks: {}")

      const { code } = await millrace(folder, "run", good, broken, "--resolve", resolve)

      expect(code).toBe(2)
      expect(site.requests).toEqual([])
    }))

  it.each(sampleOf(["SIGINT", "SIGTERM"] as const, 1, (signal) => signal))(
    "stops cleanly on %s: nothing is committed, and the next run loads everything",
    (signal) => {
      let interrupt = () => {}
      const routes = {
        ...many,
        "/p30": (_request: unknown, response: { end: (text: string) => void }) => (interrupt(), response.end(""))
      }
      return withSite(routes, async ({ folder, resolve, site }) => {
        const file = write(folder, "site.yaml", ...pipeline())
        const other = write(folder, "other.yaml", ...pipeline())
        const { process, ended } = start(folder, "run", file, other, "--resolve", resolve)
        interrupt = () => process.kill(signal)

        const { code, stderr } = await ended
        const asked = site.requests.length
        interrupt = () => {}
        const runs = await millrace(folder, "runs", file)
        const again = await millrace(folder, "run", file, "--resolve", resolve)

        expect(code).toBe(130)
        expect(stderr).toContain(
          "site: stopped, its job was cancelled and nothing was committed; the next run starts from the beginning"
        )
        expect(stderr).toContain("not run: other\n")
        expect(runs.stdout).toContain("  site      stopped  ")
        expect(asked).toBeLessThan(63)
        expect(again.code).toBe(0)
        expect(await query(join(folder, "out.duckdb"), "SELECT count(*) AS n FROM pages")).toEqual([{ n: "60" }])
        expect(await query(join(folder, "out.duckdb"), "SELECT count(*) AS n FROM crawl_jobs")).toEqual([{ n: "1" }])
      })
    }
  )

  it("killed in the middle and run again, loads what one run would have loaded", () => {
    let kill = () => {}
    const routes = { ...many, "/p45": calling(() => kill(), many["/p45"] ?? "") }
    return withSite(routes, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline("  lake: { type: parquet, path: ./lake }"))
      const whole = write(
        folder,
        "whole.yaml",
        ...pipeline("name: whole").map((line) => line.replace("./out", "./whole"))
      )
      const { process, ended } = start(folder, "run", file, "--resolve", resolve)
      kill = () => process.kill("SIGKILL")
      const { code } = await ended
      kill = () => {}

      await millrace(folder, "run", file, "--resolve", resolve)
      await millrace(folder, "run", whole, "--resolve", resolve)

      expect(code).toBe(null)
      const sql = "SELECT url, status_code, title, markdown FROM pages ORDER BY url"
      expect(await query(join(folder, "out.duckdb"), sql)).toEqual(await query(join(folder, "whole.duckdb"), sql))
      expect(existsSync(join(folder, "lake/_manifest/000000000001.json"))).toBe(true)
      expect(existsSync(join(folder, "lake/_manifest/000000000002.json"))).toBe(false)
    })
  })

  it.runIf(isEveryCase)(
    "killed while it replaces, leaves the last run's rows whole; run again, it replaces them",
    () => {
      let kill = () => {}
      const routes = { ...many, "/p45": calling(() => kill(), many["/p45"] ?? "") }
      return withSite(routes, async ({ folder, resolve }) => {
        const file = write(
          folder,
          "site.yaml",
          "source: { type: crawl, url: http://site.test/ }",
          "sinks:",
          "  db: { type: duckdb, path: ./out.duckdb, write: replace }",
          "  lake: { type: parquet, path: ./lake, write: replace }"
        )
        const titles = "SELECT title FROM pages WHERE url LIKE '%/p20' OR url LIKE '%/p59' ORDER BY url"
        const inLake = async () => {
          const files = await Effect.runPromise(filesOf(join(folder, "lake"), "pages"))
          const paths = files.map(({ path }) => `'${join(folder, "lake", path)}'`)
          return query(":memory:", titles.replace("pages", `read_parquet([${paths.join()}])`))
        }
        const seen = async () => [await query(join(folder, "out.duckdb"), titles), await inLake()]
        const older = [{ title: "page 20" }, { title: "page 59" }]
        const newer = [{ title: "page 20, newer" }, { title: "not here" }]

        await millrace(folder, "run", file, "--resolve", resolve)
        const before = await seen()
        Object.assign(routes, { "/p20": page("page 20, newer"), "/p59": undefined })
        const { process, ended } = start(folder, "run", file, "--resolve", resolve)
        kill = () => process.kill("SIGKILL")
        const { code } = await ended
        kill = () => {}
        const between = await seen()
        await millrace(folder, "run", file, "--resolve", resolve)

        expect(code).toBe(null)
        expect(before).toEqual([older, older])
        expect(between).toEqual([older, older])
        expect(await seen()).toEqual([newer, newer])
      })
    }
  )

  it("keeps within limits: credits are pages, concurrency is requests in flight", () =>
    withSite(many, async ({ folder, resolve, site }) => {
      const file = write(folder, "site.yaml", ...pipeline("limits: { credits: 7, concurrency: 2 }"))

      const { stdout } = await millrace(folder, "run", file, "--json", "--resolve", resolve)

      expect(JSON.parse(stdout)).toMatchObject({ rows: { pages: 7 }, credits: 7 })
      expect(site.peak()).toBeLessThanOrEqual(2)
    }))
})
