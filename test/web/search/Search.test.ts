import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { layerSearch } from "#service/layerSearch"
import * as ServiceConfig from "#service/ServiceConfig"
import { CrawlStore } from "#web/CrawlStore"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { Search } from "#web/Search"
import { behindPort } from "../../service/databases.ts"
import { Accounts, stores } from "../../service/serviceParts.ts"

const idOf = (index: number) => `0190c0de-0000-7000-8000-00000000000${index}`

const job = (index: number, fields: Partial<Job> = {}): Job => ({
  id: idOf(index),
  kind: "crawl",
  teamId: "team",
  url: "http://site.test/",
  request: "{}",
  status: "scraping",
  createdAt: index,
  completedAt: null,
  error: null,
  warning: null,
  ...fields
})

behindPort("a search of the pages that jobs have read", (database) => {
  /** A search, and how a job comes to have pages: their addresses and texts. */
  const searching = Effect.gen(function* () {
    const accounts = Accounts.layer(ServiceConfig.defaults)
    const parts = accounts.pipe(Layer.provideMerge(stores(yield* database.fresh)))
    const context = yield* Layer.build(layerSearch({}).pipe(Layer.provideMerge(parts)))
    const jobs = Context.get(context, JobStore)
    const ledger = Context.get(context, CrawlStore)
    const read = Effect.fnUntraced(function* (of: Job, pages: ReadonlyArray<readonly [path: string, text: string]>) {
      yield* jobs.create(of)
      for (const [seq, [path, text]] of pages.entries()) {
        const url = `http://site.test${path}`
        yield* ledger.discover(of.id, [{ seq, key: url, url, depth: 0, kind: "start", state: "queued" }])
        const document = JSON.stringify({
          markdown: text,
          metadata: { url, statusCode: 200, title: text.slice(0, 20) }
        })
        yield* ledger.settle(of.id, [
          {
            seq,
            state: "scraped",
            landedKey: url,
            page: { seq, document, credits: 1 },
            failures: [],
            discovered: []
          }
        ])
      }
    })
    const { local, web } = Context.get(context, Search)
    const found = (words: string, teamId = "team", limit = 10) =>
      Effect.map(local(teamId, words, limit), (hits) =>
        hits.map(({ title, url }) => `${new URL(url).pathname} ${title}`)
      )
    return { read, found, web }
  })

  it.effect("finds what the team's crawls and batches have read, best first, and no more than is asked for", () =>
    Effect.gen(function* () {
      const { found, read } = yield* searching
      yield* read(job(1), [
        ["/oak", "Oak lamp"],
        ["/about", "About us"]
      ])
      yield* read(job(2, { kind: "batch" }), [["/ash", "Lamp of ash and of other wood"]])

      expect(yield* found("oak lamp")).toEqual(["/oak Oak lamp", "/ash Lamp of ash and of o"])
      expect(yield* found("oak lamp", "team", 1)).toEqual(["/oak Oak lamp"])
      expect(yield* found("chairs")).toEqual([])
    })
  )

  it.effect("finds nothing of other teams, nor what extracts and runs keep", () =>
    Effect.gen(function* () {
      const { found, read } = yield* searching
      yield* read(job(1, { teamId: "other" }), [["/a", "Lamp"]])
      yield* read(job(2, { kind: "extract" }), [["/b", "Lamp"]])
      yield* read(job(3, { kind: "agent" }), [["/c", "Lamp"]])

      expect(yield* found("lamp")).toEqual([])
      expect(yield* found("lamp", "other")).toEqual(["/a Lamp"])
    })
  )

  it.effect("finds a page as it was read last", () =>
    Effect.gen(function* () {
      const { found, read } = yield* searching
      yield* read(job(2), [["/a", "Lamp of today"]])
      yield* read(job(1), [["/a", "Lamp of yesterday"]])

      expect(yield* found("lamp")).toEqual(["/a Lamp of today"])
    })
  )

  it.effect("finds every page of a job that has more than are read at a time", () =>
    Effect.gen(function* () {
      const { found, read } = yield* searching
      yield* read(
        job(1),
        Array.from({ length: 103 }, (_, index) => [`/${index}`, index === 101 ? "needle" : "hay"] as const)
      )

      expect(yield* found("needle")).toEqual(["/101 needle"])
    })
  )

  it.effect("asks no web where none is configured", () =>
    Effect.gen(function* () {
      const { web } = yield* searching

      expect(yield* web("lamp", 10)).toEqual([])
    })
  )
})
