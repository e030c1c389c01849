/**
 * What a monitor says of every page of two builds of a site, against what is known.
 *
 *     node bench/monitor.ts FOLDER https://the.site/ [checks] [crawl]
 *
 * checks: by a monitor of the service. crawl: by a pipeline that crawls and compares by itself, `millrace run` twice;
 * the statuses are those of the history that it keeps of the pages (scd2). A page whose bytes differ in noise alone is
 * listed, not hidden.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Server from "../src/service/Server.ts"
import * as ServiceConfig from "../src/service/ServiceConfig.ts"
import * as TwoBuilds from "./twoBuilds.ts"

const [folder = ".", address = "https://example.com/", ...ways] = process.argv.slice(2)
const wants = (way: string) => ways.length === 0 || ways.includes(way)
const site = await TwoBuilds.serve(folder, address)

const ask = async (url: string, body?: object) => {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  return (await fetch(url, body === undefined ? {} : post)).json()
}

const check = async (service: string, monitor: string) => {
  const begun = performance.now()
  const { id } = await ask(`${service}/v2/monitor/${monitor}/run`, {})
  const pages: Array<{ readonly url: string; readonly status: string; readonly error: string | null }> = []
  let next = `${service}/v2/monitor/${monitor}/checks/${id}?limit=1000`
  for (;;) {
    const { data, next: more } = await ask(next)
    if (data.status === "queued" || data.status === "running") {
      await new Promise((done) => setTimeout(done, 100))
      continue
    }
    pages.push(...data.pages)
    if (more === undefined) return { ...data, pages, seconds: ((performance.now() - begun) / 1000).toFixed(1) }
    next = more
  }
}

const byChecks = async (service: string) => {
  const { id } = await ask(`${service}/v2/monitor`, {
    name: site.host,
    schedule: { text: "daily" },
    targets: [{ type: "crawl", url: `${site.origin}/`, crawlOptions: { ignoreQueryParameters: true } }]
  })
  const first = await check(service, id)
  site.turnTo("b")
  const second = await check(service, id)
  console.log(`first check:  ${first.status}, ${JSON.stringify(first.summary)}, ${first.seconds} s`)
  console.log(`second check: ${second.status}, ${JSON.stringify(second.summary)}, ${second.seconds} s`)
  TwoBuilds.compare(
    folder,
    second.pages.map(({ status, url }: { url: string; status: string }) => [url, status])
  )
  for (const { error, status, url } of second.pages) if (status === "error") console.log(`error: ${url}: ${error}`)
  for (const { targetResults } of [first, second]) console.log(JSON.stringify(targetResults))
}

/** A page has changed where its history has a version that ended and one that stands. */
const history = `SELECT url, CASE
    WHEN NOT bool_or(is_current) THEN 'removed'
    WHEN count(*) > 1 THEN 'changed'
    WHEN min(valid_from) = (SELECT min(valid_from) FROM pages) THEN 'same'
    ELSE 'new' END AS status
  FROM pages GROUP BY url`

const byCrawl = async () => {
  const own = mkdtempSync(join(tmpdir(), "millrace-bench-"))
  writeFileSync(
    join(own, "watch.yaml"),
    `source:
  type: monitor
  by: crawl
  monitor: ${site.host}
  targets: [{ type: crawl, url: "${site.origin}/", crawlOptions: { ignoreQueryParameters: true } }]
sinks:
  warehouse: { type: duckdb, path: ./watch.duckdb, write: scd2, removed: close }
`
  )
  const resolved = site.hosts.flatMap((host) => ["--resolve", `${host}=127.0.0.1:${site.port}`])
  const run = async () => {
    const bin = resolve(import.meta.dirname, "../bin/millrace")
    const { stdout } = await promisify(execFile)(bin, ["run", "watch.yaml", "--json", ...resolved], { cwd: own })
    const { accounting, duration_ms: millis, rows, status } = JSON.parse(stdout)
    console.log(`run: ${status}, ${JSON.stringify(rows)}, ${JSON.stringify(accounting)}, ${millis} ms`)
  }
  site.turnTo("a")
  await run()
  site.turnTo("b")
  await run()
  const instance = await DuckDBInstance.create(join(own, "watch.duckdb"), { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
  const last = `check_id = (SELECT max(check_id) FROM monitor_checks)`
  console.log(
    JSON.stringify(await rows(`SELECT status, count(*)::INT AS n FROM page_changes WHERE ${last} GROUP BY 1`))
  )
  for (const table of [history, `SELECT url, status FROM page_changes WHERE ${last} AND status <> 'error'`]) {
    console.log(table === history ? "the history of the pages:" : "what changed, where anything did:")
    const found = (await rows(table)).map(({ status, url }) => [String(url), String(status)] as const)
    // A page that is the same has no row among the changes.
    const same = table === history ? [] : (await rows(history)).map(({ url }) => [String(url), "same"] as const)
    TwoBuilds.compare(folder, [...same, ...found])
  }
  connection.closeSync()
  instance.closeSync()
  rmSync(own, { recursive: true })
}

const withService = Effect.gen(function* () {
  const resolve = new Map(site.hosts.map((name) => [name, { address: "127.0.0.1", port: site.port }]))
  const config = { ...ServiceConfig.defaults, allowPrivate: true, resolve }
  const context = yield* Layer.build(Server.layer(config, { host: "127.0.0.1", port: 0 }))
  const url = yield* Effect.provideContext(HttpServer.addressFormattedWith(Effect.succeed), context)
  yield* Effect.promise(() => byChecks(url))
})
if (wants("checks")) await Effect.runPromise(Effect.scoped(withService))
if (wants("crawl")) await byCrawl()
site.stop()
