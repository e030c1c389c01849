/**
 * A run under a caller's key whose process is killed between the commit and its end, and the same command again: every row is
 * there once, and the site was asked once.
 */
import { watch } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { randomFrom, seed } from "#testing/specimens"
import { millrace, query, queryLake, start, withSite, write } from "../app/millrace.ts"
import { page } from "../service/scriptedSite.ts"
import { timesOf } from "../thoroughness.ts"

const paths = ["/a", "/b", "/c", "/d"]
const random = randomFrom(seed)
/** Kills that must fall between the commit of a run and the end of its process. */
const killsAfterCommit = timesOf(1, 2, 6)

describe(`a run under its caller's key that is killed after its commit (MILLRACE_SEED=${seed})`, () => {
  it("is told when it is asked for again: append has each row once, and nothing is fetched twice", () => {
    const routes = { "/": page("home", ...paths), ...Object.fromEntries(paths.map((path) => [path, page(path)])) }
    return withSite(routes, async ({ folder, resolve, site }) => {
      const file = write(
        folder,
        "once.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks:",
        "  db: { type: duckdb, path: ./out.duckdb, write: append }",
        "  lake: { type: parquet, path: ./lake, write: append }"
      )
      const args = (key: string) => ["run", file, "--json", "--once", key, "--resolve", resolve]
      await millrace(folder, ...args("first"))
      const each = site.requests.length
      let [runs, kills] = [1, 0]

      while (kills < killsAfterCommit) {
        const key = `kill ${runs}`
        const requests = site.requests.length
        const child = start(folder, ...args(key))
        // The last sink commits when its manifest gets its name.
        const manifests = watch(join(folder, "lake/_manifest"), () => {
          manifests.close()
          setTimeout(() => child.process.kill("SIGKILL"), random(300))
        })
        const { code } = await child.ended
        manifests.close()
        if (code === null) kills += 1
        const again = await millrace(folder, ...args(key))
        runs += 1

        expect(again.code, again.stderr).toBe(0)
        expect(JSON.parse(again.stdout)).toMatchObject({ status: "done", once: key, already_done: true })
        expect(site.requests.length - requests).toBe(each)
        const counts = "count(*)::INTEGER AS n, count(DISTINCT _run_id)::INTEGER AS runs"
        const expected = [{ n: runs * (1 + paths.length), runs }]
        expect(await query(join(folder, "out.duckdb"), `SELECT ${counts} FROM pages`)).toEqual(expected)
        expect(await queryLake(join(folder, "lake"), "pages", `SELECT ${counts} FROM lake`)).toEqual(expected)
      }
    })
  })
})
