/**
 * The campaign of silence: a pipeline, and a peer of it on whose line one message is dropped, held, cut, halved or repeated. Whatever
 * goes wrong and wherever, the run ends within the time that `docs/operations.md` states, or within ten seconds of SIGTERM, and the
 * next run leaves exactly the rows of the site.
 *
 * A case is a seed. On each commit there are a few, and what waits for a time-out is stopped; `npm run test:soak` has hundreds,
 * which wait side by side.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { randomFrom, seed } from "#testing/specimens"
import { start } from "../app/millrace.ts"
import { page, scriptedSite } from "../service/scriptedSite.ts"
import { faults, faultyWay, type Trouble } from "../services/faultyWay.ts"
import { postgres } from "../services/postgres.ts"
import { s3 } from "../services/s3.ts"
import { times, timesOf } from "../thoroughness.ts"
import { servedProcess } from "./servedProcess.ts"

const scope = Scope.makeUnsafe()
const within = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Scope.provide(effect, scope))

const paths = Array.from({ length: 8 }, (_, at) => `/p${at}`)
const site = await within(
  scriptedSite({
    "/": page("home", ...paths),
    ...Object.fromEntries(paths.map((path, at) => [path, page(`page ${at}`, "/")]))
  })
)
const expected = ["/", ...paths].map((path, at) => ({
  url: `http://site.test${path}`,
  title: at === 0 ? "home" : `page ${at - 1}`
}))

const root = mkdtempSync(join(tmpdir(), "millrace-silence-"))
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(root, { recursive: true, force: true })
})

type Way = Effect.Success<ReturnType<typeof faultyWay>>

/** A pipeline of which one peer stands behind the way, and how its site is found. */
interface Pipeline {
  readonly way: Way
  readonly lines: ReadonlyArray<string>
  readonly resolve: string
}

interface Peer {
  readonly name: string
  readonly pipeline: Effect.Effect<Pipeline, never, Scope.Scope>
}

const crawl = "source: { type: crawl, url: http://site.test/ }"
const direct = `site.test=127.0.0.1:${site.port}`
const placeOf = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) })

const sitePeer: Peer = {
  name: "the site",
  pipeline: Effect.map(faultyWay({ host: "127.0.0.1", port: site.port }), (way) => ({
    way,
    lines: [crawl, "sinks: { db: { type: duckdb, path: ./out.duckdb, write: merge } }"],
    resolve: `site.test=127.0.0.1:${way.port}`
  }))
}

const servicePeer: Peer = {
  name: "a service",
  pipeline: Effect.gen(function* () {
    const way = yield* faultyWay(placeOf(yield* service))
    const lines = [
      crawl,
      `service: { url: "http://127.0.0.1:${way.port}" }`,
      "sinks: { db: { type: duckdb, path: ./out.duckdb, write: merge } }"
    ]
    return { way, lines, resolve: direct }
  })
}
const service = Effect.runSync(
  Effect.cached(
    Effect.map(
      Scope.provide(servedProcess(site.port, join(root, "service.sqlite"), ["site"], ["--per-host=32"]), scope),
      ({ url }) => url
    )
  )
)

const postgresPeers: ReadonlyArray<Peer> =
  postgres === undefined
    ? []
    : [postgres].map(
        (server): Peer => ({
          name: "Postgres",
          pipeline: Effect.gen(function* () {
            const url = yield* server.fresh
            const way = yield* faultyWay(placeOf(url))
            const through = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(way.port) }).href
            return {
              way,
              lines: [crawl, `sinks: { db: { type: postgres, url: "${through}", schema: web, write: merge } }`],
              resolve: direct
            }
          })
        })
      )

const s3Peers: ReadonlyArray<Peer> =
  s3 === undefined
    ? []
    : [s3].map(
        (server): Peer => ({
          name: "S3",
          pipeline: Effect.map(faultyWay(placeOf(server.url)), (way) => ({
            way,
            lines: [
              crawl,
              // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
              `sinks: { lake: { type: parquet, write: merge, path: "${server.fresh()}", storage: { endpoint: "http://127.0.0.1:${way.port}", access_key: "\${secrets.SILENT_KEY}", secret_key: "\${secrets.SILENT_SECRET}" } } }`
            ],
            resolve: direct
          }))
        })
      )
process.env["MILLRACE_SECRET_SILENT_KEY"] = "test"
process.env["MILLRACE_SECRET_SILENT_SECRET"] = "testsecret"

const peers = [sitePeer, servicePeer, ...postgresPeers, ...s3Peers]
const seeds = timesOf(peers.length, peers.length * 2, 500)
const together = times(2, 24)

/** How many messages each peer gets and gives in a run in which nothing goes wrong. */
const usual = new Map<string, Readonly<Record<"client" | "server", number>>>()

interface Case {
  readonly number: number
  readonly peer: Peer
  readonly trouble: Trouble
  readonly isStopped: boolean
}

const drawn = (number: number): Case => {
  const random = randomFrom(seed + number)
  const peer = peers[number % peers.length] ?? sitePeer
  const from = random(2) === 0 ? "client" : "server"
  const fault = faults[random(faults.length)] ?? "hold"
  const at = random(usual.get(peer.name)?.[from] ?? 1)
  // Without SIGTERM, a peer that says nothing more is waited for.
  const isStopped = random(4) === 0 || (times(1, 0) === 1 && (fault === "hold" || fault === "drop"))
  return { number, peer, trouble: { fault, from, at }, isStopped }
}

const inWords = ({ isStopped, number, peer, trouble }: Case): string =>
  `seed ${seed + number}: message ${trouble.at} from the ${trouble.from}, to or from ${peer.name}: ${trouble.fault}${isStopped ? ", then SIGTERM" : ""}`

/** The longest that docs/operations.md states for one peer is twelve minutes, a scrape of a service. */
const statedMillis = 12 * 60_000
/** Ten seconds, and what a process that has ended needs on a busy machine. */
const stopMillis = 13_000

const play = Effect.fnUntraced(function* (one: Case) {
  const { lines, resolve, way } = yield* one.peer.pipeline
  const folder = join(root, `case-${one.number}`)
  mkdirSync(folder)
  writeFileSync(join(folder, "a.yaml"), `${lines.join("\n")}\n`)
  const run = () => start(folder, "run", "a.yaml", "--json", "--resolve", resolve)

  const happened = way.expect(one.trouble)
  const began = performance.now()
  const first = run()
  let stoppedAt: number | undefined
  if (one.isStopped) {
    void happened.then(() => {
      stoppedAt = performance.now()
      first.process.kill("SIGTERM")
    })
  }
  const ended = yield* Effect.promise(() => first.ended)
  const now = performance.now()
  const said = `${inWords(one)}\n${ended.stdout}${ended.stderr}`
  expect(now - began, said).toBeLessThan(statedMillis)
  if (stoppedAt !== undefined) expect(now - stoppedAt, said).toBeLessThan(stopMillis)

  void way.expect(undefined)
  const held = /"run_id":"([^"]+)","status":"held"/.exec(ended.stdout)?.[1]
  if (held !== undefined) yield* Effect.promise(() => start(folder, "drop", held).ended)
  const second = yield* Effect.promise(() => run().ended)
  expect(second.code, `${said}${second.stdout}${second.stderr}`).toBe(0)
  const question = "SELECT url, title FROM pages ORDER BY url"
  const asked = yield* Effect.promise(() => start(folder, "sql", "a.yaml", question, "--format", "json").ended)
  const rows = asked.stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
  expect(rows, `${said}${second.stdout}${second.stderr}`).toEqual(expected)
}, Effect.scoped)

describe(`a peer that goes wrong (MILLRACE_SEED=${seed})`, () => {
  it("holds no run, and the next run leaves the rows of the site", async () => {
    for (const peer of peers) {
      await Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const { lines, resolve, way } = yield* peer.pipeline
            const folder = join(root, `usual ${peer.name}`)
            mkdirSync(folder)
            writeFileSync(join(folder, "a.yaml"), `${lines.join("\n")}\n`)
            void way.expect(undefined)
            const { code, stderr } = yield* Effect.promise(
              () => start(folder, "run", "a.yaml", "--json", "--resolve", resolve).ended
            )
            expect(code, stderr).toBe(0)
            usual.set(peer.name, way.messages())
          })
        )
      )
    }
    const cases = Array.from({ length: seeds }, (_, number) => drawn(number))
    const played = Effect.forEach(cases, (one) => Effect.exit(play(one)), { concurrency: together })
    const failures = (await Effect.runPromise(played)).flatMap((exit) =>
      Exit.isSuccess(exit) ? [] : [Cause.pretty(exit.cause)]
    )
    expect(failures).toEqual([])
  })
})
