/**
 * A history and a monitor of version 0.1.0 (`test/upgrade`) whose texts an older finder of main content has found: the pages
 * are the same, their texts are rewritten, and what changes after that is seen.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, expect, it } from "vitest"
import { contentVersion } from "#page/contentVersion"
import { millrace, query, start } from "../app/millrace.ts"
import { type Answer, scriptedSite } from "../service/scriptedSite.ts"
import { unpack } from "../upgrade/archive.ts"
import * as Site from "../upgrade/site.ts"
import { ask } from "./servedProcess.ts"

const folder = mkdtempSync(join(tmpdir(), "millrace-finder-"))
unpack(resolve(import.meta.dirname, "../upgrade/from-0.1.0.json.zst"), folder)
const pages: Record<string, Answer> = { ...Site.after }
const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(Scope.provide(scriptedSite(pages), scope))
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})
const hosts = ["site", "one", "two"].flatMap((host) => ["--resolve", `${host}.test=127.0.0.1:${site.port}`])
const asItWas = pages["/a"] ?? ""
const changed =
  "<title>a</title><main><p>The miller has closed this page for the winter, and opens it in spring.</p></main>"

it("makes no version of an old history, and one of what changes after that", async () => {
  const rows =
    "SELECT regexp_replace(url, 'http://[a-z]+.test', '') AS path, count(*)::INTEGER AS n FROM pages GROUP BY ALL ORDER BY ALL"
  const inHistory = (sql: string) => query(join(folder, "scd2.duckdb"), sql)
  const run = async () => {
    const { code, stderr, stdout } = await millrace(folder, "run", "scd2.yaml", "--json", ...hosts)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "").sinks.db.tables.pages
  }
  const before = await inHistory(rows)
  const instance = await DuckDBInstance.create(join(folder, "scd2.duckdb"))
  const connection = await instance.connect()
  await connection.run("UPDATE pages SET markdown = 'as an older finder found it: ' || url WHERE is_current")
  connection.closeSync()
  instance.closeSync()

  expect(await run()).toMatchObject({ received: 4, written: 0, unchanged: 4 })
  expect(await inHistory(rows)).toEqual(before)
  const current =
    "SELECT DISTINCT markdown LIKE 'as an older%' AS is_old, content_version::INTEGER AS version FROM pages WHERE is_current"
  expect(await inHistory(current)).toEqual([{ is_old: false, version: contentVersion }])

  pages["/a"] = changed
  expect(await run()).toMatchObject({ received: 4, written: 1, unchanged: 3 })
  expect(await inHistory("SELECT count(*)::INTEGER AS n FROM pages WHERE url LIKE '%/a'")).toEqual([{ n: 2 }])
  pages["/a"] = asItWas
})

it("is no change to an old monitor, and a change after that is one", async () => {
  const { monitor } = JSON.parse(readFileSync(join(folder, "service/made.json"), "utf8"))
  const states = new DatabaseSync(join(folder, "service/service.sqlite"))
  states.exec("UPDATE monitor_state SET version = json_set(version, '$.markdown', 'as an older finder found it')")
  // Only the checks of this test, and none that is due.
  states.exec(`UPDATE monitor SET next_run_at = ${Date.now() + 1_000_000_000}`)
  states.close()
  const serving = start(folder, "serve", "--port=0", "--data=service", "--webhook-secret=whsec-1", ...hosts)
  const url = await new Promise<string>((done) =>
    serving.process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
  )
  const checked = Effect.gen(function* () {
    const { id } = yield* ask(`${url}/v2/monitor/${monitor}/run`, {})
    for (;;) {
      const { data } = yield* ask(`${url}/v2/monitor/${monitor}/checks/${id}`)
      if (data.status !== "queued" && data.status !== "running") return data
      yield* Effect.sleep("50 millis")
    }
  })
  try {
    const anew = await Effect.runPromise(checked)
    pages["/a"] = changed
    const after = await Effect.runPromise(checked)

    expect(anew.summary).toMatchObject({ same: 4, changed: 0, new: 0, removed: 0, error: 0 })
    expect(anew.targetResults[0].readAnew).toBe(4)
    expect(after.summary).toMatchObject({ same: 3, changed: 1, new: 0, removed: 0, error: 0 })
    expect(after.targetResults[0].readAnew).toBeUndefined()
  } finally {
    serving.process.kill("SIGTERM")
    await serving.ended
  }
})
