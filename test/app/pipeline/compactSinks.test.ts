import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { filesOf } from "../../connectors/parquet/lake.ts"
import { page } from "../../service/scriptedSite.ts"
import { inFolder, millrace, queryLake, withSite, write } from "../millrace.ts"

describe("millrace compact", () => {
  it("makes one file a table of three runs, changes no row, says so, and has nothing to do the second time", () => {
    const routes: Record<string, string> = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }
    return withSite(routes, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks: { lake: { type: parquet, path: ./lake } }"
      )
      for (const title of ["a", "a, newer", "a, newest"]) {
        routes["/a"] = page(title)
        await millrace(folder, "run", file, "--resolve", resolve)
      }
      const lake = join(folder, "lake")
      const seen = async () => [
        await queryLake(lake, "pages", "SELECT * FROM lake"),
        await queryLake(lake, "crawl_jobs", "SELECT * FROM lake")
      ]
      const filesNow = async () => {
        const files = await Effect.runPromise(
          Effect.all([filesOf(lake, "pages"), filesOf(lake, "crawl_jobs")], { concurrency: 1 })
        )
        return files.map((each) => each.length)
      }
      const [before, files] = [await seen(), await filesNow()]

      const { code, stdout } = await millrace(folder, "compact", file)
      const again = await millrace(folder, "compact", file, "--json")

      expect(files).toEqual([3, 3])
      expect(before.map((rows) => rows.length)).toEqual([9, 3])
      expect([code, stdout]).toEqual([
        0,
        `site: sink lake: ${lake}\n  pages: 3 files became 1\n  crawl_jobs: 3 files became 1\n`
      ])
      expect(await filesNow()).toEqual([1, 1])
      expect(await seen()).toEqual(before)
      expect(JSON.parse(again.stdout)).toEqual({ pipeline: "site", sink: "lake", location: lake, tables: {} })
    })
  })

  it("leaves the lake to the next run, which merges into what it made", () => {
    const routes: Record<string, string> = { "/": page("home", "/a"), "/a": page("a") }
    return withSite(routes, async ({ folder, resolve }) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks: { lake: { type: parquet, path: ./lake, write: merge } }"
      )
      await millrace(folder, "run", file, "--resolve", resolve)
      await millrace(folder, "run", file, "--resolve", resolve)
      await millrace(folder, "compact", file)
      routes["/a"] = page("a, newer")

      const { code } = await millrace(folder, "run", file, "--resolve", resolve)

      expect(code).toBe(0)
      const titles = await queryLake(join(folder, "lake"), "pages", "SELECT title FROM lake ORDER BY url")
      expect(titles).toEqual([{ title: "home" }, { title: "a, newer" }])
    })
  })

  it("ends with 2 for a size that is none, and where no sink is made of files", () =>
    inFolder(async (folder) => {
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )

      const size = await millrace(folder, "compact", file, "--below", "much")
      const none = await millrace(folder, "compact", file)

      expect([size.code, size.stderr]).toEqual([2, '--below must be a size such as "32 MB", not "much"\n'])
      expect([none.code, none.stderr]).toEqual([
        2,
        "none of these pipelines has a sink of type parquet: only these can be compacted\n"
      ])
    }))
})
