/** A monitor of a real service tells a real receiver of the demo site: its tables are those that its checks give. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Server from "#site/Server"
import * as Site from "#site/Site"
import { millrace, query, start } from "../app/millrace.ts"
import { receivingProcess, rowsTold, secret } from "./receivingProcess.ts"
import { ask } from "./servedProcess.ts"

/** What an event tells; times and what set the check off it does not. */
const told = {
  page_changes:
    "check_id, target_id, url, status, status_code, title, diff, fields, meaningful, reason, judge, error, _source_url",
  monitor_checks: 'check_id, monitor_id, status, pages, same, changed, "new", removed, failed, error'
}

it.live("a monitor that is told by webhook gives the rows that its checks give", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-told-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    let site = Site.make({ seed: 1, revision: 1 })
    const demo = yield* Server.serve(
      { ...site, respond: (request) => site.respond(request) },
      { host: "127.0.0.1", port: 0, slowness: 1 }
    )
    writeFileSync(
      join(folder, "told.yaml"),
      "source: { type: monitor, by: webhook, monitor: sluice }\nsinks: { db: { type: duckdb, path: ./told.duckdb } }\n"
    )
    const receiver = yield* receivingProcess(folder, "told.yaml", "--port=0", "--path=/hook", "--gather=1m")
    const { process } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        start(
          folder,
          "serve",
          "--port=0",
          `--webhook-secret=${secret}`,
          `--resolve=northmere.example=${new URL(demo.url).host}`,
          `--resolve=receiver.test=${new URL(receiver.url).host}`
        )
      ),
      ({ process }) => Effect.sync(() => void process.kill("SIGKILL"))
    )
    const service = yield* Effect.promise(
      () =>
        new Promise<string>((done) =>
          process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
        )
    )
    const monitor = yield* ask(`${service}/v2/monitor`, {
      name: "sluice",
      schedule: { cron: "0 0 1 1 *" },
      targets: [{ type: "crawl", url: "http://northmere.example/docs/v2/", crawlOptions: { limit: 60 } }],
      webhook: "http://receiver.test/hook"
    })
    /** A check is over when the receiver, which gathers for a minute else, has loaded it. */
    const check = Effect.fnUntraced(function* (loads: number) {
      const { id } = yield* ask(`${service}/v2/monitor/${monitor.id}/run`, {})
      yield* receiver.until((said) => said.split(": done in ").length > loads)
      const { data } = yield* ask(`${service}/v2/monitor/${monitor.id}/checks/${id}?limit=1`)
      return data.summary
    })
    const first = yield* check(1)
    site = Site.make({ seed: 1, revision: 2 })
    const second = yield* check(2)
    const rows = [first, second].reduce((sum, { same, totalPages }) => sum + totalPages - same + 1, 0)
    yield* receiver.until((said) => rowsTold(said) >= rows)
    yield* receiver.end("SIGTERM")

    writeFileSync(
      join(folder, "asked.yaml"),
      `source: { type: monitor, monitor: sluice }\nservice: { url: "${service}" }\nsinks: { db: { type: duckdb, path: ./asked.duckdb } }\n`
    )
    const asked = yield* Effect.promise(() => millrace(folder, "run", "asked.yaml"))
    const rowsOf = (name: string, table: string, columns: string) =>
      Effect.promise(() => query(join(folder, `${name}.duckdb`), `SELECT ${columns} FROM ${table} ORDER BY ALL`))

    expect(asked.code).toBe(0)
    expect(second.changed).toBeGreaterThan(0)
    for (const [table, columns] of Object.entries(told)) {
      const byChecks = yield* rowsOf("asked", table, columns)
      expect(byChecks.length).toBeGreaterThan(1)
      expect(yield* rowsOf("told", table, columns)).toEqual(byChecks)
    }
  })
)
