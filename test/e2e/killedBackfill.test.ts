/**
 * A backfill by the command line, killed with SIGKILL wherever a seed says and run again until it ends: each interval is
 * there once then, in every destination, and what was read was not asked again.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { randomFrom, seed } from "#testing/specimens"
import { type Ended, millrace, query, queryLake, start } from "../app/millrace.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { isEveryCase, timesOf } from "../thoroughness.ts"
import { watchedService } from "./watchedService.ts"

const days = Array.from({ length: 8 }, (_, at) => `2026-01-0${at + 1}`)
const routes = Object.fromEntries(
  days.flatMap((day) => [
    [`/${day}/`, page(day, ...[1, 2, 3].map((n) => `/${day}/${n}`))],
    ...[1, 2, 3].map((n) => [`/${day}/${n}`, page(`${n} of ${day}`)])
  ])
)
const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite(routes), scope))
const service = await Effect.runPromise(Scope.provide(watchedService(site.port), scope))
const folders: Array<string> = []
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const random = randomFrom(seed)
const args = ["backfill", "days.yaml", "--from", "2026-01-01", "--to", "2026-01-09", "--concurrency", "3"]
const kills = timesOf(1, 2, 7)
const killsAgain = timesOf(1, 2, 3)

/** A folder with the pipeline file. */
const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-backfill-"))
  folders.push(folder)
  const lines = [
    'source: { type: crawl, url: "http://site.test/${interval.start_date}/" }',
    `service: { url: "${service.url}" }`,
    "sinks:",
    "  db: { type: duckdb, path: ./out.duckdb, write: append }",
    "  lake: { type: parquet, path: ./lake }"
  ]
  writeFileSync(join(folder, "days.yaml"), `${lines.join("\n")}\n`)
  return folder
}

/** A backfill that dies after some answers of the service, or a little later, when it loads. */
const killed = (folder: string, told: ReadonlyArray<string>): Promise<Ended> => {
  const child = start(folder, ...told)
  let nth = 1 + random(12)
  const later = random(2) * random(400)
  const kill = () => setTimeout(() => child.process.kill("SIGKILL"), later)
  service.onAnswer = () => (--nth === 0 ? kill() : undefined)
  return child.ended
}

/** Runs, kills and runs again until the kills are used up, or it has ended before. How often it was killed. */
const campaign = async (folder: string, most: number, ...flags: ReadonlyArray<string>): Promise<number> => {
  for (let kills = 0; ; kills += 1) {
    const told = [...args, ...(kills === 0 ? flags : [])]
    const { code, stderr } = await (kills < most ? killed(folder, told) : millrace(folder, ...told))
    service.onAnswer = () => {}
    if (code === 0) return kills
    if (code !== null) throw new Error(`a backfill ended with ${code}: ${stderr}`)
    // What a kill leaves is whole: no interval is there in part.
    expect(await query(join(folder, "out.duckdb"), parts).catch(() => [])).toEqual([])
  }
}
const parts = "SELECT _run_id FROM pages GROUP BY _run_id HAVING count(*) <> 4"

const counts = "SELECT count(*) AS n, count(DISTINCT url) AS urls, count(DISTINCT _run_id) AS runs"
const each = [{ n: "32", urls: "32", runs: "8" }]
const expectEachOnce = async (folder: string) => {
  expect(await query(join(folder, "out.duckdb"), `${counts} FROM pages`)).toEqual(each)
  expect(await queryLake(join(folder, "lake"), "pages", `${counts} FROM lake`)).toEqual(each)
  const { stdout } = await millrace(folder, "backfill", "days.yaml", "--list", "--json")
  const states = stdout
    .trim()
    .split("\n")
    .map((line): { readonly state: string } => JSON.parse(line))
  expect(states.map(({ state }) => state)).toEqual(days.map(() => "done"))
}

it(`a backfill that is killed, ${kills} times, leaves each row once and pays once for each interval (MILLRACE_SEED=${seed})`, async () => {
  for (let killed = 0; killed < kills; ) {
    const folder = fresh()
    const before = service.started()

    killed += await campaign(folder, Math.min(4, kills - killed))

    await expectEachOnce(folder)
    expect(service.started() - before).toBe(days.length)
  }
})

it.runIf(isEveryCase)(`one that is run again and killed leaves each row once (MILLRACE_SEED=${seed})`, async () => {
  const folder = fresh()
  await campaign(folder, 0)
  const runs = await query(join(folder, "out.duckdb"), "SELECT DISTINCT _run_id FROM pages ORDER BY 1")

  for (let killed = 0; killed < killsAgain; ) {
    killed += await campaign(folder, killsAgain - killed, "--again")
    await expectEachOnce(folder)
  }

  expect(await query(join(folder, "out.duckdb"), "SELECT DISTINCT _run_id FROM pages ORDER BY 1")).toEqual(runs)
})
