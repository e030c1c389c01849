/**
 * Pages into a table of Postgres, by the sink or by `psql \copy` of the same pages as CSV:
 * `node postgres.ts <append|merge|psql> <rows> <folder> <url>`.
 *
 * CPU seconds are of this process, of the psql that it starts, and of the server with all its processes.
 */
import { spawnSync } from "node:child_process"
import { createWriteStream, readdirSync, readFileSync } from "node:fs"
import { finished } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { definition } from "../../../connectors/postgres/columnSql.ts"
import { postgres } from "../../../connectors/postgres/index.ts"
import type * as Sink from "../../../src/engine/Sink.ts"
import * as Table from "../../../src/engine/Table.ts"
import { makeRows, pages } from "./pages.ts"

const [how = "", count = "0", folder = ".", url = ""] = process.argv.slice(2)
const [rows, batch] = [Number(count), 500]
const schema = `bench_${process.pid}`

const ask = async <A extends object>(sql: string): Promise<ReadonlyArray<A>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<A>(sql)).rows
  } finally {
    await client.end()
  }
}

const statOf = (pid: string): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number)

/** User and system of a process, and of its children that have ended: ticks of a hundredth of a second. */
const secondsOf = (pid: string): number => {
  try {
    return (
      statOf(pid)
        .slice(11, 15)
        .reduce((sum, ticks) => sum + ticks, 0) / 100
    )
  } catch {
    return 0
  }
}

const load = Effect.fnUntraced(function* (write: Sink.WriteDisposition) {
  const make = makeRows()
  const writer = yield* postgres
    .with({ url: Redacted.make(url), schema })
    .open({ pipeline: "bench", runId: "run", directory: folder, evolve: true, tables: [{ table: pages, write }] })
  for (let at = 0; at < rows; at += batch) {
    yield* writer.write(Table.batch(pages, make(at, Math.min(batch, rows - at))))
  }
  yield* writer.commit({
    checkpoint: { runId: "run", state: rows },
    run: { runId: "run", pipeline: "bench", startedAt: 0n, committedAt: 1n, facts: {}, rows: { pages: rows } },
    checks: [],
    complete: true
  })
})

/** The pages as psql takes them. */
const csv = async (file: string): Promise<void> => {
  const out = createWriteStream(file)
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const make = makeRows()
  for (let at = 0; at < rows; at += batch) {
    for (const row of make(at, Math.min(batch, rows - at))) {
      const { fetched_at: at, links, markdown, metadata, status, title, url } = row
      const moment = new Date(Number(BigInt(String(at)) / 1000n)).toISOString()
      const list = `{${(Array.isArray(links) ? links : []).map((link) => JSON.stringify(link)).join(",")}}`
      const cells = [url, title, markdown, moment, status, JSON.stringify(metadata), list]
      out.write(`${cells.map((cell) => quoted(String(cell))).join(",")}\n`)
    }
  }
  out.end()
  await finished(out)
}

const work = async (): Promise<() => Promise<void>> => {
  if (how !== "psql") return () => Effect.runPromise(Effect.scoped(load(how === "merge" ? "merge" : "append")))
  const file = `${folder}/pages.csv`
  await csv(file)
  return async () => {
    const table = `CREATE TABLE ${schema}.pages (${pages.columns.map(definition).join(", ")})`
    const copy = `\\copy ${schema}.pages FROM '${file}' (FORMAT csv)`
    const { status, stderr } = spawnSync("psql", [url, "-q", "-v", "ON_ERROR_STOP=1", "-c", table, "-c", copy])
    if (status !== 0) throw new Error(String(stderr))
  }
}

await ask(`CREATE SCHEMA ${schema}`)
/** The process that all those of the server are children of. */
const postmaster = await (async () => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  const parent = statOf(String(rows[0]?.pid))[1]
  await client.end()
  return String(parent)
})()
const spent = (): number => {
  const living = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && statOf(pid)[1] === Number(postmaster)
    } catch {
      return false
    }
  })
  return [String(process.pid), postmaster, ...living].reduce((sum, pid) => sum + secondsOf(pid), 0)
}
const run = await work()
const before = spent()
await run()
const cpu = spent() - before
const [there] = await ask<{ n: string }>(`SELECT count(*) AS n FROM ${schema}.pages`)
await ask(`DROP SCHEMA ${schema} CASCADE`)
console.log(JSON.stringify({ count: Number(there?.n), figures: { "rows/CPU s": rows / cpu } }))
