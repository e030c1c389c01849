import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { searchGov } from "#connectors/webdata/index"
import type { WebData } from "#contract/WebData"
import * as Source from "#engine/Source"
import * as SourceSuite from "#testing/SourceSuite"
import { inFolder, millrace, query, start, write } from "../../../app/millrace.ts"
import { type Reply, scriptedService } from "../../../contract/client/scriptedService.ts"
import { factsOf, inTime, kept, rowsOf } from "../scriptedJobs.ts"

const queries = ["rent", "17 U.S.C. § 101", "quiet hours", "taxicabs", "noise"] as const

const hit = (position: number, url: string, title = "A page") => ({ title, url, description: `of ${url}`, position })

/** What is answered to a query: one hit with a title of ours, and one with a title of somebody. */
const hitsOf = (query: string) => [
  hit(
    1,
    `http://law.test/${encodeURIComponent(query)}`,
    "D.C. Code § 1-1. Rent [District of Columbia, in force, 2024]"
  ),
  hit(2, "http://law.test/page")
]

const queryOf = (what: string): string => new URLSearchParams(what.slice(what.indexOf("?"))).get("query") ?? ""

/** A search that answers by this function, else two hits. */
const search = (reply: (query: string, turn: number) => Reply | undefined = () => undefined) => {
  const { asked, layer } = scriptedService(
    (what, turn) =>
      reply(queryOf(what), turn) ?? { status: 200, body: { success: true, data: { web: hitsOf(queryOf(what)) } } }
  )
  return { asked, layer, queries: () => asked.map(({ what }) => queryOf(what)) }
}

const readIn = (service: ReturnType<typeof search>, options: Parameters<typeof searchGov.with>[0]) =>
  inTime(Effect.provide(Stream.runCollect(Source.read(searchGov.with(options), { key: "k" })), service.layer)).pipe(
    Effect.map((elements): ReadonlyArray<Source.Element<unknown>> => [...elements])
  )

describe("the search_gov source", () => {
  it.effect("gives hits with what their titles say, and the queries", () =>
    Effect.gen(function* () {
      const service = search()
      const elements = yield* readIn(service, { queries: ["rent", "noise"], k: 2 })

      expect(service.asked.map(({ what }) => what)).toEqual([
        "GET /v2/search/gov?query=rent&k=2",
        "GET /v2/search/gov?query=noise&k=2"
      ])
      expect(rowsOf(elements, "gov_hits").slice(0, 2)).toMatchObject([
        {
          query: "rent",
          position: 1,
          url: "http://law.test/rent",
          title: "D.C. Code § 1-1. Rent [District of Columbia, in force, 2024]",
          description: "of http://law.test/rent",
          citation: "D.C. Code § 1-1",
          heading: "Rent",
          jurisdiction: "District of Columbia",
          status: "in force",
          version: "2024"
        },
        { query: "rent", position: 2, title: "A page", citation: null, jurisdiction: null, status: null, version: null }
      ])
      expect(rowsOf(elements, "gov_queries")).toMatchObject([
        { query: "rent", k: 2, hits: 2, warning: null, error: null },
        { query: "noise", k: 2, hits: 2, warning: null, error: null }
      ])
      expect(factsOf(elements)).toEqual({ discovered: 2, read: 2, failed: 0 })
      expect(elements.at(-1)).toMatchObject({ _tag: "Checkpoint", state: { queries: 2 } })
    })
  )

  it.effect("keeps the warning of an answer without hits, and a refusal, and goes on", () =>
    Effect.gen(function* () {
      const service = search((query) =>
        query === "rent"
          ? { status: 200, body: { success: true, data: { web: [] }, warning: "nothing is loaded" } }
          : query === "noise"
            ? { status: 400, body: { success: false, error: "Bad Request: query: is too long" } }
            : undefined
      )
      const elements = yield* readIn(service, { queries })

      expect(rowsOf(elements, "gov_queries")).toHaveLength(5)
      expect(rowsOf(elements, "gov_queries")).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ query: "rent", k: 10, hits: 0, warning: "nothing is loaded", error: null }),
          expect.objectContaining({ query: "noise", hits: 0, warning: null, error: "Bad Request: query: is too long" })
        ])
      )
      expect(factsOf(elements)).toEqual({ discovered: 5, read: 4, failed: 1 })
    })
  )

  it.effect("rejects a hit that is none, alone, and says it again when the answer is read again", () =>
    Effect.gen(function* () {
      const web = [hit(1, "http://law.test/a"), { ...hit(2, "http://law.test/b"), position: "second" }]
      const service = search(() => ({ status: 200, body: { success: true, data: { web } } }))
      const elements = yield* readIn(service, { queries: ["rent"] })
      const [reject] = elements.filter((element) => element._tag === "Reject")

      expect(rowsOf(elements, "gov_hits")).toHaveLength(1)
      expect(rowsOf(elements, "gov_queries")).toMatchObject([{ hits: 2 }])
      expect(reject).toMatchObject({ table: { name: "gov_hits" }, path: "/position", raw: web[1] })
      const answer = reject?.answer
      const again = answer === undefined ? [] : yield* searchGov.with({ queries: ["rent"] }).decode(answer)
      expect(again).toMatchObject([{ _tag: "Reject", raw: web[1] }])
    })
  )

  it.effect("asks at most so many at a time as it may", () =>
    Effect.gen(function* () {
      const service = search(() => "never")
      const reader = searchGov.with({ queries })
      const fiber = yield* Effect.forkChild(
        Effect.provide(Stream.runDrain(Source.read(reader, { limits: { concurrency: 2 } })), service.layer)
      )
      while (service.asked.length < 2) yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      yield* TestClock.adjust("59 seconds")

      expect(service.asked).toHaveLength(2)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("fails where the service cannot answer, and goes on behind what it has", () =>
    Effect.gen(function* () {
      let isDown = true
      const service = search((query) => (isDown && query === "quiet hours" ? { status: 504 } : undefined))
      const reader = searchGov.with({ queries })
      const answers: Array<Awaited<ReturnType<typeof kept>>[number]> = []
      const ask = (after: Option.Option<unknown>) =>
        inTime(
          Effect.provide(
            Stream.runForEach(
              reader.fetch({ start: Option.none(), after, key: "k", limits: {}, directory: "." }),
              (answer) => Effect.sync(() => answers.push(...kept([answer])))
            ),
            service.layer
          )
        )
      const error = yield* Effect.flip(ask(Option.none()))
      const before = answers.length
      isDown = false
      yield* ask(Option.fromUndefinedOr(answers.at(-1)?.cursor))

      expect(error).toMatchObject({ _tag: "SourceError", retryable: true })
      expect(before).toBe(5)
      // Four were answered, one at its fifth attempt was not.
      expect(
        service
          .queries()
          .filter((query) => query !== "quiet hours")
          .toSorted()
      ).toEqual(queries.filter((query) => query !== "quiet hours").toSorted())
      const elements = (yield* Effect.forEach(answers, reader.decode)).flat()
      expect(rowsOf(elements, "gov_queries").map(({ query }) => query)).toHaveLength(5)
      expect(factsOf(elements)).toEqual({ discovered: 5, read: 5, failed: 0 })
    })
  )

  it.effect("gives a run up whose list of queries has become another", () =>
    Effect.gen(function* () {
      const service = search()
      const first = searchGov.with({ queries })
      const from = { start: Option.none(), key: "k", limits: {}, directory: "." }
      const [answer] = yield* inTime(
        Effect.provide(Stream.runCollect(Stream.take(first.fetch({ ...from, after: Option.none() }), 2)), service.layer)
      )
      const other = searchGov.with({ queries: ["rent"] })
      const after = Option.fromUndefinedOr(answer?.cursor)
      const error = yield* Effect.flip(Effect.provide(Stream.runDrain(other.fetch({ ...from, after })), service.layer))

      expect(error).toMatchObject({ _tag: "SourceError", over: true })
    })
  )

  it.effect("ends at once where a query of SQL says nothing", () =>
    Effect.gen(function* () {
      const service = search()
      const elements = yield* Stream.runCollect(Source.read(searchGov.with({ sql: "SELECT 'a' WHERE false" }))).pipe(
        Effect.provide(service.layer)
      )

      expect([...elements].at(-1)).toMatchObject({ _tag: "Checkpoint", state: { queries: 0 } })
      expect(service.asked).toEqual([])
    })
  )
})

describe("a pipeline file with search_gov", () => {
  it("is refused with the place where its options are wrong", () =>
    inFolder(async (folder) => {
      const wrong = async (...lines: ReadonlyArray<string>) => {
        write(
          folder,
          "gov.yaml",
          "source:",
          "  type: search_gov",
          ...lines,
          "sinks: { db: { type: memory, path: db } }"
        )
        const { code, stderr } = await millrace(folder, "check", "gov.yaml")
        expect(code).toBe(2)
        return stderr.split("\n")[0]
      }

      expect(await wrong("  queries: [rent]", "  k: 101")).toMatch(/^gov.yaml:4:6: .*\b100\b/)
      expect(await wrong("  queries: [rent]", "  k: 1.5")).toMatch(/^gov.yaml:4:6: /)
      expect(await wrong("  queries: [rent, '  ']")).toMatch(/^gov.yaml:3:19: .*must not be empty/)
      expect(await wrong("  queries: []")).toMatch(/^gov.yaml:3:12: /)
      expect(await wrong("  k: 5")).toMatch(/^gov.yaml:\d+:\d+: .*none is there/)
      expect(await wrong("  queries: [rent]", "  sql: SELECT 1")).toMatch(/^gov.yaml:4:8: .*queries and sql/)
      expect(await wrong("  queries: [rent]", "  column: a")).toMatch(/^gov.yaml:4:11: .*a list has no columns/)
      expect(await wrong("  file: a.csv", "  database: a.duckdb")).toMatch(/^gov.yaml:4:13: .*`sql`/)
      expect(await wrong("  querys: [rent]")).toMatch(/^gov.yaml:3:3: .*querys/)
    }))

  it("that is killed asks nothing twice of what it has, and leaves what one run leaves", () =>
    inFolder(async (folder) => {
      const all = Array.from({ length: 40 }, (_, at) => `question ${at}`)
      const asked: Array<string> = []
      let onAnswer = () => {}
      const server = createServer((request, response) => {
        const query = queryOf(request.url ?? "")
        asked.push(query)
        response.setHeader("content-type", "application/json")
        response.end(JSON.stringify({ success: true, data: { web: hitsOf(query) } }))
        onAnswer()
      })
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      // A server that listens on a port has an address of this kind.
      const { port } = server.address() as AddressInfo
      try {
        write(
          folder,
          "gov.yaml",
          `source: { type: search_gov, queries: ${JSON.stringify(all)} }`,
          `service: { url: "http://127.0.0.1:${port}" }`,
          "limits: { concurrency: 1 }",
          "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
        )
        const run = start(folder, "run", "gov.yaml")
        onAnswer = () => {
          if (asked.length === 17) run.process.kill("SIGKILL")
        }
        const killed = await run.ended
        const { code, stderr, stdout } = await millrace(folder, "run", "gov.yaml")

        expect([killed.code, code, stderr.replace(/^{.*\n/gm, "")]).toEqual([null, 0, ""])
        // The one that was under way may have been asked for nothing; no other is asked again.
        expect(asked.length).toBeLessThanOrEqual(all.length + 1)
        expect(new Set(asked)).toEqual(new Set(all))
        expect(stdout).toContain("discovered 40 = 40 read + 0 failed + 0 blocked")
        const database = join(folder, "out.duckdb")
        expect(await query(database, "SELECT count(*) AS n, count(citation) AS cited FROM gov_hits")).toEqual([
          { n: "80", cited: "40" }
        ])
        expect(await query(database, "SELECT query FROM gov_queries ORDER BY rowid")).toEqual(
          all.map((query) => ({ query }))
        )
      } finally {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    }))
})

describe("the search_gov source keeps the laws of a source", () => {
  const subject: SourceSuite.Subject<WebData> = {
    reader: Effect.sync(() => searchGov.with({ queries })),
    layer: Layer.fresh(Layer.suspend(() => search().layer)),
    volatile: ["_fetched_at", "asked_at"]
  }
  // It has one checkpoint, at its end: what resumes between two has nothing to try.
  const laws = SourceSuite.laws.filter(({ sentence }) => !/then from it|failing after/.test(sentence))
  for (const law of laws) it.effect(law.sentence, () => inTime(SourceSuite.check(law, subject)))
})
