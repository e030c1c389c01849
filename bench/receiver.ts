/**
 * A real receiver under events, a fifth of them forged, sent again or cut: what it takes, what it loses, how quick it is.
 *
 *     node bench/receiver.ts [--rate 200] [--seconds 30] [--bad 0.2] [--no-run]
 *
 * An event whose answer is lost is sent again, as the service does; every event is sent at its own time, whether those
 * before it are answered or not, so that a slow answer hides nothing; what was taken is read from the inbox and from the
 * loaded table, not from what the receiver says of itself.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createHmac, randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import { DuckDBInstance } from "@duckdb/node-api"
import { fileOf } from "../src/engine/Inboxes.ts"

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
    bad: { type: "string", default: "0.2" },
    "no-run": { type: "boolean", default: false }
  }
})
const [rate, lasts, bad] = [Number(values.rate), Number(values.seconds), Number(values.bad)]
const count = Math.round(rate * lasts)
const pagesOfCheck = 200

const kinds = ["good", "forged", "replayed", "cut"] as const
type Kind = (typeof kinds)[number]

/** The nth event: pages of checks, each check with its end. */
const bodyOf = (n: number, id: string): string => {
  const checkId = `check-${Math.floor(n / pagesOfCheck)}`
  const isEnd = n % pagesOfCheck === pagesOfCheck - 1
  const summary = { totalPages: pagesOfCheck - 1, same: 0, changed: pagesOfCheck - 1, new: 0, removed: 0, error: 0 }
  const diff = Array.from({ length: 20 }, (_, line) => `-line ${line} of ${n}\n+line ${line} of ${n} anew`).join("\n")
  const url = `http://site.test/${n}`
  const page = {
    targetId: "t",
    status: "changed",
    url,
    statusCode: 200,
    metadata: { title: `Page ${n}` },
    diff: { text: diff }
  }
  return JSON.stringify({
    success: true,
    type: isEnd ? "monitor.check.completed" : "monitor.page",
    id: checkId,
    webhookId: id,
    data: [{ monitorId: "m", checkId, ...(isEnd ? { status: "completed", summary } : page) }],
    error: null,
    metadata: {}
  })
}

const sign = (body: string, secret: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

interface Sent {
  readonly kind: Kind
  readonly id: string
  /** What was answered; 0: nothing. */
  readonly status: number
  readonly text: string
  readonly millis: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

const send = (url: string, kind: Kind, id: string, body: string): Promise<Sent> =>
  new Promise((done) => {
    const began = performance.now()
    const end = (status: number, text: string) => done({ kind, id, status, text, millis: performance.now() - began })
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-service-signature": sign(body, kind === "forged" ? "another" : secret)
    }
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = ""
      response.on("data", (chunk) => (text += chunk))
      response.once("end", () => end(response.statusCode ?? 0, text))
    })
    sent.once("error", () => end(0, ""))
    if (kind === "cut") sent.write(body.slice(0, body.length / 2), () => sent.destroy())
    else sent.end(body)
    sent.once("close", () => kind === "cut" && end(0, ""))
  })

const secret = randomUUID()
const folder = mkdtempSync(join(tmpdir(), "millrace-bench-receiver-"))
writeFileSync(
  join(folder, "mill.yaml"),
  "source: { type: monitor, by: webhook, monitor: mill }\nsinks: { db: { type: duckdb, path: ./out.duckdb, write: append } }\n"
)

const receive = () => {
  const args = ["receive", "mill.yaml", "--port=0", ...(values["no-run"] ? ["--no-run"] : [])]
  const process_ = spawn(resolve(import.meta.dirname, "../bin/millrace"), args, {
    cwd: folder,
    env: { ...process.env, MILLRACE_WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let said = ""
  let look = () => {}
  process_.stdout.on("data", (chunk) => {
    said += chunk
    look()
  })
  const until = (isSo: (text: string) => boolean) =>
    new Promise<string>((done, fail) => {
      look = () => (isSo(said) ? done(said) : undefined)
      look()
      process_.once("exit", (code) => fail(new Error(`the receiver ended with ${code}`)))
    })
  return { process: process_, until }
}

/** Of the receiver alone, without the runs that it starts, in seconds; and its largest memory in MB. */
const costOf = ({ pid }: ChildProcess) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  const memory = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory: Number(memory) / 1024 }
}

const inInbox = (): ReadonlyMap<string, string> => {
  const database = new DatabaseSync(fileOf("mill", folder), { readOnly: true })
  const rows = database.prepare("SELECT id, body FROM bodies").all()
  database.close()
  return new Map(rows.map(({ body, id }) => [String(id), String(body)]))
}

const inTable = async (): Promise<{ readonly rows: number; readonly once: number }> => {
  const instance = await DuckDBInstance.create(join(folder, "out.duckdb"), { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(
    "SELECT count(*)::INTEGER AS n, count(DISTINCT key)::INTEGER AS once FROM (SELECT url AS key FROM page_changes UNION ALL SELECT check_id FROM monitor_checks)"
  )
  const [row] = reader.getRowObjectsJson()
  connection.closeSync()
  instance.closeSync()
  return { rows: Number(row?.["n"]), once: Number(row?.["once"]) }
}

const at = (sorted: ReadonlyArray<number>, share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1)

const main = async () => {
  const receiver = receive()
  const url = /http:\S+/.exec(await receiver.until((text) => text.includes("\n")))?.[0] ?? ""
  const idle = costOf(receiver.process)
  const answered: Array<{ readonly id: string; readonly body: string }> = []
  let repeated = 0
  const sendUntilAnswered = async (url: string, kind: Kind, id: string, body: string): Promise<Sent> => {
    for (let millis = 0, attempts = 1; ; attempts++) {
      const sent = await send(url, kind, id, body)
      millis += sent.millis
      const isOver = kind === "cut" || (sent.status !== 0 && sent.status !== 503)
      if (!isOver && attempts < 10) {
        repeated += 1
        continue
      }
      if (kind === "good" && sent.status === 200) answered.push({ id, body })
      return { ...sent, millis }
    }
  }
  const good = new Map<string, string>()
  const order: Array<Promise<Sent>> = []
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    const wait = began + (n * 1000) / rate - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    const wanted = Math.random() < bad ? (kinds[1 + Math.floor(Math.random() * 3)] ?? "cut") : "good"
    const old = wanted === "replayed" ? answered[Math.floor(Math.random() * answered.length)] : undefined
    const kind = wanted === "replayed" && old === undefined ? "good" : wanted
    const { body, id } = old ?? { id: randomUUID(), body: "" }
    const text = old === undefined ? bodyOf(n, id) : body
    if (kind === "good") good.set(id, text)
    order.push(sendUntilAnswered(url, kind, id, text))
  }
  const sent = await Promise.all(order)
  const seconds = (performance.now() - began) / 1000
  const { cpu, memory } = costOf(receiver.process)
  if (!values["no-run"]) {
    const rowsIn = (text: string) =>
      [...text.matchAll(/: done in .*, ([\d,]+) rows$/gm)].reduce(
        (sum, [, rows = "0"]) => sum + Number(rows.replaceAll(",", "")),
        0
      )
    await receiver.until((text) => rowsIn(text) >= good.size)
  }
  receiver.process.removeAllListeners("exit")
  const ended = new Promise((done) => receiver.process.once("exit", done))
  receiver.process.kill("SIGTERM")
  await ended

  const inbox = inInbox()
  console.log(
    `${count} events in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second, over at most 256 connections`
  )
  for (const kind of kinds) {
    const some = sent.filter((one) => one.kind === kind)
    // An event that was sent again is accepted where it is taken a second time.
    const taken = some.filter(({ id, text }) => (kind === "replayed" ? text.includes('"accepted"') : inbox.has(id)))
    const statuses = [...Map.groupBy(some, ({ status }) => status)].map(
      ([status, all]) => `${status || "none"}: ${all.length}`
    )
    console.log(
      `${kind.padEnd(9)} sent ${String(some.length).padStart(6)}, accepted ${String(taken.length).padStart(6)}  (answers ${statuses.join(", ")})`
    )
  }
  const lost = [...good].filter(([id, body]) => inbox.get(id) !== body).length
  const others = [...inbox.keys()].filter((id) => !good.has(id)).length
  console.log(`lost ${lost}; in the inbox and not sent as good ${others}; sent again for want of an answer ${repeated}`)
  if (!values["no-run"]) {
    const { once, rows } = await inTable()
    console.log(`in the table ${rows} rows of ${good.size} events, ${rows - once} of them twice`)
  }
  const times = sent
    .filter(({ kind }) => kind === "good")
    .map(({ millis }) => millis)
    .toSorted((a, b) => a - b)
  console.log(`latency of good events, ms: p50 ${at(times, 0.5)}, p99 ${at(times, 0.99)}, most ${at(times, 1)}`)
  console.log(
    `the receiver took ${(cpu - idle.cpu).toFixed(2)} CPU s, ${(((cpu - idle.cpu) * 1000) / count).toFixed(2)} ms an event, at most ${memory.toFixed(0)} MB`
  )
  if (lost > 0 || others > 0) process.exitCode = 1
}

await main().finally(() => rmSync(folder, { recursive: true, force: true }))
agent.destroy()
