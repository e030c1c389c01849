import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Segment from "#base/Segment"
import type { PageDocument } from "#contract/PageDocument"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import type { Bytes } from "#web/CrawlUrl"
import * as KnownPages from "#web/embedded/KnownPages"
import * as LedgerFile from "#web/embedded/LedgerFile"
import type { LedgerRecord } from "#web/embedded/LedgerRecord"

const begun: LedgerRecord = { _tag: "Begun", id: "1", at: 5 }

const url = (seq: number) =>
  ({ seq, key: `site.test/${seq}`, url: `http://site.test/${seq}`, depth: 0, kind: "link", state: "queued" }) as const

const discovered: LedgerRecord = { _tag: "Discovered", urls: [url(0), url(1), url(2)], changes: [] }

const document = (seq: number): PageDocument => ({
  markdown: `page ${seq}`,
  metadata: { sourceURL: url(seq).url, url: url(seq).url, statusCode: 200, scrapeId: `${seq}` }
})

const bytes = (seq: number) => PageDocumentBytes.encode(document(seq))

const settled = (seq: number, page: number, bytes?: Bytes): LedgerRecord => ({
  _tag: "Settled",
  at: 9,
  ends: [
    {
      seq,
      state: "scraped",
      landedKey: url(seq).key,
      failures: [],
      discovered: [],
      page: { seq: page, credits: 1, bytes }
    }
  ]
})

const segments = () => ({ blocks: Segment.memory(), progress: Segment.memory(), known: Segment.memory() })

describe("the ledger of a crawl in segments", () => {
  it.effect("is again what it was, with its documents", () =>
    Effect.gen(function* () {
      const kept = segments()
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* LedgerFile.open(kept)
          yield* file.take(begun)
          yield* file.take(discovered)
          yield* file.take(settled(1, 0), [bytes(1)])
          yield* file.flush
          yield* file.take(settled(0, 1), [bytes(0)])
          expect(yield* file.document(1)).toEqual(document(0))
          return file.ledger
        })
      )
      const { ledger, ...again } = yield* LedgerFile.open(kept)

      expect([ledger.id, ledger.begunAt, ledger.counts]).toEqual([first.id, first.begunAt, first.counts])
      expect(ledger.urls.some(-1, 9, () => true)).toEqual(first.urls.some(-1, 9, () => true))
      expect(yield* Effect.forEach([0, 1], again.document)).toEqual([document(1), document(0)])
      expect(yield* again.document(2)).toBeUndefined()
    }).pipe(Effect.scoped)
  )

  it.effect("knows again what its pages cost to download, unless one of them does not say it", () =>
    Effect.gen(function* () {
      const kept = segments()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* LedgerFile.open(kept)
          yield* file.take(begun)
          yield* file.take(discovered)
          yield* file.take(settled(1, 0, { wire: 300, body: 1000 }), [bytes(1)])
        })
      )
      const file = yield* LedgerFile.open(kept)
      yield* file.take(settled(0, 1, { wire: 20, body: 30 }), [bytes(0)])
      expect(file.ledger.bytes).toEqual({ wire: 320, body: 1030 })

      // So did versions that did not count.
      yield* file.take(settled(2, 2), [bytes(2)])
      expect(file.ledger.bytes).toBeUndefined()
    }).pipe(Effect.scoped)
  )

  it.effect("is written after a moment, many records together", () =>
    Effect.gen(function* () {
      const kept = segments()
      const file = yield* LedgerFile.open(kept)
      yield* file.take(begun)
      yield* file.take(discovered)
      expect(kept.progress.places).toEqual([])
      yield* TestClock.adjust("1 second")
      yield* file.flush

      expect([kept.progress.places.length, kept.blocks.places.length]).toEqual([1, 0])
    }).pipe(Effect.scoped)
  )

  it.effect.each(["blocks", "progress"] as const)("forgets a group of which only its %s are on the disk", (which) =>
    Effect.gen(function* () {
      const kept = segments()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* LedgerFile.open(kept)
          yield* file.take(discovered)
          yield* file.take(settled(1, 0), [bytes(1)])
          yield* file.flush
          yield* file.take(settled(2, 1), [bytes(2)])
        })
      )
      yield* Effect.promise(() => (which === "blocks" ? kept.progress : kept.blocks).keep(1))
      const file = yield* LedgerFile.open(kept)
      yield* file.take(settled(0, 1), [bytes(0)])
      yield* file.flush

      expect(file.ledger.counts).toMatchObject({ scraped: 2, queued: 1 })
      expect(yield* Effect.forEach([0, 1], file.document)).toEqual([document(1), document(0)])
      expect([kept.progress.places.length, kept.blocks.places.length]).toEqual([2, 2])
    }).pipe(Effect.scoped)
  )

  it.effect("keeps what is known of its pages, without those that were left out", () =>
    Effect.gen(function* () {
      const kept = segments()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* LedgerFile.open(kept)
          yield* file.take(begun)
          yield* file.take(discovered)
          yield* file.flush
          yield* file.take(
            settled(1, 0),
            [bytes(1)],
            [1, 2].map((seq) => ({ url: url(seq).url, etag: `"${seq}"`, at: seq, links: [url(0).url] }))
          )
          yield* file.flush
          file.leaveOut([url(2).url])
          yield* file.take(settled(0, 1), [bytes(0)])
        })
      )
      const known = yield* Effect.promise(() => KnownPages.open(kept.known))
      const found = yield* Effect.promise(() => Promise.all([0, 1, 2].map((seq) => known.find(url(seq).url))))

      expect(found).toEqual([undefined, { url: url(1).url, etag: '"1"', at: 1, links: [url(0).url] }, undefined])
      // A group that has nothing to know writes nothing.
      expect(kept.known.places).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.effect("writes nothing more once a group could not be written", () =>
    Effect.gen(function* () {
      const full = () => Promise.reject(new Error("ENOSPC: no space left on device"))
      const kept = { ...segments(), progress: { ...Segment.memory(), append: full } }
      const file = yield* LedgerFile.open(kept)
      yield* file.take(begun)
      const first = yield* Effect.flip(file.flush)
      const second = yield* Effect.flip(file.take(discovered))

      expect(first.message).toBe("cannot write the pages of the crawl: ENOSPC: no space left on device")
      expect(second).toBe(first)
      expect(file.ledger.counts.queued).toBe(0)
    }).pipe(Effect.scoped)
  )
})
