import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Segment from "#base/Segment"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import * as PageUrl from "#contract/PageUrl"
import type { DiscoveredUrl } from "#web/CrawlUrl"
import * as Placing from "#web/crawl/Placing"
import * as LedgerFile from "#web/embedded/LedgerFile"
import { crawlStore } from "#web/embedded/ledgerStores"
import * as Frontier from "#web/frontier/Frontier"
import { job, readWhole } from "./job.ts"

it.effect("a site whose every page redirects to one login has one row, however many pages there are", () =>
  Effect.gen(function* () {
    const segments = { blocks: Segment.memory(), progress: Segment.memory(), known: Segment.memory() }
    const file = yield* LedgerFile.open(segments)
    const url = (seq: number) => `http://site.test/${seq === 0 ? "login" : `p/${seq}`}`
    const urls = Array.from(
      { length: 130_000 },
      (_, seq): DiscoveredUrl => ({ seq, key: url(seq), url: url(seq), depth: 2, kind: "link", state: "queued" })
    )
    const page = { markdown: "sign in", metadata: { sourceURL: url(0), url: url(0), statusCode: 200, scrapeId: "1" } }
    yield* file.take({ _tag: "Discovered", urls, changes: [] })
    const ends = urls.map(({ seq, key }) =>
      seq === 0
        ? { seq, state: "scraped" as const, landedKey: key, failures: [], discovered: [], page: { seq, credits: 1 } }
        : { seq, state: "alias" as const, landedKey: url(0), failures: [], discovered: [], aliasOf: 0 }
    )
    yield* file.take({ _tag: "Settled", at: 9, ends }, [PageDocumentBytes.encode(page)])
    yield* file.flush

    const frontier = Frontier.open(PageUrl.plainly(false), "identity")
    const settling = { spellings: new Set<string>(), isRendered: false, after: undefined, trapBudget: 0 }
    yield* Placing.place({ job, frontier, settling, store: crawlStore(file).identity, readWhole })

    expect(file.ledger.counts).toMatchObject({ scraped: 1, alias: 129_999 })
    expect(file.ledger.places).toEqual([0])
    expect(file.ledger.urls.placed(0)).toMatchObject({ url: url(0), depth: 2 })
  }).pipe(Effect.scoped)
)
