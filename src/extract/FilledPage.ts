/**
 * A page's data with where each value comes from, as the ledger of a job keeps it.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Considered, Engine, Unsupported, ValueSource } from "#contract/Extract"
import * as PageUrl from "#contract/PageUrl"
import { CrawlStore } from "#web/CrawlStore"
import type { Known } from "#web/LeadVisit"
import * as Candidates from "./Candidates.ts"
import type { Filled } from "./Extractor.ts"
import type { Score } from "./linkScore.ts"

export interface FilledPage {
  readonly url: string
  readonly filled: Filled
  readonly place?: PagePosition
}

/** Where a page stands among the pages of its job, whichever ended first. */
interface PagePosition {
  /** Hops from a page that was given or found first. */
  readonly depth: number
  /** How promising its URL is. */
  readonly score: number
  /** Its number in the ledger. Where `depth` is 0 it is the order in which pages were given. */
  readonly seq: number
}

/** `scoreOf`: how promising a URL is, as it was when the page was chosen. */
export const placeOf = ({ depth, row: { seq, url } }: Known, scoreOf: Score): PagePosition => ({
  depth,
  score: scoreOf(url, ""),
  seq
})

/** The page is known. */
const { url: _, ...evidence } = ValueSource.fields

const Stored = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    data: Schema.Json,
    sources: Schema.Array(
      Schema.Tuple([
        Schema.String,
        Schema.Struct({ ...evidence, kind: Schema.Literals(Candidates.kinds), span: ValueSource.fields.span.schema })
      ])
    ),
    missing: Schema.Array(Schema.String),
    unclear: Schema.optionalKey(Schema.Array(Schema.String)),
    unsupported: Schema.optionalKey(Schema.Array(Unsupported)),
    considered: Schema.optionalKey(Schema.Array(Considered)),
    engine: Engine,
    tokens: Schema.Finite,
    place: Schema.optionalKey(Schema.Struct({ depth: Schema.Finite, score: Schema.Finite, seq: Schema.Finite }))
  })
)

export const encode = ({ filled, place, url }: FilledPage): string => {
  const { considered, data, engine, missing, sources, tokens, unclear, unsupported } = filled
  const lists = { missing, unclear, unsupported, considered }
  return JSON.stringify({ url, data, sources: [...sources], ...lists, engine, tokens, place })
}

/** What was not written by `encode` is a defect: nobody else writes there. */
const decode = (text: string): Effect.Effect<FilledPage> =>
  Effect.map(Effect.orDie(decodeStored(text)), ({ place, sources, url, ...filled }) => ({
    url,
    filled: { ...filled, sources: new Map(sources) },
    ...(place === undefined ? {} : { place })
  }))

/** Every page that a job has filled, in the order they ended. */
export const all = Effect.fnUntraced(function* (jobId: string) {
  const store = yield* CrawlStore
  const pages: Array<FilledPage> = []
  for (;;) {
    const { documents } = yield* store.chunk(jobId, pages.length, together)
    if (documents.length === 0) return pages
    for (const document of documents) pages.push(yield* decode(document))
  }
})

const together = 200

/** The same pages in an order that is the same each time: what was given first, then the nearest, the most promising, by their URLs. */
export const inOrder = (pages: ReadonlyArray<FilledPage>): ReadonlyArray<FilledPage> => pages.toSorted(byPlace)

/** What a data provider gave, and pages that an older version has kept, come before all others, as they are. */
const unplaced: PagePosition = { depth: -1, score: 0, seq: 0 }

const byPlace = (a: FilledPage, b: FilledPage): number => {
  const [one, other] = [a.place ?? unplaced, b.place ?? unplaced]
  const nearer = one.depth - other.depth
  if (nearer !== 0) return nearer
  if (one.depth <= 0) return one.seq - other.seq
  return other.score - one.score || PageUrl.compare(a.url, b.url)
}

const decodeStored = Schema.decodeUnknownEffect(Stored)
