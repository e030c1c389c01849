/**
 * The pages of a job with zero data retention: every text that could identify a page or its URL is encrypted on its way into
 * the store, and decrypted on its way out, with a key that only the process of the job has.
 *
 * The same text always gives the same sealed text, so the store compares keys and URLs as always. Such a job does not
 * decide by content which URLs are the same page, because that would need its pages again.
 */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { CrawlStore } from "#web/CrawlStore"
import type { Change, DiscoveredUrl, Failure, Settlement } from "#web/CrawlUrl"
import { documentText } from "./pageChunk.ts"
import * as Seal from "./Seal.ts"
import type { Seals } from "./Seals.ts"

type Store = CrawlStore["Service"]

export const sealing = (store: Store, seals: Seals["Service"]): Store => {
  const sealedBy = <A>(id: string, use: (seal: Seal.Seal["seal"]) => A, otherwise: A): A => {
    const seal = seals.ofJob(id)
    return seal === undefined ? otherwise : use(seal.seal)
  }
  /** Returns "" for a text whose key is lost. */
  const open = (id: string, text: string): string => (Seal.isSealed(text) ? (seals.ofJob(id)?.open(text) ?? "") : text)

  const opened =
    (id: string) =>
    (rows: ReadonlyArray<DiscoveredUrl>): ReadonlyArray<DiscoveredUrl> =>
      seals.ofJob(id) === undefined
        ? rows
        : rows.map(({ key, landed, url, ...rest }) => ({
            ...rest,
            key: open(id, key),
            url: open(id, url),
            ...(landed == null ? {} : { landed: open(id, landed) })
          }))

  return {
    ...store,
    discover: (id, urls, changes) =>
      store.discover(
        id,
        sealedBy(id, (seal) => urls.map(sealedUrl(seal)), urls),
        changes === undefined ? changes : sealedBy(id, (seal) => changes.map(sealedChange(seal)), changes)
      ),
    append: (id, urls) =>
      store.append(id, (first) => sealedBy(id, (seal) => urls(first).map(sealedUrl(seal)), urls(first))),
    urls: (id, after, limit) => Effect.map(store.urls(id, after, limit), opened(id)),
    waiting: (id, after, limit, depth) => Effect.map(store.waiting(id, after, limit, depth), opened(id)),
    fail: (id, failures) =>
      store.fail(
        id,
        sealedBy(id, (seal) => failures.map(sealedFailure(seal)), failures)
      ),
    settle: (id, settlements) =>
      store.settle(
        id,
        sealedBy(id, (seal) => settlements.map(sealedSettlement(seal)), settlements)
      ),
    blocked: (id) => Effect.map(store.blocked(id), (urls) => urls.map((url) => open(id, url))),
    failures: (id) =>
      Effect.map(store.failures(id), (failures) =>
        failures.map(({ error, url, ...rest }) => ({ ...rest, url: open(id, url), error: open(id, error) }))
      ),
    chunk: (id, skip, limit) =>
      Effect.map(store.chunk(id, skip, limit), ({ documents, remaining }) => {
        const readable = documents.map((text) => open(id, text)).filter((text) => text !== "")
        return readable.length === documents.length
          ? { documents: readable, remaining }
          : { documents: [], remaining: 0 }
      })
  }
}

type Sealing = Seal.Seal["seal"]

const sealedUrl =
  (seal: Sealing) =>
  ({ key, url, ...rest }: DiscoveredUrl): DiscoveredUrl => ({ ...rest, key: seal(key), url: seal(url) })

const sealedChange =
  (seal: Sealing) =>
  (change: Change): Change =>
    "url" in change && change.url !== undefined ? { ...change, url: seal(change.url) } : change

const sealedFailure =
  (seal: Sealing) =>
  ({ error, url, ...rest }: Failure): Failure => ({ ...rest, url: seal(url), error: seal(error) })

const sealedSettlement =
  (seal: Sealing) =>
  ({ page, ...settlement }: Settlement): Settlement => ({
    // The traits of a page, and data of it for later crawls, may not be kept.
    ...Struct.omit(settlement, ["known", "traits"]),
    landedKey: seal(settlement.landedKey),
    discovered: settlement.discovered.map(sealedUrl(seal)),
    failures: settlement.failures.map(sealedFailure(seal)),
    ...(settlement.changes === undefined ? {} : { changes: settlement.changes.map(sealedChange(seal)) }),
    ...(page === undefined ? {} : { page: { ...page, document: seal(documentText(page.document)) } })
  })
