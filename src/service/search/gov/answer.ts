/**
 * Answers a query from the index: what it cites first, then what its words find, the best passage of each.
 *
 * The law: the same index and query give the same answer; the version of a section that is meant stands before its others.
 * What is looked at is limited, however large the index.
 */
import * as Effect from "effect/Effect"
import * as HitTitle from "../../../gov/HitTitle.ts"
import { type CitedSection, citedSections } from "./citedSections.ts"
import type { GovHit } from "./GovIndex.ts"
import { type Candidate, GovStore } from "./GovStore.ts"
import * as Query from "./query/Query.ts"
import type { KnownDocument, Vocabulary } from "./query/Vocabulary.ts"
import { type Passage, passage } from "./rank/passage.ts"
import { score } from "./rank/score.ts"
import * as Terms from "./rank/Terms.ts"
import * as versions from "./rank/versions.ts"
import { phrasesOf, searchFor, termsOf } from "./searchFor.ts"

/** What there is to search. */
export interface Index {
  readonly vocabulary: Vocabulary
  readonly sections: number
}

export const answer = Effect.fn("GovIndex.answer")(function* (
  text: string,
  k: number,
  { sections, vocabulary }: Index
) {
  const store = yield* GovStore
  const query = Query.read(text, vocabulary)
  const cited = new Map((yield* citedSections(query)).map((one) => [one.id, one]))
  const terms = yield* termsOf(query, sections)
  const found = yield* searchFor(query, terms, vocabulary)
  const any = phrasesOf(terms)

  const scoreOf = (one: Candidate): number => {
    // Who names a part and nothing more wants it from its beginning.
    const isListed = cited.get(one.id)?.tier === 1 && query.words.length === 0
    const document = vocabulary.documents.get(one.documentId)
    return isListed
      ? score(one, document, query, noTerms, 1)
      : score(one, document, query, terms, found.get(one.id) ?? 0)
  }
  const candidates = yield* store.candidates([...new Set([...cited.keys(), ...found.keys()])])
  const groups = grouped(candidates, scoreOf, cited).toSorted(byTier).slice(0, Math.max(manyTexts, k))
  const all = Map.groupBy(yield* store.versions(groups.map(({ identity }) => identity)), ({ identity }) => identity)
  const whole = groups.map((group) => ({ ...group, versions: versions.inOrder(all.get(group.identity) ?? [], query) }))

  const passages = new Map<number, Passage>()
  const read = Effect.fnUntraced(function* (ones: ReadonlyArray<{ readonly id: number; readonly paragraph: string }>) {
    const fresh = ones.filter(({ id }) => !passages.has(id))
    const texts = yield* store.marked(
      fresh.map(({ id }) => id),
      any
    )
    for (const { id, paragraph } of fresh) passages.set(id, passage(texts.get(id) ?? "", terms, paragraph))
  })
  yield* read(
    whole.flatMap(({ paragraph, versions: [lead] }) => (lead === undefined ? [] : [{ id: lead.id, paragraph }]))
  )

  const hits = whole
    .flatMap(({ at: place, paragraph, score, tier, versions }) => {
      const own = passages.get(versions[0]?.id ?? -1)
      const answering = score * (1 + 0.8 * (own?.coverage ?? 0) + 0.4 * (own?.whole ?? 0))
      return versions.map((one, at) => ({
        ...one,
        paragraph,
        tier,
        at: place + at,
        score: answering * otherVersion ** at
      }))
    })
    .toSorted(byTier)
    .slice(0, k)
  yield* read(hits)
  return hits.map((one) => hitOf(one, passages.get(one.id)?.text, vocabulary.documents.get(one.documentId)))
})

interface Group {
  readonly identity: string
  readonly score: number
  /** 0: it is cited; 1: it stands in what is cited; 2: words find it. */
  readonly tier: number
  readonly paragraph: string
  /** Where it stands in the index: as its file has it. */
  readonly at: number
}

/** One for each section, over all its versions. */
const grouped = (
  candidates: ReadonlyArray<Candidate>,
  scoreOf: (one: Candidate) => number,
  cited: ReadonlyMap<number, CitedSection>
): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const one of candidates) {
    const { paragraph = "", tier = 2 } = cited.get(one.id) ?? {}
    const known = groups.get(one.identity)
    const score = scoreOf(one)
    groups.set(one.identity, {
      identity: one.identity,
      score: Math.max(score, known?.score ?? 0),
      tier: Math.min(tier, known?.tier ?? tier),
      paragraph: paragraph === "" ? (known?.paragraph ?? "") : paragraph,
      at: Math.min(one.id, known?.at ?? one.id)
    })
  }
  return [...groups.values()]
}

const noTerms = Terms.make([])

const byTier = (a: { readonly tier: number; readonly score: number; readonly at: number }, b: typeof a): number =>
  a.tier - b.tier || b.score - a.score || a.at - b.at

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
