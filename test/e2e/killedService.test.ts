import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { behindPort, leasesEnd } from "../service/databases.ts"
import { heldAnswers } from "../service/heldAnswers.ts"
import { type Answer, page, scriptedSite } from "../service/scriptedSite.ts"
import { ask, servedProcess } from "./servedProcess.ts"

const names = ["a", "b", "c", "d", "e"]
const perCrawl = 31

/** Five parts of a site, each of 31 pages on three levels; the 80th page and all after it wait until they are let go. */
const heldSite = Effect.gen(function* () {
  const { held, open, reached } = heldAnswers(80)
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
  return { site, pages, reached, open }
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

behindPort("a service that is killed in the middle of five crawls", (database) => {
  it.live(
    "finishes all of them when it is started again, with no page lost and none twice",
    () =>
      Effect.gen(function* () {
        const place = yield* database.fresh
        const file = Redacted.isRedacted(place) ? Redacted.value(place) : place
        const { site, pages, reached, open } = yield* heldSite
        const killed = yield* servedProcess(site.port, file, names)
        const ids = yield* startAll(killed.url)
        yield* reached
        yield* killed.kill
        yield* leasesEnd(place)
        const before = site.requests.length
        yield* open
        const again = yield* servedProcess(site.port, file, names)
        const crawls = yield* Effect.forEach(ids, (id) => readToEnd(again.url, id), { concurrency: 5 })
        const after = site.requests.slice(before)

        const whole = yield* servedProcess(site.port, ":memory:", names)
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
      }),
    // Three processes, on a machine that may have others.
    180_000
  )
})
