/**
 * Runs that crawl in their own process, killed with SIGKILL while they crawl, tell and commit, and run again until one ends:
 * the rows are those of one run, and no page is asked for again that was in the journal when its process died.
 */
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Segment from "#base/Segment"
import { randomFrom, seed } from "#testing/specimens"
import * as LedgerFile from "#web/embedded/LedgerFile"
import { millrace, query, start } from "../app/millrace.ts"
import { type Answer, page, scriptedSite } from "../service/scriptedSite.ts"
import { isEveryCase, timesOf } from "../thoroughness.ts"

const paths = Array.from({ length: 150 }, (_, at) => `/p${at}`)
const text = "<p>Some words that make a page of it. </p>".repeat(20)
let onRequest: () => void = () => {}
/** What its answers wait for. */
let held: Promise<void> = Promise.resolve()
/** Whether pages have ETags, and what is added to some of them. */
let isTagged = false
let news = ""
const slowly =
  (html: string, isNews = false): Answer =>
  (request, response) => {
    onRequest()
    const body = html + (isNews ? news : "")
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 8)}"`
    const isKnown = isTagged && request.headers["if-none-match"] === etag
    setTimeout(async () => {
      await held
      response.writeHead(isKnown ? 304 : 200, { "content-type": "text/html", ...(isTagged ? { etag } : {}) })
      response.end(isKnown ? undefined : body)
    }, 25)
  }
const routes = {
  "/": slowly(page("home", ...paths.slice(0, 40))),
  ...Object.fromEntries(
    paths.map((path, at) => [path, slowly(page(`page ${at}`, "/", ...paths.slice(at, at + 30)) + text, at % 10 === 0)])
  )
}

const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite(routes), scope))
const folders: Array<string> = []
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const fresh = (more: ReadonlyArray<string> = []): string => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-killed-crawl-"))
  folders.push(folder)
  writeFileSync(
    join(folder, "site.yaml"),
    [
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
      ...(more.length > 0 ? more : ["sinks: { db: { type: duckdb, path: ./out.duckdb } }"]),
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

/** Whether the one run of a folder has committed everything. */
const isOver = (folder: string): boolean => {
  const file = join(runFolder(folder) ?? folder, "run.json")
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).status === "done"
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

/** What a reader sees of a run that was killed. */
const pagesLoaded = async (folder: string): Promise<number> => {
  const file = join(folder, "out.duckdb")
  const counted = existsSync(file) ? await query(file, "SELECT count(*)::INTEGER AS n FROM pages").catch(() => []) : []
  return Number(Object.values(counted[0] ?? { n: 0 })[0])
}

/**
 * Starts a run that is killed some milliseconds after its nth request. Most have no answers from then on, so that they do not end
 * first on a fast machine; the others are killed at their end as well.
 */
const killedAfter = async (folder: string, nth: number, millis: number) => {
  const child = start(folder, ...run)
  let release = () => {}
  const kill = () => {
    if (random(4) > 0) held = new Promise((done) => (release = done))
    setTimeout(() => child.process.kill("SIGKILL"), random(millis))
  }
  onRequest = () => (nth-- === 0 ? kill() : undefined)
  const ended = await child.ended
  onRequest = () => {}
  release()
  held = Promise.resolve()
  return ended
}

describe(`a run that crawls in its own process (MILLRACE_SEED=${seed})`, () => {
  it.runIf(isEveryCase)("is killed while it asks only for what has changed, and knows as much at its end", async () => {
    isTagged = true
    const first = fresh()
    expect((await millrace(first, ...run)).code).toBe(0)
    news = "<p>News</p>"
    const copied = () => {
      const folder = fresh()
      cpSync(first, folder, { recursive: true })
      return folder
    }
    const ending = async (folder: string) => {
      const { code, stderr, stdout } = await millrace(folder, ...run)
      expect(code, stderr).toBe(0)
      const { accounting, rows } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
      return { accounting, rows, seen: await rowsIn(folder) }
    }
    const reference = copied()
    const expected = await ending(reference)
    const last = await ending(reference)
    expect(expected.accounting).toMatchObject({ discovered: 151, loaded: 15, revalidated: 136 })
    expect(last.accounting).toMatchObject({ loaded: 0, revalidated: 151 })

    for (let kills = 0; kills < timesOf(1, 2, 20); ) {
      const folder = copied()
      for (let again = 1 + random(2); again > 0; again--) {
        if ((await killedAfter(folder, random(140), 300)).code !== null) break
        kills += 1
      }
      const home = join(folder, ".millrace/pipelines/site/runs")
      const areOver = readdirSync(home).every((name) =>
        /"done"/.test(readFileSync(join(home, name, "run.json"), "utf8"))
      )
      if (!areOver || readdirSync(home).length === 1) expect(await ending(folder)).toEqual(expected)
      expect((await ending(folder)).accounting).toEqual(last.accounting)
    }
    isTagged = false
    news = ""
  })

  it(`is killed ${timesOf(1, 2, 40)} times, and asks for no page again that was kept`, async () => {
    const reference = fresh()
    expect((await millrace(reference, ...run)).code).toBe(0)
    const expected = await rowsIn(reference)

    let met = 0
    for (let kills = 0; kills < timesOf(1, 2, 40) || (met === 0 && kills < 20); ) {
      const folder = fresh()
      let wasLate = false
      for (let nth = 20 + random(120); ; nth = random(100)) {
        const before = await pagesIn(folder)
        const asked = site.requests.length
        const { code, stderr } = await killedAfter(folder, nth, 400)
        met += before.length
        const again = site.requests.slice(asked).filter((path) => before.includes(path))
        expect(again).toEqual([])
        if (code === 0) break
        if (code !== null) throw new Error(`a run ended with ${code}: ${stderr}`)
        // Killed after its end, it is no killed run, and the next start would be another one.
        wasLate = isOver(folder)
        if (wasLate) break
        kills += 1
      }
      expect(await rowsIn(folder)).toEqual(expected)
      if (wasLate) continue
      // Nothing is left of what only reading needed, and there is no second copy.
      const left = readdirSync(runFolder(folder) ?? "").toSorted()
      expect(left).toEqual(["answers.ndjson.zst", "blocks.zst", "run.json"])
      expect(readdirSync(join(folder, ".millrace/pipelines/site")).filter((name) => /sqlite/.test(name))).toEqual([])
      expect(JSON.parse(readFileSync(join(runFolder(folder) ?? "", "run.json"), "utf8")).status).toBe("done")
    }
    expect(met).toBeGreaterThan(0)
  })

  it.runIf(isEveryCase)("is killed between parts that it commits, and has each row once, in both sinks", async () => {
    const reference = fresh()
    expect((await millrace(reference, ...run)).code).toBe(0)
    const expected = await rowsIn(reference)
    const appended = [
      "commit_every: 20 pages or 1s",
      "sinks:",
      "  db: { type: duckdb, path: ./out.duckdb, write: append }",
      "  lake: { type: parquet, path: ./lake }"
    ]

    let parts = 0
    // A run may be killed before its first part.
    for (let kills = 0; kills < timesOf(1, 3, 40) || (parts === 0 && kills < 20); ) {
      const folder = fresh(appended)
      for (let nth = 60 + random(90); ; nth = random(80)) {
        const before = await pagesIn(folder)
        const asked = site.requests.length
        const { code, stderr } = await killedAfter(folder, nth, 1500)
        expect(site.requests.slice(asked).filter((path) => before.includes(path))).toEqual([])
        // A run that was killed when all was done is over: the next would append anew.
        if (code === 0 || isOver(folder)) break
        if (code !== null) throw new Error(`a run ended with ${code}: ${stderr}`)
        kills += 1
        const loaded = await pagesLoaded(folder)
        if (loaded > 0 && loaded < 151) parts += 1
      }
      expect(await rowsIn(folder)).toEqual(expected)
      const lake = join(folder, "lake/pages/*.parquet")
      expect(
        await query(join(folder, "out.duckdb"), `SELECT url, markdown FROM read_parquet('${lake}') ORDER BY url`)
      ).toEqual(await query(join(reference, "out.duckdb"), "SELECT url, markdown FROM pages ORDER BY url"))
    }
    expect(parts).toBeGreaterThan(0)
  })
})
