import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { tableFromIPC } from "apache-arrow"
import { expect, it } from "vitest"
import { command, millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

const arrowOf = async (folder: string, ...args: ReadonlyArray<string>) => {
  const { stdout } = await promisify(execFile)(command, [...args, "--format", "arrow"], {
    cwd: folder,
    encoding: "buffer"
  })
  return tableFromIPC(stdout)
}

it("preview and diff are streams of Arrow where programs ask for it: rows with their types, and a row for each field that changed", () => {
  const routes: Record<string, string> = { "/": page("home", "/a"), "/a": page("a") }
  return withSite(routes, async ({ folder, resolve }) => {
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/ }",
      "sinks: { lake: { type: parquet, path: ./lake, write: replace } }"
    )
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    routes["/"] = page("house", "/b")
    routes["/b"] = page("b")
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)

    const preview = await arrowOf(folder, "preview", "site.yaml", "--rows", "1", "--resolve", resolve)
    const diff = await arrowOf(folder, "diff", "pages", "site.yaml", "--column", "title")

    expect([preview.numRows, preview.get(0)?.["title"], Number(preview.get(0)?.["status_code"])]).toEqual([
      1,
      "house",
      200
    ])
    expect(String(preview.schema.fields.find(({ name }) => name === "_fetched_at")?.type)).toContain("Timestamp")
    expect(diff.schema.fields.map(({ name }) => name)).toEqual(["_change", "url", "_field", "_old", "_new"])
    expect(diff.toArray().map((row) => Object.values(row.toJSON()))).toEqual([
      ["changed", "http://site.test/", "title", "home", "house"],
      ["removed", "http://site.test/a", "title", "a", null],
      ["added", "http://site.test/b", "title", null, "b"]
    ])
  })
})
