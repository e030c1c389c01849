import { expect, it } from "vitest"
import { inFolder, start, write } from "../millrace.ts"

it("plan and preview print the name of a column on one line, and no control character", () =>
  inFolder(async (folder) => {
    write(
      folder,
      "odd.ts",
      'import { Source } from "millrace"',
      'const names = ["line\\nbreak", "bell\\u0007", "id"]',
      "export const odd = Source.simple({",
      '  type: "odd",',
      '  columns: Object.fromEntries(names.map((name) => [name, "BIGINT"])),',
      "  rows: () => [Object.fromEntries(names.map((name, at) => [name, at]))]",
      "})"
    )
    write(
      folder,
      "odd.yaml",
      "connectors: [./odd.ts]",
      "source: { type: odd }",
      "sinks: { db: { type: duckdb, path: ./o.duckdb } }"
    )

    const plan = await start(folder, "plan", "odd.yaml").ended
    const preview = await start(folder, "preview", "odd.yaml").ended

    expect(plan.stdout).toContain("\n    line break           BIGINT\n    bell\\u0007           BIGINT\n")
    expect(preview.stdout).toContain("1.\n  line break  0\n  bell\\u0007  1\n  id          2\n")
  }))
