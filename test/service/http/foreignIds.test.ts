/** Two teams: what one of them has, the other cannot tell from what nobody has, and cannot change. */
import { DatabaseSync } from "node:sqlite"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { uuid7 } from "#contract/uuid7"
import { temporaryFolder } from "../../temporaryFolder.ts"
import { gazetteer } from "../agent/gazetteer.ts"
import { product } from "../agent/shop.ts"
import { gate, page, scriptedSite } from "../scriptedSite.ts"
import { type Answered, hosts, type Service, served } from "../served.ts"
import { watch } from "../watch.ts"

const owner = { authorization: "Bearer fc-owner" }
const stranger = { authorization: "Bearer fc-stranger" }
const teams = [
  { key: Redacted.make("fc-owner"), teamId: "owner" },
  { key: Redacted.make("fc-stranger"), teamId: "stranger" }
]
const idempotency = { "x-idempotency-key": "the same of both" }
const countries = { prompt: "capital and currency of each country", exchange: { onTermsRequired: "ask" } }
const home = "http://site.test/"

type Ids = Readonly<Record<string, string>>

const post = Effect.fnUntraced(function* (service: Service, headers: object, path: string, body: object) {
  const answer = yield* service.ask("POST", path, { body, headers: { ...headers } })
  expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined])
  return answer.body
})

const ended = Effect.fnUntraced(function* (service: Service, headers: Readonly<Record<string, string>>, path: string) {
  for (;;) {
    const { body }: Answered = yield* service.ask("GET", path, { headers })
    const status: unknown = body.status ?? body.data?.status
    if (status !== "processing" && status !== "scraping" && status !== "running" && status !== "queued") return body
    yield* Effect.sleep("20 millis")
  }
})

/** One thing of each kind that has an id; `url`: where its jobs read. */
const belongings = Effect.fnUntraced(function* (
  service: Service,
  headers: Readonly<Record<string, string>>,
  url: string
) {
  const crawl = yield* post(service, { ...headers, ...idempotency }, "/v2/crawl", { url, sitemap: "skip" })
  const batch = yield* post(service, headers, "/v2/batch/scrape", { urls: [url] })
  const schema = { type: "object", properties: { country: { type: "string" } } }
  const extract = yield* post(service, headers, "/v2/extract", { urls: [url], schema })
  const running = yield* post(service, headers, "/v2/agent", { prompt: "its price", urls: [url] })
  const run = yield* post(service, headers, "/v2/agent", { ...countries, urls: [home] })
  const answered = yield* ended(service, headers, `/v2/agent/${run.id}`)
  const trace = yield* service.ask("GET", `/v2/agent/${run.id}/trace`, { headers })
  const snapshots = trace.body.events.filter(({ type }: { type: string }) => type === "artifact.updated")
  const scraped = yield* post(service, headers, "/v2/scrape", { url: home })
  const watched = { name: "watched", schedule: { cron: "0 0 1 1 *" }, targets: [{ type: "scrape", urls: [home] }] }
  const monitor = yield* post(service, headers, "/v2/monitor", watched)
  const check = yield* post(service, headers, `/v2/monitor/${monitor.id}/run`, {})
  yield* ended(service, headers, `/v2/monitor/${monitor.id}/checks/${check.id}`)
  const ids: Ids = {
    crawl: crawl.id,
    batch: batch.id,
    extract: extract.id,
    running: running.id,
    agent: run.id,
    thread: run.threadId,
    approval: answered.pendingApproval.id,
    snapshot: snapshots.at(-1).artifact.snapshotId,
    scrape: scraped.data.metadata.scrapeId,
    monitor: monitor.id,
    check: check.id
  }
  expect(Object.entries(ids).filter(([, id]) => typeof id !== "string")).toEqual([])
  return ids
})

interface Operation {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** Bodies of the operations with an id that need one. */
const actions = [{ type: "wait", milliseconds: 1 }]
const bodies: Readonly<Record<string, object>> = {
  "PATCH /v2/monitor/{id}": { name: "taken", status: "paused" },
  "POST /v2/scrape/{id}/interact": { actions },
  "POST /v2/browser/{id}/execute": { actions }
}

/** Those that the document does not know. */
const older: ReadonlyArray<Operation> = ["/v1/crawl/{id}", "/v1/batch/scrape/{id}"].flatMap((path) => [
  { method: "GET", path },
  { method: "DELETE", path },
  { method: "GET", path: `${path}/errors` },
  { method: "DELETE", path: `${path}/errors` }
])

/** Each operation of the document and of the older API that takes ids. */
const operationsOf = (document: { readonly paths: Readonly<Record<string, object>> }): ReadonlyArray<Operation> =>
  Object.entries(document.paths)
    .filter(([path]) => path.includes("{"))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((name) => {
        const method = name.toUpperCase()
        const body = bodies[`${method} ${path}`]
        return { method, path, ...(body === undefined ? {} : { body }) }
      })
    )
    .concat(older, { method: "GET", path: "/v1/extract/{id}" })

/** A path with these ids in their places. */
const filled = (path: string, ids: ReadonlyArray<string>): string => {
  const left = [...ids]
  return path.replace(/\{[^}]+\}/g, () => left.shift() ?? "")
}

/** What a caller sees: all of the answer but the id that it was asked with, and the time. */
/** Of an answer, what says something about an id: not when it was given, nor the id of the request. */
const seen = ({ body, headers, status }: Answered, ids: ReadonlyArray<string>) => {
  const text = ids.reduce((rest, id) => rest.replaceAll(id, "ID"), JSON.stringify(body))
  return { status, text, headers: [...headers].filter(([name]) => !["date", "x-request-id"].includes(name)) }
}

/** Every row of every table but those of the search index, which is filled in its own time. */
const rowsOf = (file: string): ReadonlyArray<string> => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'indexed%' AND name NOT LIKE 'page_words%' ORDER BY name"
      )
      .all()
    return tables.flatMap(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${String(name)}"`)
      rows.setReadBigInts(true)
      return rows.all().map((row) => `${String(name)} ${Object.entries({ ...row, indexed: "" }).join(" ")}`)
    })
  } finally {
    database.close()
  }
}

it.live("ids of another team are answered as ids of nobody, by every operation, and change nothing", () =>
  Effect.gen(function* () {
    const held = gate(product("Held lamp", "11.00"))
    const mine = gate(product("Held lamp", "11.00"))
    const { port } = yield* scriptedSite({
      "/": page("home", "/a"),
      "/a": page("a"),
      "/held": held.answer,
      "/mine": mine.answer
    })
    const file = `${temporaryFolder()}/service.sqlite`
    const service = yield* served({
      database: file,
      keys: teams,
      providers: [gazetteer],
      resolve: hosts(port),
      perHost: 32
    })
    const theirs = yield* belongings(service, owner, `${home}held`)
    // The same idempotency key is another one for another team: this job is started, and not a conflict.
    const own = yield* belongings(service, stranger, `${home}mine`)
    const { body: document } = yield* service.ask("GET", "/openapi.json")
    const before = rowsOf(file)

    const nobodys = uuid7()
    const different: Array<object> = []
    /** What is answered for ids of nobody, once for each operation. */
    const nobody = new Map<string, ReturnType<typeof seen>>()
    const compare = Effect.fnUntraced(function* (
      { body, method, path }: Operation,
      foreign: ReadonlyArray<string>,
      unknown: ReadonlyArray<string>
    ) {
      const ask = (ids: ReadonlyArray<string>) =>
        Effect.map(
          service.ask(method, filled(path, ids), {
            ...(body === undefined ? {} : { body }),
            headers: stranger
          }),
          (answer) => seen(answer, ids)
        )
      const place = `${method} ${filled(path, unknown)}`
      const none = nobody.get(place) ?? (yield* ask(unknown))
      nobody.set(place, none)
      const there = yield* ask(foreign)
      if (there.status !== 404 || JSON.stringify(there) !== JSON.stringify(none)) {
        different.push({ method, path, foreign, there, none })
      }
    })

    const operations = operationsOf(document)
    for (const operation of operations) {
      for (const id of Object.values(theirs)) {
        if (!operation.path.replace(/\{[^}]+\}/, "").includes("{")) yield* compare(operation, [id], [nobodys])
        else {
          for (const other of [theirs["snapshot"], theirs["check"]].flatMap((some) => some ?? []))
            yield* compare(operation, [id, other], [nobodys, other])
          // What belongs to another team's, under one of one's own.
          for (const parent of [own["agent"], own["monitor"]].flatMap((some) => some ?? []))
            yield* compare(operation, [parent, id], [parent, nobodys])
        }
      }
    }
    expect(different).toEqual([])
    expect(operations.length).toBeGreaterThan(25)

    const { agent, approval, crawl, thread } = theirs
    const inBody = (body: (id: string | undefined) => object, id: string | undefined) =>
      Effect.forEach([id, nobodys], (one) =>
        Effect.map(service.ask("POST", "/v2/agent", { body: body(one), headers: stranger }), (answer) =>
          seen(answer, one === undefined ? [] : [one])
        )
      )
    for (const id of [thread, agent, approval]) {
      const [there, none] = yield* inBody((threadId) => ({ ...countries, threadId }), id)
      expect([there?.status, there]).toEqual([404, none])
      for (const answer of ["approve", "decline"]) {
        const [there, none] = yield* inBody(
          (approvalId) => ({ ...countries, threadId: own["thread"], exchange: { [answer]: { approvalId } } }),
          id
        )
        expect([there?.status, there]).toEqual([404, none])
      }
    }

    const closed = yield* Effect.forEach(["/v2/crawl/", "/v2/batch/scrape/", "/v1/crawl/"], (path) =>
      Effect.forEach([...Object.values(theirs), nobodys], (id) => watch(service, path + id, "fc-stranger").closed)
    )
    expect(closed.map((ends) => new Set(ends.map(({ code, reason }) => `${code} ${reason}`)).size)).toEqual([1, 1, 1])
    expect(closed.flat().every(({ code }) => code === 1008)).toBe(true)

    const lists = ["/v2/crawl/active", "/v2/crawl/ongoing", "/v1/crawl/active", "/v2/agent", "/v2/monitor"]
    const listed = yield* Effect.forEach(lists, (path) => service.ask("GET", path, { headers: stranger }))
    const text = JSON.stringify(listed.map(({ body }) => body))
    expect(Object.values(theirs).filter((id) => text.includes(id))).toEqual([])
    expect(text).toContain(own["crawl"])

    // Nobody was charged, nothing was cancelled, removed, renamed, entered, answered or marked as read.
    expect(rowsOf(file)).toEqual(before)
    yield* held.open
    yield* mine.open
    expect(yield* ended(service, owner, `/v2/crawl/${crawl}`)).toMatchObject({ status: "completed", completed: 1 })
  })
)

it.live("a page that one team has read is neither in the cache nor in the searches of another", () =>
  Effect.gen(function* () {
    const site = yield* scriptedSite({ "/": page("quokka") })
    const service = yield* served({ keys: teams, resolve: hosts(site.port) })
    const scrape = { url: home, maxAge: 3_600_000 }
    yield* post(service, owner, "/v2/scrape", scrape)
    yield* post(service, owner, "/v2/scrape", scrape)
    const read = site.requests.filter((path) => path === "/").length
    const none = yield* post(service, stranger, "/v2/search", { query: "quokka" })
    yield* post(service, stranger, "/v2/scrape", scrape)

    expect(read).toBe(1)
    expect(none.data.web).toEqual([])
    expect(site.requests.filter((path) => path === "/")).toHaveLength(2)
  })
)
