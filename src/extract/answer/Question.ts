/**
 * A question in plain language: its words that say something, and what kind of thing would answer it.
 *
 * Words of grammar and of asking have no meaning here, in each language that is known; the remaining words decide.
 */
import { byPhrase, type Concept } from "../match/Concepts.ts"

export interface Question {
  readonly text: string
  readonly terms: ReadonlyArray<Term>
  /** How an answer is written; undefined: any way. */
  readonly kind: Kind | undefined
  /** What a text as a whole says is asked for. */
  readonly isBroad: boolean
}

export interface Term {
  readonly stem: string
  /** Whether it says little of what is asked for: an "annual" fee is a fee. */
  readonly isLight: boolean
  readonly concept: Concept | undefined
}

export type Kind = "money" | "date" | "count" | "author" | "person" | "email" | "phone"

/** The questions of a prompt; none: it asks in no such way. */
export const all = (prompt: string): ReadonlyArray<Question> => {
  const found: Array<Question> = []
  for (const text of clauses(prompt)) {
    if (!isQuestion.test(text) && !questionMark.test(text)) continue
    const own = termsOf(text)
    // "And how many votes did they get" goes on about what was asked before.
    const isOpen = pronoun.test(text) || own.length === 0
    const before = isOpen ? (found.at(-1)?.terms ?? []) : []
    const known = new Set(own.map(({ stem }) => stem))
    const terms = [...own, ...before.filter(({ stem }) => !known.has(stem))].slice(0, maxTerms)
    found.push({
      text: text.replace(/^[^\p{L}\p{N}]+|\s+$/gu, ""),
      terms,
      kind: kindOf(text, own),
      isBroad: broad.test(text)
    })
    if (found.length === most) break
  }
  return found
}

/** All of a text as one question, however it is put. */
export const of = (text: string): Question => {
  const own = termsOf(text.slice(0, maxPrompt)).slice(0, maxTerms)
  return { text, terms: own, kind: kindOf(text, own), isBroad: broad.test(text) }
}

/**
 * Whether a question can be held against a page in this language, so that a page without an answer does not answer it: it has
 * words that ask for something, in a grammar that is known, which is that of the page. "Tarif?" is a word, in any language.
 */
export const isUnderstood = (text: string, pageLanguage: string | undefined): boolean => {
  const words = plainOf(text).match(/[\p{L}\p{N}]+/gu) ?? []
  if (!words.some((word) => !silent.has(word))) return false
  if (words.length === 1) return true
  const known = Array.from(grammars, ([language, grammar]) => {
    const count = words.filter((word) => grammar.has(word)).length
    return { language, count }
  })
  const most = Math.max(...known.map(({ count }) => count))
  const tongue = pageLanguage?.toLowerCase().split(/[-_]/, 1)[0]
  return most > 0 && known.some(({ count, language }) => count === most && (tongue ?? language) === language)
}

/** Whether a question does nothing but name what pages have names for: "What is the price?" */
export const isName = ({ terms, text }: Question): boolean =>
  naming.test(text) && terms.length > 0 && terms.every(({ concept }) => concept !== undefined)

const naming =
  /^\W*(?:what(?:['’]s| is| are| was| were)|was (?:ist|sind)|wie lautet|quel(?:le)?s? (?:est|sont)|cu[aá]l(?:es)? (?:es|son)|quale? (?:è|sono))\s/iu

/** A word without its endings, so that "meets" is "meeting"; writing without blanks in pairs of signs. */
export const stemsOf = (text: string): ReadonlyArray<string> =>
  plainOf(text)
    .match(/[\p{L}\p{N}]+/gu)
    ?.flatMap((word) => (script.test(word) ? pairsOf(word) : silent.has(word) ? [] : [stemOf(word)])) ?? []

const most = 8
const maxTerms = 24
const maxPrompt = 2000

const clauses = (prompt: string): ReadonlyArray<string> =>
  prompt
    .slice(0, maxPrompt)
    .split(
      /(?<=[?？؟!。.;\n])\s*|,?\s+(?:and|und|et|y|e)\s+(?=(?:who|what|when|where|which|why|how|is|are|does|do|did|can|wer|was|wann|wo|wie|welche|qui|que|quand|quel|comment|combien|qué|quién|cuándo|cuánto|cómo)\b)/iu
    )
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** The mark of a question: also those of Chinese and Japanese, and of Arabic, Persian and Urdu. */
const questionMark = /[?？؟]\s*$/

const isQuestion =
  /^\W*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|does|do|did|can|could|may|must|should|has|have|will|wer|wem|was|wann|wo|warum|wie|welche[rsmn]?|gibt|kann|darf|ist|sind|qui|quand|où|pourquoi|comment|combien|quel(?:le)?s?|est-ce|qu['’]est-ce|quién|qué|cuándo|dónde|cuánto|cuántos|cuál|cómo|chi|quando|dove|quanto|quale|come)\b/iu

/** "It" is what the page is about, more often than not. */
const pronoun = /\b(?:they|them|their|he|she|his|her|er|sie|ihn|ihr|elle|ils|elles|lui)\b/iu

const broad =
  /^\W*(?:what|who|was)\b.{0,80}\b(?:say|says|said|about|sagt)\b|\b(?:summar\w+|overview|describe[sd]?|worum|de quoi|de qu[eé]|di cosa)\b/iu

const kindOf = (text: string, terms: ReadonlyArray<Term>): Kind | undefined => {
  if (terms.some(({ concept }) => concept?.id === "author")) return "author"
  for (const [kind, asks] of kinds) if (asks.test(text)) return kind
  for (const { concept } of terms) {
    if (concept?.kind === "money" || concept?.kind === "date" || concept?.kind === "email" || concept?.kind === "phone")
      return concept.kind
  }
  return undefined
}

const kinds: ReadonlyArray<readonly [Kind, RegExp]> = [
  ["money", /\bhow much\b|\bcosts?\b|\bprice\b|\bkoste[nt]\b|\bteuer\b|\bco[uû]te\b|\bcuesta\b|\bcosta\b/iu],
  [
    "count",
    /\bhow (?:many|long|old|far|big|heavy|tall|high|deep|wide)\b|\bwie ?(?:viele?|lange|alt|weit|gro[sß]+|schwer)\b|\bcombien\b|\bcu[aá]nt[oa]s\b/iu
  ],
  ["date", /^\W*(?:when|wann|quand|cu[aá]ndo|quando)\b|\bwhat (?:day|date|time|year)\b|\bsince when\b/iu],
  ["person", /^\W*(?:who|wer|qui|qui[eé]n|chi)\b/iu]
]

const termsOf = (text: string): ReadonlyArray<Term> => {
  const found = new Map<string, Term>()
  const words = plainOf(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const phrases = phrasesIn(words)
  for (const [i, word] of words.entries()) {
    if (silent.has(word)) continue
    const concept = phrases.get(i) ?? byPhrase.get(word) ?? byPhrase.get(word.replace(/s$/, ""))
    for (const stem of script.test(word) ? pairsOf(word) : [stemOf(word)])
      if (!found.has(stem)) found.set(stem, { stem, concept, isLight: light.has(word) })
  }
  return [...found.values()]
}

/** What several words together mean, "who made it", by the place of each. */
const phrasesIn = (words: ReadonlyArray<string>): ReadonlyMap<number, Concept> => {
  const found = new Map<number, Concept>()
  for (let at = 0; at < words.length; at++) {
    for (let count = Math.min(4, words.length - at); count > 1; count--) {
      const concept = byPhrase.get(words.slice(at, at + count).join(" "))
      if (concept === undefined) continue
      for (let i = 0; i < count; i++) found.set(at + i, concept)
      at += count - 1
      break
    }
  }
  return found
}

const plainOf = (text: string): string => text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "")

const stemOf = (written: string): string => {
  // "Membership" speaks of members.
  const word = written.replace(article, "").replace(/(?<=\p{L}{5})(?:ships?|schaft)$/u, "")
  const bare = word.length > 4 ? word.replace(/(?:ings?|edly|ed|es|s|en|et|er|e|t|ent|ez)$/u, "") : word
  return (bare.length < 3 ? word : bare).slice(0, 8)
}

/** The article of Arabic is written with its word, after a word of grammar of one letter. */
const article = /^[وبكف]?ال(?=\p{L}{3})/u

/** Writing systems that set no blanks between words. */
const script = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const pairsOf = (word: string): ReadonlyArray<string> => {
  const signs = [...word].slice(0, 200)
  if (signs.length < 2) return signs
  // What is written in hiragana only is grammar.
  return signs.slice(1).flatMap((sign, i) => {
    const pair = `${signs[i] ?? ""}${sign}`
    return grammar.test(pair) ? [] : [pair]
  })
}

const grammar = /^\p{Script=Hiragana}+$/u

const light: ReadonlySet<string> = new Set(
  "annual yearly monthly weekly daily total average current usual usually regular exact exactly jahrlich monatlich annuel mensuel anual mensual".split(
    " "
  )
)

/** Words of grammar and of asking, by language. */
const grammarOf: Readonly<Record<string, string>> = {
  en:
    "a an the and or of to in on at by for from with as is are was were be been do does did has have had can could may might must shall should will would " +
    "who whom whose what when where which why how that this these those there here it its they them their he she his her i you we me us my your our if so not no yes any some somebody someone anybody anyone " +
    "about say says said tell show give get got find please page site website much many long old",
  de: "der die das des dem den ein eine einer eines und oder von zu im in am auf mit fur ist sind war wer was wann wo warum wie welche welcher welches wird werden hat haben es er sie ich wir man kann darf gibt hoch",
  fr: "le la les l un une des du de et ou a au aux en sur par pour avec est sont qui que quoi quand ou quel quelle quels quelles comment combien il elle ils elles on se ce cette",
  es: "el los las un una unos y o del al en con por para es son quien que cuando donde cuanto cuanta cual como su se lo",
  it: "il lo gli i un una e di da in con per su che chi quando dove quanto quale come si",
  ar: "من ما ماذا هو هي هم كم اين متى كيف هل في على عن الى او هذا هذه"
}

const grammars: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(grammarOf).map(([language, words]) => [language, new Set(words.split(" "))])
)
const silent: ReadonlySet<string> = new Set(Object.values(grammarOf).flatMap((words) => words.split(" ")))
