/**
 * What killed runs leave, and what becomes of it: after the next run there is nothing that a run which was never killed
 * would not have left. And a run whose sink failed, whichever way: the next one has it from the journal, and the site is not
 * asked.
 */
import { mkdirSync, readdirSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "vitest"
import { randomFrom, seed } from "#testing/specimens"
import { alter, millrace, query, start, withSite, write } from "../app/millrace.ts"
import { page } from "../service/scriptedSite.ts"
import { timesOf } from "../thoroughness.ts"

const paths = ["/a", "/b", "/c", "/d", "/e", "/f"]
const routes = { "/": page("home", ...paths), ...Object.fromEntries(paths.map((path) => [path, page(path)])) }
const source = "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }"
const random = randomFrom(seed)

/** All that is there, each name without what differs from run to run. */
const kindsIn = (folder: string): ReadonlyArray<string> => [
  ...new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
      path
        .replace(/\d{8}T\d{9}Z-[0-9a-f]{6}/g, "RUN")
        .replace(/-[0-9a-f]{8}-\d{5}\.parquet/, ".parquet")
        .replace(/\d{12}\.json/, "N.json")
    )
  )
]

describe(`what killed runs leave (MILLRACE_SEED=${seed})`, () => {
  it("is gone after the next run", () =>
    withSite(routes, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "left.yaml",
        source,
        "steps: [{ derive: { size: len(markdown) } }]",
        "checks: [{ changed: { max: 100% } }]",
        "sinks:",
        "  db: { type: duckdb, path: ./out.duckdb, publish: ./readers.duckdb }",
        "  lake: { type: parquet, path: ./lake, write: merge }"
      )
      const args = ["run", file, "--json", "--resolve", resolve]
      for (let n = 0; n < 2; n += 1) expect((await millrace(folder, ...args)).code).toBe(0)
      const expected = kindsIn(folder)
      const left = new Set<string>()

      const isLeft = () => [...left].some((kind) => kind.includes("parquet-"))
      // A kill may come before anything is open: there are as many as it takes to leave what the next run must remove.
      for (let kills = 0; kills < timesOf(1, 2, 6) || !(isLeft() || kills >= 12); ) {
        const { ended, process } = start(folder, ...args)
        // The lake is the last that is opened.
        const opened = watch(join(folder, ".millrace"), (_event, name) => {
          if (!name?.startsWith("parquet-")) return
          opened.close()
          setTimeout(() => process.kill("SIGKILL"), random(500))
        })
        await ended
        opened.close()
        if ((await ended).code !== null) continue
        kills += 1
        for (const kind of kindsIn(folder)) if (!expected.includes(kind)) left.add(kind)
      }
      // What no moment of these kills may have left: a run that never began, and a state half written.
      const runs = join(folder, ".millrace/pipelines/left/runs")
      mkdirSync(join(runs, "20200101T000000000Z-000000"))
      writeFileSync(join(runs, "20200101T000000000Z-000000/run.json.next"), "{")
      const last = await millrace(folder, ...args)

      expect(last.code, last.stderr).toBe(0)
      expect([...left].join()).toContain("parquet-")
      // A folder that was killed between its making and its lock is empty, and goes after a day (PrivateFolder).
      const isBeingMade = (kind: string) =>
        /^\.millrace\/parquet-[^/]+$/.test(kind) && readdirSync(join(folder, kind)).length === 0
      expect(kindsIn(folder).filter((kind) => !expected.includes(kind) && !isBeingMade(kind))).toEqual([])
      expect(await query(join(folder, "out.duckdb"), "SELECT count(*)::INTEGER AS n FROM pages")).toEqual([{ n: 7 }])
    }))

  it("does not keep a pipeline from running where its state is damaged, and the listings say so", () =>
    withSite(routes, async ({ folder, resolve }) => {
      const file = write(folder, "bad.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
      const run = () => millrace(folder, "run", file, "--json", "--resolve", resolve)
      const { run_id: id } = JSON.parse((await run()).stdout)
      const runs = join(folder, ".millrace/pipelines/bad/runs")
      writeFileSync(join(runs, id, "run.json"), '{"run_id": "2026')

      const listed = await millrace(folder, "runs", file, "--json")
      const journal = await millrace(folder, "journal", "list", file)
      const ran = await run()
      const after = await millrace(folder, "journal", "list", file)

      expect([listed.code, JSON.parse(listed.stdout)]).toMatchObject([0, { run_id: id, status: "done", sinks: ["db"] }])
      expect(journal.code).toBe(0)
      expect(journal.stdout).toMatch(
        /failed .*run\.json was not written by this version of millrace: .*; the next run sets it aside/
      )
      expect(ran.code, ran.stderr).toBe(0)
      const aside = join(folder, ".millrace/pipelines/bad/damaged", id)
      expect(ran.stderr).toContain(
        `bad: run ${id} cannot be resumed, because its journal is damaged: run.json was not written`
      )
      expect(ran.stderr).toContain(aside)
      expect(readdirSync(aside).toSorted()).toEqual(["answers.ndjson.zst", "blocks.zst", "run.json"])
      expect(after.stdout).not.toContain("sets it aside")
      expect(after.stdout).toMatch(/bad: [\d.]+ [kM]B of other files in its journal: damaged [\d.]+ kB/)
    }))
})

describe("a run whose sinks have all failed is loaded from the journal by the next, and the site is not asked", () => {
  /** How the destination is made to fail, and made good again. */
  const ways: ReadonlyArray<readonly [string, (folder: string) => Promise<() => Promise<void> | void>]> = [
    [
      "at its commit: somebody gave the table an index that the rows do not keep",
      async (folder) => {
        const file = join(folder, "out.duckdb")
        await alter(file, "CREATE UNIQUE INDEX one_url ON pages (url)")
        return () => alter(file, "DROP INDEX one_url")
      }
    ],
    [
      "at its opening: another process has the database",
      async (folder) => {
        const instance = await DuckDBInstance.create(join(folder, "out.duckdb"))
        return () => instance.closeSync()
      }
    ]
  ]
  it.each(ways)("%s", (_way, breaks) =>
    withSite(routes, async ({ folder, resolve, site }) => {
      const file = write(
        folder,
        "fails.yaml",
        source,
        "sinks: { db: { type: duckdb, path: ./out.duckdb, write: append } }"
      )
      const args = ["run", file, "--json", "--resolve", resolve]
      expect((await millrace(folder, ...args)).code).toBe(0)
      const each = site.requests.length
      const mend = await breaks(folder)
      // A process of its own: to this one, which may have the database open, it is not another's.
      const failed = await start(folder, ...args).ended
      const asked = site.requests.length
      await mend()
      const good = await millrace(folder, ...args)

      expect(failed.code).toBe(1)
      expect(good.code, good.stderr).toBe(0)
      expect(JSON.parse(good.stdout)).toMatchObject({ status: "done", resumed: true })
      expect([each, 2 * each]).toContain(asked)
      expect(site.requests.length).toBe(2 * each)
      const counts = "count(*)::INTEGER AS n, count(DISTINCT _run_id)::INTEGER AS runs"
      expect(await query(join(folder, "out.duckdb"), `SELECT ${counts} FROM pages`)).toEqual([{ n: 14, runs: 2 }])
    })
  )
})
