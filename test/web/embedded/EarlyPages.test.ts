import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Segment from "#base/Segment"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import * as PageUrl from "#contract/PageUrl"
import type { Traits } from "#web/CrawlUrl"
import * as Placing from "#web/crawl/Placing"
import { windowsOf } from "#web/embedded/deliveryWindows"
import * as EarlyPages from "#web/embedded/EarlyPages"
import * as LedgerFile from "#web/embedded/LedgerFile"
import { crawlStore } from "#web/embedded/ledgerStores"
import * as Frontier from "#web/frontier/Frontier"
import { job, readWhole } from "./job.ts"

const site = "http://site.test"
const bytes = (url: string) =>
  PageDocumentBytes.encode({ markdown: url, metadata: { sourceURL: url, url, statusCode: 200, scrapeId: url } })

/** A crawl that has read these pages, each with what was learned of it. */
const crawled = Effect.fnUntraced(function* (pages: ReadonlyArray<readonly [path: string, traits?: Traits]>) {
  const segments = { blocks: Segment.memory(), progress: Segment.memory(), known: Segment.memory() }
  const file = yield* LedgerFile.open(segments)
  yield* file.take({ _tag: "Begun", id: "1", at: 5 })
  for (const [seq, [path, traits]] of pages.entries()) {
    const url = `${site}${path}`
    const found = { seq, key: url, url, depth: 0, kind: "link", state: "queued" } as const
    const end = {
      seq,
      state: "scraped",
      landedKey: url,
      failures: [],
      discovered: [],
      page: { seq, credits: 1 }
    } as const
    yield* file.take({ _tag: "Discovered", urls: [found], changes: [] })
    yield* file.take({ _tag: "Settled", at: 9, ends: [{ ...end, ...(traits === undefined ? {} : { traits }) }] }, [
      bytes(url)
    ])
  }
  return { file, segments }
})

describe("pages that are delivered while their crawl goes on", () => {
  it.effect("are those that no other page can turn out to be", () =>
    Effect.gen(function* () {
      const { file } = yield* crawled([
        ["/b"],
        ["/a"],
        ["/a?sort=up"],
        ["/docs/index.html"],
        ["/spelled"],
        ["/c", { canonical: `${site}/c?full=1` }],
        ["/d", { canonical: "https://elsewhere.test/d" }]
      ])
      yield* file.flush
      const next = EarlyPages.of(file, [`https://www.site.test/spelled/`]).next()

      expect(next?.seqs.map((seq) => file.ledger.urls.url(seq))).toEqual(["/a", "/b", "/d"].map((path) => site + path))
      expect(next?.before).toBe(7)
    }).pipe(Effect.scoped)
  )

  it.effect("are on the disk", () =>
    Effect.gen(function* () {
      const { file } = yield* crawled([["/a"]])
      const early = EarlyPages.of(file, [])

      expect(early.next()).toBeUndefined()
      yield* file.flush
      expect(early.next()).toMatchObject({ seqs: [0], before: 1, isFull: false })
    }).pipe(Effect.scoped)
  )

  it.effect("are delivered once, also by the process that goes on, and the others at the end", () =>
    Effect.gen(function* () {
      const { file, segments } = yield* crawled([["/b"], ["/a"], ["/a?x=1"]])
      yield* file.flush
      const next = EarlyPages.of(file, []).next()
      yield* file.take({ _tag: "Told", seqs: next?.seqs ?? [], before: next?.before ?? 0 })
      yield* file.flush
      const again = yield* LedgerFile.open(segments)
      expect(EarlyPages.of(again, []).next()).toBeUndefined()
      yield* again.take({ _tag: "Placed", decisions: [], failed: [] })
      yield* again.take({ _tag: "Finished", at: 9 })

      expect(windowsOf(again).map(({ contents, first }) => [first, ...contents().pages.map(({ url }) => url)])).toEqual(
        [
          [0, `${site}/a`, `${site}/b`],
          [2, `${site}/a?x=1`]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("leave an end to be delivered where they were all", () =>
    Effect.gen(function* () {
      const { file } = yield* crawled([["/a"]])
      yield* file.flush
      yield* file.take({ _tag: "Told", seqs: [0], before: 1 })
      yield* file.take({ _tag: "Placed", decisions: [], failed: [] })

      expect(windowsOf(file).map(({ contents, first }) => [first, contents().pages.length])).toEqual([
        [0, 1],
        [1, 0]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("keep their rows, whatever is found later", () =>
    Effect.gen(function* () {
      const identity = { ...PageUrl.plainly(true), indexIsFolder: false }
      const placed = Effect.fnUntraced(function* (delivered: ReadonlyArray<number>) {
        const { file } = yield* crawled([["/a"], ["/a?x=1"], ["/b"]])
        if (delivered.length > 0) yield* file.take({ _tag: "Told", seqs: delivered, before: 3 })
        yield* file.flush
        const store = crawlStore(file).identity
        const settling = { spellings: new Set([`${site}/a?x=1`]), isRendered: false, after: undefined, trapBudget: 0 }
        yield* Placing.place({ job, frontier: Frontier.open(identity, "identity"), settling, store, readWhole })
        return windowsOf(file).map(({ contents }) => contents().pages.map(({ url }) => url.slice(site.length)))
      })

      expect(yield* placed([])).toEqual([["/a?x=1", "/b"]])
      expect(yield* placed([0])).toEqual([["/a"], ["/b"]])
      // What should not be is no loss: both rows are there.
      expect(yield* placed([0, 1])).toEqual([["/a", "/a?x=1"], ["/b"]])
    }).pipe(Effect.scoped)
  )
})
