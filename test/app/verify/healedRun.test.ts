/** A run that writes damaged files again says so, in its summary and later in the list of runs. */
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { inFolder, millrace, write } from "../millrace.ts"

it("a run says which files of a lake it wrote again, and `runs show` has their number", () =>
  inFolder(async (folder) => {
    write(
      folder,
      "things.ts",
      'import * as Schema from "effect/Schema"',
      'import { Source } from "millrace"',
      'export const things = Source.simple({ type: "things", options: Schema.Struct({}), key: ["id"],',
      '  columns: { id: "BIGINT NOT NULL" }, rows: async function* () { yield { id: 1 } } })'
    )
    write(
      folder,
      "p.yaml",
      "name: p",
      "connectors: [./things.ts]",
      "source: { type: things }",
      "sinks: { lake: { type: parquet, path: ./lake, write: append, iceberg: true } }"
    )
    const first = await millrace(folder, "run", "p.yaml")
    expect(first.stderr + first.stdout).not.toContain("wrote again")
    const things = join(folder, "lake/things")
    const [version = ""] = readdirSync(join(things, "_delta_log"))
    rmSync(join(things, "_delta_log", version))
    writeFileSync(join(things, "metadata/version-hint.text"), "7")

    const second = await millrace(folder, "run", "p.yaml", "--json")
    expect([second.code, second.stderr]).toEqual([0, ""])
    const report = JSON.parse(second.stdout.trim().split("\n").at(-1) ?? "")
    expect(report.warnings).toEqual([
      {
        message:
          "sink lake wrote again things/_delta_log/00000000000000000000.json, things/metadata/version-hint.text: gone or damaged when the run began",
        count: 1
      }
    ])
    expect((await millrace(folder, "runs", "show", report.run_id, "p.yaml")).stdout).toMatch(/healed_files +2\n/)
    expect((await millrace(folder, "run", "p.yaml", "--json")).stdout).not.toContain("wrote again")
  }))
