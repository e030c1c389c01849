/**
 * What a hostile page costs everybody else: `node bench/hostilePages.ts [--only WORDS] [--database postgres://...]`.
 *
 * While a real `serve` reads each page, file, sitemap, pattern and schema of `test/hostile`, another caller asks for the status of
 * a crawl every 20 ms. The table has the answer, how long it took, the status answers, and the most memory of the process. The exit
 * code is 1 where an answer is another, or a status takes 200 ms or more at the 99th percentile, or the process 700 MB or more.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { loadavg } from "node:os"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { answerOf, bombs, expansions, type Hostile, origin, pages, type Served } from "../test/hostile/requests.ts"
import { ask, closeConnections, quantile } from "./load/clients.ts"
import * as ServeProcess from "./load/ServeProcess.ts"

const { values } = parseArgs({ options: { only: { type: "string", default: "" }, database: { type: "string" } } })
const most = { millis: 200, megabytes: 700 }
const sleep = (millis: number) => new Promise((done) => setTimeout(done, millis))
const key = ServeProcess.keyOf("one")

/** The site that is hostile now. */
let site: Readonly<Record<string, Served>> = {}
const server = createServer((request, response) => {
  const served = site[(request.url ?? "/").split("?")[0] ?? "/"]
  response.writeHead(served === undefined ? 404 : 200, {
    "content-type": served?.type ?? "text/html; charset=utf-8",
    ...(served?.encoding === undefined ? {} : { "content-encoding": served.encoding })
  })
  response.end(served?.body ?? "")
})
await new Promise<void>((done) => void server.listen(0, "127.0.0.1", () => done()))
const { port } = server.address() as AddressInfo
const { pid, stop, url } = await ServeProcess.start({
  resolve: new Map([["site.test", port]]),
  teams: ["one"],
  database: values.database
})

/** A crawl whose status is asked for. */
site = { "/": { body: "<title>home</title><p>A page as any other.</p>" } }
const { text } = await ask(`${url}/v2/crawl`, key, { url: `${origin}/`, limit: 1 })
const { id } = JSON.parse(text) as { id: string }
const status = () => ask(`${url}/v2/crawl/${id}?limit=1`, key)
for (let n = 0; n < 300; n++) await status()

const measured = async ({ body, name, path, site: own, answers }: Hostile) => {
  site = own()
  await sleep(500)
  const millis: Array<number> = []
  const turn = { isOver: false }
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, ServeProcess.read(pid).memory)), 50)
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const asking = (async () => {
    while (!turn.isOver) {
      const answer = await status()
      millis.push(answer.status === 200 ? answer.millis : Number.POSITIVE_INFINITY)
      await sleep(20)
    }
  })()
  const began = performance.now()
  const cpu = ServeProcess.read(pid).cpu
  const answer = await ask(`${url}${path}`, key, body)
  const started = JSON.parse(answer.text) as { readonly id?: string }
  // A job goes on after its answer.
  if (path === "/v2/crawl" && started.id !== undefined) {
    while (JSON.parse((await ask(`${url}${path}/${started.id}`, key)).text).status === "scraping") await sleep(200)
  }
  const seconds = (performance.now() - began) / 1000
  await sleep(200)
  turn.isOver = true
  await asking
  clearInterval(watch)
  loop.disable()
  const [p50, p99] = [quantile(millis, 0.5), quantile(millis, 0.99)]
  const got = answerOf(answer.status, JSON.parse(answer.text))
  const isRight = answers.includes(got)
  const isGood = isRight && p99 < most.millis && memory < most.megabytes
  console.log(
    [
      isGood ? "good  " : "MISSED",
      name.padEnd(40),
      `${got}${isRight ? "" : ` (wanted ${answers.join(" or ")})`}`.padEnd(28),
      `${seconds.toFixed(1)} s, ${(ServeProcess.read(pid).cpu - cpu).toFixed(1)} CPU s`.padEnd(20),
      `status p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} ms of ${millis.length}`.padEnd(34),
      `${memory} MB`,
      `(own loop p99 ${(loop.percentile(99) / 1e6).toFixed(0)} ms)`
    ].join("  ")
  )
  return isGood
}

let isGood = true
const all = [...pages(1), ...bombs(100), ...expansions].filter(({ name }) => name.includes(values.only))
for (const hostile of all) isGood = (await measured(hostile)) && isGood
console.log(
  `load of the machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`
)
if (!isGood) process.exitCode = 1
closeConnections()
server.closeAllConnections()
server.close()
await stop()
