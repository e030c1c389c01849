/**
 * The service under load, as one process of its own: `node bench/service.ts [crawls] [latency] [growth]`.
 *
 * - crawls: 50 crawls of the demo site at once; all finish, their counters are right, and what memory is left after they
 *   have ended, and after they have expired (the process is made to believe that a day has passed).
 * - latency: how long a status request takes while 32 pages are in flight.
 * - growth: CPU for each page, and memory while it runs, of crawls of 1,000, 10,000, 50,000 and 100,000 generated pages.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const asked = new Set(process.argv.slice(2))
const wants = (part: string) => asked.size === 0 || asked.has(part)
const sleep = (millis: number) => new Promise((done) => setTimeout(done, millis))

const firstLine = (command: string, args: ReadonlyArray<string>) =>
  new Promise<{ line: string; pid: number; stop: () => void }>((done) => {
    const env = { ...process.env, NODE_OPTIONS: `--import=${join(root, "bench/tomorrow.ts")}` }
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], env })
    child.stdout.once("data", (chunk) =>
      done({ line: String(chunk), pid: child.pid ?? 0, stop: () => void child.kill("SIGTERM") })
    )
  })

/** CPU seconds so far and resident megabytes now, from the kernel. */
const usage = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
  return { cpu: (Number(stat[11]) + Number(stat[12])) / 100, rss: Math.round(rss) }
}

const withService = async (sitePort: number, use: (url: string, pid: number) => Promise<void>) => {
  const data = mkdtempSync(join(tmpdir(), "millrace-bench-"))
  const resolved = `northmere.example=127.0.0.1:${sitePort}`
  const service = await firstLine("bin/millrace", ["serve", "--port", "0", "--data", data, "--resolve", resolved])
  try {
    await use(/http:\S+/.exec(service.line)?.[0] ?? "", service.pid)
  } finally {
    service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

const start = async (url: string, options: object) => {
  const body = JSON.stringify({ url: "http://northmere.example/", ...options })
  const answer = await fetch(`${url}/v2/crawl`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body
  })
  return ((await answer.json()) as { id: string }).id
}
const status = async (url: string, id: string) =>
  (await (await fetch(`${url}/v2/crawl/${id}?limit=1`)).json()) as {
    status: string
    total: number
    completed: number
    ledger: Record<string, number>
  }

const end = async (url: string, id: string) => {
  for (;;) {
    const answer = await status(url, id)
    if (answer.status !== "scraping") return answer
    await sleep(250)
  }
}

const crawls = async () => {
  const site = await firstLine("bin/millrace", ["site", "--port", "0"])
  await withService(Number(/:(\d+)/.exec(site.line.replace("http:", ""))?.[1]), async (url, pid) => {
    await end(url, await start(url, { limit: 50 }))
    const idle = usage(pid)
    const before = performance.now()
    const ids = await Promise.all(Array.from({ length: 50 }, () => start(url, {})))
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, usage(pid).rss)), 200)
    const ends = await Promise.all(ids.map((id) => end(url, id)))
    clearInterval(watch)
    const seconds = ((performance.now() - before) / 1000).toFixed(1)
    const right = ends.filter(
      ({ status, total, completed, ledger }) =>
        status === "completed" &&
        total === completed &&
        ledger["discovered"] === (ledger["scraped"] ?? 0) + (ledger["failed"] ?? 0) + (ledger["blocked"] ?? 0)
    )
    console.log(
      `50 crawls at once: ${right.length} of 50 right, ${new Set(ends.map(({ total }) => total)).size === 1 ? ends[0]?.total : "different"} pages each, ${seconds} s`
    )
    await sleep(60_000)
    const ended = usage(pid)
    process.kill(pid, "SIGUSR2")
    await sleep(60_000)
    const expired = usage(pid)
    const known = await Promise.all(ids.map(async (id) => (await fetch(`${url}/v2/crawl/${id}`)).status))
    console.log(
      `memory: ${idle.rss} MB idle, ${peak} MB at the most, ${ended.rss} MB a minute after, ${expired.rss} MB (${(expired.rss / idle.rss).toFixed(2)} of idle) once ${known.filter((status) => status === 404).length} have expired`
    )
  })
  site.stop()
}

const latency = async () => {
  const site = await firstLine(process.execPath, ["bench/generatedSite.ts", "20000"])
  await withService(Number(site.line), async (url) => {
    const id = await start(url, { limit: 20_000, maxConcurrency: 32 })
    const times: Array<number> = []
    while (times.length < 500) {
      const before = performance.now()
      const answer = await status(url, id)
      times.push(performance.now() - before)
      if (answer.status !== "scraping") break
      await sleep(10)
    }
    const at = (share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]?.toFixed(1)
    console.log(
      `status requests while 32 pages are in flight: ${times.length}, median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms`
    )
  })
  site.stop()
}

const growth = async () => {
  let first: number | undefined
  for (const pages of [1000, 10_000, 50_000, 100_000]) {
    const site = await firstLine(process.execPath, ["bench/generatedSite.ts", String(pages)])
    await withService(Number(site.line), async (url, pid) => {
      await end(url, await start(url, { limit: 300 }))
      const before = usage(pid)
      const id = await start(url, { limit: 100_000, sitemap: "skip" })
      let peak = 0
      const watch = setInterval(() => (peak = Math.max(peak, usage(pid).rss)), 500)
      const ended = await end(url, id)
      clearInterval(watch)
      const after = usage(pid)
      const cpu = ((after.cpu - before.cpu) / ended.completed) * 1000
      first ??= cpu
      console.log(
        `${pages} pages: ${ended.completed} completed, ${cpu.toFixed(2)} CPU s per 1000 pages (${(cpu / first).toFixed(2)} of the first), ${before.rss} MB before, ${peak} MB at the most, ${after.rss} MB at the end`
      )
    })
    site.stop()
  }
}

if (wants("crawls")) await crawls()
if (wants("latency")) await latency()
if (wants("growth")) await growth()
