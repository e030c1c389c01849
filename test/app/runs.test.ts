import { rmSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "vitest"
import { page } from "../service/scriptedSite.ts"
import { inFolder, millrace, start, withSite, write } from "./millrace.ts"

const site = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }
const pipeline = (...sinks: ReadonlyArray<string>) => [
  "source: { type: crawl, url: http://site.test/ }",
  "sinks:",
  ...sinks
]
const db = "  db: { type: duckdb, path: ./out.duckdb }"
const lake = "  lake: { type: parquet, path: ./lake }"

const loaded = async (folder: string, resolve: string, file: string): Promise<string> => {
  const { stdout } = await millrace(folder, "run", file, "--json", "--resolve", resolve)
  return JSON.parse(stdout).run_id
}

describe("millrace runs", () => {
  it("lists what the destinations have seen, the newest first, and which of them has it", () =>
    withSite(site, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline(db))
      const first = await loaded(folder, resolve, file)
      write(folder, "site.yaml", ...pipeline(db, lake))
      const second = await loaded(folder, resolve, file)

      const { code, stdout } = await millrace(folder, "runs", file)
      const json = await millrace(folder, "runs", "--json")

      expect(code).toBe(0)
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/))
      expect(lines[0]).toEqual(["RUN", "PIPELINE", "STATUS", "STARTED", "TOOK", "ROWS", "CREDITS", "SINKS"])
      expect(
        lines.slice(1).map(([run, name, status, , , rows, credits, sinks]) => [run, name, status, rows, credits, sinks])
      ).toEqual([
        [second, "site", "done", "4", "3", "db, lake"],
        [first, "site", "done", "4", "3", "db"]
      ])
      const objects = json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      expect(objects.map(({ run_id, status, sinks }) => [run_id, status, sinks])).toEqual([
        [second, "done", ["db", "lake"]],
        [first, "done", ["db"]]
      ])
      expect(objects[0]).toMatchObject({
        pipeline: "site",
        rows: { pages: 3, crawl_jobs: 1 },
        facts: { discovered: 3 }
      })
    }))

  it("says failed, and why, of a run whose sink could not be opened; the next call shows the rows of that run too", () =>
    withSite(site, async ({ folder, resolve }) => {
      write(folder, "out.duckdb", "no database")
      const file = write(folder, "site.yaml", ...pipeline(db, lake.replace("./lake", "./out.duckdb/lake")))
      const failed = await millrace(folder, "run", file, "--resolve", resolve)
      expect([failed.code, failed.stdout]).toEqual([1, ""])

      const listed = await millrace(folder, "runs", file, "--json")
      const reason = /is not a DuckDB database/
      expect(JSON.parse(listed.stdout)).toMatchObject({ status: "failed", message: expect.stringMatching(reason) })
      const [head, line] = (await millrace(folder, "runs", file)).stdout.split("\n")
      expect(head).toMatch(/SINKS +NOTE$/)
      expect(line).toMatch(/ failed .*is not a DuckDB database/)
      expect((await millrace(folder, "journal", "list", file)).stdout).toMatch(/ failed .*is not a DuckDB database/)

      rmSync(join(folder, "out.duckdb"))
      write(folder, "site.yaml", ...pipeline(db))
      const { run_id: begun } = JSON.parse(listed.stdout)
      const once = await millrace(folder, "run", file, "--once", "monday", "--resolve", resolve)
      expect(once.stdout).toContain(
        `site: the same command also ended run ${begun} first, with rows: pages 3, crawl_jobs 1\n\nsite: done in `
      )
      const statuses = (await millrace(folder, "runs", file, "--json")).stdout.trim().split("\n")
      expect(statuses.map((text) => JSON.parse(text).status)).toEqual(["done", "done"])
    }))

  it("shows one run: its rows, its credits and where everything went", () =>
    withSite(site, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline(db))
      const id = await loaded(folder, resolve, file)

      const { stdout } = await millrace(folder, "runs", "show", id.slice(0, 18), file)
      const unknown = await millrace(folder, "runs", "show", "19990101", file)

      expect(stdout).toMatch(new RegExp(`^site: run ${id}, done, \\d{4}-\\d\\d-\\d\\d [\\d:]{8} UTC after [\\d.]+ s\n`))
      expect(stdout).toContain("\n  in db\n")
      expect(stdout).toContain("discovered 3 = 3 loaded + 0 failed + 0 blocked")
      expect(stdout).toMatch(/\n {2}pages +3 rows\n/)
      expect(stdout).toMatch(/\n {2}credits +3\n/)
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        "no run has an id that begins with 19990101: see millrace runs\n"
      ])
    }))

  it("counts pages that are gone as the run did, whichever of its sinks is a history", () =>
    withSite({ "/": page("home", "/a", "/gone"), "/a": page("a") }, async ({ folder, resolve }) => {
      const history = "  db: { type: duckdb, path: ./out.duckdb, write: scd2 }"
      for (const [name, sinks] of [
        ["first", [history, lake]],
        ["last", [lake, history]]
      ] as const) {
        const file = write(
          folder,
          `${name}.yaml`,
          ...pipeline(...sinks.map((sink) => sink.replace("./", `./${name}-`)))
        )
        const run = await millrace(folder, "run", file, "--resolve", resolve)
        const said = /discovered 3 = .*/.exec(run.stdout)?.[0] ?? ""
        const id = /run (\S+)\)/.exec(run.stdout)?.[1] ?? ""
        const shown = await millrace(folder, "runs", "show", id, file)

        expect(said).toBe("discovered 3 = 2 loaded + 1 gone + 0 failed + 0 blocked")
        expect(shown.stdout).toContain(`  ${said}\n`)
        expect(shown.stdout).toMatch(/\n {2}pages +3 rows\n/)
        expect(run.stdout).toContain("rows: pages 3,")
      }
    }))

  it("says that there are none yet, and that there is no pipeline file: one without source and sinks is not ours", () =>
    inFolder(async (folder) => {
      write(folder, "compose.yaml", "services: { web: { image: nginx } }")
      const none = await millrace(folder, "runs")
      write(folder, "site.yaml", ...pipeline(db, lake))
      const notYet = await millrace(folder, "runs")

      expect([none.code, none.stderr]).toEqual([
        2,
        "there is no pipeline file in this folder: name one at the end of the command\n"
      ])
      expect([notYet.code, notYet.stdout]).toEqual([0, "no runs yet\n"])
    }))

  it("tells what the journal knows, and who has the database open, where somebody writes it", () =>
    withSite(site, async ({ folder, resolve }) => {
      const file = write(folder, "site.yaml", ...pipeline(db))
      await loaded(folder, resolve, file)
      const instance = await DuckDBInstance.create(join(folder, "out.duckdb"))
      const { code, stderr, stdout } = await start(folder, "runs", file, "--json").ended
      instance.closeSync()

      expect(code).toBe(1)
      expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ pipeline: "site", status: "done", sinks: [] })
      expect(stderr).toContain(
        `site.yaml: sink db: ${join(folder, "out.duckdb")} is open in another process (${process.pid})`
      )
    }))
})
