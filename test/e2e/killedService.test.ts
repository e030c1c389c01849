import type { ChildProcess } from "node:child_process"
import { tmpdir } from "node:os"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { start as startCommand } from "../cli/millrace.ts"
import { onEachDatabase } from "../service/databases.ts"
import { type Answer, page, scriptedSite } from "../service/scriptedSite.ts"

const names = ["a", "b", "c", "d", "e"]
const perCrawl = 31

/** Five parts of a site, each of 31 pages on three levels; the 80th page and all after it wait until they are let go. */
const heldSite = Effect.gen(function* () {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let asked = 0
  const held =
    (body: string): Answer =>
    (_request, response) => {
      const answer = () => void response.setHeader("content-type", "text/html; charset=utf-8").end(body)
      if (++asked < 80) return answer()
      reached.resolve()
      void released.promise.then(answer)
    }
  const ten = Array.from({ length: 10 }, (_, index) => index)
  const routes = names.flatMap(
    (name): ReadonlyArray<[string, Answer]> => [
      [`/${name}/`, held(page(name, ...ten.map((index) => `/${name}/${index}`)))],
      ...ten.map((index): [string, Answer] => [
        `/${name}/${index}`,
        held(page(`${name}${index}`, `/${name}/${index}/x`, `/${name}/${index}/y`, `/${name}/`))
      ]),
      ...ten.flatMap(
        (index): ReadonlyArray<[string, Answer]> => [
          [`/${name}/${index}/x`, held(page(`${name}${index}x`, `/${name}/${index}/y`))],
          [`/${name}/${index}/y`, held(page(`${name}${index}y`))]
        ]
      )
    ]
  )
  const site = yield* scriptedSite(Object.fromEntries(routes))
  const pages = new Set(routes.map(([path]) => path))
  return { site, pages, reached: Effect.promise(() => reached.promise), open: Effect.sync(() => released.resolve()) }
})

/** `millrace serve` in a process of its own, killed with the scope. */
const serve = Effect.fnUntraced(function* (port: number, database: string) {
  const { process, ended } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const resolve = names.map((name) => `--resolve=${name}.test=127.0.0.1:${port}`)
      const options = ["--port", "0", "--database", database, "--webhook-secret", "whsec-1", ...resolve]
      return startCommand(tmpdir(), "serve", ...options)
    }),
    ({ process }) => Effect.sync(() => void process.kill("SIGKILL"))
  )
  const url = yield* Effect.promise(() => announced(process))
  const kill = Effect.promise(() => {
    process.kill("SIGKILL")
    return ended
  })
  return { url, kill }
})

const announced = (process: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
    process.once("exit", (code) => fail(new Error(`the service ended with ${code}`)))
  })

// The answers of the service, looked at field by field.
const ask = (url: string, body?: object): Effect.Effect<any> =>
  Effect.promise(async () => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
    return (await fetch(url, body === undefined ? {} : post)).json()
  })

const startAll = (url: string) =>
  Effect.forEach(names, (name) =>
    Effect.map(ask(`${url}/v2/crawl`, { url: `http://${name}.test/${name}/` }), ({ id }) => String(id))
  )

/** A crawl's last status, and its documents by URL without what each run makes anew. */
const readToEnd = Effect.fnUntraced(function* (url: string, id: string) {
  const documents: Array<any> = []
  for (;;) {
    const status = yield* ask(`${url}/v2/crawl/${id}?skip=${documents.length}`)
    documents.push(...status.data)
    if (status.status !== "scraping" && status.data.length === 0) {
      return { status, documents: documents.map(comparable) }
    }
  }
})

const comparable = (document: any) => ({ ...document, metadata: { ...document.metadata, scrapeId: "" } })

const byUrl = (documents: ReadonlyArray<{ readonly metadata: { readonly url: string } }>) =>
  documents.toSorted((a, b) => a.metadata.url.localeCompare(b.metadata.url))

onEachDatabase("a service that is killed in the middle of five crawls", (database) => {
  it.live("finishes all of them when it is started again, with no page lost and none twice", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
      const { site, pages, reached, open } = yield* heldSite
      const killed = yield* serve(site.port, file)
      const ids = yield* startAll(killed.url)
      yield* reached
      yield* killed.kill
      const before = site.requests.length
      yield* open
      const again = yield* serve(site.port, file)
      const crawls = yield* Effect.forEach(ids, (id) => readToEnd(again.url, id), { concurrency: 5 })
      const after = site.requests.slice(before)

      const whole = yield* serve(site.port, ":memory:")
      const wholeIds = yield* startAll(whole.url)
      const uninterrupted = yield* Effect.forEach(wholeIds, (id) => readToEnd(whole.url, id), { concurrency: 5 })

      for (const [index, { status, documents }] of crawls.entries()) {
        const { discovered, scraped, failed, blocked, left } = status.ledger
        expect(status.status).toBe("completed")
        expect(byUrl(documents)).toEqual(byUrl(uninterrupted[index]?.documents ?? []))
        expect(new Set(documents.map(({ metadata }) => metadata.url)).size).toBe(perCrawl)
        expect(documents).toHaveLength(perCrawl)
        expect(discovered).toBe(scraped + failed + blocked + left)
        expect(status).toMatchObject({ total: perCrawl, completed: perCrawl, creditsUsed: perCrawl })
        expect(status.ledger).toEqual(uninterrupted[index]?.status.ledger)
      }
      // Only what was in flight is asked for again: 8 pages of each crawl, at most.
      const asked = site.requests.slice(0, before)
      const repeated = after.filter((path) => pages.has(path) && asked.includes(path))
      expect(asked.length).toBeGreaterThanOrEqual(80)
      expect(repeated.length).toBeLessThanOrEqual(40)
      expect(new Set(repeated).size).toBe(repeated.length)
    })
  )
})
