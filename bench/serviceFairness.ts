/**
 * How long one team waits behind another, over HTTP: `node bench/serviceFairness.ts [--requests 100]`.
 *
 * Team A sends the worst that a parameter of the contract allows, to one host. Meanwhile team B scrapes quick pages, one after the
 * other: at the same host, and at another one. The exit code is 1 where the p99 of B is over 200 ms and over twice that of B alone.
 * A machine that does other work has other figures.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { ask, closeConnections, quantile } from "./load/clients.ts"
import { receiver } from "./load/receivers.ts"
import * as ServeProcess from "./load/ServeProcess.ts"

const { values } = parseArgs({ options: { requests: { type: "string", default: "100" } } })
const requests = Number(values.requests)
const sleep = (millis: number) => new Promise((done) => setTimeout(done, millis))
const [greedy, modest] = [ServeProcess.keyOf("a"), ServeProcess.keyOf("b")]

/** `/N/...` answers after N milliseconds. Each page of `/tree/` links to four more, without end. */
const startSite = async () => {
  const held = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const [, first = "", second = "0"] = (request.url ?? "/").split("/")
    if (request.url === "/robots.txt" || first.includes("sitemap")) return void response.writeHead(404).end()
    const at = Number.parseInt(second, 10)
    const links = first === "tree" ? [1, 2, 3, 4].map((n) => `<a href="/tree/${at * 4 + n}">page</a>`) : []
    const answer = () => {
      held.delete(response)
      response.writeHead(200, { "content-type": "text/html" })
      response.end(`<title>${request.url}</title><main><p>The text of a page.</p>${links.join("")}</main>`)
    }
    held.add(response)
    const millis = Number.parseInt(first, 10)
    if (millis > 0) setTimeout(answer, millis).unref()
    else answer()
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return { port: (server.address() as AddressInfo).port, close: () => (server.closeAllConnections(), server.close()) }
}

const site = await startSite()
const dead = await receiver(() => undefined)
const service = await ServeProcess.start({
  resolve: new Map([
    ["same.test", site.port],
    ["other.test", site.port],
    ["dead.test", dead.port]
  ]),
  teams: ["a", "b"]
})

const of = (path: string) => `http://same.test${path}`
const many = (count: number, path: (n: number) => string) => Array.from({ length: count }, (_, n) => of(path(n)))
const schema = { type: "object", properties: { title: { type: "string" } } }
const webhook = { url: "http://dead.test/hook" }

interface Work {
  readonly parameter: string
  /** How often the request is sent at once. */
  readonly times?: number
  readonly path: string
  readonly body: (n: number) => object
}

const works: ReadonlyArray<Work> = [
  { parameter: "delay: a day", path: "/v2/crawl", body: () => ({ url: of("/tree/0"), delay: 86_400 }) },
  {
    parameter: "limit, maxConcurrency: an endless crawl",
    path: "/v2/crawl",
    body: () => ({ url: of("/tree/0"), limit: 100_000, maxConcurrency: 1000, sitemap: "skip" })
  },
  {
    parameter: "urls, maxConcurrency: 1,000 pages of 2 s",
    path: "/v2/batch/scrape",
    body: (n) => ({ urls: many(1000, (at) => `/2000/${n}/${at}`), maxConcurrency: 1000 })
  },
  {
    parameter: "timeout: 64 scrapes of pages of 50 s",
    times: 64,
    path: "/v2/scrape",
    body: (n) => ({ url: of(`/50000/${n}`), timeout: 60_000 })
  },
  {
    parameter: "waitFor: 16 pages of 20 s in the browser",
    times: 16,
    path: "/v2/scrape",
    body: (n) => ({ url: of(`/0/w${n}`), waitFor: 20_000, timeout: 60_000 })
  },
  {
    parameter: "webhook: a receiver that never answers",
    path: "/v2/batch/scrape",
    body: () => ({ urls: many(500, (at) => `/200/h${at}`), webhook })
  },
  // An extract cannot be cancelled, so it is the last.
  {
    parameter: "urls, schema: 16 extracts of 50 pages of 1 s",
    times: 16,
    path: "/v2/extract",
    body: (n) => ({ urls: many(50, (at) => `/1000/e${n}-${at}`), schema })
  }
]

let serial = 0
/** The times of B's scrapes at a host, in milliseconds. */
const scrapes = async (host: string): Promise<ReadonlyArray<number>> => {
  const millis: Array<number> = []
  for (let at = 0; at < requests; at++) {
    const answer = await ask(`${service.url}/v2/scrape`, modest, { url: `http://${host}/0/b${serial++}`, maxAge: 0 })
    if (answer.status !== 200) throw new Error(`a scrape of team b was answered with ${answer.status} ${answer.text}`)
    millis.push(answer.millis)
    await sleep(20)
  }
  return millis
}

interface Times {
  readonly same: ReadonlyArray<number>
  readonly other: ReadonlyArray<number>
}
const measured = async (): Promise<Times> => ({ same: await scrapes("same.test"), other: await scrapes("other.test") })

const whileWorking = async ({ body, path, times = 1 }: Work): Promise<Times> => {
  // Scrapes are answered at their end, and jobs at once.
  const sent = Array.from({ length: times }, (_, n) => ask(`${service.url}${path}`, greedy, body(n)))
  await sleep(2000)
  const found = await measured()
  if (path === "/v2/scrape") {
    await Promise.all(sent)
    return found
  }
  for (const { status, text } of await Promise.all(sent)) {
    if (status !== 200) throw new Error(`${path} of team a was answered with ${status} ${text}`)
    await ask(`${service.url}${path}/${(JSON.parse(text) as { readonly id: string }).id}`, greedy, undefined, "DELETE")
  }
  return found
}

await measured()
const alone = await measured()
const p99 = (times: ReadonlyArray<number>) => quantile(times, 0.99)
const cell = (times: ReadonlyArray<number>) => `${quantile(times, 0.5).toFixed(0)} / ${p99(times).toFixed(0)}`
console.log("| team A | B at the same host, p50 / p99 ms | B at another, p50 / p99 ms |  |\n| --- | --- | --- | --- |")
console.log(`| nothing | ${cell(alone.same)} | ${cell(alone.other)} |  |`)
let late = 0
for (const work of works) {
  const found = await whileWorking(work)
  const isLate = (["same", "other"] as const).some((at) => p99(found[at]) > Math.max(200, 2 * p99(alone[at])))
  if (isLate) late += 1
  console.log(`| ${work.parameter} | ${cell(found.same)} | ${cell(found.other)} | ${isLate ? "**late**" : "in time"} |`)
}
console.log(
  `load of the machine: ${loadavg()
    .map((one) => one.toFixed(1))
    .join(" ")}`
)
if (late > 0) process.exitCode = 1
closeConnections()
await service.stop()
site.close()
dead.close()
