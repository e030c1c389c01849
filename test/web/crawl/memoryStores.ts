/**
 * The stores of the crawler in memory: what a crawl needs of a store, without SQL and without a service.
 *
 * Each operation is one step, so it is whole or absent. What else is written with it (`also`) goes first: where that fails,
 * nothing is written.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Limits from "#contract/Limits"
import type { CrawlIdentity, Ended } from "#web/CrawlIdentity"
import { CrawlStore } from "#web/CrawlStore"
import { type Change, countsOf, type DiscoveredUrl, type Failure, type Traits } from "#web/CrawlUrl"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { ScrapeStore } from "#web/ScrapeStore"
import { documentText } from "../../service/serviceParts.ts"

/** A URL of the ledger with what is known of its page. */
interface Row extends DiscoveredUrl {
  readonly traits?: Traits | undefined
  readonly page?: number | undefined
  /** What was asked for, where that is decided. */
  readonly source?: string
}

/** A job with all it has. */
interface Entry {
  job: Job
  stopAsked: boolean
  result: string | undefined
  credits: number
  readonly rows: Map<number, Row>
  readonly spellings: Map<number, Set<string>>
  readonly documents: Map<number, string>
  readonly failures: Array<Failure & { readonly createdAt: number }>
  /** Whether documents are kept back, or in their places, which are these. */
  holds: boolean
  places: ReadonlyArray<Row> | undefined
  routes: boolean
}

const make = Effect.sync(() => {
  const entries = new Map<string, Entry>()

  /** The job, by who runs it; one that has ended interrupts. */
  const running = (id: string) =>
    Effect.suspend(() => {
      const entry = entries.get(id)
      return entry?.job.status === "scraping" ? Effect.succeed(entry) : Effect.interrupt
    })
  const write = (id: string, writing: (entry: Entry) => void) => Effect.map(running(id), writing)
  const read = <A>(id: string, reading: (entry: Entry) => A, none: A) =>
    Effect.sync(() => {
      const entry = entries.get(id)
      return entry === undefined ? none : reading(entry)
    })

  const jobs = JobStore.of({
    create: (job) => Effect.sync(() => void entries.set(job.id, entryOf(job))),
    get: (id) => Effect.sync(() => Option.map(Option.fromUndefinedOr(entries.get(id)), ({ job }) => job)),
    active: (teamId, kind) =>
      Effect.sync(() =>
        [...entries.values()]
          .map(({ job }) => job)
          .filter((job) => job.teamId === teamId && job.kind === kind && job.status === "scraping")
      ),
    finish: Effect.fnUntraced(function* (id, own) {
      const entry = entries.get(id)
      if (entry?.job.status !== "scraping") return false
      const end = entry.stopAsked ? (own.ifAskedToStop ?? own) : own
      if (end.also !== undefined) yield* end.also
      const completedAt = yield* Clock.currentTimeMillis
      entry.job = { ...entry.job, status: end.status, completedAt, error: end.error ?? null }
      entry.result = end.result
      entry.credits += end.credits ?? 0
      for (const row of rowsOf(entry)) if (row.state === "queued") update(entry, row.seq, { state: "left" })
      return true
    }),
    result: (id) => read(id, ({ result }) => Option.fromUndefinedOr(result), Option.none()),
    warn: (id, warning) =>
      read(
        id,
        (entry) => {
          entry.job = { ...entry.job, warning: entry.job.warning ?? warning }
        },
        undefined
      ),
    askToStop: (id) =>
      Effect.sync(() => {
        const entry = entries.get(id)
        if (entry?.job.status !== "scraping") return "ended"
        if (entry.stopAsked) return "asked before"
        entry.stopAsked = true
        return "asked"
      }),
    isAskedToStop: (id) => read(id, ({ stopAsked }) => stopAsked, false),
    expire: (before) =>
      Effect.sync(() => {
        for (const [id, { job }] of entries) if ((job.completedAt ?? before) < before) entries.delete(id)
      })
  })

  const identity: CrawlIdentity = {
    hold: (id) => write(id, (entry) => void (entry.holds = true)),
    hasRoutes: (id) => read(id, ({ routes }) => routes, false),
    keepRoutes: (id) => write(id, (entry) => void (entry.routes = true)),
    spellingsOfWaiting: (id) =>
      read(
        id,
        (entry) =>
          rowsOf(entry)
            .filter(({ state }) => state === "queued")
            .flatMap(({ seq, url }) => spellingsOf(entry, seq).map((other) => ({ seq, url, other }))),
        []
      ),
    respell: (id, seq, url) => write(id, (entry) => respell(entry, seq, url)),
    ended: (id, after, limit) =>
      read(id, (entry) => endedOf(entry, ({ seq, state }) => seq > after && /scraped|alias/.test(state), limit), []),
    traits: (id, depth, after, limit) =>
      read(
        id,
        (entry) =>
          endedOf(entry, (row) => row.seq > after && row.depth === depth && row.state === "scraped", limit).filter(
            ({ meaning, template }) => meaning !== null || template !== null
          ),
        []
      ),
    some: (id, seqs) => read(id, (entry) => endedOf(entry, ({ seq }) => seqs.includes(seq)), []),
    spellings: (id, seq) => read(id, (entry) => spellingsOf(entry, seq), []),
    document: (id, page) =>
      read(
        id,
        ({ documents }): unknown => {
          const text = documents.get(page)
          return text === undefined ? undefined : JSON.parse(text)
        },
        undefined
      ),
    keptSpellings: (id) => read(id, ({ places }) => places?.map(landedOf), undefined),
    indexFiles: (_teamId, id) =>
      read(id, (entry) => rowsOf(entry).flatMap(({ url }) => (url.includes("/index.") ? [url] : [])), []),
    place: (id, decisions, failed) =>
      write(id, (entry) => {
        for (const { depth, from, merged, seq, source, url } of decisions) {
          update(entry, seq, { landed: url, source, depth, from })
          for (const row of rowsOf(entry)) {
            if (merged.includes(row.seq)) update(entry, row.seq, { state: "alias", aliasOf: seq })
            else if (merged.includes(row.from ?? -1)) update(entry, row.seq, { from: seq })
          }
        }
        const renamed = new Map(failed)
        const failures = entry.failures.map((failure) => ({ ...failure, url: renamed.get(failure.url) ?? failure.url }))
        entry.failures.splice(0, Infinity, ...failures)
        entry.places = rowsOf(entry)
          .filter(({ page, state }) => state === "scraped" && page !== undefined)
          .toSorted((a, b) => (landedOf(a) < landedOf(b) ? -1 : 1))
        entry.holds = false
      })
  }

  const isHeld = ({ holds, job }: Entry) => holds && job.status === "scraping"

  const pages = CrawlStore.of({
    wasRead: () => Effect.void,
    begin: () => Effect.succeed([]),
    putBack: () => Effect.void,
    discover: (id, urls, changes = []) =>
      write(id, (entry) => {
        enter(entry, urls)
        learn(entry, changes)
      }),
    append: (id, urls) =>
      Effect.sync(() => {
        const entry = entries.get(id)
        if (entry?.job.status !== "scraping") return false
        enter(entry, urls(Math.max(-1, ...entry.rows.keys()) + 1))
        return true
      }),
    urls: (id, after, limit) =>
      read(
        id,
        (entry) =>
          rowsOf(entry)
            .filter(({ seq }) => seq > after)
            .slice(0, limit),
        []
      ),
    waiting: (id, after, limit, depth = Number.POSITIVE_INFINITY) =>
      read(
        id,
        (entry) =>
          rowsOf(entry)
            .filter((row) => row.seq > after && row.state === "queued" && row.depth <= depth)
            .slice(0, limit),
        []
      ),
    drop: (id, dropped) =>
      write(id, (entry) => {
        for (const { seq, ...end } of dropped) update(entry, seq, end)
      }),
    fail: Effect.fnUntraced(function* (id, failures) {
      const createdAt = yield* Clock.currentTimeMillis
      yield* write(id, (entry) => void entry.failures.push(...failures.map((failure) => ({ ...failure, createdAt }))))
    }),
    identity,
    queued: (teamId) =>
      Effect.sync(() =>
        [...entries.values()]
          .filter(({ job }) => job.teamId === teamId && job.status === "scraping")
          .reduce((sum, entry) => sum + countsOf(rowsOf(entry)).queued, 0)
      ),
    count: (id) => read(id, (entry) => (isHeld(entry) ? 0 : countsOf(rowsOf(entry)).scraped), 0),
    settle: Effect.fnUntraced(function* (id, settlements) {
      yield* running(id)
      for (const { also } of settlements) if (also !== undefined) yield* also
      const createdAt = yield* Clock.currentTimeMillis
      yield* write(id, (entry) => {
        for (const { discovered } of settlements) enter(entry, discovered)
        for (const { aliasOf, changes = [], failures, landedKey: key, overtaken = [], page, ...own } of settlements) {
          const { seq, state, traits } = own
          update(entry, seq, {
            state,
            key,
            aliasOf: aliasOf ?? null,
            traits,
            landed: traits?.landed ?? null,
            page: page?.seq
          })
          for (const other of overtaken) update(entry, other, { state: "alias", aliasOf: seq })
          if (page !== undefined) entry.documents.set(page.seq, documentText(page.document))
          entry.credits += page?.credits ?? 0
          entry.failures.push(...failures.map((failure) => ({ ...failure, createdAt })))
          learn(entry, changes)
        }
      })
    }),
    ledger: (id) => read(id, (entry) => ledgerOf(countsOf(rowsOf(entry)), entry.credits), ledgerOf(countsOf([]), 0)),
    blocked: (id) =>
      read(id, (entry) => rowsOf(entry).flatMap(({ state, url }) => (state === "blocked" ? [url] : [])), []),
    failures: (id) => read(id, ({ failures }) => [...failures], []),
    chunk: (id, skip, limit) =>
      read(
        id,
        (entry) => {
          const all = isHeld(entry) ? [] : told(entry)
          const documents = fitting(all.slice(skip, skip + limit))
          const { scraped } = countsOf(rowsOf(entry))
          return { documents, remaining: Math.max(0, scraped - skip - documents.length) }
        },
        { documents: [], remaining: 0 }
      )
  })

  return Context.make(JobStore, jobs).pipe(Context.add(CrawlStore, pages), Context.add(ScrapeStore, scrapes()))
})

/** A store of the crawler, empty each time it is built. */
export const layerMemory = Layer.effectContext(make)

const entryOf = (job: Job): Entry => ({
  job,
  stopAsked: false,
  result: undefined,
  credits: 0,
  rows: new Map(),
  spellings: new Map(),
  documents: new Map(),
  failures: [],
  holds: false,
  places: undefined,
  routes: false
})

const rowsOf = ({ rows }: Entry): ReadonlyArray<Row> => [...rows.values()].toSorted((a, b) => a.seq - b.seq)

const landedOf = ({ landed, url }: Row): string => landed ?? url

const enter = ({ rows }: Entry, urls: ReadonlyArray<DiscoveredUrl>): void => {
  for (const url of urls) rows.set(url.seq, url)
}

const update = ({ rows }: Entry, seq: number, fields: Partial<Row>): void => {
  const row = rows.get(seq)
  if (row !== undefined) rows.set(seq, { ...row, ...fields })
}

const spellingsOf = ({ spellings }: Entry, seq: number): ReadonlyArray<string> =>
  [...(spellings.get(seq) ?? [])].toSorted()

const spelled = ({ spellings }: Entry, seq: number, url: string): void =>
  void spellings.set(seq, new Set([...(spellings.get(seq) ?? []), url]))

const respell = (entry: Entry, seq: number, url: string): void => {
  const before = entry.rows.get(seq)?.url
  if (before !== undefined) spelled(entry, seq, before)
  update(entry, seq, { url })
}

const learn = (entry: Entry, changes: ReadonlyArray<Change>): void => {
  for (const change of changes) {
    if (change._tag === "From") update(entry, change.seq, { from: change.from })
    else if (change._tag === "Spelling") spelled(entry, change.seq, change.url)
    else {
      if (change.url !== undefined) respell(entry, change.seq, change.url)
      update(entry, change.seq, { depth: change.depth, kind: change.kind, from: null })
    }
  }
}

const endedOf = (entry: Entry, isWanted: (row: Row) => boolean, limit = Infinity): ReadonlyArray<Ended> =>
  rowsOf(entry)
    .filter(isWanted)
    .slice(0, limit)
    .flatMap(({ aliasOf = null, depth, from = null, landed = null, page = null, seq, state, traits, url }) => {
      if (state !== "scraped" && state !== "alias" && state !== "failed") return []
      const { canonical = null, content = null, meaning = null, template = null } = traits ?? {}
      return [{ seq, url, state, depth, from, aliasOf, landed, canonical, content, meaning, template, page }]
    })

const ledgerOf = ({ alias, blocked, failed, left, queued, scraped }: ReturnType<typeof countsOf>, credits: number) => ({
  discovered: scraped + failed + blocked + left + queued,
  scraped,
  failed,
  blocked,
  left,
  queued,
  aliases: alias,
  credits
})

/** Documents in the order they were finished, or in their places, with the identity that their pages have there. */
const told = (entry: Entry): ReadonlyArray<string> => {
  const { documents, places, rows } = entry
  if (places === undefined) return [...documents].toSorted(([a], [b]) => a - b).map(([, document]) => document)
  return places.map((row) => {
    const { metadata, ...formats } = JSON.parse(documents.get(row.page ?? -1) ?? "{}")
    const from = rows.get(row.from ?? -1)
    const origin = from === undefined ? {} : { discoveredFrom: landedOf(from) }
    const own = { sourceURL: row.source ?? row.url, url: landedOf(row), depth: row.depth, ...origin }
    return JSON.stringify({ ...formats, metadata: { ...metadata, ...own } })
  })
}

const fitting = (documents: ReadonlyArray<string>): ReadonlyArray<string> => {
  let bytes = 0
  const over = documents.findIndex((text, at) => (bytes += Buffer.byteLength(text)) > Limits.maxChunkBytes && at > 0)
  return over === -1 ? documents : documents.slice(0, over)
}

/** Remembers nothing of single pages. */
const scrapes = () =>
  ScrapeStore.of({
    copy: () => Effect.succeedNone,
    keep: () => Effect.void,
    snapshot: () => Effect.succeedNone,
    remember: () => Effect.void,
    result: () => Effect.succeedNone,
    keepResult: () => Effect.void,
    isRendered: () => Effect.succeed(false),
    noteRendered: () => Effect.void
  })
