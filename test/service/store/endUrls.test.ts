import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { CrawlStore } from "#web/CrawlStore"
import type { Settlement } from "#web/CrawlUrl"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { job as anyJob } from "../../web/crawl/gathering.ts"
import { onEachDatabase } from "../databases.ts"
import { stores } from "../serviceParts.ts"

const job: Job = { ...anyJob, id: "0190c0de-0000-7000-8000-000000000002", kind: "crawl" }
const href = (seq: number) => `http://site.test/${seq}`
const ended = (seq: number, more: Partial<Settlement>): Settlement => ({
  seq,
  state: "scraped",
  landedKey: href(seq),
  failures: [],
  discovered: [],
  ...more
})

onEachDatabase("the ends of URLs", (database) => {
  it.effect("are each its own, however many are written together, with or without traits", () =>
    Effect.gen(function* () {
      const store = yield* CrawlStore
      yield* (yield* JobStore).create(job)
      const urls = [0, 1, 2, 3, 4, 5].map((seq) => ({ seq, key: href(seq), url: href(seq), depth: 0 }))
      yield* store.discover(
        job.id,
        urls.map((url) => ({ ...url, kind: "link", state: "queued" }))
      )
      const traits = { landed: "http://site.test/there", canonical: "http://site.test/c", content: "c1", meaning: "m1" }
      yield* store.settle(job.id, [
        ended(0, { state: "failed" }),
        ended(1, { state: "alias", aliasOf: 3, landedKey: "http://site.test/'?" }),
        ended(2, { page: { seq: 0, document: "{}", credits: 1 }, traits: {} }),
        ended(3, { page: { seq: 1, document: "{}", credits: 1 }, traits }),
        ended(4, { state: "alias", aliasOf: 3, traits: { template: "t1" } })
      ])
      const read = yield* store.urls(job.id, -1, 10)
      const known = yield* store.identity.ended(job.id, -1, 10)

      expect(read.map(({ aliasOf, key, landed, state }) => ({ aliasOf, key, landed, state }))).toEqual([
        { aliasOf: undefined, key: href(0), landed: undefined, state: "failed" },
        { aliasOf: 3, key: "http://site.test/'?", landed: undefined, state: "alias" },
        { aliasOf: undefined, key: href(2), landed: undefined, state: "scraped" },
        { aliasOf: undefined, key: href(3), landed: "http://site.test/there", state: "scraped" },
        { aliasOf: 3, key: href(4), landed: undefined, state: "alias" },
        { aliasOf: undefined, key: href(5), landed: undefined, state: "queued" }
      ])
      expect(known.find(({ seq }) => seq === 2)).toMatchObject({ page: 0, canonical: null, content: null })
      expect(known.find(({ seq }) => seq === 3)).toMatchObject({ ...traits, page: 1, template: null })
      expect(known.find(({ seq }) => seq === 4)).toMatchObject({ template: "t1", page: null, aliasOf: 3 })
    }).pipe((test) => Effect.flatMap(database.fresh, (one) => Effect.provide(test, stores(one))))
  )
})
