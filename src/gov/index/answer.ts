/**
 * Answers a query from the index: what it cites first, then what its words find, the best passage of each.
 *
 * The same index and query give the same answer; the version of a section that is meant comes before its others. The
 * amount of work is limited, however large the index is.
 */
import * as Effect from "effect/Effect"
import * as HitTitle from "../HitTitle.ts"
import * as Query from "../query/Query.ts"
import type { KnownDocument, Vocabulary } from "../query/Vocabulary.ts"
import * as Group from "../rank/Group.ts"
import { type Passage, passage } from "../rank/passage.ts"
import * as Score from "../rank/Score.ts"
import * as Terms from "../rank/Terms.ts"
import * as versions from "../rank/versions.ts"
import { type CitedSection, citedSections, tiers } from "./citedSections.ts"
import type { GovHit } from "./GovIndex.ts"
import { type Candidate, GovStore } from "./GovStore.ts"
import { phrasesOf, searchFor, termsOf } from "./searchFor.ts"

/** What there is to search. */
export interface Index {
  readonly vocabulary: Vocabulary
  readonly sections: number
}

export const answer = Effect.fn("GovIndex.answer")(function* (text: string, k: number, index: Index) {
  const store = yield* GovStore
  const query = Query.read(text, index.vocabulary)
  const cited = nearest(yield* citedSections(query))
  const terms = yield* termsOf(query, index.sections)
  const found = yield* searchFor(query, terms, index.vocabulary)
  const documentOf = ({ documentId }: Candidate) => index.vocabulary.documents.get(documentId)

  const scoreOf = (one: Candidate): Score.Score => {
    // Who names a part and nothing more wants it from its beginning.
    const isListed = cited.get(one.id)?.tier === tiers.within && query.words.length === 0
    return isListed
      ? Score.make(one, documentOf(one), query, noTerms, 1)
      : Score.make(one, documentOf(one), query, terms, found.get(one.id) ?? 0)
  }
  const candidates = yield* store.candidates([...new Set([...cited.keys(), ...found.keys()])])
  const groups = Group.make(candidates, scoreOf, cited).slice(0, Math.max(manyTexts, k))
  const all = Map.groupBy(yield* store.versions(groups.map(({ identity }) => identity)), ({ identity }) => identity)
  const whole = groups.flatMap((group) => {
    const [lead, ...others] = versions.inOrder(all.get(group.identity) ?? [], query)
    return lead === undefined ? [] : [{ ...group, lead, others }]
  })

  const passages = new Map<number, Passage>()
  const read = Effect.fnUntraced(function* (ones: ReadonlyArray<{ readonly id: number; readonly paragraph: string }>) {
    const fresh = ones.filter(({ id }) => !passages.has(id))
    const ids = fresh.map(({ id }) => id)
    const texts = yield* store.marked(ids, phrasesOf(terms))
    for (const { id, paragraph } of fresh) passages.set(id, passage(texts.get(id) ?? "", terms, paragraph))
  })
  yield* read(whole.map(({ lead, paragraph }) => ({ id: lead.id, paragraph })))

  const scored = whole.map((group) => {
    const own = passages.get(group.lead.id)
    return own === undefined ? group : { ...group, score: Score.withText(group.score, own) }
  })
  const hits = (query.statuses.has("guidance") ? scored : Group.lawFirst(scored))
    .flatMap(({ at, lead, others, paragraph, score, tier }) =>
      [lead, ...others].map((one, later) => ({
        ...one,
        paragraph,
        tier,
        at: at + later,
        score: Score.total(score) * otherVersion ** later
      }))
    )
    .toSorted(Group.inOrder)
    .slice(0, k)
  yield* read(hits)
  return hits.map((one) => hitOf(one, passages.get(one.id)?.text, documentOf(one)))
})

/** A section may be cited in several ways: the nearest counts. */
const nearest = (cited: ReadonlyArray<CitedSection>): ReadonlyMap<number, CitedSection> =>
  new Map(cited.toSorted((a, b) => b.tier - a.tier).map((one) => [one.id, one]))

const noTerms = Terms.make([])

/** Sections whose texts are looked at. */
const manyTexts = 40

/** What another version of a section counts beside the one that is meant. */
const otherVersion = 0.6

const hitOf = (one: Candidate, text: string | undefined, document: KnownDocument | undefined): GovHit => {
  const version = one.version === "" ? (document?.version ?? "") : one.version
  const { citation, heading, status, url } = one
  const title = HitTitle.make({ citation, heading, jurisdiction: document?.jurisdiction ?? "", status, version })
  return { title, url, description: text === undefined || text === "" ? heading : text }
}
