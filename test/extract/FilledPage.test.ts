import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as Candidates from "#extract/Candidates"
import * as FilledPage from "#extract/FilledPage"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { behindPort } from "../service/databases.ts"
import { stores } from "../service/serviceParts.ts"
import { job } from "../web/crawl/gathering.ts"

const pageOf = (index: number): FilledPage.FilledPage => ({
  url: `http://site.test/${index}`,
  filled: {
    data: { name: `Lamp ${index} \0 \ud800 🌾`, price: 0.1 + 0.2, tags: [null, true], "a/b": { "": -0.5 } },
    sources: new Map(
      Candidates.kinds.map((kind, at) => [
        `/tags/${at}`,
        { kind, path: "Product/name", span: [0, 2 ** 40], ...(at % 2 === 0 ? { supported: at % 4 === 0 } : {}) }
      ])
    ),
    missing: ["/tags/0", "/a~1b"],
    engine: index === 0 ? { name: "rules" } : { name: "model", model: "small-1" },
    tokens: index
  }
})

it("pages that were given come first, as they were given; then the nearest, the most promising, by their URLs", () => {
  const page = (name: string, depth: number, score: number, seq: number): FilledPage.FilledPage => ({
    ...pageOf(0),
    url: `http://site.test/${name}`,
    place: { depth, score, seq }
  })
  const ordered = [
    page("second", 0, 0, 0),
    page("first", 0, 5, 1),
    page("lamps", 1, 7, 9),
    page("about", 1, 2, 8),
    page("imprint", 1, 2, 3),
    page("lamps/ash", 2, 9, 4)
  ]

  for (let first = 0; first < ordered.length; first++) {
    const ended = [...ordered.slice(first), ...ordered.slice(0, first)].toReversed()
    expect(FilledPage.inOrder(ended)).toEqual(ordered)
  }
  // Pages that an older version has kept stay as they ended.
  expect(FilledPage.inOrder([pageOf(2), pageOf(1)])).toEqual([pageOf(2), pageOf(1)])
})

behindPort("the filled pages of a job", (database) => {
  it.effect("come back as they went in, in their order, however many they are", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(stores(yield* database.fresh))
      const ledger = Context.get(context, CrawlStore)
      yield* Context.get(context, JobStore).create(job)
      const pages = Array.from({ length: 203 }, (_, index) => pageOf(index))
      for (const [seq, page] of pages.entries()) {
        const { url } = page
        yield* ledger.discover(job.id, [{ seq, key: url, url, depth: 0, kind: "start", state: "queued" }])
        const document = FilledPage.encode(page)
        yield* ledger.settle(job.id, [
          {
            seq,
            state: "scraped",
            landedKey: url,
            page: { seq, document, credits: 0 },
            failures: [],
            discovered: []
          }
        ])
      }

      expect(yield* FilledPage.all(job.id).pipe(Effect.provideContext(context))).toEqual(pages)
    })
  )

  it.effect("are none of a job that has none", () =>
    Effect.gen(function* () {
      expect(yield* FilledPage.all(job.id).pipe(Effect.provide(stores(yield* database.fresh)))).toEqual([])
    })
  )
})
