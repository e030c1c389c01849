/**
 * Makes the fixtures of the upgrade test with another checkout of Millrace: `node test/upgrade/make.ts CHECKOUT`.
 *
 * What is made is what its users have on the disk: a workspace with its journal, databases and lakes, a schedule's ledger
 * and the data of a service. `README.md` says by which version, and `upgrade.test.ts` opens it with this one.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import { gate, scriptedSite } from "../service/scriptedSite.ts"
import { pack } from "./archive.ts"
import * as Site from "./site.ts"

const checkout = resolve(process.argv[2] ?? ".")
const folder = mkdtempSync(join(tmpdir(), "millrace-fixtures-"))
const routes: Site.Routes = { ...Site.before }

const crawl = (host: string, formats: string) =>
  `source: { type: crawl, url: http://${host}.test/, scrapeOptions: { formats: [${formats}] } }`
/** Journals stay, whenever the test is run. */
const kept = "journal: { keep: 36500d }"
const write = (name: string, ...lines: ReadonlyArray<string>): string => {
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`)
  return name
}

const start = (...args: ReadonlyArray<string>) => {
  const child = spawn(join(checkout, "bin/millrace"), args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  let stdout = ""
  child.stdout.on("data", (chunk) => (stdout += chunk))
  const ended = new Promise<{ code: number | null; stdout: string }>((done) =>
    child.on("close", (code) => done({ code, stdout }))
  )
  return { child, ended }
}

const expecting = async (code: number, ...args: ReadonlyArray<string>): Promise<string> => {
  const ended = await start(...args).ended
  if (ended.code !== code) throw new Error(`${args.join(" ")}: ended with ${ended.code}, not ${code}: ${ended.stdout}`)
  return ended.stdout
}

const announced = (child: ChildProcess): Promise<string> =>
  new Promise((done) => child.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? "")))

const ask = async (url: string, body?: object): Promise<any> => {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  return (await fetch(url, body === undefined ? {} : post)).json()
}

const until = async <A>(ask: () => Promise<A>, isGood: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (isGood(answer)) return answer
    await new Promise((done) => setTimeout(done, 100))
  }
}

/** Does something to a database, as its owner does; it is open meanwhile. */
const inDuckdb = async (name: string, sql: string, meanwhile?: () => Promise<unknown>): Promise<void> => {
  const instance = await DuckDBInstance.create(join(folder, name))
  const connection = await instance.connect()
  await connection.run(sql)
  await meanwhile?.()
  connection.closeSync()
  instance.closeSync()
}

/** The files, each with what it is for. */
const files = () => {
  const both = (write: string) => [
    "sinks:",
    `  db: { type: duckdb, path: ./${write}.duckdb, write: ${write} }`,
    `  lake: { type: parquet, path: ./${write}-lake, write: ${write} }`
  ]
  const everyWay = ["merge", "append", "replace"].map((way) =>
    write(`${way}.yaml`, crawl("site", "markdown, links"), kept, ...both(way))
  )
  return {
    everyWay: [
      ...everyWay,
      write(
        "scd2.yaml",
        crawl("site", "markdown, links"),
        kept,
        "sinks:",
        "  db: { type: duckdb, path: ./scd2.duckdb, write: scd2, removed: close }",
        "  lake: { type: parquet, path: ./scd2-lake, write: scd2, removed: close }"
      )
    ],
    // Two pipelines in one database: with tables of their own, and with the same.
    apart: ["one", "two"].map((name) =>
      write(
        `apart-${name}.yaml`,
        crawl(name, "markdown, links"),
        kept,
        `table: { name: pages_of_${name} }`,
        "sinks: { db: { type: duckdb, path: ./apart.duckdb } }"
      )
    ),
    same: ["one", "two"].map((name) =>
      write(
        `same-${name}.yaml`,
        crawl(name, "markdown, links"),
        kept,
        "sinks: { db: { type: duckdb, path: ./same.duckdb } }"
      )
    ),
    watch: write(
      "watch.yaml",
      "source:",
      "  type: monitor",
      "  by: crawl",
      "  monitor: watch",
      "  targets: [{ type: crawl, url: http://site.test/, crawlOptions: { sitemap: skip } }]",
      kept,
      "sinks: { db: { type: duckdb, path: ./watch.duckdb, write: scd2, removed: close } }"
    ),
    held: write(
      "held.yaml",
      "vars: { least: 1 }",
      crawl("site", "markdown"),
      kept,
      "checks: [{ rows: { min: '${vars.least}' } }]",
      "sinks: { db: { type: duckdb, path: ./held.duckdb } }"
    ),
    rejects: write(
      "rejects.yaml",
      "vars: { contract: quarantine, format: markdown }",
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: ['${vars.format}'] } }",
      kept,
      "table: { contract: '${vars.contract}' }",
      "sinks: { db: { type: duckdb, path: ./rejects.duckdb } }"
    ),
    // One of its sinks could not be opened, and has missed the run.
    behind: write(
      "behind.yaml",
      crawl("site", "markdown"),
      kept,
      "sinks:",
      "  db: { type: duckdb, path: ./behind.duckdb, write: append }",
      "  lake: { type: parquet, path: ./behind-lake, write: append }"
    ),
    unfinished: write(
      "unfinished.yaml",
      crawl("site", "markdown"),
      kept,
      "sinks: { db: { type: duckdb, path: ./unfinished.duckdb, write: append } }"
    )
  }
}

const make = Effect.gen(function* () {
  const site = yield* scriptedSite(routes)
  const hosts = ["site", "one", "two"].flatMap((host) => ["--resolve", `${host}.test=127.0.0.1:${site.port}`])
  yield* Effect.promise(async () => {
    const { apart, behind, everyWay, held, rejects, same, unfinished, watch } = files()
    for (const into of [Site.before, Site.after]) {
      Site.turn(routes, into)
      for (const file of [...everyWay, ...apart, ...same, watch]) await expecting(0, "run", file, ...hosts)
    }
    await expecting(0, "run", held, ...hosts)
    await expecting(3, "run", held, "--var", "least=100", ...hosts)
    await expecting(0, "run", rejects, ...hosts)
    await inDuckdb("rejects.duckdb", "ALTER TABLE pages DROP COLUMN html")
    await expecting(0, "run", rejects, "--var", "format=html", ...hosts)
    await inDuckdb("behind.duckdb", "SELECT 1", () => expecting(1, "run", behind, ...hosts))
    // The last page is asked for and never answered: the run is killed there.
    const last = gate("")
    Site.turn(routes, { ...Site.after, "/d": last.answer })
    const killed = start("run", unfinished, ...hosts)
    await Effect.runPromise(last.reached)
    await until(
      () => expecting(0, "journal", "list", unfinished, "--json"),
      (listed) => /"status":"reading"/.test(listed)
    )
    killed.child.kill("SIGKILL")
    await killed.ended
    Site.turn(routes, Site.after)
    await scheduled(hosts)
    await served(hosts)
  })
})

/** A folder with a schedule: its pipeline has run twice, and its next time is far off. */
const scheduled = async (hosts: ReadonlyArray<string>): Promise<void> => {
  mkdirSync(join(folder, "schedule"))
  const file = write(
    "schedule/yearly.yaml",
    crawl("site", "markdown"),
    kept,
    'schedule: { cron: "0 0 1 1 *", timezone: UTC, catch_up: none }',
    "sinks: { db: { type: duckdb, path: ./yearly.duckdb } }"
  )
  for (let run = 0; run < 2; run += 1) await expecting(0, "schedule", "run", file, ...hosts)
  await expecting(0, "schedule", "schedule", "--once", ...hosts)
}

/** The data of a service: a crawl that has ended and whose webhook nobody took, and a monitor with two checks. */
const served = async (hosts: ReadonlyArray<string>): Promise<void> => {
  routes["/hook"] = (_request, response) => void response.writeHead(503).end()
  const args = ["serve", "--port=0", "--data=service", "--webhook-secret=whsec-1", ...hosts]
  const { child, ended } = start(...args)
  const url = await announced(child)
  const target = { url: "http://site.test/", sitemap: "skip" }
  const webhook = { url: "http://site.test/hook", metadata: { from: "before" } }
  const crawl = await ask(`${url}/v2/crawl`, { ...target, webhook })
  await until(
    () => ask(`${url}/v2/crawl/${crawl.id}`),
    ({ status }) => status === "completed"
  )
  const targets = [{ type: "crawl", url: "http://site.test/", crawlOptions: { sitemap: "skip" } }]
  const monitor = await ask(`${url}/v2/monitor`, { name: "m", schedule: { text: "daily" }, targets })
  const id = monitor.id ?? monitor.data.id
  const checks = `${url}/v2/monitor/${id}/checks`
  for (const pages of [Site.before, Site.after]) {
    Site.turn(routes, { ...pages, "/hook": (_request, response) => void response.writeHead(503).end() })
    const before = (await ask(checks)).data.length
    await ask(`${url}/v2/monitor/${id}/run`, {})
    await until(
      () => ask(checks),
      ({ data }) => data.length > before && data.every(({ status }: { status: string }) => status === "completed")
    )
  }
  child.kill("SIGTERM")
  await ended
  writeFileSync(join(folder, "service/made.json"), JSON.stringify({ at: Date.now(), crawl: crawl.id, monitor: id }))
}

await Effect.runPromise(Effect.scoped(make))
pack(folder, join(import.meta.dirname, "from-0.1.0.json.zst"), (path) =>
  /(^|\/)(lock|lock\.pid|.*\.lock(\.pid)?)$/.test(path)
)
rmSync(folder, { recursive: true })
