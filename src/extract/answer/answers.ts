/**
 * The passages of a page that answer the questions of a prompt, one for each.
 *
 * The shape is stable: `{ answers: [{ question, answer, relevance }] }`, the answer as the page says it. A question
 * without a matching passage has no answer: null, and listed as missing.
 */
import type { Json } from "#contract/JsonSchema"
import type { PassageAnswer } from "#web/PageAnswers"
import type { Extracted, Source } from "../Candidates.ts"
import { byPhrase, type Concept, type ConceptKind, generic, weekdays, withoutMarks } from "../match/Concepts.ts"
import * as Names from "../match/Names.ts"
import { pricesIn } from "../read/shown/priceIn.ts"
import * as Day from "../value/Day.ts"
import { areHours, daysIn } from "../value/WeekHours.ts"
import type { Passage } from "./Passages.ts"
import * as Passages from "./Passages.ts"
import * as Question from "./Question.ts"
import { type Kind, stemsOf, type Term } from "./Question.ts"

export const answersOf = (questions: ReadonlyArray<Question.Question>, passages: Passages.Passages): Extracted => {
  const sources = new Map<string, Source>()
  const missing: Array<string> = []
  const read = readOf(passages)
  const titled = titledBy(passages)
  const answers = questions.map((question, i): Json => {
    const best = bestOf(question, read, titled)
    const at = `/answers/${i}/answer`
    if (best === undefined) missing.push(at)
    else sources.set(at, best.passage.source)
    return {
      question: question.text,
      answer: best?.passage.text ?? null,
      relevance: best === undefined ? 0 : Math.round(Math.min(1, best.score / full) * 100) / 100
    }
  })
  return { data: { answers }, sources, missing }
}

/** The passages that answer a question best, in the order of the page; what says what another has said is left out. */
const passagesFor = (question: Question.Question, passages: Passages.Passages, most: number): ReadonlyArray<string> => {
  const titled = titledBy(passages)
  const ranked = rank(question, readOf(passages), titled).toSorted((a, b) => b.score - a.score)
  const chosen: Array<Passage> = []
  for (const { passage } of ranked) {
    if (chosen.length === most) break
    if (!chosen.some(({ text }) => text.includes(passage.text) || passage.text.includes(text))) chosen.push(passage)
  }
  return chosen.toSorted((a, b) => a.source.span[0] - b.source.span[0]).map(({ text }) => text)
}

const readOf = ({ all, language }: Passages.Passages): ReadonlyArray<Read> =>
  all.map((passage): Read => {
    const stems = new Set(stemsOf(passage.text))
    const heading = new Set(stemsOf(passage.heading ?? ""))
    const { label } = passage
    const concept = label === undefined ? undefined : Names.conceptOf(Names.parse(label))?.id
    return { passage, stems, heading, concept, means: of(passage.text, language) }
  })

/** Whether the page or its site is called by a word, also by a part of a longer one: "Stadtbibliothek". */
type Titled = (stem: string) => boolean

const titledBy = ({ site, title }: Passages.Passages): Titled => {
  const called = `${title} ${site}`
  const stems = new Set(stemsOf(called))
  const plain = called.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "")
  return (stem) => stems.has(stem) || (stem.length >= 6 && plain.includes(stem))
}

interface Read {
  readonly passage: Passage
  readonly stems: ReadonlySet<string>
  readonly heading: ReadonlySet<string>
  readonly concept: string | undefined
  readonly means: Meanings
}

interface Best {
  readonly passage: Passage
  readonly score: number
}

/** A passage says more than half of what is asked, the rarer words more; a score of 1.3 says all of it. */
const enough = 0.55
const full = 1.3

const bestOf = (question: Question.Question, read: ReadonlyArray<Read>, titled: Titled): Best | undefined => {
  let best: Best | undefined
  for (const one of rank(question, read, titled)) if (best === undefined || one.score > best.score + 1e-9) best = one
  return best
}

/** What says enough of what is asked, in the order of the page. */
const rank = (question: Question.Question, read: ReadonlyArray<Read>, titled: Titled): ReadonlyArray<Best> => {
  const weights = weightsOf(question, read)
  const lead = read.find(({ passage }) => passage.isLead)
  const found: Array<Best> = []
  for (const one of read) {
    const coverage = coverageOf(question, weights, one, titled)
    if (!isAnswer(question, coverage, one)) continue
    const score = scoreOf(question, coverage, one, one === lead)
    if (score >= enough) found.push({ passage: one.passage, score })
  }
  return found
}

/** What each word of a question weighs. */
const weightsOf = ({ terms }: Question.Question, read: ReadonlyArray<Read>): ReadonlyArray<number> =>
  terms.map((term) => {
    const having = read.filter((one) => speaksOf(term.stem, one)).length
    return Math.log(1 + (read.length + 1) / (having + 0.5)) * (term.isLight ? 0.3 : 1)
  })

/** How much of a question a passage says. */
interface Coverage {
  /** The share of all its words, by their weights. */
  readonly share: number
  /** Words that it says itself. */
  readonly own: number
  /** Words that it does not speak of, without the light ones. */
  readonly open: number
  readonly subjects: number
}

const coverageOf = (
  question: Question.Question,
  weights: ReadonlyArray<number>,
  one: Read,
  titled: Titled
): Coverage => {
  let [all, matched, own, open, subjects] = [0, 0, 0, 0, 0]
  for (const [i, term] of question.terms.entries()) {
    const weight = weights[i] ?? 0
    const share = metBy(term, one, titled)
    all += weight
    matched += weight * share
    if (share > 0.5) own++
    else if (share === 0 && !term.isLight) open++
    if (share >= 0.5 && isSubject(term, question)) subjects++
  }
  return { share: all === 0 ? 0 : matched / all, own, open, subjects }
}

const isAnswer = (question: Question.Question, { open, own, share, subjects }: Coverage, one: Read): boolean => {
  const { isBroad, terms } = question
  // A text that says no more than the question is not an answer: a heading, a link.
  if (!saysMore(one, terms)) return false
  // A sum of something else is not what a room costs.
  if (subjects === 0 && terms.some((term) => isSubject(term, question))) return false
  // The hours of a day are not those of something that the page does not speak of.
  if (one.means.hours !== undefined && open > 0) return false
  return (own > 0 && share >= enough * 0.8) || (isBroad && one.passage.isLead)
}

const scoreOf = (
  { isBroad, kind, terms }: Question.Question,
  { share }: Coverage,
  one: Read,
  isFirstLead: boolean
): number => {
  const { isLead, text, weight } = one.passage
  const isOfKind = kind !== undefined && (says(kind, text) || (kind === "date" && one.means.hours !== undefined))
  const ofKind = kind === undefined ? 0 : isOfKind ? 0.25 : kind === "person" ? 0 : -0.35
  // Of what says as much the shorter is better.
  const brief = 0.12 * Math.max(0, 1 - text.length / 400)
  const named = terms.some(({ concept }) => concept !== undefined && concept.id === one.concept) ? 0.05 : 0
  const leading = isBroad && isLead ? (isFirstLead ? 0.75 : 0.65) : 0
  return (share + ofKind + brief + named + leading) * weight
}

/** Whether a word says of what a sum is asked for. */
const isSubject = ({ concept, isLight }: Term, { kind }: Question.Question): boolean =>
  kind === "money" && !isLight && concept?.kind !== "money"

const saysMore = ({ stems }: Read, terms: ReadonlyArray<Term>): boolean => {
  const wanted = new Set(terms.map(({ stem }) => stem))
  for (const stem of stems) if (!wanted.has(stem)) return true
  return false
}

/** How far a passage speaks of a word: in its text, under such a label or heading, by how it is written. */
const metBy = (
  { concept, stem }: Term,
  { concept: label, heading, means, passage, stems }: Read,
  titled: Titled
): number => {
  const day = dayOf(concept)
  if (day !== undefined) return stems.has(stem) || means.days.has(day) ? 1 : 0
  if (stems.has(stem) || (concept !== undefined && concept.id === label)) return 1
  if (concept?.id === "author" && says("author", passage.text)) return 1
  // Under a question stands its answer; a heading that speaks of more is about something else, a little.
  if (heading.has(stem)) return /[?？]$/.test(passage.heading ?? "") ? 0.9 : 0.5 + 0.2 / heading.size ** 0.5
  if (concept !== undefined && isKind(concept.kind) && says(concept.kind, passage.text)) return 0.8
  if (concept !== undefined && means.concepts.has(concept.id)) return 0.8
  if (isAkin(stem, stems)) return 0.8
  if (isAkin(stem, heading)) return 0.5
  return titled(stem) ? 0.5 : 0
}

const speaksOf = (stem: string, { heading, stems }: Read): boolean =>
  stems.has(stem) || heading.has(stem) || isAkin(stem, stems) || isAkin(stem, heading)

/** "Member" and "membership": one begins with all of the other. */
const isAkin = (stem: string, others: ReadonlySet<string>): boolean => {
  if (stem.length < 6) return false
  for (const other of others) if (other.length >= 6 && (other.startsWith(stem) || stem.startsWith(other))) return true
  return false
}

const isKind = (kind: string): kind is Kind => kind in patterns

const says = (kind: Kind, text: string): boolean => patterns[kind](text)

const patterns: Readonly<Record<Kind, (text: string) => boolean>> = {
  money: (text) => pricesIn(text.slice(0, 400)).length > 0,
  date: (text) =>
    Day.all(text.slice(0, 400)).length > 0 ||
    /\b(?:1[5-9]|20)\d{2}\b|\d[:.h]\d{2}\b|\d\s?(?:am|pm|uhr|h)\b/i.test(text) ||
    times.test(text),
  count: (text) => /\d/.test(text),
  author: (text) => signed.test(text.slice(0, 200)),
  person: (text) => /\p{Lu}[\p{L}'’.-]+\s+(?:\p{Lu}|von |van |de )[\p{L}'’-]*/u.test(text),
  email: (text) => text.includes("@"),
  phone: (text) => /\d[\d ()/.-]{5,}\d/.test(text)
}

/** A line that is signed: "By Ada Rook", not "and by it". */
const signed =
  /^\W*(?:[Ww]ritten )?(?:[Bb]y|[Aa]uthor|[Vv]on|[Pp]ar|[Pp]or|[Aa]utor|[Aa]uteur|[Dd]i|[Dd]oor)[:\s]\s*\p{Lu}/u
const times =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b|\b(?:lunes|martes|miercoles|miércoles|jueves|viernes|sabado|sábado|domingo)\b|\b(?:daily|weekly|monthly|noon|midnight|täglich|dienstags|freitags)\b/iu

/**
 * The meanings of a passage: the concepts of its words for sums and durations, and the days of the week whose opening hours it
 * states. "Mon–Fri: 9–18" states those of five days.
 */
interface Meanings {
  readonly concepts: ReadonlySet<string>
  /** Monday is 0. */
  readonly days: ReadonlySet<number>
  /** The hours; undefined: the passage does not state the hours of days. */
  readonly hours: string | undefined
}

const of = (text: string, language: string | undefined): Meanings => {
  const [, label = "", hours = ""] = text.length > maxLine ? [] : (dayLine.exec(text) ?? [])
  const days = areHours(hours.trim()) ? daysIn(label, language) : []
  if (days.length > 0) return { concepts: ofHours, days: new Set(days), hours }
  const concepts = new Set<string>()
  for (const word of withoutMarks(text.slice(0, maxText))
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []) {
    const concept = byPhrase.get(word) ?? byPhrase.get(word.replace(/s$/, ""))
    if (concept !== undefined && kinds.has(concept.kind) && !generic.has(concept.id)) concepts.add(concept.id)
  }
  return { concepts, days: none, hours: undefined }
}

/** The day of the week that a word of a question means; undefined: it means no day. */
const dayOf = (concept: Concept | undefined): number | undefined => {
  const day = concept === undefined ? -1 : days.indexOf(concept.id)
  return day === -1 ? undefined : day
}

const days = [...weekdays]
const maxLine = 100
const maxText = 700
const dayLine = /^([^:：]{2,40})[:：]\s*(.+)$/s
const none: ReadonlySet<number> = new Set()
const ofHours: ReadonlySet<string> = new Set(["opens", "closes", "time"])
/** Words of other kinds have too many meanings. */
const kinds: ReadonlySet<ConceptKind> = new Set(["money", "duration"])

/** What a page says to a question, and of a subject: passages as they stand there, by rules. */
export const answerOf = (html: string, url: string, question: string): PassageAnswer => {
  const questions = Question.all(question)
  const passages = Passages.read(html, url)
  const answers = (questions.length === 0 ? [Question.of(question)] : questions).flatMap((one) =>
    passagesFor(one, passages, 1)
  )
  return answers.length === 0
    ? { isUnderstood: Question.isUnderstood(question, passages.language) }
    : { text: [...new Set(answers)].join("\n\n"), isUnderstood: true }
}

export const highlightsOf = (html: string, url: string, query: string): ReadonlyArray<string> =>
  passagesFor(Question.of(query), Passages.read(html, url), mostHighlights)

const mostHighlights = 5
