/**
 * Status requests to a service that this process starts, first one each ten milliseconds, then as many as it answers.
 *
 *     node bench/contestants/statusRequests.ts millrace|bare idle|crawling REQUESTS SITE_URL
 *
 * What the service takes is the service's own CPU, not that of who asks; latency is of the paced requests, so that it is
 * that of a client that polls and not of a queue that we make ourselves. Who is asked while it crawls has a crawl beside
 * it whoever it is: `bare` has that of a service of ours, so that both share the machine with the same work.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "undici"

const root = resolve(import.meta.dirname, "../..")
const [who = "", state = "", requests = "", site = ""] = process.argv.slice(2)
const isOurs = who === "millrace"
const connections = 16
const paced = 500

const start = async (command: ReadonlyArray<string>) => {
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["ignore", "pipe", "ignore"] })
  const [said] = await once(child.stdout, "data")
  const pool = new Pool(/http:\/\/[^\s/]+/.exec(String(said))?.[0] ?? "", { connections })
  const stop = async () => {
    await pool.close()
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  return { pid: child.pid, pool, stop }
}
type Server = Awaited<ReturnType<typeof start>>

const ask = async ({ pool }: Server, path: string, body?: object) => {
  const answer = await pool.request({
    path,
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`)
  return text
}

interface Status {
  readonly status: string
  readonly completed: number
}
/** Who is asked for a status, and by which path. */
interface Asked {
  readonly server: Server
  readonly path: string
}
const statusOf = async ({ path, server }: Asked): Promise<Status> => JSON.parse(await ask(server, path))

const beginBare = async (): Promise<Asked> => ({
  server: await start([process.execPath, join(root, "bench/contestants/bareJson.ts")]),
  path: "/v2/crawl/1?limit=1"
})

/** A crawl in a service of ours that has ended or is under way, by the path of its status with one page. */
const beginCrawl = async (): Promise<Asked> => {
  const server = await start([join(root, "bin/millrace"), "serve", "--port", "0", "--data", "data", "--allow-private"])
  const limit = state === "crawling" ? 100_000 : 100
  const { id } = JSON.parse(await ask(server, "/v2/crawl", { url: site, limit, maxConcurrency: 32, sitemap: "skip" }))
  const crawl = { server, path: `/v2/crawl/${id}?limit=1` }
  for (;;) {
    const { completed, status } = await statusOf(crawl)
    if (state === "crawling" ? completed >= 500 : status === "completed") return crawl
    await sleep(50)
  }
}

const asked = isOurs ? await beginCrawl() : await beginBare()
const beside = isOurs || state === "idle" ? asked : await beginCrawl()
const { path, server } = asked

/** CPU seconds of the service so far. */
const cpu = (): number => {
  const stat = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(stat[11]) + Number(stat[12])) / 100
}

// What is asked for the first time is compiled then.
for (let at = 0; at < 200; at++) await ask(server, path)

const latencies: Array<number> = []
const { completed: before } = await statusOf(beside)
const began = performance.now()
for (let at = 0; at < paced; at++) {
  const sent = performance.now()
  await ask(server, path)
  latencies.push(performance.now() - sent)
  await sleep(10)
}
const seconds = (performance.now() - began) / 1000
const pages = (await statusOf(beside)).completed - before

const [taken, loaded] = [cpu(), performance.now()]
let left = Number(requests)
const bytes = (await ask(server, path)).length
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (left-- > 0) await ask(server, path)
  })
)
const perSecond = Number(requests) / ((performance.now() - loaded) / 1000)
const service = ((cpu() - taken) / Number(requests)) * 1000
const isStill = state === "idle" || (await statusOf(beside)).status === "scraping"

latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
await server.stop()
if (beside !== asked) await beside.server.stop()
console.log(
  JSON.stringify({
    // A crawl that ended too soon was none to be measured beside.
    count: isStill ? Number(requests) : 0,
    figures: {
      "requests/s": perSecond,
      "p50 ms": at(0.5),
      "p99 ms": at(0.99),
      "service's CPU ms / request": service,
      "bytes of an answer": bytes,
      ...(state === "crawling" ? { "pages/s beside": pages / seconds } : {})
    }
  })
)
