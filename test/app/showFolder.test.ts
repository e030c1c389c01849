import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { page } from "../service/scriptedSite.ts"
import { inFolder, millrace, withSite, write } from "./millrace.ts"

const site = { "/": page("home", "/a"), "/a": page("a") }
const source = "source: { type: crawl, url: http://site.test/ }"

describe("millrace without a command", () => {
  it("says how to begin where nothing is", () =>
    inFolder(async (folder) => {
      write(folder, "compose.yaml", "services: {}")
      const { code, stderr, stdout } = await millrace(folder)

      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(
        /^there is no pipeline in this folder yet\n\nbegin with\n\n {2}millrace init my\.yaml --url /
      )
      expect(stdout).toMatch(/\n {2}millrace --help +all commands\n$/)
      expect(stdout).not.toContain("compose.yaml")
    }))

  it("says of each pipeline how its last run ended and when, what stores are there, and what one could type", () =>
    withSite(site, async ({ folder, resolve }) => {
      mkdirSync(join(folder, "nightly"))
      write(folder, "fresh.yaml", source, "sinks: { db: { type: duckdb, path: ./fresh.duckdb } }")
      write(
        folder,
        "nightly/site.yaml",
        source,
        "sinks:",
        "  db: { type: duckdb, path: ../out.duckdb }",
        "  lake: { type: parquet, path: ./lake }"
      )
      write(
        folder,
        "broken.yaml",
        "source: { type: crawll, url: http://site.test/ }",
        "sinks: { db: { type: duckdb, path: ./x.duckdb } }"
      )
      await millrace(folder, "run", "nightly/site.yaml", "--resolve", resolve)

      const { code, stdout } = await millrace(folder)

      expect(code).toBe(0)
      expect(stdout).toMatch(/^3 pipelines in this folder\n/)
      expect(stdout).toMatch(/\n {2}fresh\.yaml +not run yet +for db\n/)
      expect(stdout).toMatch(/\n {2}broken\.yaml +not known +broken\.yaml:1:\d+: .*crawll/)
      expect(stdout).toMatch(
        /\n {2}nightly\/site\.yaml +done +(just now|1 minute ago) \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\) +pages 2 in db, lake\n/
      )
      expect(stdout).toMatch(/\n {2}nightly\/lake +a lake of Parquet files\n {2}out\.duckdb +DuckDB, [\d.]+ [kM]B\n/)
      for (const command of [
        "check broken.yaml",
        "preview fresh.yaml",
        "run fresh.yaml",
        "run nightly/site.yaml",
        "report nightly/site.yaml",
        "explore nightly/site.yaml"
      ]) {
        expect(stdout).toContain(`\n  millrace ${command} `)
      }
      // What it says to type can be typed.
      expect((await millrace(folder, "report", "nightly/site.yaml")).code).toBe(0)

      rmSync(join(folder, "out.duckdb"))
      write(folder, "out.duckdb", "no database")
      const damaged = await millrace(folder)
      expect([damaged.code, damaged.stdout]).toEqual([
        0,
        expect.stringMatching(/nightly\/site\.yaml +done .*out\.duckdb/)
      ])
    }))

  it("says first what to do with a run that a check holds", () =>
    withSite(site, async ({ folder, resolve }) => {
      write(
        folder,
        "site.yaml",
        source,
        "checks: [{ rows: { min: 5 } }]",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      await millrace(folder, "run", "site.yaml", "--resolve", resolve)

      const { stdout } = await millrace(folder)
      const run = /millrace commit (\S+) site\.yaml/.exec(stdout)?.[1] ?? ""

      expect(stdout).toMatch(/\n {2}site\.yaml +held .*rows: at least 5: 2 rows/)
      expect(stdout).toMatch(new RegExp(`\\nnext\\n\\n {2}millrace commit ${run} site\\.yaml +loads`))
      expect((await millrace(folder, "commit", run, "site.yaml")).code).toBe(0)
      expect((await millrace(folder)).stdout).toMatch(/\n {2}site\.yaml +done /)
    }))

  it("runs no code that is in the folder", () =>
    inFolder(async (folder) => {
      write(folder, "mine.ts", `import { writeFileSync } from "node:fs"\nwriteFileSync("ran", "")`)
      write(
        folder,
        "own.yaml",
        "connectors: [./mine.ts]",
        "source: { type: lines }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      const { code, stdout } = await millrace(folder)

      expect([code, existsSync(join(folder, "ran"))]).toEqual([0, false])
      expect(stdout).toMatch(/\n {2}own\.yaml +not loaded +it has modules of its own: millrace runs own\.yaml\n/)
      await millrace(folder, "runs", "own.yaml")
      expect(existsSync(join(folder, "ran"))).toBe(true)
    }))

  it("leaves --help and unknown commands as they are", () =>
    inFolder(async (folder) => {
      const help = await millrace(folder, "--help")
      const unknown = await millrace(folder, "frobnicate")

      expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("SUBCOMMANDS")])
      expect([unknown.code, unknown.stdout + unknown.stderr]).toEqual([
        2,
        expect.stringContaining('Unknown subcommand "frobnicate"')
      ])
    }))
})
