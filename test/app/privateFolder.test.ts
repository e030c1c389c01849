/** What pages answered is kept in `.millrace`, which nobody else on the machine may enter. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { page } from "../service/scriptedSite.ts"
import { millrace, withSite, write } from "./millrace.ts"

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

it("the folder of the runs is its owner's alone, and what is loaded has the permissions of any file", () =>
  withSite({ "/": page("home") }, async ({ folder, resolve }) => {
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "table: { name: pages, key: url }",
      "sinks: { files: { type: file, path: ./out/files, format: jsonl } }"
    )
    const { code } = await millrace(folder, "run", "site.yaml", "--resolve", resolve)

    expect(code).toBe(0)
    expect(readdirSync(join(folder, ".millrace"))).toContain("pipelines")
    expect(modeOf(join(folder, ".millrace"))).toBe("700")
    expect(modeOf(join(folder, ".millrace/pipelines/site/runs"))).toBe("700")
    expect(modeOf(join(folder, "out"))).toBe((0o777 & ~process.umask()).toString(8))
  }))
