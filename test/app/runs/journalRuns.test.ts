import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { inFolder, millrace, withSite, write } from "../millrace.ts"

const three = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }
const source = "source: { type: crawl, url: http://site.test/ }"
const sinks = "sinks: { db: { type: duckdb, path: ./out.duckdb } }"

const ran = async (folder: string, resolve: string): Promise<string> => {
  const { stdout } = await millrace(folder, "run", "site.yaml", "--json", "--resolve", resolve)
  return JSON.parse(stdout).run_id
}
/** A run that is done, and one that a check holds. */
const doneAndHeld = async (folder: string, resolve: string): Promise<readonly [done: string, held: string]> => {
  write(folder, "site.yaml", source, sinks)
  const done = await ran(folder, resolve)
  write(folder, "site.yaml", source, "checks: [{ rows: { min: 5 } }]", sinks)
  return [done, await ran(folder, resolve)]
}
const runsIn = (folder: string) => readdirSync(join(folder, ".millrace/pipelines/site/runs")).toSorted()

describe("millrace journal", () => {
  it("lists what is kept of each run, the newest first, with its size and what is waited for", () =>
    withSite(three, async ({ folder, resolve }) => {
      const [first, second] = await doneAndHeld(folder, resolve)

      const { code, stdout } = await millrace(folder, "journal", "list")
      const json = await millrace(folder, "journal", "list", "--json")

      expect(code).toBe(0)
      const [head, ...lines] = stdout
        .trim()
        .split("\n")
        .map((line) => line.trimEnd().split(/ {2,}/))
      expect(head).toEqual(["RUN", "PIPELINE", "STARTED", "STATUS", "ROWS", "SIZE", "NOTE"])
      const started = expect.stringMatching(/^\d{4}-\d\d-\d\d [\d:]{8}$/)
      const size = expect.stringMatching(/^\d+(\.\d)? (kB|MB)$/)
      expect(lines).toEqual([
        [second, "site", started, "held", "4", size, "pages: rows: at least 5: 3 rows"],
        [first, "site", started, "done", "4", size],
        [
          expect.stringMatching(
            /^site: [\d.]+ [kM]B of other files in its journal: known [\d.]+ [kM]B, lock\.pid [\d.]+ [kM]B/
          )
        ]
      ])
      const entries = json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      expect(entries.map(({ run_id, status, committed }) => [run_id, status, committed])).toEqual([
        [first, "done", ["db"]],
        [second, "held", []],
        [undefined, undefined, undefined]
      ])
      expect(entries[2]).toMatchObject({ pipeline: "site", beside: { "lock.pid": expect.any(Number) } })
      expect(entries[0].bytes).toBeGreaterThan(500)
    }))

  it("prunes runs that are over, by their age, and never one that waits for somebody", () =>
    withSite(three, async ({ folder, resolve }) => {
      const [done, held] = await doneAndHeld(folder, resolve)

      const young = await millrace(folder, "journal", "prune", "--older-than", "1h")
      const kept = runsIn(folder)
      const old = await millrace(folder, "journal", "prune", "--older-than", "0s")
      const replay = await millrace(folder, "replay", done)

      expect([young.code, young.stdout]).toEqual([0, "0 runs pruned, 0 B freed\n"])
      expect(kept).toEqual([done, held])
      expect(old.code).toBe(0)
      expect(old.stdout).toMatch(/^1 run pruned, \d+ kB freed\n$/)
      expect(runsIn(folder)).toEqual([held])
      expect(existsSync(join(folder, ".millrace/pipelines/site/runs", held, "stage.duckdb"))).toBe(true)
      expect([replay.code, replay.stderr]).toEqual([
        2,
        `no journal has a run whose id begins with ${done}: see millrace journal list\n`
      ])
    }))

  it("prunes the oldest until the rest is small enough, as the file says it without being asked", () =>
    withSite(three, async ({ folder, resolve }) => {
      write(folder, "site.yaml", source, sinks)
      const first = await ran(folder, resolve)
      const second = await ran(folder, resolve)
      const before = runsIn(folder)
      const { stdout } = await millrace(folder, "journal", "list", "--json")
      const [bytes] = stdout
        .trim()
        .split("\n")
        .map((line): number => JSON.parse(line).bytes)
      write(folder, "site.yaml", source, sinks, `journal: { max: ${Math.round(((bytes ?? 0) * 1.5) / 1000)} kB }`)

      const third = await ran(folder, resolve)
      const left = runsIn(folder)
      const all = await millrace(folder, "journal", "prune", "--max", "0kB")

      expect(before).toEqual([first, second])
      expect(left).toEqual([third])
      expect(all.stdout).toMatch(/^1 run pruned, /)
      expect(runsIn(folder)).toEqual([])
    }))

  it("keeps no finished run where the file says so, and the run itself is reported", () =>
    withSite(three, async ({ folder, resolve }) => {
      write(folder, "site.yaml", source, sinks, "journal: { keep: 0 days }")
      await ran(folder, resolve)

      expect(runsIn(folder)).toEqual([])
    }))

  it("says that it is empty, and what its flags take", () =>
    inFolder(async (folder) => {
      write(folder, "site.yaml", source, sinks)

      const empty = await millrace(folder, "journal", "list")
      const age = await millrace(folder, "journal", "prune", "--older-than", "soon")
      const size = await millrace(folder, "journal", "prune", "--max", "7d")

      expect([empty.code, empty.stdout]).toEqual([0, "the journal is empty\n"])
      expect([age.code, age.stderr]).toEqual([2, '--older-than takes a value such as "7 days", not "soon"\n'])
      expect([size.code, size.stderr]).toEqual([2, '--max takes a value such as "500 MB", not "7d"\n'])
    }))
})
