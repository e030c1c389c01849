/**
 * Answers a query from the index: what it cites first, then what its words find, the best passage of each.
 *
 * The same index and query give the same answer; the version of a section that is meant comes before its others. The
 * amount of work is limited, however large the index is.
 */
import * as Effect from "effect/Effect"
import { wordsIn } from "#base/Words"
import type { GovHit } from "../GovIndex.ts"
import * as HitTitle from "../HitTitle.ts"
import * as Query from "../query/Query.ts"
import type { KnownDocument, Vocabulary } from "../query/Vocabulary.ts"
import { passage } from "../rank/passage.ts"
import * as Relevance from "../rank/Relevance.ts"
import { type CitedSection, citedSections, tiers } from "./citedSections.ts"
import { type Candidate, GovStore } from "./GovStore.ts"
import * as Group from "./Group.ts"
import { searchFor, termsOf } from "./searchFor.ts"
import { standing } from "./standing.ts"
import { inOrder } from "./versions.ts"

/** What there is to search. */
export interface Index {
  readonly vocabulary: Vocabulary
  readonly sections: number
  readonly lengths: Relevance.Lengths
}

export const answer = Effect.fn("GovIndex.answer")(function* (text: string, k: number, index: Index) {
  const store = yield* GovStore
  const query = Query.read(text, index.vocabulary)
  const cited = nearest(yield* citedSections(query))
  const terms = yield* termsOf(query, index.sections)
  const found = yield* searchFor(query, terms, index.vocabulary)
  const documentOf = ({ documentId }: Candidate) => index.vocabulary.documents.get(documentId)

  const queryWords = wordsIn(text).join(" ")
  const isNamed = ({ heading }: Candidate): boolean => queryWords !== "" && wordsIn(heading).join(" ") === queryWords
  const sections = yield* store.found([...new Set([...cited.keys(), ...found.keys()])])
  const relevance = Relevance.of(sections, terms, index.lengths)
  const ranked = sections.map((section, at): Group.Member => {
    const { run = 0, score = 0 } = relevance[at] ?? {}
    const { paragraph = "", tier = tiers.found } = cited.get(section.id) ?? {}
    // If the query only names a part, its sections come in their order.
    const isListed = tier === tiers.within && query.words.length === 0
    const relevant = isListed ? 1 : score + inNotes * (found.get(section.id) ?? 0)
    return {
      ...section,
      tier: isNamed(section) ? tiers.named : query.isText && run >= copiedShare ? -run : tier,
      paragraph,
      score: relevant * standing(section, documentOf(section), query)
    }
  })
  const all = Group.bySection(cited.size === 0 ? ranked : oneCopy(ranked))
  const groups = (query.statuses.has("guidance") ? all : Group.lawFirst(all)).slice(0, Math.max(manySections, k))
  const versions = Map.groupBy(
    yield* store.versions(groups.map(({ identity }) => identity)),
    ({ identity }) => identity
  )
  const hits = groups
    .flatMap(({ at, identity, paragraph, score, tier }) =>
      inOrder(versions.get(identity) ?? [], query).map((one, later) => ({
        ...one,
        paragraph,
        tier,
        at: at + later,
        score: score * otherVersion ** later
      }))
    )
    .toSorted(Group.inOrder)
    .slice(0, k)
  const texts = yield* store.texts(hits.map(({ id }) => id))
  return hits.map((one) => hitOf(one, passage(texts.get(one.id) ?? "", terms, one.paragraph), documentOf(one)))
})

/** If several sections contain a copied sentence with a citation, only the best one keeps its rank before cited sections. */
const oneCopy = (members: ReadonlyArray<Group.Member>): ReadonlyArray<Group.Member> => {
  const isCopy = ({ tier }: Group.Member): boolean => tier < 0 && tier > tiers.named
  const [best] = members.filter(isCopy).toSorted((a, b) => Group.inOrder({ ...a, at: a.id }, { ...b, at: b.id }))
  return members.map((one) => (isCopy(one) && one.identity !== best?.identity ? { ...one, tier: tiers.found } : one))
}

/** The best tier of each section: a query may cite it in several ways. */
const nearest = (cited: ReadonlyArray<CitedSection>): ReadonlyMap<number, CitedSection> =>
  new Map(cited.toSorted((a, b) => b.tier - a.tier).map((one) => [one.id, one]))

/** The maximum number of sections whose versions are read. */
const manySections = 40

/** A section that contains at least this share of the query in runs of words is the source of the copied text. */
const copiedShare = 0.75

/** The weight of words that are only in the notes of a section. */
const inNotes = 0.01

/** The factor for each further version of a section. */
const otherVersion = 0.6

const hitOf = (one: Candidate, text: string, document: KnownDocument | undefined): GovHit => {
  const version = one.version === "" ? (document?.version ?? "") : one.version
  const { citation, heading, status, url } = one
  const title = HitTitle.format({ citation, heading, jurisdiction: document?.jurisdiction ?? "", status, version })
  return { title, url, description: text === "" ? heading : text }
}
