import { describe, expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { inFolder, millrace, withSite, write } from "../millrace.ts"

const site = { "/": page("home", "/a"), "/a": page("a") }

describe("a folder with a broken pipeline file", () => {
  it("has it reported, and every command works with the other files", () =>
    withSite(site, async ({ folder, resolve }) => {
      write(
        folder,
        "good.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "checks: [{ rows: { min: 3 } }]",
        "sinks: { db: { type: duckdb, path: ./good.duckdb } }"
      )
      const held = await millrace(folder, "run", "good.yaml", "--json", "--resolve", resolve)
      const { run_id: id } = JSON.parse(held.stdout)
      write(folder, "broken.yaml", "source: { type: crawll }", "sinks: { d: { type: duckdb, path: x } }")
      write(
        folder,
        "steps.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "steps: [{ where: nothere = 1 }]",
        "sinks: { db: { type: duckdb, path: ./good.duckdb } }"
      )

      const told: Record<string, string> = {}
      for (const command of [
        ["runs"],
        ["runs", "show", id],
        ["journal", "list"],
        ["commit", id],
        ["replay", id],
        ["rejects", "list"],
        ["rejects", "replay"],
        ["journal", "prune"]
      ]) {
        const { code, stderr, stdout } = await millrace(folder, ...command)
        expect([command, code]).toEqual([command, 0])
        expect(stderr).toContain("broken.yaml:1:17: `source.type` must be a type that a connector offers")
        expect(stderr).toContain("these files are left out: broken.yaml\n")
        told[command.join(" ")] = stdout
      }
      const diff = await millrace(folder, "diff", "pages")

      expect(held.code).toBe(3)
      expect(told["runs"]).toContain("held")
      expect(told[`commit ${id}`]).toContain("good: done")
      expect(diff.stderr).toContain('steps.yaml:2:18: Binder Error: Referenced column "nothere" not found')
      expect(diff.stderr).toContain("these files are left out: steps.yaml\n")
      expect(diff.stderr).toContain("good: sink db has only one load")
    }))

  it("fails where no file is right, and where the broken one was named", () =>
    inFolder(async (folder) => {
      const broken = write(folder, "broken.yaml", "source: { type: crawll }", "sinks: { d: { type: duckdb, path: x } }")

      const ends = [await millrace(folder, "runs"), await millrace(folder, "runs", broken)]

      for (const { code, stderr, stdout } of ends) {
        expect([code, stdout]).toEqual([2, ""])
        expect(stderr).toContain("broken.yaml:1:17: ")
        expect(stderr).not.toContain("left out")
      }
    }))
})
