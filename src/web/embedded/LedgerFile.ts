/**
 * A crawl's ledger and pages on the disk. Records and documents gather for a moment and are written together: one block
 * of documents and one of records.
 *
 * Guarantee: what is on the disk is always the state of the crawl at an earlier moment. A block of records says which
 * blocks of documents belong to it, and both are on the disk before the next group begins. A group that a killed
 * process wrote in part does not count. So a page is in flight until its group is on the disk, and only pages in flight
 * are asked for again.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { systemReason } from "#base/systemReason"
import type * as EmbeddedCrawl from "#contract/EmbeddedCrawl"
import * as PageBlock from "#contract/PageBlock"
import type { PageDocument } from "#contract/PageDocument"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import type { KnownPage } from "../CrawlUrl.ts"
import { StoreError } from "../StoreError.ts"
import { CrawlLedger } from "./CrawlLedger.ts"
import * as KnownPages from "./KnownPages.ts"
import type { LedgerRecord } from "./LedgerRecord.ts"

type Segments = EmbeddedCrawl.From["segments"]

/** A block of documents: the number of its first, how many it has, and their uncompressed size. */
export interface DocumentBlock {
  readonly first: number
  readonly count: number
  readonly bytes: number
}

export interface LedgerFile {
  readonly ledger: CrawlLedger
  /** The blocks on the disk. */
  readonly blocks: ReadonlyArray<DocumentBlock>
  /** Applies a record and soon writes it with its documents. Waits only if too much is unwritten. */
  readonly take: (
    record: LedgerRecord,
    documents?: ReadonlyArray<Uint8Array>,
    known?: ReadonlyArray<KnownPage>
  ) => Effect.Effect<void, StoreError>
  /** With the next record, marks pages as unknown, so that the next crawl reads them. */
  readonly leaveOut: (urls: ReadonlyArray<string>) => void
  /** Writes what has gathered. */
  readonly flush: Effect.Effect<void, StoreError>
  readonly document: (page: number) => Effect.Effect<PageDocument | undefined, StoreError>
}

/**
 * Opens the files of a crawl, or begins them. Writes what gathers until the scope closes, and the rest when it does.
 */
export const open = Effect.fnUntraced(function* (segments: Segments) {
  const ledger = new CrawlLedger()
  const blocks = yield* attempt("read", () => recover(ledger, segments))
  let group = new Group()
  /** The documents of the group that is being written. */
  let leaving: ReadonlyArray<Uint8Array> = []
  let written = blocks.reduce((sum, { count }) => sum + count, 0)
  /** The write in progress: the next one waits for it. */
  let writing: Deferred.Deferred<void, StoreError> | undefined
  let isBroken = false
  let waking = yield* Deferred.make<void>()

  const write = Effect.suspend(() => {
    const own = group
    group = new Group()
    leaving = own.documents
    return attempt("write", async () => {
      for (const block of await append(segments, own)) blocks.push({ first: written, ...block })
      written += own.documents.length
      leaving = []
    })
  })

  /** One group at a time. */
  const flush: Effect.Effect<void, StoreError> = Effect.suspend(() => {
    const before = writing
    if (before !== undefined) return Effect.andThen(Deferred.await(before), flush)
    if (group.records.length === 0) return Effect.void
    const own = Deferred.makeUnsafe<void, StoreError>()
    writing = own
    return Effect.onExit(write, (exit) => {
      // After a failed write, nothing more may be written.
      if (exit._tag === "Success") writing = undefined
      else isBroken = true
      return Deferred.done(own, exit)
    })
  }).pipe(Effect.uninterruptible)

  const rounds = Effect.gen(function* () {
    for (;;) {
      if (group.bytes < groupBytes) yield* Effect.timeoutOption(Deferred.await(waking), groupMillis)
      waking = yield* Deferred.make<void>()
      yield* flush
    }
  })
  yield* Effect.forkScoped(Effect.ignore(rounds))
  yield* Effect.addFinalizer(() => Effect.ignore(flush))

  const file: LedgerFile = {
    ledger,
    blocks,
    flush,
    leaveOut: (urls) => {
      group.without = urls
    },
    take: (record, documents = [], pages = []) =>
      Effect.suspend(() => {
        // Fails as the write that failed did.
        if (isBroken) return flush
        ledger.apply(record)
        group.add(record, documents, pages)
        if (group.bytes < groupBytes) return Effect.void
        return group.bytes < mostBytes ? Effect.asVoid(Deferred.succeed(waking, undefined)) : flush
      }),
    document: (page) =>
      Effect.suspend(() => {
        const known = blocks.findLastIndex(({ first }) => first <= page)
        const block = blocks[known]
        if (block === undefined || page >= block.first + block.count) {
          const waiting = leaving[page - written] ?? group.documents[page - written - leaving.length]
          return Effect.succeed(waiting === undefined ? undefined : PageDocumentBytes.decode(waiting))
        }
        return attempt("read", async () => {
          const read = await segments.blocks.read(segments.blocks.places[known] ?? 0)
          return read === undefined ? undefined : PageBlock.decode(read.bytes).document(page - block.first)
        })
      })
  }
  return file
})

/** What has gathered since the last write. */
class Group {
  readonly records: Array<LedgerRecord> = []
  readonly documents: Array<Uint8Array> = []
  readonly known: Array<KnownPage> = []
  /** The pages that are marked as unknown. */
  without: ReadonlyArray<string> = []
  /** About how much there is to write. */
  bytes = 0

  add(record: LedgerRecord, documents: ReadonlyArray<Uint8Array>, pages: ReadonlyArray<KnownPage>): void {
    this.records.push(record)
    this.known.push(...pages)
    this.bytes += pages.length * knownBytes
    for (const document of documents) {
      this.documents.push(document)
      this.bytes += document.length
    }
  }
}

/** Writes a group. Returns its block of documents, if it has any. */
const append = async (
  segments: Segments,
  { documents, known, records, without }: Group
): Promise<ReadonlyArray<Omit<DocumentBlock, "first">>> => {
  const pages = knownBlocks(known, without)
  const block = documents.length === 0 ? [] : [PageBlock.encode(documents)]
  const own = block.map(({ length }) => ({ count: documents.length, bytes: length }))
  const written: WrittenGroup = { blocks: own, known: pages.length, records }
  const line = Buffer.from(`${JSON.stringify(written)}\n`)
  await Promise.all([
    ...(block.length === 0 ? [] : [segments.blocks.append(block)]),
    ...(pages.length === 0 ? [] : [segments.known.append(pages)]),
    segments.progress.append([line])
  ])
  return own
}

/** Reads the groups that were written completely, and removes the remains of others. */
const recover = async (
  ledger: CrawlLedger,
  { blocks, known: pages, progress }: Segments
): Promise<Array<DocumentBlock>> => {
  const known: Array<DocumentBlock> = []
  let first = 0
  let groups = 0
  let remembered = 0
  for (const place of progress.places) {
    const block = await progress.read(place)
    if (block === undefined) break
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `append` wrote it, and its checksum held
    const group = JSON.parse(block.bytes.toString("utf8")) as WrittenGroup
    if (known.length + group.blocks.length > blocks.places.length) break
    if (remembered + group.known > pages.places.length) break
    remembered += group.known
    for (const { bytes, count } of group.blocks) {
      known.push({ first, count, bytes })
      first += count
    }
    for (const record of group.records) ledger.apply(record)
    groups += 1
  }
  await progress.keep(groups)
  await blocks.keep(known.length)
  await pages.keep(remembered)
  return known
}

interface WrittenGroup {
  readonly blocks: ReadonlyArray<Omit<DocumentBlock, "first">>
  /** How many blocks of known pages belong to the group. */
  readonly known: number
  readonly records: ReadonlyArray<LedgerRecord>
}

const knownBlocks = (pages: ReadonlyArray<KnownPage>, without: ReadonlyArray<string>): ReadonlyArray<Buffer> => [
  ...(pages.length === 0 ? [] : [KnownPages.encode({ pages })]),
  ...(without.length === 0 ? [] : [KnownPages.encode({ without })])
]

/** A group is written at this size, or after this time. */
const groupBytes = 256 * 1024
const groupMillis = 250
/** At this many unwritten bytes, `take` waits for the write. */
const mostBytes = 4 * 1024 * 1024

/** The approximate size of a known page's record. */
const knownBytes = 500

/** File calls cannot be stopped half-way, so an interruption waits for them. */
const attempt = <A>(doing: "read" | "write", run: () => Promise<A>): Effect.Effect<A, StoreError> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) => {
        return new StoreError({
          message: `cannot ${doing} the pages of the crawl: ${systemReason(cause)}`,
          isRetryable: false,
          cause
        })
      }
    })
  )
