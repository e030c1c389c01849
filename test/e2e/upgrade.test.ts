/**
 * What version 0.1.0 left on the disk (`test/upgrade`), opened by this version: the rows that were there stay as they were,
 * and the same pipelines on the same site add nothing that is not new.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, describe, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { millrace, query, queryLake, start } from "../app/millrace.ts"
import { receiver } from "../service/receiver.ts"
import { scriptedSite } from "../service/scriptedSite.ts"
import { sampleOf } from "../thoroughness.ts"
import { unpack } from "../upgrade/archive.ts"
import * as Site from "../upgrade/site.ts"
import { ask } from "./servedProcess.ts"

const folder = mkdtempSync(join(tmpdir(), "millrace-upgrade-"))
unpack(resolve(import.meta.dirname, "../upgrade/from-0.1.0.json.zst"), folder)
const hook = await Effect.runPromise(receiver())
const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite({ ...Site.after, "/hook": hook.answer }), scope))
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const hosts = ["site", "one", "two"].flatMap((host) => ["--resolve", `${host}.test=127.0.0.1:${site.port}`])
const run = (file: string, ...more: ReadonlyArray<string>) => millrace(folder, "run", file, "--json", ...more, ...hosts)
const said = (stdout: string) => JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
const inDuckdb = (name: string, sql: string) => query(join(folder, `${name}.duckdb`), sql)
const path = "regexp_replace(url, 'http://[a-z]+.test', '') AS path"
const lines = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
/** How many rows each page has. */
const counted = (from: string) => `SELECT ${path}, count(*)::INTEGER AS n FROM ${from} GROUP BY ALL ORDER BY ALL`
const times = (rows: Readonly<Record<string, number>>) => Object.entries(rows).map(([path, n]) => ({ path, n }))

describe("a workspace of version 0.1.0", () => {
  it("is listed by runs and by journal list, each run with how far it came", async () => {
    const runs = await millrace(folder, "runs", "--json")
    const journal = await millrace(folder, "journal", "list", "--json")
    const statuses = (stdout: string) =>
      Object.entries(Object.groupBy(lines(stdout), ({ pipeline }) => pipeline))
        .map(([name, of]) => `${name}: ${(of ?? []).map(({ status }) => status).toSorted()}`)
        .toSorted()
    const expected = [
      ...["append", "apart-one", "apart-two"].map((name) => `${name}: done,done`),
      "behind: behind",
      "held: done,held",
      ...["merge", "rejects", "replace", "same-one", "same-two", "scd2"].map((name) => `${name}: done,done`),
      "unfinished: reading",
      "watch: done,done"
    ].toSorted()

    expect([runs.code, statuses(runs.stdout)]).toEqual([0, expected])
    expect([journal.code, statuses(journal.stdout.replace(/^\{"pipeline.*\n/gm, ""))]).toEqual([0, expected])
  })

  it.each(
    sampleOf(
      [
        ["merge", { "/": 1, "/a": 1, "/b": 1, "/c": 1, "/d": 1 }, { "/": 1, "/a": 1, "/b": 1, "/c": 1, "/d": 1 }],
        ["replace", { "/": 1, "/a": 1, "/b": 1, "/d": 1 }, { "/": 1, "/a": 1, "/b": 1, "/d": 1 }],
        ["append", { "/": 2, "/a": 2, "/b": 2, "/c": 1, "/d": 1 }, { "/": 3, "/a": 3, "/b": 3, "/c": 1, "/d": 2 }],
        ["scd2", { "/": 2, "/a": 1, "/b": 2, "/c": 1, "/d": 1 }, { "/": 2, "/a": 1, "/b": 2, "/c": 1, "/d": 1 }]
      ],
      2,
      ([way]) => way
    )
  )("has its tables of %s in DuckDB and Parquet, and runs on with them", async (way, before, after) => {
    const lake = join(folder, `${way}-lake`)
    const old = await inDuckdb(way, "SELECT url, title, markdown, _run_id FROM pages ORDER BY ALL")
    expect(await inDuckdb(way, counted("pages"))).toEqual(times(before))
    expect(await queryLake(lake, "pages", counted("lake"))).toEqual(times(before))

    const ran = await run(`${way}.yaml`)

    expect(ran.code, ran.stderr).toBe(0)
    expect(said(ran.stdout)).toMatchObject({ status: "done", accounting: { discovered: 4, failed: 0, blocked: 0 } })
    expect(await inDuckdb(way, counted("pages"))).toEqual(times(after))
    expect(await queryLake(lake, "pages", counted("lake"))).toEqual(times(after))
    expect(await inDuckdb(way, "SELECT count(*)::INTEGER AS n FROM _millrace_runs")).toEqual([{ n: 3 }])
    const latest = "SELECT title FROM pages WHERE url LIKE '%/b' ORDER BY _fetched_at DESC LIMIT 1"
    expect(await inDuckdb(way, latest)).toEqual([{ title: "b, anew" }])
    if (way === "append" || way === "scd2") {
      const kept = await inDuckdb(way, "SELECT url, title, markdown, _run_id FROM pages ORDER BY ALL")
      expect(kept).toEqual(expect.arrayContaining([...old]))
    }
  })

  it("has its histories: which versions are current, what the last load changed, and nothing since", async () => {
    const current = `SELECT ${path} FROM pages WHERE is_current ORDER BY ALL`
    const since = await millrace(folder, "diff", "pages", "scd2.yaml", "--json")
    const [first, second] = lines((await millrace(folder, "runs", "scd2.yaml", "--json")).stdout).toReversed()
    const between = ["--from", first.run_id, "--to", second.run_id, "--json"]

    expect(await inDuckdb("scd2", current)).toEqual([{ path: "/" }, { path: "/a" }, { path: "/b" }, { path: "/d" }])
    expect(lines(since.stdout).at(-1).summary.counts).toEqual({ added: 0, removed: 0, changed: 0, written: 0 })
    for (const sink of ["db", "lake"]) {
      const { code, stdout } = await millrace(folder, "diff", "pages", "scd2.yaml", "--sink", sink, ...between)
      const found = lines(stdout).flatMap(({ key, kind }) => (key === undefined ? [] : [`${kind} ${key.url}`]))
      expect(code).toBe(0)
      expect(found.toSorted()).toEqual([
        "added http://site.test/d",
        "changed http://site.test/",
        "changed http://site.test/b",
        "removed http://site.test/c"
      ])
    }
  })

  it("knows how the pages were that it watches: a site that is as it was has no change", async () => {
    const ran = await run("watch.yaml")
    const changes = `SELECT status, count(*)::INTEGER AS n FROM page_changes
      WHERE check_id = (SELECT max(check_id) FROM monitor_checks) GROUP BY ALL`

    expect(ran.code, ran.stderr).toBe(0)
    expect(await inDuckdb("watch", "SELECT count(*)::INTEGER AS n FROM monitor_checks")).toEqual([{ n: 3 }])
    expect(await inDuckdb("watch", changes)).toEqual([])
    const versions = `SELECT ${path}, count(*)::INTEGER AS n FROM pages GROUP BY ALL ORDER BY ALL`
    expect(await inDuckdb("watch", versions)).toEqual(times({ "/": 2, "/a": 1, "/b": 2, "/c": 1, "/d": 1 }))
  })

  it("commits the run that was held, as it was staged", async () => {
    const [held] = lines((await millrace(folder, "runs", "held.yaml", "--json")).stdout)
    const asked = site.requests.length
    const committed = await millrace(folder, "commit", held.run_id, "held.yaml", "--json")

    expect(committed.code, committed.stderr).toBe(0)
    expect(said(committed.stdout)).toMatchObject({ run_id: held.run_id, status: "done" })
    expect(site.requests.length).toBe(asked)
    // Its rows say what is stored, so a merge leaves them untouched.
    expect(said(committed.stdout).sinks.db.tables.pages).toMatchObject({ received: 4, unchanged: 4, written: 0 })
    const runs = `SELECT count(*)::INTEGER AS n FROM _millrace_runs WHERE run_id = '${held.run_id}'`
    expect(await inDuckdb("held", runs)).toEqual([{ n: 1 }])
    expect(await inDuckdb("held", counted("pages"))).toEqual(times({ "/": 1, "/a": 1, "/b": 1, "/d": 1 }))
  })

  it("has the rows that were rejected, and takes them in where the contract lets it", async () => {
    const list = () => millrace(folder, "rejects", "list", "rejects.yaml", "--json")
    const before = lines((await list()).stdout)
    const vars = ["--var", "contract=evolve", "--var", "format=html"]
    const replayed = await millrace(folder, "rejects", "replay", "rejects.yaml", ...vars)

    expect(before.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 4 }, () => "table pages of the destination has no column html")
    )
    expect(replayed.code, replayed.stderr).toBe(0)
    expect((await list()).stdout).toBe("")
    const pages = "SELECT count(*)::INTEGER AS n, count(html)::INTEGER AS html FROM pages"
    expect(await inDuckdb("rejects", pages)).toEqual([{ n: 4, html: 4 }])
  })

  it("gives the sink that was behind its run from the journal, and each row once", async () => {
    const ran = await run("behind.yaml")

    expect(ran.code, ran.stderr).toBe(0)
    expect(said(ran.stdout).caught_up).toHaveLength(1)
    const twice = times({ "/": 2, "/a": 2, "/b": 2, "/d": 2 })
    expect(await inDuckdb("behind", counted("pages"))).toEqual(twice)
    expect(await queryLake(join(folder, "behind-lake"), "pages", counted("lake"))).toEqual(twice)
  })

  it("goes on with the run that was killed: what was fetched is not fetched again", async () => {
    const asked = site.requests.length
    const ran = await run("unfinished.yaml")

    expect(ran.code, ran.stderr).toBe(0)
    expect(said(ran.stdout)).toMatchObject({ status: "done", resumed: true })
    expect(site.requests.slice(asked).filter((path) => ["/", "/a", "/b"].includes(path))).toEqual([])
    expect(await inDuckdb("unfinished", counted("pages"))).toEqual(times({ "/": 1, "/a": 1, "/b": 1, "/d": 1 }))
  })

  it("runs on with two pipelines in one database that have main tables of their own", async () => {
    for (const name of ["one", "two"]) {
      const ran = await run(`apart-${name}.yaml`)
      expect(ran.code, ran.stderr).toBe(0)
      const all = times({ "/": 1, "/a": 1, "/b": 1, "/c": 1, "/d": 1 })
      expect(await inDuckdb("apart", counted(`pages_of_${name}`))).toEqual(all)
    }
  })

  it("gives tables that two pipelines wrote to the first of them, and leaves all rows as they were", async () => {
    const host = "regexp_extract(url, '[a-z]+.test')"
    const rows = `SELECT ${host} AS host, count(*)::INTEGER AS n FROM pages GROUP BY ALL ORDER BY ALL`
    const each = [
      { host: "one.test", n: 5 },
      { host: "two.test", n: 5 }
    ]
    expect(await inDuckdb("same", rows)).toEqual(each)

    const first = await run("same-one.yaml")
    const second = await run("same-two.yaml")

    expect(first.code, first.stderr).toBe(0)
    if (duckdb.with({ path: "x" }).owners !== undefined) {
      expect(second.code).toBe(2)
      expect(second.stderr).toContain("same-one")
    }
    expect(await inDuckdb("same", rows)).toEqual(each)
  })
})

describe("a schedule of version 0.1.0", () => {
  it("knows what ran last, and runs on", async () => {
    const list = () => millrace(folder, "schedule", "schedule", "--list", "--json")
    const before = said((await list()).stdout)
    const ran = await millrace(folder, "schedule", "run", "schedule/yearly.yaml", ...hosts)
    const after = said((await list()).stdout)

    expect(before).toMatchObject({ pipeline: "yearly", last: { status: "done", attempts: 1 }, waiting: 0 })
    expect(ran.code).toBe(0)
    expect(after.last.status).toBe("done")
    expect(after.last.run_id > before.last.run_id).toBe(true)
    expect(await query(join(folder, "schedule/yearly.duckdb"), counted("pages"))).toEqual(
      times({ "/": 1, "/a": 1, "/b": 1, "/d": 1 })
    )
  })
})

describe("the data of a service of version 0.1.0", () => {
  it("has its crawl, tells the webhook that nobody took, and its monitor goes on from how the pages were", async () => {
    const made: Record<"crawl" | "monitor", string> & { at: number } = JSON.parse(
      readFileSync(join(folder, "service/made.json"), "utf8")
    )
    // Jobs are kept for a day: the data is as old as if it had been made two minutes ago.
    makeYounger(join(folder, "service/service.sqlite"), made.at, Date.now() - made.at - 120_000)
    const serving = start(folder, "serve", "--port=0", "--data=service", "--webhook-secret=whsec-1", ...hosts)
    const url = await new Promise<string>((done) =>
      serving.process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
    )
    try {
      const get = (path: string, body?: object) => Effect.runPromise(ask(`${url}${path}`, body))
      const crawl = await get(`/v2/crawl/${made.crawl}`)
      const monitors = await get("/v2/monitor")
      const checks = `/v2/monitor/${made.monitor}/checks`
      const before = await get(checks)
      await get(`/v2/monitor/${made.monitor}/run`, {})
      const check = await Effect.runPromise(endOf(() => get(checks)))
      const told = await Effect.runPromise(hook.untilEnd)

      expect(crawl).toMatchObject({ status: "completed", total: 4, completed: 4 })
      expect(crawl.data.map(({ metadata }: any) => metadata.title).toSorted()).toEqual(["a", "b, anew", "d", "home"])
      expect(monitors.data.map(({ id }: any) => id)).toEqual([made.monitor])
      expect(before.data.map(({ status }: any) => status)).toEqual(["completed", "completed"])
      expect(before.data[0].summary).toMatchObject({ changed: 2, new: 1, removed: 1 })
      expect(check.summary).toMatchObject({ same: 4, changed: 0, new: 0, removed: 0, error: 0 })
      expect(told.every(({ payload }) => payload.id === made.crawl && payload.metadata.from === "before")).toBe(true)
    } finally {
      serving.process.kill("SIGTERM")
      await serving.ended
    }
  })
})

/** The newest check, once there are three and all have ended. */
const endOf = Effect.fnUntraced(function* (checks: () => Promise<any>) {
  for (;;) {
    const { data } = yield* Effect.promise(checks)
    if (data.length === 3 && data.every(({ status }: any) => status === "completed")) return data[0]
    yield* Effect.sleep("100 millis")
  }
})

/** Moves every time that a database has, of the days before it was made and after, by so many milliseconds. */
const makeYounger = (file: string, madeAt: number, by: number): void => {
  const day = 24 * 3_600_000
  const database = new DatabaseSync(file)
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'page_words%'")
    .all()
  for (const { name } of tables) {
    for (const column of database.prepare(`PRAGMA table_info("${name}")`).all()) {
      if (!/^(BIGINT|INTEGER)$/i.test(String(column["type"]))) continue
      const is = `typeof("${column["name"]}") = 'integer' AND abs("${column["name"]}" - ${madeAt}) < ${2 * day}`
      database.exec(`UPDATE "${name}" SET "${column["name"]}" = "${column["name"]}" + ${by} WHERE ${is}`)
    }
  }
  database.close()
}
