/**
 * Mixed load with faults, for leaks: `node bench/serviceSoak.ts [--minutes 20] [--busy 6]`.
 *
 * Crawls, batches, scrapes, extracts and monitors run all the time against a site of which some pages hang, are cut off or fail;
 * their webhooks go to a receiver that answers, to one that never does, and to one that is often down; senders send a byte at a
 * time, callers hang up. The service is killed twice in the first quarter, and started again on its folder. Each minute there is a
 * line: open files, sockets, memory, rows. The exit code is 1 where, after the first quarter,
 * - files or sockets exceed the most of the first quarter by a half and 50,
 * - the memory of the process exceeds the most of the first quarter by a quarter and 60 MB,
 * - a table has, for each job, twice the rows that it had, and 2 more,
 * - or in the end a job has not ended, a page is unaccounted for, an event of the healthy receiver is lost, or sockets stay open.
 */
import { loadavg } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import { ask, closeConnections, hangUp, slowSenders } from "./load/clients.ts"
import { receiver } from "./load/receivers.ts"
import * as ServeProcess from "./load/ServeProcess.ts"
import { madeSite } from "./load/site.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "20" }, busy: { type: "string", default: "6" } }
})
const [minutes, busy] = [Number(values.minutes), Number(values.busy)]
const sleep = (millis: number) => new Promise((done) => setTimeout(done, millis))
const key = ServeProcess.keyOf("one")
const hosts = ["s0.test", "s1.test", "s2.test"]

/** One page in 40 hangs, is cut off, or fails. */
let asked = 0
const site = await madeSite(30, (request, response) => {
  if (request.url === "/robots.txt" || request.url?.endsWith("/") === true) return false
  asked += 1
  if (asked % 40 === 0) return true
  if (asked % 40 === 13) return request.socket.destroy(), true
  if (asked % 40 !== 26) return false
  response.writeHead(503).end()
  return true
})
let isDown = false
const well = await receiver(() => 200)
const dead = await receiver(() => undefined)
const weak = await receiver(() => (isDown ? 500 : 200))
const resolve = new Map([
  ...hosts.map((host) => [host, site.port] as const),
  ["well.test", well.port] as const,
  ["dead.test", dead.port] as const,
  ["weak.test", weak.port] as const
])
const options = { resolve, teams: ["one"] }
let service = await ServeProcess.start(options)

interface Job {
  readonly path: string
  readonly id: string
  readonly isHealthy: boolean
}
const jobs: Array<Job> = []
const answers = new Map<string, number>()
const load = { isOver: false }
let serial = 0

/** Asks the service, also while it is starting again; 5xx are counted as what they are. */
const call = async (path: string, body?: object, method?: string) => {
  const answer = await ask(`${service.url}${path}`, key, body, method)
  const name = `${path.split("/")[2]?.split("?")[0]} ${answer.status || "none"}`
  answers.set(name, (answers.get(name) ?? 0) + 1)
  return answer
}
const idOf = (text: string): string | undefined => {
  const parsed: unknown = text === "" ? undefined : JSON.parse(text)
  return typeof parsed === "object" && parsed !== null && "id" in parsed ? String(parsed.id) : undefined
}
const statusOf = async ({ id, path }: Job) => {
  const { status, text } = await call(`${path}/${id}?limit=1`)
  return status === 200
    ? (JSON.parse(text) as { readonly status: string; readonly ledger?: Readonly<Record<string, number>> })
    : undefined
}
const isUnderWay = (status: string) => status === "scraping" || status === "processing"

const begin = async (path: string, body: object, isHealthy: boolean): Promise<void> => {
  const { status, text } = await call(path, body)
  const id = status === 200 ? idOf(text) : undefined
  if (id === undefined) return void (await sleep(500))
  const job = { path, id, isHealthy }
  jobs.push(job)
  if (serial % 7 === 0) await call(`${path}/${id}`, undefined, "DELETE")
  for (let looks = 0; looks < 60 && !load.isOver; looks++) {
    const now = await statusOf(job)
    if (now !== undefined && !isUnderWay(now.status)) return
    await sleep(1000)
  }
}

const works: ReadonlyArray<(n: number) => Promise<unknown>> = [
  (n) => {
    const name = ["well", "dead", "weak"][n % 3] ?? "well"
    const url = `http://${hosts[n % hosts.length]}/t${n}/`
    const webhook = { url: `http://${name}.test/hook`, headers: { "x-secret": "s" } }
    const scrapeOptions = { timeout: 3000 }
    return begin(
      "/v2/crawl",
      { url, limit: 25, crawlEntireDomain: true, includePaths: [`^/t${n}/`], scrapeOptions, webhook },
      name === "well"
    )
  },
  (n) => {
    const urls = Array.from({ length: 8 }, (_, at) => `http://${hosts[at % hosts.length]}/b${n}/${at}`)
    return begin("/v2/batch/scrape", { urls, timeout: 3000, webhook: "http://well.test/hook" }, true)
  },
  async (n) => {
    for (let at = 0; at < 5; at++)
      await call("/v2/scrape", { url: `http://${hosts[n % hosts.length]}/p${n}/${at}`, timeout: 3000 })
  },
  (n) => {
    const schema = { type: "object", properties: { title: { type: "string" } } }
    return begin("/v2/extract", { urls: [`http://${hosts[n % hosts.length]}/e${n}/1`], schema }, false)
  },
  async (n) => {
    const target = { type: "scrape", urls: [`http://${hosts[n % hosts.length]}/m${n}/1`] }
    const made = await call("/v2/monitor", { name: `m${n}`, schedule: { text: "daily at 9:00" }, targets: [target] })
    const id = made.status === 200 ? (JSON.parse(made.text) as { id?: string; data?: { id: string } }) : {}
    const monitor = id.id ?? id.data?.id
    if (monitor === undefined) return
    await call(`/v2/monitor/${monitor}/run`, {})
    await sleep(2000)
    await call(`/v2/monitor/${monitor}`, undefined, "DELETE")
  },
  async (n) => {
    hangUp(`${service.url}/v2/scrape`, key, { url: `http://${hosts[0]}/h${n}/1`, timeout: 3000 }, 200)
    await sleep(1000)
  }
]

const worker = async (kind: (n: number) => Promise<unknown>) => {
  while (!load.isOver) {
    await kind(serial++)
    await sleep(200)
  }
}

interface Minute extends ServeProcess.Reading {
  readonly rows: Readonly<Record<string, number>>
}

const minute = (): Minute => {
  const database = new DatabaseSync(service.file, { readOnly: true, timeout: 5000 })
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .all()
    const rows = tables.map(({ name }) => [
      String(name),
      Number(database.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()?.["n"])
    ])
    return { ...ServeProcess.read(service.pid), rows: Object.fromEntries(rows) }
  } finally {
    database.close()
  }
}

const senders = slowSenders(service.url, key, 20)
const kinds = works.flatMap((kind, at) => Array.from({ length: at === 0 ? busy : Math.ceil(busy / 3) }, () => kind))
const running = kinds.map(worker)
const seen: Array<Minute> = []
const step = 15_000
const steps = Math.round((minutes * 60_000) / step)
const quarter = Math.ceil(steps / 4)
for (let at = 1; at <= steps; at++) {
  await sleep(step)
  isDown = at % 4 < 2
  seen.push(minute())
  const now = seen.at(-1)
  if (now !== undefined && (at % 4 === 0 || at === steps)) {
    const rows = Object.entries(now.rows)
      .filter(([, n]) => n > 0)
      .map(([name, n]) => `${name} ${n}`)
    console.log(`${(at * step) / 60_000} min: ${ServeProcess.line(now)}; ${jobs.length} jobs; rows: ${rows.join(", ")}`)
  }
  if (at === Math.ceil(quarter / 3) || at === Math.ceil((quarter * 2) / 3)) {
    await service.kill()
    service = await ServeProcess.start({ ...options, after: service })
    console.log(`${(at * step) / 60_000} min: killed, and started again`)
  }
}
load.isOver = true
await Promise.all(running)
senders.end()

const problems: Array<string> = []
const late = new Set(jobs)
for (let waited = 0; late.size > 0 && waited < 120; waited++) {
  for (const job of late) {
    const now = await statusOf(job)
    if (now === undefined || isUnderWay(now.status)) continue
    late.delete(job)
    const { blocked = 0, discovered = 0, failed = 0, left = 0, scraped = 0 } = now.ledger ?? {}
    if (discovered !== scraped + failed + blocked + left)
      problems.push(`${job.path}/${job.id}: pages are unaccounted for`)
  }
  await sleep(1000)
}
if (late.size > 0) problems.push(`${late.size} jobs have not ended`)
closeConnections()
const untold = () => {
  const told = new Set(well.events.filter(({ type }) => /completed|failed/.test(type)).map(({ jobId }) => jobId))
  return jobs.filter(({ id, isHealthy }) => isHealthy && !told.has(id)).length
}
for (let waited = 0; untold() > 0 && waited < 60; waited++) await sleep(1000)
if (untold() > 0) problems.push(`${untold()} jobs whose end the healthy receiver was not told`)
await sleep(30_000)
const last = minute()

/** Tables whose rows are of one job, by how many jobs there are. */
const perJob = ({ rows }: Minute, table: string) => (rows[table] ?? 0) / Math.max(1, rows["job"] ?? 1)
const [first, rest] = [seen.slice(0, quarter), seen.slice(quarter)]
const top = (some: ReadonlyArray<Minute>, of: (one: Minute) => number) => Math.max(...some.map(of))
for (const name of ["files", "sockets"] as const) {
  const [before, after] = [top(first, (one) => one[name]), top(rest, (one) => one[name])]
  if (after > before * 1.5 + 50) problems.push(`${name} grew from ${before} to ${after}`)
}
const [before, after] = [top(first, ({ memory }) => memory), top(rest, ({ memory }) => memory)]
if (after > before * 1.25 + 60) problems.push(`memory grew from ${before} to ${after} MB`)
for (const table of Object.keys(last.rows)) {
  const [least, most] = [top(first, (one) => perJob(one, table)), top(rest, (one) => perJob(one, table))]
  if (most > least * 2 + 2)
    problems.push(`rows of ${table} for each job grew from ${least.toFixed(1)} to ${most.toFixed(1)}`)
}
// Two are the ports of the service and what Node has of its own; the others are of the dead receiver's deliveries.
if (last.sockets > 60) problems.push(`${last.sockets} sockets stay open`)
console.log(
  `after a rest: ${ServeProcess.line(last)}; memory at most ${before} MB in the first quarter, ${after} MB after it`
)
console.log(
  `answers: ${[...answers]
    .toSorted()
    .map(([name, count]) => `${name}: ${count}`)
    .join(", ")}`
)
console.log(`events: ${well.events.length} at the healthy receiver, ${weak.events.length} at the weak one`)
console.log(problems.length === 0 ? "no leak, nothing lost" : `PROBLEMS:\n  ${problems.join("\n  ")}`)
console.log(
  `load of the machine: ${loadavg()
    .map((one) => one.toFixed(1))
    .join(" ")}`
)
if (problems.length > 0) process.exitCode = 1
await service.stop()
for (const part of [site, well, dead, weak]) part.close()
