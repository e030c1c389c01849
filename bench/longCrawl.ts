/**
 * A crawl of very many generated pages into Parquet by `millrace run`, killed on its way and started again: what it takes of
 * CPU, memory and disk, and whether all of it is there at the end.
 *
 *     node bench/longCrawl.ts [--pages 1000000] [--every 100000] [--kills 2]
 *
 * Progress is what the site was asked for. CPU is user + system of the process and its threads, summed over all that were
 * killed (up to a second before its end a killed one is not seen); memory is resident memory of the process. The site is a
 * process of its own, on the same cores. The exit code is 1 if a page is missing or stands there twice.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { DuckDBInstance } from "@duckdb/node-api"
import { install, millrace } from "./installed.ts"
import { startSite } from "./startSite.ts"

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000000" },
    every: { type: "string", default: "100000" },
    kills: { type: "string", default: "2" }
  }
})
const [pages, every, kills] = [Number(values.pages), Number(values.every), Number(values.kills)]

const root = resolve(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "millrace-long-crawl-"))
const lake = join(folder, "lake")

const pipeline = (port: string): string => `source:
  type: crawl
  url: http://127.0.0.1:${port}/
  limit: ${pages + 1000}
  maxConcurrency: 16
  crawlEntireDomain: true
  sitemap: skip
  scrapeOptions: { formats: [markdown, links] }
table: { name: pages, key: url }
sinks: { out: { type: parquet, path: ./lake } }
network: { allow_private: true }
`

/** Seconds of CPU of a process with its threads, and MB of its memory; undefined: it has ended. */
const costOf = (pid: number): { readonly cpu: number; readonly rss: number } | undefined => {
  try {
    const after = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
    return { cpu: (Number(after[11]) + Number(after[12])) / 100, rss }
  } catch {
    return undefined
  }
}

const megabytesOf = (path: string): number => {
  if (!existsSync(path)) return 0
  let bytes = 0
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) {
    // A file may go while its folder is read.
    bytes += lstatSync(join(path, name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes / 1e6
}

const counted = async (): Promise<{ readonly rows: number; readonly urls: number }> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const files = `read_parquet('${lake}/pages/**/*.parquet')`
  const answer = await connection.runAndReadAll(
    `SELECT count(*), count(DISTINCT url) FROM ${files} WHERE status_code = 200`
  )
  const [rows, urls] = answer.getRows()[0] ?? []
  connection.closeSync()
  instance.closeSync()
  return { rows: Number(rows), urls: Number(urls) }
}

const start = (): ChildProcess & { readonly pid: number } => {
  const child = spawn(millrace, ["run", "site.yaml", "--json"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout })
  // The others say how far it is.
  lines.on("line", (line) => line.includes('"status":') && console.log(line))
  if (child.pid === undefined) throw new Error(`${millrace} cannot be started`)
  return Object.assign(child, { pid: child.pid })
}

install()
const site = await startSite(join(root, "bench/generatedSite.ts"), String(pages))
const port = site.values["port"] ?? ""
writeFileSync(join(folder, "site.yaml"), pipeline(port))
const asked = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${port}/asked`)).text())

const began = performance.now()
const killAt = Array.from({ length: kills }, (_, at) => Math.round((pages * (at + 1)) / (kills + 1)))
let [cpuBefore, next, most, code] = [0, every, 0, 0]

console.log("| pages asked for | CPU s | CPU s / 1000 pages | memory, MB | most | lake, MB | .millrace, MB | minutes |")
console.log("|---|---|---|---|---|---|---|---|")
const tell = (count: number, cpu: number, rss: number): void => {
  const cells = [
    count.toLocaleString("en"),
    cpu.toFixed(0),
    ((cpu / count) * 1000).toFixed(3),
    rss.toFixed(0),
    most.toFixed(0),
    megabytesOf(lake).toFixed(0),
    megabytesOf(join(folder, ".millrace")).toFixed(0),
    ((performance.now() - began) / 60_000).toFixed(1)
  ]
  console.log(`| ${cells.join(" | ")} |`)
}

let child = start()
for (;;) {
  const ended = once(child, "exit")
  let last = { cpu: 0, rss: 0 }
  let wasKilled = false
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([sleep(1000), ended])
    last = costOf(child.pid) ?? last
    most = Math.max(most, last.rss)
    const count = await asked()
    if (count >= next) {
      tell(count, cpuBefore + last.cpu, last.rss)
      next += every
    }
    const kill = killAt[0]
    if (kill !== undefined && count >= kill) {
      killAt.shift()
      wasKilled = true
      console.log(`killed after ${count.toLocaleString("en")} pages`)
      child.kill("SIGKILL")
      await ended
    }
  }
  cpuBefore += last.cpu
  if (wasKilled) {
    child = start()
    continue
  }
  code = child.exitCode ?? 1
  break
}
const all = await asked()
const { rows, urls } = await counted()
tell(all, cpuBefore, 0)
console.log(
  `exit ${code}; ${rows} rows of ${urls} URLs in the lake, of ${pages} pages; the site was asked ${all} times`
)
await site.stop()
rmSync(folder, { recursive: true, force: true })
process.exitCode = code === 0 && rows === pages && urls === pages ? 0 : 1
