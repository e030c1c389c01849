/**
 * Answers a query from the index: what it cites first, then what its words find, the best passage of each.
 *
 * The same index and query give the same answer; the version of a section that is meant comes before its others. The
 * amount of work is limited, however large the index is.
 */
import * as Effect from "effect/Effect"
import { isDullInLaw } from "#base/dullWords"
import { wordsIn } from "#base/Words"
import * as Jurisdiction from "../corpus/Jurisdiction.ts"
import type { GovAnswer, GovHit } from "../GovIndex.ts"
import * as HitTitle from "../HitTitle.ts"
import * as Query from "../query/Query.ts"
import { alternatives } from "../query/synonyms.ts"
import type { KnownDocument, Vocabulary } from "../query/Vocabulary.ts"
import { passage } from "../rank/passage.ts"
import * as Relevance from "../rank/Relevance.ts"
import * as Terms from "../rank/Terms.ts"
import * as Citation from "../text/Citation.ts"
import { absent, namesCode } from "./absent.ts"
import { type Candidate, GovStore } from "./GovStore.ts"
import type { Sought } from "./GovWords.ts"

/** What there is to search. */
export interface Index {
  readonly vocabulary: Vocabulary
  readonly sections: number
  readonly lengths: Relevance.Lengths
  /** How many sections contain a word, of words that were in queries. It grows as queries come. */
  readonly having: Map<string, number>
}

export const answer = Effect.fn("GovIndex.answer")(function* (text: string, k: number, index: Index) {
  const store = yield* GovStore
  const query = Query.read(text, index.vocabulary)
  const { gone, sections: named } = yield* citedSections(query, index.vocabulary)
  const { isOfCode, near, warning } = yield* absent(gone, named.length === 0, query, index.vocabulary.documents)
  const cited = nearest(near?.map((id) => ({ id, tier: tiers.cited, paragraph: "" })) ?? named)
  const terms = yield* termsOf(query, index)
  const found = near === undefined ? yield* searchFor(query, terms, index.vocabulary) : new Map<number, number>()
  const documentOf = ({ documentId }: Pick<Candidate, "documentId">) => index.vocabulary.documents.get(documentId)

  const queryWords = wordsIn(query.undated).join(" ")
  const isNamed = ({ heading }: Pick<Candidate, "heading">): boolean =>
    queryWords !== "" && wordsIn(heading).join(" ") === queryWords
  const sections = (yield* store.found([...new Set([...cited.keys(), ...likelyOf(found)])], query.isText)).filter(
    (section) => isOfCode?.(documentOf(section)) ?? true
  )
  const relevance = Relevance.of(
    sections.map(({ words }) => words),
    terms,
    index.lengths
  )
  const ranked = sections.map((section, at): Member => {
    const { run = 0, runInNotes = 0, score = 0 } = relevance[at] ?? {}
    const copied = query.isText
      ? Math.max(run >= copiedShare ? run : 0, runInNotes >= copiedShare ? notesShare * runInNotes : 0)
      : 0
    const { paragraph = "", tier = tiers.found } = cited.get(section.id) ?? {}
    // If the query only names a part, its sections come in their order.
    const isListed = tier === tiers.within && query.words.length === 0
    const relevant = isListed ? 1 : score + inNotes * (found.get(section.id) ?? 0)
    return {
      ...section,
      tier: isNamed(section) ? tiers.named : copied > 0 ? -copied : tier,
      paragraph,
      score: relevant * standing(section, documentOf(section), query)
    }
  })
  const all = bySection(cited.size === 0 ? ranked : oneCopy(ranked))
  const groups = (query.statuses.has("guidance") ? all : lawFirst(all)).slice(0, k)
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
    .toSorted(byRank)
    .slice(0, k)
  const texts = yield* store.texts(hits.map(({ id }) => id))
  const answered: GovAnswer = {
    hits: hits.map((one) => hitOf(one, passage(texts.get(one.id) ?? "", terms, one.paragraph), documentOf(one))),
    ...(warning === undefined ? {} : { warning })
  }
  return answered
})

/** If several sections contain a copied sentence with a citation, only the best one keeps its rank before cited sections. */
const oneCopy = (members: ReadonlyArray<Member>): ReadonlyArray<Member> => {
  const isCopy = ({ tier }: Member): boolean => tier < 0 && tier > tiers.named
  const [best] = members.filter(isCopy).toSorted((a, b) => byRank({ ...a, at: a.id }, { ...b, at: b.id }))
  return members.map((one) => (isCopy(one) && one.identity !== best?.identity ? { ...one, tier: tiers.found } : one))
}

/** The best tier of each section: a query may cite it in several ways. */
const nearest = (cited: ReadonlyArray<CitedSection>): ReadonlyMap<number, CitedSection> =>
  new Map(cited.toSorted((a, b) => b.tier - a.tier).map((one) => [one.id, one]))

/** A section that contains at least this share of the query in runs of words is the source of the copied text. */
const copiedShare = 0.75

/** Copied notes come behind copied law. */
const notesShare = 0.5

/** The weight of the rank by which the database finds a section, for sections that are otherwise alike. */
const inNotes = 0.01

/** The factor for each further version of a section. */
const otherVersion = 0.6

const hitOf = (one: Candidate, text: string, document: KnownDocument | undefined): GovHit => {
  const version = one.version === "" ? (document?.version ?? "") : one.version
  const { citation, heading, status, url } = one
  const title = HitTitle.format({ citation, heading, jurisdiction: document?.jurisdiction ?? "", status, version })
  return { title, url, description: text === "" ? heading : text }
}

interface Group extends Order {
  readonly identity: string
  /** The paragraph that is cited, or "". */
  readonly paragraph: string
}

/** One version of a section that was found. */
interface Member extends Pick<Candidate, "id" | "identity"> {
  readonly tier: number
  readonly score: number
  readonly paragraph: string
}

/*
 * A section among the answers, with all of its versions.
 *
 * Cited sections come first, then sections inside a cited text, then sections found by words (`tier`). Within a tier, the score
 * decides; for equal scores, the position in the index.
 */

/** One group for each section, over all versions that were found. */
const bySection = (members: ReadonlyArray<Member>): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const { id, identity, paragraph, score, tier } of members) {
    const known = groups.get(identity)
    groups.set(identity, {
      identity,
      score: Math.max(score, known?.score ?? score),
      tier: Math.min(tier, known?.tier ?? tier),
      paragraph: paragraph === "" ? (known?.paragraph ?? "") : paragraph,
      at: Math.min(id, known?.at ?? id)
    })
  }
  return [...groups.values()].toSorted(byRank)
}

/** Puts a section before its official interpretation if both were found: the law counts more. */
const lawFirst = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const explaining = new Map(
    groups.flatMap((one) =>
      one.identity.endsWith(explains) ? [[one.identity.slice(0, -explains.length), one] as const] : []
    )
  )
  return groups
    .map((one) => {
      const other = explaining.get(one.identity)
      return other === undefined || other.score <= one.score ? one : { ...one, score: other.score * 1.001 }
    })
    .toSorted(byRank)
}

/** The identity of an official interpretation is that of its section and this suffix. */
const explains = "/interp"

interface Order {
  readonly tier: number
  readonly score: number
  /** The position in the index, which is the order in the file. */
  readonly at: number
}

const byRank = (a: Order, b: Order): number => a.tier - b.tier || b.score - a.score || a.at - b.at

/** How well a section matches what the query cites; lower is better. Sections found only by words come last. */
const tiers = { named: -2, copied: -1, explains: 0, asWritten: 1, cited: 2, within: 3, found: 4 } as const

interface CitedSection {
  readonly id: number
  readonly tier: number
  /** "(a)(1)", or "". */
  readonly paragraph: string
}

/**
 * The sections that a query cites.
 *
 * The first reading of a citation that names anything counts. If a number is in several codes, those that the query
 * names count, or all of them if it names none. A citation in the form of the text is always understood. A number alone
 * is a citation only if its text is named.
 */
const citedSections = Effect.fnUntraced(function* (query: Query.Query, { documents }: Vocabulary) {
  const store = yield* GovStore
  const { bare, cited, mentions, statuses, text } = query
  const all = [...cited, ...bare]
  const wholes = Citation.wholeKeys(text)
  const rows = yield* store.keyed([...new Set([...all.flatMap(({ keys }) => keys), ...wholes])])
  if (rows.length === 0) return { sections: [], gone: cited.filter((one) => namesCode(one, text)) }
  const places = new Map((yield* store.places(rows.map(({ id }) => id))).map((one) => [one.id, one]))
  const named = mentions.filter(({ documents }) => documents.size > 0)
  const documentOf = ({ id }: { readonly id: number }): number => places.get(id)?.documentId ?? -1
  const isNamed = (row: { readonly id: number }): boolean =>
    named.length > 0 && named.every(({ documents }) => documents.has(documentOf(row)))
  const isNamedAtAll = (row: { readonly id: number }): boolean =>
    named.some(({ documents, kind }) => kind !== "jurisdiction" && documents.has(documentOf(row)))
  const isGuidance = ({ id }: { readonly id: number }): boolean => places.get(id)?.status === "guidance"

  // A number is of the code whose state the query names, if it names one.
  const state = Jurisdiction.codeIn(text)?.root
  const isThere = (row: { readonly id: number; readonly key: string }): boolean =>
    state === undefined ||
    !/^[ns]\//.test(row.key) ||
    documents.get(documentOf(row))?.identity.startsWith(`${state}/`) === true
  const [whole] = wholes.map((key) => rows.filter((row) => row.key === key)).filter((some) => some.length > 0)
  const read = all.flatMap(({ isBare, keys, paragraph }): ReadonlyArray<CitedSection> => {
    for (const key of keys) {
      const own = rows.filter((row) => row.key === key && isThere(row))
      const exact = own.filter(({ isExact }) => isExact)
      // If the query asks for guidance on a section, its interpretation comes first, then the section.
      const guidance = statuses.has("guidance") && !isBare ? own.filter(isGuidance) : []
      const hits = exact.length > 0 ? exact : own
      const meant = [hits.filter(isNamed), hits.filter(isNamedAtAll), isBare ? [] : hits].find(
        (some) => some.length > 0
      )
      if (meant === undefined) continue
      const tier = exact.length > 0 ? tiers.cited : tiers.within
      return [
        ...meant.map(({ id }) => ({ id, tier, paragraph })),
        ...guidance.map(({ id }) => ({ id, tier: tiers.explains, paragraph }))
      ]
    }
    return []
  })
  const paragraph = cited[0]?.paragraph ?? ""
  const gone = cited.filter(
    (one) => namesCode(one, text) && !rows.some((row) => one.keys.includes(row.key) && isThere(row))
  )
  return {
    sections: [...(whole ?? []).map(({ id }) => ({ id, tier: tiers.asWritten, paragraph })), ...read],
    gone: whole === undefined ? gone : []
  }
})

/**
 * The factor of a section's score for its status and for the names in the query.
 *
 * Texts in force count more than earlier ones, law counts more than guidance and bills, and texts of a named place, code or
 * agency count more than others. A factor never removes a section.
 */
const standing = (
  candidate: Pick<Candidate, "status" | "documentId">,
  document: KnownDocument | undefined,
  query: Query.Query
): number => {
  const { collections, mentions, statuses } = query
  let factor = statuses.has(candidate.status) ? 1.25 : byStatus[candidate.status]
  if (document !== undefined && collections.has(document.collection)) factor *= 1.25
  for (const kind of ["jurisdiction", "collection", "issuer", "document"] as const) {
    const named = mentions.filter((mention) => mention.kind === kind && mention.documents.size > 0)
    if (named.length === 0) continue
    const isOne = named.some(({ documents }) => documents.has(candidate.documentId))
    factor *= isOne ? byMention[kind] : 1
  }
  return factor
}

const byStatus = { "in force": 1, reproduction: 0.85, guidance: 0.8, bill: 0.75, historical: 0.6 }
const byMention = { jurisdiction: 3, collection: 3, issuer: 2.2, document: 2 }

/**
 * Orders the versions of a section: the one that a query means comes first.
 *
 * These count, in this order: the words of a version in the query ("enrolled", "permanent", "117-80"); if the query names a
 * day, the last version that had begun by then; not being historical; for a bill, the latest stage; the newest day.
 *
 * `versions`: of one section.
 */
export const inOrder = <A extends Candidate>(versions: ReadonlyArray<A>, query: Query.Query): ReadonlyArray<A> =>
  versions.toSorted(
    (a, b) =>
      wished(b, query) - wished(a, query) ||
      (query.asOf === undefined ? 0 : asOf(b, query.asOf) - asOf(a, query.asOf)) ||
      standingOf(b) - standingOf(a) ||
      stage(b) - stage(a) ||
      compare(dayOf(b), dayOf(a)) ||
      release(b) - release(a) ||
      a.id - b.id
  )

/** The share of the words of the version that are in the query. */
const wished = ({ status, version }: Candidate, { statuses, versionWords }: Query.Query): number => {
  const own = wordsIn(version).filter((word) => !vague.has(word) && (word.length > 2 || /\d/.test(word)))
  const matches = own.filter((word) => versionWords.has(word)).length
  const share = own.length === 0 ? 0 : matches / own.length
  return share + (status === "historical" && statuses.has("historical") ? 0.5 : 0)
}

/** Words that all stages of a bill share. */
const vague = new Set(["bill", "text", "version", "the", "print", "act", "section"])

/**
 * Positive: the version was law on that day, and of several the last is higher. Negative: it begins later or has ended; 0: it has
 * no day.
 */
const asOf = (candidate: Candidate, day: string): number => {
  const own = dayOf(candidate)
  const { effectiveUntil } = candidate
  if (own === "" && effectiveUntil === undefined) return 0
  const days = own === "" ? 1 : Date.parse(own) / 86_400_000 + 1_000_000
  return own <= day && (effectiveUntil === undefined || day < effectiveUntil) ? days : -days
}

const dayOf = ({ adopted, effective, versionDate }: Candidate): string => effective ?? versionDate ?? adopted ?? ""

const standingOf = ({ status }: Candidate): number => (status === "historical" ? 0 : 1)

/** The stages of a bill, in order. The days of bills are often missing. */
const stages = ["introduced", "reported", "placed", "engrossed", "received", "referred", "passed", "enrolled", "public"]
const stage = ({ status, version }: Candidate): number => {
  if (status !== "bill") return -1
  const lower = version.toLowerCase()
  return stages.findLastIndex((name) => lower.includes(name))
}

/** The number of a release, for codes that have no days: "Release 81". */
const release = ({ version }: Candidate): number => Number(/^release (\d+)\b/i.exec(version)?.[1] ?? 0)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The terms of a query, weighed by how rare they are among so many sections. */
const termsOf = Effect.fnUntraced(function* (query: Query.Query, { having: known, sections }: Index) {
  const terms = askedOf(query)
  const texts = terms.flatMap(({ others, word }) => [word, ...others]).flatMap(wordsIn)
  const having = yield* countHaving([...new Set(texts)], known)
  const rarityOf = (word: string): number => Terms.rarity(having.get(word) ?? 0, sections)
  const weighted = terms.map(({ others, share, word }): Terms.Term => {
    const rarity = rarityOf(word)
    // A synonym that is more common than the word itself counts less.
    const other = Math.min(rarity, Math.max(0, ...others.flatMap(wordsIn).map(rarityOf)))
    const found = [word, ...others].flatMap(wordsIn).reduce((sum, one) => sum + (having.get(one) ?? 0), 0)
    return { word, weight: rarity * share, others, otherWeight: other * share * otherShare, sections: found }
  })
  const rarest = weighted.toSorted((a, b) => b.weight - a.weight).slice(0, maxWords)
  return Terms.of(rarest, wordsIn(query.undated).slice(0, maxSaid))
})

/** The database counts a word by reading all that has it, so common words are counted once. */
const countHaving = Effect.fnUntraced(function* (words: ReadonlyArray<string>, known: Map<string, number>) {
  const store = yield* GovStore
  const fresh = yield* store.having(words.filter((word) => !known.has(word)))
  const having = new Map(words.map((word) => [word, known.get(word) ?? fresh.get(word) ?? 0]))
  if (known.size > mostCounted) known.clear()
  for (const [word, sections] of fresh) known.set(word, sections)
  return having
})

const mostCounted = 20_000

interface WordShare {
  readonly word: string
  readonly share: number
  readonly others: ReadonlyArray<string>
}

const askedOf = ({ cited, hints, mentions, nameWords, words: about }: Query.Query): ReadonlyArray<WordShare> => {
  const own = about.map((word): WordShare => ({ word, share: 1, others: alternatives(word) }))
  const names = nameWords.map((word): WordShare => ({ word, share: about.length === 0 ? 1 : nameShare, others: [] }))
  // If the index has no text of a named agency, the name is searched for in the texts of others.
  const agencies = mentions.flatMap(({ documents, phrase }) =>
    phrase === undefined || documents.size > 0
      ? []
      : wordsIn(phrase).map((word): WordShare => ({ word, share: 0.7, others: [] }))
  )
  // A query that is only a citation also finds the texts that cite the same.
  const citing =
    about.length > 0 ? [] : cited.flatMap(({ keys: [key] }) => (key === undefined ? [] : [Citation.written(key)]))
  const all = [
    ...own,
    ...names,
    ...agencies.filter(({ word }) => !isDullInLaw(word)),
    ...hints.map((word): WordShare => ({ word, share: hintShare, others: [] })),
    ...citing.map((word): WordShare => ({ word, share: 1, others: [] }))
  ]
  return [...new Map(all.toReversed().map((one) => [one.word, one])).values()].toReversed()
}

/*
 * What the words of a query find.
 *
 * Of a long query only the rarest words are searched for, and runs of words as they stand in it, which find the text that it
 * was copied from; names are searched too, with less weight. If the query names a place, a code or an agency, its texts are
 * also searched separately, so that many other hits do not hide them.
 */

/** Sections that may answer, each with a rank by words; 1: the best one. */
const searchFor = Effect.fnUntraced(function* (
  { isText, mentions, phrases, undated }: Query.Query,
  terms: Terms.Terms,
  { documents }: Vocabulary
) {
  const store = yield* GovStore
  const any = soughtOf(undated, terms)
  if (any.length === 0 && phrases.length === 0) return new Map<number, number>()
  const named = mentions.filter((mention) => mention.documents.size > 0)
  const there =
    named.length === 0 ? [] : [...documents.keys()].filter((id) => named.every((mention) => mention.documents.has(id)))
  const where = { documents: there.length > maxDocuments ? [] : there, limit: manyCandidates, hasNotes: isText }
  const strict = yield* store.matching(any, phrases, where)
  const isStrict = strict.everywhere.length > 0 || phrases.length === 0 || any.length === 0
  const matched = isStrict ? strict : yield* store.matching(any, [], where)
  const phraseHits =
    any.length === 0 || (phrases.length > 0 && strict.everywhere.length > 0) ? [] : yield* store.saidOf(any, manySaid)
  const all = new Map([...matched.everywhere, ...matched.there.slice(0, manyNamed)].map(({ id, rank }) => [id, rank]))
  const best = Math.max(...all.values(), 1e-9)
  const shares = [...all].map(([id, rank]) => [id, Math.max(0, rank / best)] as const)
  return new Map([...phraseHits.map(({ id }) => [id, 0] as const), ...shares])
})

/** Each term, other words for it, and the query in runs of a few words. */
const soughtOf = (text: string, { all }: Terms.Terms): ReadonlyArray<Sought> => {
  const words = wordsIn(text).slice(0, maxSaid)
  const runs = Array.from({ length: Math.floor(words.length / runLength) }, (_, at) =>
    words.slice(at * runLength, (at + 1) * runLength).join(" ")
  )
  const heaviest = Math.max(0, ...all.map(({ weight }) => weight))
  const runWeight = heaviest * Math.max(1, runFactor / runs.length)
  const sought = [
    ...deciding(all).flatMap(({ others, otherWeight, weight, word }) => [
      { text: word, weight },
      ...others.map((text) => ({ text, weight: otherWeight }))
    ]),
    ...runs.map((run) => ({ text: run, weight: runWeight }))
  ]
  return [...new Map(sought.toReversed().map((one) => [one.text, one])).values()].toReversed()
}

/**
 * The terms that decide which sections may answer: the heaviest, until they are in enough sections. What other terms there are
 * only orders these sections, so the work grows with what is found and not with what is stored.
 */
const deciding = (terms: ReadonlyArray<Terms.Term>): ReadonlyArray<Terms.Term> => {
  let sections = 0
  return terms
    .toSorted((a, b) => b.weight - a.weight)
    .filter((term, at) => {
      const isNeeded = at < fewTerms || sections < enoughSections
      if (isNeeded) sections += term.sections ?? 0
      return isNeeded
    })
}

const fewTerms = 3
const enoughSections = 12_000

/** Of the sections that may answer, those whose words are read: the best by words, and those that others cite with these words. */
const likelyOf = (found: ReadonlyMap<number, number>): ReadonlyArray<number> => {
  const cited = [...found].filter(([, share]) => share === 0).map(([id]) => id)
  const best = [...found].filter(([, share]) => share > 0).toSorted(([, a], [, b]) => b - a)
  return [...best.slice(0, manyRead).map(([id]) => id), ...cited]
}

const manyRead = 100
const manyCandidates = 200
const manyNamed = 100
const manySaid = 50

/** A name that stands for more does not help to find. */
const maxDocuments = 500

/** Words of a long query that are searched for; and those that are read at all. */
const maxWords = 20
const maxSaid = 100

/** Words of a run that are searched for as they stand. */
const runLength = 4
/** What the runs of a short query count together: more than a word that stands often and in the heading. */
const runFactor = 4

const nameShare = 0.35
const hintShare = 0.25
/** What another word for a term counts beside it. */
const otherShare = 0.7
