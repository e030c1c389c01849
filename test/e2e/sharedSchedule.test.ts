/**
 * Machines that share a schedule on Postgres, each with a folder and a journal of its own, killed one after the other with
 * SIGKILL while they lead: every due time is decided on once, and its rows are there once.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { randomFrom, seed } from "#testing/specimens"
import { query, start } from "../app/millrace.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { postgres } from "../services/postgres.ts"
import { soaking, timesOf } from "../thoroughness.ts"

const paths = Array.from({ length: 20 }, (_, at) => `/p${at}`)
const scope = Scope.makeUnsafe()
const root = mkdtempSync(join(tmpdir(), "millrace-shared-schedule-"))
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(root, { recursive: true, force: true })
})
const random = randomFrom(seed)

describe.skipIf(postgres === undefined)("a schedule that machines share", () => {
  it(`runs each time once, whoever dies (MILLRACE_SEED=${seed})`, async () => {
    const site = await Effect.runPromise(
      Scope.provide(
        scriptedSite({
          "/": page("home", ...paths),
          ...Object.fromEntries(paths.map((path, at) => [path, page(`page ${at}`, "/")]))
        }),
        scope
      )
    )
    const url = await Effect.runPromise(Scope.provide(postgres?.fresh ?? Effect.die("skipped"), scope))
    const ask = (statement: string) =>
      Effect.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
        )
      )
    const machine = (name: string) => {
      const folder = join(root, name)
      mkdirSync(join(folder, "nightly"), { recursive: true })
      writeFileSync(
        join(folder, "nightly/site.yaml"),
        [
          'schedule: { cron: "*/3 * * * * *" }',
          "source: { type: crawl, url: http://site.test/ }",
          "sinks: { db: { type: duckdb, path: ../../out.duckdb, write: append } }",
          `network: { resolve: ["site.test=127.0.0.1:${site.port}"] }`,
          ""
        ].join("\n")
      )
      const run = start(folder, "schedule", "nightly", "--json", "--database", url)
      let output = ""
      run.process.stdout?.on("data", (chunk) => (output += chunk))
      const says = async (event: string) => {
        await expect.poll(() => output).toContain(`"event":"${event}"`)
      }
      return { ...run, says }
    }
    // The time of a lease passes for a leader that is dead. A soak waits for it.
    const leaseEnds = async () => {
      if (!soaking) await ask("UPDATE millrace_schedule_nightly.leader SET until = 0")
    }

    let leader = machine("m0")
    await leader.says("began")
    let next = machine("m1")
    await next.says("standingby")
    const kills = timesOf(1, 2, 8)
    for (let nth = 0; nth < kills; nth++) {
      await new Promise((done) => setTimeout(done, random(2500)))
      leader.process.kill("SIGKILL")
      await leader.ended
      await leaseEnds()
      await next.says("began")
      leader = next
      next = machine(`m${nth + 2}`)
      await next.says("standingby")
    }
    await leader.says("ended")
    leader.process.kill("SIGTERM")
    const { code } = await leader.ended
    // Who stands by takes over at once from a leader that stops.
    await next.says("began")
    await next.says("ended")
    next.process.kill("SIGTERM")
    await next.ended

    const runs = await ask("SELECT due, state, run_id FROM millrace_schedule_nightly.runs ORDER BY due")
    const done = runs.filter(({ state }) => state === "done")
    const loaded = await query(
      join(root, "out.duckdb"),
      "SELECT _run_id AS run, count(*)::INTEGER AS n, count(DISTINCT url)::INTEGER AS urls FROM pages GROUP BY ALL ORDER BY ALL"
    )
    expect(code).toBe(0)
    expect(runs.filter(({ state }) => !["done", "skipped", "missed"].includes(String(state)))).toEqual([])
    const dues = runs.map(({ due }) => Number(due))
    expect(dues).toEqual(dues.map((_, at) => (dues[0] ?? 0) + at * 3000))
    expect(done.length).toBeGreaterThanOrEqual(2)
    expect(loaded).toEqual(done.map(({ run_id }) => ({ run: run_id, n: 21, urls: 21 })).sort(byRun))
  })
})

const byRun = (a: { readonly run: unknown }, b: { readonly run: unknown }) => (String(a.run) < String(b.run) ? -1 : 1)
