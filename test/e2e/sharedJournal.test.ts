/**
 * Runs whose journal is shared, killed with SIGKILL on one machine (a folder) and finished by another, which knows nothing of
 * them but what the store has: the rows are those of one run, and few pages are asked for twice.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { randomFrom, seed } from "#testing/specimens"
import { millrace, query, start } from "../app/millrace.ts"
import { type Answer, page, scriptedSite } from "../service/scriptedSite.ts"
import { timesOf } from "../thoroughness.ts"

const paths = Array.from({ length: 120 }, (_, at) => `/p${at}`)
let asked: Array<string> = []
let onRequest: () => void = () => {}
const slowly =
  (html: string): Answer =>
  (request, response) => {
    asked.push(request.url ?? "")
    onRequest()
    setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(html), 25)
  }
const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(
  Scope.provide(
    scriptedSite({
      "/": slowly(page("home", ...paths.slice(0, 40))),
      ...Object.fromEntries(
        paths.map((path, at) => [path, slowly(page(`page ${at}`, "/", ...paths.slice(at, at + 30)))])
      )
    }),
    scope
  )
)
const root = mkdtempSync(join(tmpdir(), "millrace-shared-journal-"))
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(root, { recursive: true, force: true })
})

let machines = 0
/** A machine of its own: what it shares with others is the journal and the warehouse. */
const machine = (campaign: string): string => {
  const folder = join(root, campaign, `machine-${++machines}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, "site.yaml"),
    [
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
      "sinks: { db: { type: duckdb, path: ../out.duckdb } }",
      "journal: { path: ../journal }",
      ""
    ].join("\n")
  )
  return folder
}
const run = ["run", "site.yaml", "--json", "--resolve", `site.test=127.0.0.1:${site.port}`]
const rowsOf = (campaign: string) =>
  Promise.all(
    [
      "SELECT url, title, markdown, depth, discovered_from FROM pages ORDER BY url",
      "SELECT page_url, position, link FROM page_links ORDER BY ALL",
      "SELECT count(*)::INTEGER AS runs, sum(credits)::INTEGER AS credits FROM _millrace_runs"
    ].map((sql) => query(join(root, campaign, "out.duckdb"), sql))
  )
/** The lock of a machine that has died falls after a minute: this is that minute. */
const aMinuteLater = (campaign: string): void => {
  const locks = join(root, campaign, "journal/site/lock")
  const at = new Date(Date.now() - 61_000)
  for (const name of readdirSync(locks)) utimesSync(join(locks, name), at, at)
}

describe(`a run whose journal is shared (MILLRACE_SEED=${seed})`, () => {
  it("is finished by another machine, whenever the one before was killed", async () => {
    expect((await millrace(machine("reference"), ...run)).code).toBe(0)
    const expected = await rowsOf("reference")
    const random = randomFrom(seed)

    for (let round = 0; round < timesOf(1, 2, 12); round++) {
      const campaign = `round-${round}`
      asked = []
      // Two machines die, each after some pages; the third one finishes.
      for (let death = 0; death < 2; death++) {
        const before = asked.length
        const after = before + 5 + random(50)
        const killed = start(machine(campaign), ...run)
        onRequest = () => void (asked.length >= after && killed.process.kill("SIGKILL"))
        await killed.ended
        onRequest = () => {}
        aMinuteLater(campaign)
      }
      const { code, stderr, stdout } = await millrace(machine(campaign), ...run)

      expect(code, stderr).toBe(0)
      expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "").accounting).toMatchObject({
        discovered: 121,
        loaded: 121
      })
      expect(await rowsOf(campaign)).toEqual(expected)
      // Pages in flight, and those of the last second that were not in the store yet.
      const twice = asked.filter((path, at) => path !== "/robots.txt" && asked.indexOf(path) < at)
      expect(twice.length).toBeLessThan(2 * 60)
      expect(asked.length).toBeLessThan(121 + 2 * 60)
    }
  })

  it("is refused to a second machine while the first one runs, and is listed there", async () => {
    const [first, second] = [machine("two"), machine("two")]
    const began = new Promise<void>((done) => (onRequest = done))
    const running = start(first, ...run)
    await began
    const refused = await millrace(second, ...run)
    const { stdout } = await millrace(second, "runs", "site.yaml")
    await running.ended
    const after = await millrace(second, "runs", "site.yaml")

    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/site is being run by process \d+ on .+; wait until it ends/)
    expect(stdout).toContain("reading")
    expect(after.stdout).toContain("done")
  })
})
