/**
 * The peers of the campaign of silence: of each, what speaks with it over a way on which one message goes wrong, what is there
 * afterwards, and how what waits for a long time-out is settled at once.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { buffer } from "node:stream/consumers"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { command, type Ended, query, start, startBy } from "../app/millrace.ts"
import { crawl as crawlOf, readToEnd } from "../service/cluster/serveProcess.ts"
import { page, type ScriptedSite } from "../service/scriptedSite.ts"
import { faultyWay, type Trouble } from "../services/faultyWay.ts"
import { postgres } from "../services/postgres.ts"
import { s3 } from "../services/s3.ts"
import { soaking } from "../thoroughness.ts"
import { says, scriptedModel } from "../web/model/scriptedModel.ts"
import { announced, ask, servedProcess } from "./servedProcess.ts"

/** A command under way. `done`: it has done its work, and runs on until it is stopped. */
export interface Work {
  readonly process: ReturnType<typeof start>["process"]
  readonly ended: Promise<Ended>
  readonly done?: Promise<void>
  /** When what it may finish after a signal was finished, as `performance.now` has it. */
  readonly busyUntil?: () => number
}

export interface Setting {
  readonly way: Effect.Success<ReturnType<typeof faultyWay>>
  /** `happened`: the message has gone wrong. */
  readonly begin: (happened: Promise<void>) => Work
  /** What is there when the work was done once more, and nothing went wrong. */
  readonly settle: (first: Ended) => Promise<unknown>
}

export interface Peer {
  readonly name: string
  /** The longest that docs/operations.md states for it. */
  readonly statedMillis: number
  /** The faults after which something waits for a time-out. */
  readonly waitsAfter: ReadonlyArray<Trouble["fault"]>
  readonly expected: unknown
  readonly in: (folder: string) => Effect.Effect<Setting, never, Scope.Scope>
}

const minute = 60_000
const silence = ["drop", "hold"] as const
const paths = Array.from({ length: 8 }, (_, at) => `/p${at}`)
const titled = ["/", ...paths].map((path, at) => ({
  url: `http://site.test${path}`,
  title: at === 0 ? "home" : `page ${at - 1}`
}))

/** What the site of all peers answers. */
export const routes: ScriptedSite["routes"] = {
  "/": page("home", ...paths),
  ...Object.fromEntries(paths.map((path, at) => [path, page(`page ${at}`, "/")]))
}

const placeOf = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) })
const through = (url: string, port: number): string =>
  Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href

const crawl = "source: { type: crawl, url: http://site.test/ }"
const intoDuckdb = "sinks: { db: { type: duckdb, path: ./out.duckdb, write: merge } }"
const titles = "SELECT url, title FROM pages ORDER BY url"

interface Pipeline {
  readonly lines: ReadonlyArray<string>
  readonly resolve: string
  /** What is in the environment of its runs. */
  readonly env?: ReadonlyArray<string>
  readonly question?: string
}

/** A run of a pipeline of which one peer stands behind the way; and the next run, when what the first one holds is dropped. */
const running = (
  folder: string,
  way: Setting["way"],
  { env = [], lines, question = titles, resolve }: Pipeline
): Setting => {
  writeFileSync(join(folder, "a.yaml"), `${lines.join("\n")}\n`)
  const run = () => startBy(["env", ...env, command], folder, "run", "a.yaml", "--json", "--resolve", resolve)
  return {
    way,
    begin: run,
    settle: async (first) => {
      const held = /"run_id":"([^"]+)","status":"held"/.exec(first.stdout)?.[1]
      if (held !== undefined) await start(folder, "drop", held).ended
      const second = await run().ended
      if (second.code !== 0) return second
      const answer = await start(folder, "sql", "a.yaml", question, "--format", "json").ended
      return jsonLines(answer.stdout)
    }
  }
}

const jsonLines = (text: string): ReadonlyArray<any> =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

/** All peers that are here. `service`: the address of one, which reads the site. */
export const peersOf = (sitePort: number, service: Effect.Effect<string>): ReadonlyArray<Peer> => {
  const direct = `site.test=127.0.0.1:${sitePort}`
  return [
    {
      name: "the site",
      statedMillis: 12 * minute,
      waitsAfter: silence,
      expected: titled,
      in: (folder) =>
        Effect.map(faultyWay({ host: "127.0.0.1", port: sitePort }), (way) =>
          running(folder, way, { lines: [crawl, intoDuckdb], resolve: `site.test=127.0.0.1:${way.port}` })
        )
    },
    {
      name: "a service",
      // Two scrapes.
      statedMillis: 12 * minute,
      waitsAfter: silence,
      expected: titled,
      in: Effect.fnUntraced(function* (folder: string) {
        const way = yield* faultyWay(placeOf(yield* service))
        const lines = [crawl, `service: { url: "http://127.0.0.1:${way.port}" }`, intoDuckdb]
        return running(folder, way, { lines, resolve: direct })
      })
    },
    model(direct),
    receiver(direct),
    ...(postgres === undefined
      ? []
      : [sink(direct, postgres.fresh), ...(soaking ? timed(direct, sitePort, postgres.fresh) : [])]),
    ...(s3 === undefined ? [] : [lake(direct, s3.url, s3.fresh)])
  ]
}

/** These wait for due times and leases, so a soak has them alone. */
const timed = (resolve: string, sitePort: number, fresh: Effect.Effect<string, never, Scope.Scope>) => [
  schedule(resolve, fresh),
  member(sitePort, fresh)
]

const sink = (resolve: string, fresh: Effect.Effect<string, never, Scope.Scope>): Peer => ({
  name: "Postgres",
  statedMillis: 12 * minute,
  waitsAfter: silence,
  expected: titled,
  in: Effect.fnUntraced(function* (folder: string) {
    const url = yield* fresh
    const way = yield* faultyWay(placeOf(url))
    const place = through(url, way.port)
    const lines = [crawl, `sinks: { db: { type: postgres, url: "${place}", schema: web, write: merge } }`]
    return running(folder, way, { lines, resolve })
  })
})

const lake = (resolve: string, url: string, fresh: () => string): Peer => ({
  name: "S3",
  statedMillis: 12 * minute,
  waitsAfter: silence,
  expected: titled,
  in: (folder) =>
    Effect.map(faultyWay(placeOf(url)), (way) =>
      running(folder, way, {
        lines: [
          crawl,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
          `sinks: { lake: { type: parquet, write: merge, path: "${fresh()}", storage: { endpoint: "http://127.0.0.1:${way.port}", access_key: "\${secrets.SILENT_KEY}", secret_key: "\${secrets.SILENT_SECRET}" } } }`
        ],
        resolve
      })
    )
})
process.env["MILLRACE_SECRET_SILENT_KEY"] = "test"
process.env["MILLRACE_SECRET_SILENT_SECRET"] = "testsecret"

/** A model that reads titles, as rules do where it is silent. */
const model = (resolve: string): Peer => ({
  name: "a model",
  // Two minutes for each page that waits for it.
  statedMillis: 12 * minute,
  waitsAfter: silence,
  expected: titled.map((row) => ({ ...row, read: row.title })),
  in: Effect.fnUntraced(function* (folder: string) {
    const { baseUrl } = yield* scriptedModel((body, response) =>
      says({ title: /page \d/.exec(JSON.stringify(body.messages))?.[0] ?? "home" })(body, response)
    )
    const way = yield* faultyWay(placeOf(baseUrl.href))
    const format = "{ type: json, schema: { type: object, properties: { title: { type: string } } } }"
    return running(folder, way, {
      lines: [`source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [${format}] } }`, intoDuckdb],
      resolve,
      env: [`MILLRACE_MODEL_URL=http://127.0.0.1:${way.port}/v1`, "MILLRACE_MODEL=small-1"],
      question: "SELECT url, title, json.title AS read FROM pages ORDER BY url"
    })
  })
})

/** A service that tells a receiver of a crawl, and the same service started again: the receiver has each event once. */
const receiver = (resolve: string): Peer => ({
  name: "a receiver of webhooks",
  // Ten seconds of silence, and a minute until the delivery is tried again.
  statedMillis: 2 * minute,
  waitsAfter: ["drop", "hold", "cut", "halve"],
  expected: ["crawl.started", ...titled.map(({ url }) => `crawl.page ${url}`), "crawl.completed"].toSorted(),
  in: Effect.fnUntraced(function* (folder: string) {
    const { port, received, whole } = yield* receiving(titled.length + 2)
    const way = yield* faultyWay({ host: "127.0.0.1", port })
    const serve = () =>
      start(
        folder,
        "serve",
        "--port=0",
        "--data=data",
        "--webhook-secret=whsec-1",
        `--resolve=${resolve}`,
        `--resolve=hook.test=127.0.0.1:${way.port}`
      )
    return {
      way,
      begin: () => {
        const service = serve()
        void announced(service.process).then(
          (url) =>
            Effect.runPromise(ask(`${url}/v2/crawl`, { url: "http://site.test/", webhook: "http://hook.test/" })),
          () => {}
        )
        return { ...service, done: whole }
      },
      settle: async () => {
        // A soak waits for the minute after a delivery that failed.
        if (!soaking) {
          const database = new DatabaseSync(join(folder, "data/service.sqlite"))
          database.exec("UPDATE webhook_delivery SET due_at = 0")
          database.close()
        }
        const { ended, process } = serve()
        await Promise.race([whole, ended])
        process.kill("SIGTERM")
        await ended
        return [...received.values()].toSorted()
      }
    }
  })
})

/** What a receiver has, by the ids of the events; `whole` when it has as many. */
const receiving = (count: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const received = new Map<string, string>()
      const whole = Promise.withResolvers<void>()
      const server = createServer((request, response) => {
        void buffer(request).then(
          (body) => {
            const { data, type, webhookId } = JSON.parse(body.toString())
            received.set(webhookId, [type, ...data.map(urlOf)].join(" "))
            response.writeHead(204).end()
            if (received.size === count) whole.resolve()
          },
          () => response.destroy()
        )
      })
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      // A TCP server has this address.
      const { port } = server.address() as AddressInfo
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      return { port, received, whole: whole.promise, close }
    }),
    ({ close }) => Effect.sync(close)
  )

const urlOf = ({ metadata }: { readonly metadata: { readonly sourceURL: string } }): string => metadata.sourceURL

/** A scheduler whose database is a Postgres, and the next one: each due time is decided on once, and its rows are there once. */
const schedule = (resolve: string, fresh: Effect.Effect<string, never, Scope.Scope>): Peer => ({
  name: "the database of a schedule",
  // 15 seconds of silence by its own clock, ten to wait for the database, and a run.
  statedMillis: minute,
  waitsAfter: silence,
  expected: { unfinished: [], dues: "every three seconds", rows: "those of the runs that are done" },
  in: Effect.fnUntraced(function* (folder: string) {
    const url = yield* fresh
    const way = yield* faultyWay(placeOf(url))
    const ask = (statement: string) =>
      Effect.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
        )
      )
    mkdirSync(join(folder, "nightly"))
    writeFileSync(
      join(folder, "nightly/site.yaml"),
      `schedule: { cron: "*/3 * * * * *" }\n${crawl}\nsinks: { db: { type: duckdb, path: ../out.duckdb, write: append } }\n`
    )
    const begin = (happened: Promise<void>): Work => {
      const work = start(
        folder,
        "schedule",
        "nightly",
        "--json",
        "--database",
        through(url, way.port),
        "--resolve",
        resolve
      )
      let [endedAt, look] = [0, () => {}]
      work.process.stdout?.on("data", (chunk) => {
        if (!String(chunk).includes('"event":"ended"')) return
        endedAt = performance.now()
        look()
      })
      const runEnds = () => new Promise<void>((done) => (look = done))
      return { ...work, done: happened.then(runEnds), busyUntil: () => endedAt }
    }
    return {
      way,
      begin,
      settle: async (first) => {
        // Cut off, it ends with 1; stopped, as it was then: at its start, with nothing under way, or by force.
        if (![0, 1, 130, 143].includes(first.code ?? -1)) return first
        // A soak waits until the lease of a leader that could not give it back has ended.
        if (!soaking) await ask("UPDATE millrace_schedule_nightly.leader SET until = 0").catch(() => {})
        const next = begin(Promise.resolve())
        await Promise.race([next.done, next.ended])
        next.process.kill("SIGTERM")
        const ended = await next.ended
        if (ended.code !== 0) return ended
        const runs = await ask("SELECT due, state, run_id FROM millrace_schedule_nightly.runs ORDER BY due")
        const loaded = await query(
          join(folder, "out.duckdb"),
          "SELECT _run_id AS run, count(*)::INTEGER AS n, count(DISTINCT url)::INTEGER AS urls FROM pages GROUP BY ALL ORDER BY ALL"
        )
        const dues = runs.map(({ due }) => Number(due))
        const wanted = runs
          .filter(({ state }) => state === "done")
          .map(({ run_id }) => ({ run: String(run_id), n: titled.length, urls: titled.length }))
          .toSorted((a, b) => (a.run < b.run ? -1 : 1))
        return {
          unfinished: runs.filter(({ state }) => !["done", "skipped", "missed"].includes(String(state))),
          dues: dues.every((due, at) => due === (dues[0] ?? 0) + at * 3000) ? "every three seconds" : dues,
          rows:
            JSON.stringify(loaded) === JSON.stringify(wanted) ? "those of the runs that are done" : { loaded, wanted }
        }
      }
    }
  })
})

/** Another process of the same service: crawls of several hosts, of which each process has some, and begins some. */
const member = (sitePort: number, fresh: Effect.Effect<string, never, Scope.Scope>): Peer => ({
  name: "another process of a cluster",
  // It is given up after six seconds, and jobs move within 17.
  statedMillis: minute,
  waitsAfter: [],
  expected: hosts.map(() => ({ status: "completed", titles: titled.map(({ title }) => title).toSorted() })),
  in: Effect.fnUntraced(function* (folder: string) {
    const database = yield* fresh
    const port = yield* freePort
    const way = yield* faultyWay({ host: "127.0.0.1", port })
    const other = yield* servedProcess(sitePort, database, hosts, [`--advertise=127.0.0.1:${port}`])
    const begun = Promise.withResolvers<ReadonlyArray<string>>()
    const all = async () =>
      Effect.runPromise(
        Effect.forEach(await begun.promise, (id) => readToEnd(other.url, id), { concurrency: "unbounded" })
      )
    return {
      way,
      begin: () => {
        const work = startBy(
          ["env", `NODE_OPTIONS=--import=${leading(port, way.port)}`, command],
          folder,
          "serve",
          "--port=0",
          `--database=${database}`,
          "--webhook-secret=whsec-1",
          ...hosts.map((host) => `--resolve=${host}.test=127.0.0.1:${sitePort}`)
        )
        const start = (url: string, host: string) => Effect.runPromise(crawlOf(url, `${host}.test`))
        const starting = announced(work.process).then(
          (url) =>
            Promise.all(
              hosts.map((host, at) =>
                // What has ended begins no crawl.
                at % 2 === 0 ? start(other.url, host) : start(url, host).catch(() => start(other.url, host))
              )
            ),
          () => Promise.all(hosts.map((host) => start(other.url, host)))
        )
        void starting.then(begun.resolve, begun.reject)
        return { ...work, done: all().then(() => {}) }
      },
      settle: async () => (await all()).map(({ status, titles }) => ({ status, titles }))
    }
  })
})

const hosts = ["one", "two", "three", "four", "five", "six"]

/** A module that leads every connection to one port of this machine to another. */
const leading = (from: number, to: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { Socket } from "node:net"
    const { connect } = Socket.prototype
    Socket.prototype.connect = function (...all) {
      const [first] = all
      const options = Array.isArray(first) ? first[0] : first
      if (options?.port === ${from}) options.port = ${to}
      return connect.apply(this, all)
    }`)}`

const freePort = Effect.promise(async () => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // A TCP server has this address.
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
})
