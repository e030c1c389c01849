/**
 * 50 crawls of the demo site at once, in one service: `node bench/service.ts`.
 *
 * All finish, their counters are right; and what memory is left after they have ended, and after they have expired (the
 * process is made to believe that a day has passed).
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const sleep = (millis: number) => new Promise((done) => setTimeout(done, millis))

const firstLine = (command: string, args: ReadonlyArray<string>) =>
  new Promise<{ line: string; pid: number; stop: () => void }>((done) => {
    const env = { ...process.env, NODE_OPTIONS: `--import=${join(root, "bench/tomorrow.ts")}` }
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], env })
    child.stdout.once("data", (chunk) =>
      done({ line: String(chunk), pid: child.pid ?? 0, stop: () => void child.kill("SIGTERM") })
    )
  })

/** Resident megabytes now, from the kernel. */
const memory = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024)

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
    const idle = memory(pid)
    const before = performance.now()
    const ids = await Promise.all(Array.from({ length: 50 }, () => start(url, {})))
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, memory(pid))), 200)
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
    const ended = memory(pid)
    process.kill(pid, "SIGUSR2")
    await sleep(60_000)
    const expired = memory(pid)
    const known = await Promise.all(ids.map(async (id) => (await fetch(`${url}/v2/crawl/${id}`)).status))
    console.log(
      `memory: ${idle} MB idle, ${peak} MB at the most, ${ended} MB a minute after, ${expired} MB (${(expired / idle).toFixed(2)} of idle) once ${known.filter((status) => status === 404).length} have expired`
    )
  })
  site.stop()
}

await crawls()
