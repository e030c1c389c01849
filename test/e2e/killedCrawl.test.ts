/**
 * Runs that crawl in their own process, killed with SIGKILL while they crawl, tell and commit, and run again until one ends:
 * the rows are those of one run, and no page is asked for again that was in the journal when its process died.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as LedgerFile from "../../src/crawler/embedded/LedgerFile.ts"
import * as Segment from "../../src/segments/Segment.ts"
import { randomFrom, seed } from "../../src/testing/specimens.ts"
import { millrace, query, start } from "../cli/millrace.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { times } from "../soak.ts"

const paths = Array.from({ length: 150 }, (_, at) => `/p${at}`)
const text = "<p>Some words that make a page of it. </p>".repeat(20)
let onRequest: () => void = () => {}
const slowly = (html: string) => (_: unknown, response: import("node:http").ServerResponse) => {
  onRequest()
  setTimeout(() => {
    response.writeHead(200, { "content-type": "text/html" })
    response.end(html)
  }, 25)
}
const routes = {
  "/": slowly(page("home", ...paths.slice(0, 40))),
  ...Object.fromEntries(
    paths.map((path, at) => [path, slowly(page(`page ${at}`, "/", ...paths.slice(at, at + 30)) + text)])
  )
}

const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite(routes), scope))
const folders: Array<string> = []
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-killed-crawl-"))
  folders.push(folder)
  writeFileSync(
    join(folder, "site.yaml"),
    [
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
      "sinks: { db: { type: duckdb, path: ./out.duckdb } }",
      ""
    ].join("\n")
  )
  return folder
}

const run = ["run", "site.yaml", "--json", "--resolve", `site.test=127.0.0.1:${site.port}`]
const random = randomFrom(seed)

const rowsIn = async (folder: string) => [
  await query(
    join(folder, "out.duckdb"),
    "SELECT url, title, markdown, depth, discovered_from FROM pages ORDER BY url"
  ),
  await query(join(folder, "out.duckdb"), "SELECT page_url, position, link FROM page_links ORDER BY ALL"),
  await query(
    join(folder, "out.duckdb"),
    "SELECT count(*)::INTEGER AS runs, sum(credits)::INTEGER AS credits FROM _millrace_runs"
  )
]

const runFolder = (folder: string): string | undefined => {
  const runs = join(folder, ".millrace/pipelines/site/runs")
  const [name] = existsSync(runs) ? readdirSync(runs) : []
  return name === undefined ? undefined : join(runs, name)
}

/** The paths of pages that the journal has, as the next process will find it. */
const pagesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const run = runFolder(folder)
  if (run === undefined || !existsSync(join(run, "reading.zst"))) return []
  const copy = mkdtempSync(join(tmpdir(), "millrace-killed-crawl-copy-"))
  folders.push(copy)
  cpSync(run, copy, { recursive: true })
  const [blocks, progress] = [
    await Segment.open(join(copy, "blocks.zst")),
    await Segment.open(join(copy, "reading.zst"))
  ]
  const known = await Segment.open(join(copy, "known.zst"))
  const { ledger } = await Effect.runPromise(Effect.scoped(LedgerFile.open({ blocks, progress, known })))
  await Promise.all([blocks.close(), progress.close(), known.close()])
  return ledger.urls.some(-1, 1e9, (state) => state === "scraped").map(({ url }) => new URL(url).pathname)
}

describe(`a run that crawls in its own process (MILLRACE_SEED=${seed})`, () => {
  it(`is killed ${times(4, 40)} times, and asks for no page again that was kept`, { timeout: 300_000 }, async () => {
    const reference = fresh()
    expect((await millrace(reference, ...run)).code).toBe(0)
    const expected = await rowsIn(reference)

    let met = 0
    for (let kills = 0; kills < times(4, 40); ) {
      const folder = fresh()
      for (let nth = 20 + random(120); ; nth = random(100)) {
        const before = await pagesIn(folder)
        const asked = site.requests.length
        const child = start(folder, ...run)
        onRequest = () => (nth-- === 0 ? void setTimeout(() => child.process.kill("SIGKILL"), random(400)) : undefined)
        const { code, stderr } = await child.ended
        onRequest = () => {}
        met += before.length
        const again = site.requests.slice(asked).filter((path) => before.includes(path))
        expect(again).toEqual([])
        if (code === 0) break
        if (code !== null) throw new Error(`a run ended with ${code}: ${stderr}`)
        kills += 1
      }
      expect(await rowsIn(folder)).toEqual(expected)
      // Nothing is left of what only reading needed, and there is no second copy.
      const left = readdirSync(runFolder(folder) ?? "").toSorted()
      expect(left).toEqual(["answers.ndjson.zst", "blocks.zst", "run.json"])
      expect(readdirSync(join(folder, ".millrace/pipelines/site")).filter((name) => /sqlite/.test(name))).toEqual([])
      expect(JSON.parse(readFileSync(join(runFolder(folder) ?? "", "run.json"), "utf8")).status).toBe("done")
    }
    expect(met).toBeGreaterThan(0)
  })
})
