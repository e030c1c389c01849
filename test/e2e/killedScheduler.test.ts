/**
 * A real scheduler, killed with SIGKILL wherever a seed says, and started again: every due time is decided on once, every
 * run that began is there once, and the service was asked for one job a run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { randomFrom, seed } from "#testing/specimens"
import { query, start } from "../app/millrace.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { timesOf } from "../thoroughness.ts"
import { watchedService } from "./watchedService.ts"

const paths = Array.from({ length: 20 }, (_, at) => `/p${at}`)
const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(
  Scope.provide(
    scriptedSite({
      "/": page("home", ...paths),
      ...Object.fromEntries(paths.map((path, at) => [path, page(`page ${at}`, "/")]))
    }),
    scope
  )
)
const service = await Effect.runPromise(Scope.provide(watchedService(site.port), scope))
const folder = mkdtempSync(join(tmpdir(), "millrace-schedule-"))
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const random = randomFrom(seed)
const kills = timesOf(1, 3, 8)

interface Line {
  readonly event: string
  readonly due?: string
  readonly status?: string
  readonly run_id?: string
  readonly resumed?: boolean
}

/** A scheduler of the folder; `seen` is resolved at the first line for which it holds. */
const schedule = () => {
  const { ended, process } = start(folder, "schedule", ".", "--json")
  const lines: Array<Line> = []
  const waiting: Array<{ is: (line: Line) => boolean; done: () => void }> = []
  let rest = ""
  process.stdout?.on("data", (chunk) => {
    const parts = `${rest}${chunk}`.split("\n")
    rest = parts.pop() ?? ""
    for (const part of parts) {
      const line: Line = JSON.parse(part)
      lines.push(line)
      for (const { done, is } of waiting) if (is(line)) done()
    }
  })
  const seen = (is: (line: Line) => boolean): Promise<void> =>
    new Promise((done, fail) => {
      if (lines.some(is)) return done()
      waiting.push({ is, done })
      void ended.then(({ code, stderr }) => fail(new Error(`the scheduler ended with ${code}: ${stderr}`)))
    })
  return { process, ended, lines, seen }
}

/** Some time after a run began, or after the nth answer of the service to it. */
const killSometime = async (): Promise<ReadonlyArray<Line>> => {
  const { ended, lines, process, seen } = schedule()
  await seen(({ event }) => event === "began")
  const what = ["began", "start", "status", "errors"][random(4)] ?? "began"
  const later = random(what === "began" ? 2500 : 300)
  const kill = () => setTimeout(() => process.kill("SIGKILL"), later)
  if (what === "began") kill()
  else service.onAnswer = (answered) => (answered === what ? kill() : undefined)
  const { code } = await ended
  service.onAnswer = () => {}
  expect(code).toBe(null)
  return lines
}

const ledger = () => {
  const database = new DatabaseSync(join(folder, ".millrace/schedule.sqlite"), { readOnly: true })
  try {
    return database.prepare("SELECT due, state, attempts, run_id FROM runs ORDER BY due").all()
  } finally {
    database.close()
  }
}

it(`a scheduler that is killed ${kills} times has every run once, and the next at its time (MILLRACE_SEED=${seed})`, async () => {
  writeFileSync(
    join(folder, "site.yaml"),
    [
      'schedule: { cron: "*/3 * * * * *" }',
      "source: { type: crawl, url: http://site.test/ }",
      `service: { url: "${service.url}" }`,
      "sinks: { db: { type: duckdb, path: ./out.duckdb, write: append } }",
      ""
    ].join("\n")
  )
  const lives: Array<ReadonlyArray<Line>> = []
  const hasResumed = () => lives.flat().some(({ resumed }) => resumed === true)
  // A kill may fall between two runs: they go on until one has met a run, which the next life then resumes.
  for (let nth = 0; nth < kills || (!hasResumed() && nth < maxKills); nth++) lives.push(await killSometime())

  const last = schedule()
  await last.seen(({ event, resumed, status }) => event === "ended" && status === "done" && resumed !== true)
  const goneOn = last.lines.filter(({ event }) => event === "ended").length
  await last.seen(() => last.lines.filter(({ event }) => event === "ended").length > goneOn)
  last.process.kill("SIGTERM")
  const { code } = await last.ended

  const runs = ledger()
  const done = runs.filter(({ state }) => state === "done")
  const loaded = await query(
    join(folder, "out.duckdb"),
    "SELECT _run_id AS run, count(*)::INTEGER AS n, count(DISTINCT url)::INTEGER AS urls FROM pages GROUP BY ALL ORDER BY ALL"
  )
  expect(code).toBe(0)
  expect(runs.filter(({ state }) => !["done", "skipped", "missed"].includes(String(state)))).toEqual([])
  // Every third second between the first and the last is there, once.
  const dues = runs.map(({ due }) => Number(due))
  expect(dues).toEqual(dues.map((_, at) => (dues[0] ?? 0) + at * 3000))
  // Each run is whole in the destination, once, and nothing else is.
  expect(loaded).toEqual(done.map(({ run_id }) => ({ run: run_id, n: 21, urls: 21 })))
  expect(done.filter(({ attempts }) => attempts !== 1)).toEqual([])
  expect(service.started()).toBe(done.length)
  expect(hasResumed() || last.lines.some(({ resumed }) => resumed === true)).toBe(true)
})

const maxKills = 15
