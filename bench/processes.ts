/**
 * What one, two and three processes of a cluster read of the same sites: `node bench/processes.ts [--hosts 40] [--pages 50]`,
 * and what CPU a page takes, of our processes, of Postgres and of the sites. `--profile FOLDER` has Node write CPU profiles there.
 *
 * The sites answer after 200 ms and each process may have 20 requests in flight, so that waiting decides and not the cores of
 * this machine: a process can read at most 100 pages a second. Hosts are placed by a hash, so near the end some process has
 * none left: pages a second are counted from a tenth to six tenths of all pages, and the whole time is said beside it.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { measuredSites } from "../test/service/cluster/measuredSite.ts"
import { ownServer } from "../test/services/ownServer.ts"

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "40" },
    pages: { type: "string", default: "50" },
    "in-flight": { type: "string", default: "20" },
    millis: { type: "string", default: "200" },
    counts: { type: "string", default: "1,2,3" },
    profile: { type: "string" }
  }
})
const pages = Number(values.pages)
const names = Array.from({ length: Number(values.hosts) }, (_, at) => `host${at}.test`)
const hosts = names.map((name) => ({ name, pages, delaySeconds: 0, millis: Number(values.millis) }))
const command = resolve(import.meta.dirname, "../bin/millrace")

/** A process of the cluster; it ends with the scope. */
const served = Effect.fnUntraced(function* (database: string, port: number, keys: string) {
  const resolved = names.map((name) => `--resolve=${name}=127.0.0.1:${port}`)
  const flags = ["--port=0", `--database=${database}`, `--keys=${keys}`, `--in-flight=${values["in-flight"]}`]
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(command, ["serve", "--webhook-secret=whsec-1", ...flags, ...resolved], { env })),
    (one) =>
      Effect.promise(() => {
        // A profile is written as a process ends by itself.
        one.kill(values.profile === undefined ? "SIGKILL" : "SIGTERM")
        return new Promise((ended) => one.once("exit", ended))
      })
  )
  const url = yield* Effect.promise(
    () =>
      new Promise<string>((done, fail) => {
        let said = ""
        child.stdout.on("data", (chunk) => {
          said += String(chunk)
          const [url] = /http:\S+(?=\n)/.exec(said) ?? []
          if (url !== undefined) done(url)
        })
        child.stderr.on("data", (chunk) => (said += String(chunk)))
        child.on("exit", (code) => fail(new Error(`serve ended with ${code}: ${said}`)))
      })
  )
  return { url, pid: child.pid ?? 0 }
})

const env =
  values.profile === undefined
    ? process.env
    : { ...process.env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(values.profile)}` }

/** A database of its own, gone with the scope. */
const fresh = (server: string) => {
  const name = `millrace_bench_${Date.now()}`
  const run = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 })),
      Effect.orDie
    )
  return Effect.as(
    Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () => run(`DROP DATABASE ${name} WITH (FORCE)`)),
    Object.assign(new URL(server), { pathname: `/${name}` }).href
  )
}

const crawl = (url: string, host: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/v2/crawl`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ url: `http://${host}/`, sitemap: "skip", limit: 1000, maxConcurrency: 4 })
    })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  })

/** Pages a second while each process has work, and seconds until the last page was asked for. */
const measured = (count: number, server: string, keys: string) =>
  Effect.gen(function* () {
    const sites = yield* measuredSites(hosts)
    const database = yield* fresh(server)
    const processes = yield* Effect.all(
      Array.from({ length: count }, () => served(database, sites.port, keys)),
      { concurrency: "unbounded" }
    )
    const millis = () => ({
      ours: processes.reduce((sum, { pid }) => sum + processMillis(pid), 0),
      postgres: familyMillis(postmaster),
      sites: (process.cpuUsage().user + process.cpuUsage().system) / 1000
    })
    const before = millis()
    yield* Effect.forEach(names, (name, at) => crawl(processes[at % count]?.url ?? "", name), { concurrency: 8 })
    yield* Effect.all(
      names.map((name) => sites.reached(name, pages)),
      { concurrency: "unbounded" }
    )
    const after = millis()
    const times = names.flatMap((name) => sites.of(name).asked.map(({ at }) => at)).toSorted((a, b) => a - b)
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0) / 1000
    return {
      processes: count,
      pagesASecond: (times.length * 0.5) / (at(0.6) - at(0.1)),
      seconds: at(0.999) - at(0),
      ours: (after.ours - before.ours) / times.length,
      postgres: (after.postgres - before.postgres) / times.length,
      sites: (after.sites - before.sites) / times.length,
      mostInFlight: sites.peak()
    }
  }).pipe(Effect.scoped)

/** CPU time of a process, of Linux's clock of 100 ticks a second; with `ended` that of the children that it has waited for. */
const processMillis = (pid: number, ended = false): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return 10 * (user + system + (ended ? endedUser + endedSystem : 0))
}

/** The same of a process with all its children, those that have ended too. */
const familyMillis = (pid: number): number =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "")
    .reduce((sum, child) => sum + processMillis(Number(child)), processMillis(pid, true))

const key = "bench-key"
const folder = mkdtempSync(join(tmpdir(), "millrace-bench-"))
const keys = join(folder, "keys.yaml")
writeFileSync(
  keys,
  `plans:\n  all: { concurrency: 1000, requests_per_minute: 100000 }\nkeys:\n  - { key: ${key}, team: bench, plan: all }\n`
)
const server = await ownServer("postgres.sh", "POSTGRES")
if (server === undefined) throw new Error("there is no Postgres here")
/** The parent of each session of Postgres. */
const postmaster = await Effect.runPromise(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`).pipe(
    Effect.map(([row]) =>
      Number(
        readFileSync(`/proc/${row?.pid ?? 0}/stat`, "utf8")
          .replace(/^.*\) /, "")
          .split(" ")[1]
      )
    ),
    Effect.provide(PgClient.layer({ url: Redacted.make(server.url), maxConnections: 1 }))
  )
)
const counts = values.counts.split(",").map(Number)
const results = await Effect.runPromise(Effect.forEach(counts, (count) => measured(count, server.url, keys)))
const [one] = results
console.table(
  results.map(({ mostInFlight, ours, pagesASecond, postgres, processes, seconds, sites }) => ({
    processes,
    "pages a second": pagesASecond.toFixed(1),
    "of one process": (pagesASecond / (one?.pagesASecond ?? 1) || 0).toFixed(2),
    "seconds in all": seconds.toFixed(1),
    "most in flight": mostInFlight,
    "CPU ms a page": ours.toFixed(2),
    "of Postgres": postgres.toFixed(2),
    "of the sites": sites.toFixed(2)
  }))
)
rmSync(folder, { recursive: true, force: true })
process.exit(0)
