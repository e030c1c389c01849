/**
 * What a service loses, and how late it is, under many callers at once: 200 crawls, 2,000 clients that ask for their status,
 * 300 senders that send a byte every five seconds, 10,000 webhooks of which half go to a receiver that never answers.
 *
 *     node bench/serviceLoad.ts [--crawls 200] [--pages 50] [--clients 2000] [--slow 300] [--database postgres://...]
 *
 * One team has the receiver that answers, one has the other, and one has both. The site, the receivers and the callers are
 * in the process of this script, so it also reports how long its own event loop stood still: that is not the service's time.
 * The exit code is 1 if anything is lost.
 */
import { loadavg } from "node:os"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { ask, closeConnections, quantile, slowSenders } from "./load/clients.ts"
import { type Receiver, receiver } from "./load/receivers.ts"
import * as ServeProcess from "./load/ServeProcess.ts"
import { madeSite } from "./load/site.ts"

const { values } = parseArgs({
  options: {
    crawls: { type: "string", default: "200" },
    pages: { type: "string", default: "50" },
    clients: { type: "string", default: "2000" },
    slow: { type: "string", default: "300" },
    rest: { type: "string", default: "50000" },
    pause: { type: "string", default: "3000" },
    database: { type: "string" }
  }
})
const [crawls, pages, clients, slow, pause] = [
  Number(values.crawls),
  Number(values.pages),
  Number(values.clients),
  Number(values.slow),
  Number(values.pause)
]
const sleep = (millis: number) => new Promise((done) => setTimeout(done, millis))
const hosts = Array.from({ length: 20 }, (_, n) => `s${n}.test`)

interface Crawl {
  readonly id: string
  readonly team: string
  readonly isHealthy: boolean
}

interface Status {
  readonly status: string
  readonly completed: number
  readonly error?: string
  readonly ledger: Readonly<Record<string, number>>
}

/** Of four crawls: one of the team whose receiver answers, one of the one whose does not, two of the team that has both. */
const shares = [
  { team: "well", isHealthy: true },
  { team: "ill", isHealthy: false },
  { team: "both", isHealthy: true },
  { team: "both", isHealthy: false }
]

const startCrawl = async (url: string, n: number, share: (typeof shares)[number]): Promise<Crawl> => {
  const { status, text } = await ask(`${url}/v2/crawl`, ServeProcess.keyOf(share.team), {
    url: `http://${hosts[n % hosts.length]}/t${n}/`,
    limit: pages + 10,
    crawlEntireDomain: true,
    includePaths: [`^/t${n}/`, "^/private/"],
    webhook: { url: `http://${share.isHealthy ? "well" : "dead"}.test/hook`, events: ["started", "page", "completed"] }
  })
  if (status !== 200) throw new Error(`a crawl was not started: ${status} ${text}`)
  return { id: (JSON.parse(text) as { id: string }).id, ...share }
}

const statusOf = async (url: string, { id, team }: Crawl) => {
  for (let tries = 0; tries < 10; tries++) {
    const { status, text } = await ask(`${url}/v2/crawl/${id}?limit=1`, ServeProcess.keyOf(team))
    if (status === 200) return JSON.parse(text) as Status
    await sleep(1000)
  }
  throw new Error(`the crawl ${id} cannot be read`)
}

const untilEnded = async (url: string, crawl: Crawl): Promise<Status> => {
  for (;;) {
    const status = await statusOf(url, crawl)
    if (status.status !== "scraping") return status
    await sleep(2000)
  }
}

/** Callers who ask again a while after each answer, each beginning at a time of its own. */
const askers = (url: string, all: ReadonlyArray<Crawl>) => {
  const millis: Array<number> = []
  const refused = new Map<string, number>()
  const stop = { isOver: false }
  const one = async (n: number) => {
    await sleep(Math.random() * pause)
    while (!stop.isOver) {
      const crawl = all[n % all.length]
      if (crawl === undefined) return
      const answer = await ask(`${url}/v2/crawl/${crawl.id}?limit=1`, ServeProcess.keyOf(crawl.team))
      millis.push(answer.millis)
      const problem = answer.status === 0 ? `no answer (${answer.text})` : String(answer.status)
      if (answer.status !== 200) refused.set(problem, (refused.get(problem) ?? 0) + 1)
      await sleep(pause)
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, n) => one(n)))
  return { millis, refused, end: () => ((stop.isOver = true), ended) }
}

/** Discovered pages that ended in no way, and events that a healthy receiver has not got. */
const lost = (all: ReadonlyArray<Crawl>, ends: ReadonlyArray<Status>, { events }: Receiver) => {
  const byJob = Map.groupBy(events, ({ jobId }) => jobId)
  let [missing, repeated] = [0, 0]
  for (const [n, { id, isHealthy }] of all.entries()) {
    if (!isHealthy) continue
    const own = byJob.get(id) ?? []
    const urls = own.filter(({ type }) => type === "crawl.page").flatMap(({ urls }) => urls)
    missing += (ends[n]?.completed ?? 0) - new Set(urls).size
    repeated += urls.length - new Set(urls).size
    for (const type of ["crawl.started", "crawl.completed"]) if (!own.some((event) => event.type === type)) missing += 1
  }
  const unsettled = ends.reduce((sum, { ledger }) => {
    const { blocked = 0, discovered = 0, failed = 0, scraped = 0 } = ledger
    return sum + Math.abs(discovered - scraped - failed - blocked)
  }, 0)
  return { missing, repeated, unsettled }
}

const main = async () => {
  const site = await madeSite(pages)
  const well = await receiver(() => 200)
  const dead = await receiver(() => undefined)
  const names = [...hosts.map((host) => [host, site.port] as const), ["well.test", well.port], ["dead.test", dead.port]]
  const service = await ServeProcess.start({
    resolve: new Map(names as ReadonlyArray<readonly [string, number]>),
    teams: ["well", "ill", "both"],
    database: values.database
  })
  const { pid, url } = service
  const warm = await startCrawl(url, 100_000, { team: "well", isHealthy: true })
  await untilEnded(url, warm)
  await sleep(Number(values.rest) / 2)
  const idle = ServeProcess.read(pid)
  well.events.length = 0

  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const began = performance.now()
  const senders = slowSenders(url, ServeProcess.keyOf("well"), slow)
  const all = await Promise.all(
    Array.from({ length: crawls }, (_, n) => startCrawl(url, n, shares[n % shares.length] as (typeof shares)[number]))
  )
  const asking = askers(url, all)
  let peak = idle
  let most = 0
  const watch = setInterval(() => {
    const now = ServeProcess.read(pid)
    most = Math.max(most, now.sockets)
    if (now.memory > peak.memory) peak = now
  }, 500)
  const ends = await Promise.all(all.map((crawl) => untilEnded(url, crawl)))
  const seconds = (performance.now() - began) / 1000
  const wanted = ends.reduce((sum, { completed }, n) => sum + (all[n]?.isHealthy === true ? completed + 2 : 0), 0)
  for (let waited = 0; well.events.length < wanted && waited < 60; waited++) await sleep(500)
  const spent = ServeProcess.read(pid).cpu - idle.cpu
  delay.disable()
  await asking.end()
  const closedSlow = senders.closed()
  senders.end()
  closeConnections()
  clearInterval(watch)
  await sleep(Number(values.rest))
  const after = ServeProcess.read(pid)

  const { missing, repeated, unsettled } = lost(all, ends, well)
  const completed = ends.filter(({ status }) => status === "completed").length
  const loaded = ends.reduce((sum, end) => sum + end.completed, 0)
  const late = (team: string) => {
    const own = new Set(all.filter((crawl) => crawl.team === team).map(({ id }) => id))
    const millis = well.events.filter(({ jobId }) => own.has(jobId)).map(({ late }) => late)
    return `${millis.length} deliveries, median ${quantile(millis, 0.5)} ms, p99 ${quantile(millis, 0.99)} ms, worst ${quantile(millis, 1)} ms`
  }
  const refused = [...asking.refused].map(([status, count]) => `${status}: ${count}`).join(", ") || "none"
  const rate = (asking.millis.length / seconds).toFixed(0)
  console.log(`${crawls} crawls, ${clients} clients, ${slow} slow senders, over ${values.database ?? "SQLite"}`)
  console.log(
    `crawls: ${completed} of ${crawls} completed, ${loaded} pages, ${seconds.toFixed(1)} s, ${spent.toFixed(1)} CPU s of the service`
  )
  console.log(`lost: ${unsettled} pages, ${missing} events of the healthy receiver; ${repeated} events came twice`)
  console.log(`healthy receiver, team of its own: ${late("well")}`)
  console.log(`healthy receiver, team with both:  ${late("both")}`)
  console.log(
    `status: ${asking.millis.length} answers, ${rate}/s, p50 ${quantile(asking.millis, 0.5).toFixed(0)} ms, p99 ${quantile(asking.millis, 0.99).toFixed(0)} ms; not 200: ${refused}`
  )
  console.log(`slow senders: ${closedSlow} were closed by the service`)
  console.log(`before: ${ServeProcess.line(idle)}`)
  console.log(`peak:   ${ServeProcess.line(peak)}; at most ${most} sockets`)
  console.log(`after:  ${ServeProcess.line(after)}: ${(after.memory / idle.memory).toFixed(2)} of the memory before`)
  console.log(
    `this script's own event loop: p50 ${(delay.percentile(50) / 1e6).toFixed(0)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms; load of the machine ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`
  )
  if (unsettled + missing > 0 || completed < crawls) process.exitCode = 1
  await service.stop()
  for (const part of [site, well, dead]) part.close()
}

await main()
