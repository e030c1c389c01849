import { readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { millrace, query, withSite, write } from "../millrace.ts"

const days = ["2026-01-01", "2026-01-02", "2026-01-03"]
const routesOf = (): Record<string, string> =>
  Object.fromEntries(
    days.flatMap((day) => [
      [`/${day}/`, page(day, `/${day}/a`)],
      [`/${day}/a`, page(`a of ${day}`)]
    ])
  )
const source = 'source: { type: crawl, url: "http://site.test/${interval.start_date}/" }'
const sinks = "sinks: { db: { type: duckdb, path: ./out.duckdb, write: append } }"
const stretch = ["--from", "2026-01-01", "--to", "2026-01-04"]

it("backfill loads a run for each day, says how each ended, and does again only what is not done", () => {
  const { "/2026-01-02/a": missing = "", ...routes }: Record<string, string> = routesOf()
  return withSite(routes, async ({ folder, resolve, site }) => {
    write(folder, "days.yaml", source, "checks: [{ ok_status: 100% }]", sinks)
    const run = (...flags: ReadonlyArray<string>) =>
      millrace(folder, "backfill", "days.yaml", ...stretch, "--resolve", resolve, ...flags)

    const first = await run("--concurrency", "2")
    routes["/2026-01-02/a"] = missing
    const asked = site.requests.length
    const listed = await millrace(folder, "backfill", "days.yaml", "--list", "--json")
    const second = await run("--json")
    const third = await run()

    expect([first.code, first.stderr]).toEqual([
      3,
      "days: 1 of 3 intervals are not done; run it again to load only those\n"
    ])
    expect(first.stdout).toMatch(/ {2}2026-01-01 \.\. 2026-01-02 {2}done {4}pages 2, crawl_jobs 1 in .* \(run \S+\)\n/)
    expect(first.stdout).toMatch(
      / {2}2026-01-02 \.\. 2026-01-03 {2}HELD .*pages: at least 100% with a status of 200 to 399/
    )
    expect(first.stdout).toContain("days: 2 intervals done, 0 were done before, 1 held\n")
    const states = listed.stdout
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line))
    expect(states.map(({ interval, state }) => [interval, state])).toEqual([
      [{ start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z" }, "done"],
      [{ start: "2026-01-02T00:00:00Z", end: "2026-01-03T00:00:00Z" }, "held"],
      [{ start: "2026-01-03T00:00:00Z", end: "2026-01-04T00:00:00Z" }, "done"]
    ])
    const ended = second.stdout
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line))
    expect([second.code, ended.length]).toEqual([0, 2])
    expect(ended).toMatchObject([{ status: "done" }, { summary: { done: 1, done_before: 2, failed: 0 } }])
    expect(site.requests.slice(asked).filter((path) => path !== "/robots.txt" && !path.includes("sitemap"))).toEqual([
      "/2026-01-02/",
      "/2026-01-02/a"
    ])
    expect([third.code, third.stdout]).toEqual([0, "days: 0 intervals done, 3 were done before\n"])
    const rows = "SELECT count(*) AS n, count(DISTINCT url) AS urls, count(DISTINCT _run_id) AS runs FROM pages"
    expect(await query(join(folder, "out.duckdb"), rows)).toEqual([{ n: "6", urls: "6", runs: "3" }])
    const left = readdirSync(join(folder, ".millrace"), { recursive: true, encoding: "utf8" })
    expect(left.filter((file) => file.includes("service.sqlite"))).toEqual([])
  })
})

it("backfill refuses what would lose rows or load the same again, before anything is asked", () =>
  withSite(routesOf(), async ({ folder, resolve, site }) => {
    write(folder, "same.yaml", "source: { type: crawl, url: http://site.test/ }", sinks)
    write(folder, "replaced.yaml", source, sinks.replace("append", "replace"))
    write(folder, "history.yaml", source, sinks.replace("append", "scd2"))
    write(folder, "days.yaml", source, sinks)
    const run = async (file: string, ...flags: ReadonlyArray<string>) => {
      const { code, stderr } = await millrace(folder, "backfill", file, ...flags, "--resolve", resolve)
      return [code, stderr.split("\n")[0]]
    }

    expect(await run("same.yaml", ...stretch)).toEqual([2, expect.stringContaining("does not use the interval")])
    expect(await run("replaced.yaml", ...stretch)).toEqual([2, expect.stringContaining("would replace the one before")])
    expect(await run("history.yaml", ...stretch)).toEqual([2, expect.stringContaining("loads old rows later")])
    expect(await run("days.yaml")).toEqual([2, expect.stringContaining("name the period to load")])
    expect(await run("days.yaml", "--from", "2026-01-01")).toEqual([2, expect.stringContaining("--to takes a day")])
    expect(await run("days.yaml", "--from", "2026-02-01", "--to", "2026-01-01")).toEqual([
      2,
      "--from must be before --to"
    ])
    expect(await run("days.yaml", ...stretch, "--every", "0d")).toEqual([2, expect.stringContaining("--every takes")])
    expect(await run("days.yaml", ...stretch, "--concurrency", "0")).toEqual([2, expect.stringContaining("at least 1")])
    expect((await millrace(folder, "run", "days.yaml")).stderr).toContain("only a backfill has an interval")
    expect((await millrace(folder, "check", "days.yaml")).code).toBe(0)
    expect(site.requests).toEqual([])
  }))
