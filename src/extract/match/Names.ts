/**
 * Whether two names mean the same: `datePublished`, "Date published" and `advertised_on` do.
 *
 * A name is its words, each with the concept that it stands for (`Concepts`). The head is what is named, "currency" in
 * `price_currency` and "number" in `number_of_reviews`; the others say of what. Without the same head, two names are not
 * alike, and words that make a difference (`sale_price`) must be in both.
 */
import * as Currency from "../value/Currency.ts"
import * as Measure from "../value/Measure.ts"
import { byPhrase, type Concept, entities, owners, weekdays, withoutMarks } from "./Concepts.ts"

interface Token {
  readonly word: string
  readonly concept?: Concept
  readonly weight: number
  readonly isHead: boolean
}

export type Name = ReadonlyArray<Token>

/** A name in its words. */
export const parse = (name: string): Name => {
  const known = cache.get(name)
  if (known !== undefined) return known
  const found = tokensOf(wordsOf(withoutUnit(name)))
  if (cache.size > maxCache) cache.clear()
  cache.set(name, found)
  return found
}

/** The words of a sentence that say what a field is: those of its beginning. */
export const parseSentence = (sentence: string): Name => {
  const clause = sentence.slice(0, 200).split(/[.;,(:!?\n]/, 1)[0] ?? ""
  return tokensOf(wordsOf(clause).slice(0, 14)).slice(0, 6)
}

/**
 * How sure it is that `wanted` means what is named `own`, 0 to 1; `context` names what it is a part of, `around` what the
 * wanted one is a part of.
 */
export const likeness = (wanted: Name, own: Name, context: Name, around: Name = none): number => {
  if (wanted.length === 0 || own.length === 0) return 0
  let all = 0
  let matched = 0
  let head = 0
  let isOther = false
  let isOwnOther = false
  let ownHead = 0
  for (const token of wanted) {
    const here = best(token, own)
    // What a thing is a part of may say of what, and rarely what.
    const near = token.isHead ? 0.4 * best(token, context) : 0.9 * best(token, context)
    const like = Math.max(here, near)
    if (token.isHead) {
      head = like
      // Two days with different names differ: the day of publication is not the day of registration.
      isOwnOther ||= own.some(
        ({ concept, isHead }) => isHead && concept?.broader !== undefined && concept.broader === token.concept?.id
      )
    }
    if (like < 0.5 && isAnother(token)) return 0
    const isTold = like < 0.5 && telling.has(token.word) && wanted.length > 1
    isOther ||= like < 0.5 && isSpecial(token)
    all += isTold ? token.weight * 3 : token.weight
    matched += token.weight * like
  }
  let ownAll = 0
  let ownMet = 0
  for (const token of own) {
    const like = Math.max(best(token, wanted, false), 0.9 * best(token, around, false))
    if (like < 0.5 && isAnother(token)) return 0
    const isTold = like < 0.5 && telling.has(token.word) && own.length > 1
    if (token.isHead) ownHead = like
    isOwnOther ||= like < 0.5 && !token.isHead && token.weight > 0.3
    ownAll += isTold ? token.weight * 3 : token.weight
    ownMet += token.weight * like
  }
  // The count of a rating does not count the comments.
  const part = own.length === 1 && conceptOf(own)?.id === "count" ? context.at(-1) : undefined
  isOwnOther ||= part !== undefined && best(part, wanted, false) < 0.5
  const forWanted = matched / all
  const forOwn = ownMet / ownAll
  if (forWanted < 0.4 || forOwn < 0.35) return 0
  // A number of a section is not a number of a title.
  const isContrary = (isOther && isOwnOther) || isOwned(wanted, own, context)
  return (
    (0.55 * forWanted + 0.45 * forOwn) *
    (head < 0.5 || ownHead < 0.5 ? 0.5 : 1) *
    (isContrary || isTotalOfOther(wanted, own) ? 0.6 : 1)
  )
}

/** "Total points" is no total: nothing but a sum is, whatever day it is due. */
const isTotalOfOther = ([first, second]: Name, own: Name): boolean =>
  first?.word === "total" &&
  second === undefined &&
  own.some(({ concept }) => concept !== undefined && concept !== first.concept && !ofSums.has(concept.kind))

const ofSums: ReadonlySet<Concept["kind"]> = new Set(["money", "date"])

/** Whether a word says of what: "deed" of `deed_date`. The thing itself, `event_date`, says nothing more. */
export const isSpecial = ({ concept, isHead, weight }: Token): boolean =>
  !isHead && weight > 0.3 && !entities.has(concept?.id ?? "")

/** Whether it changes the word beside it ("deputy director"). Alone it is a name of its own ("assistant"). */
const isAnother = ({ concept, isHead, word }: Token): boolean =>
  !isHead && (another.has(word) || weekdays.has(concept?.id ?? ""))

/** Of whom or what a name is: a payee of a "payee name", which a column may call "Payee". Nobody of another name. */
export const ofName = (name: Name): Name => {
  const last = name.at(-1)
  return name.length > 1 && last?.isHead === true && last.word === "name"
    ? parse(
        name
          .slice(0, -1)
          .map(({ word }) => word)
          .join(" ")
      )
    : none
}

/** Whether two names are the same words. */
export const isSame = (a: Name, b: Name): boolean =>
  a.length > 0 && a.length === b.length && a.every(({ word }, i) => word === b[i]?.word)

/** Whether a name or an address of somebody or something is asked for that the other does not speak of. */
const isOwned = (wanted: Name, own: Name, context: Name): boolean => {
  const head = conceptOf(wanted)
  if (head === undefined || (head.id !== "title" && head.kind !== "url")) return false
  const isOfOther = (token: Token) => !token.isHead && token.weight > 0.3 && best(token, wanted, false) < 0.5
  if (head.kind === "url" && own.some(isOfOther)) return true
  return wanted.some(
    (token) =>
      !token.isHead &&
      (token.concept === undefined ? token.weight > 0.3 && head.kind === "url" : owners.has(token.concept.id)) &&
      best(token, own) < 0.5 &&
      best(token, context) < 0.5
  )
}

/** How much of a sentence's beginning is in a name. */
export const mentions = (sentence: Name, own: Name): number => {
  if (sentence.length === 0 || own.length === 0) return 0
  let ownAll = 0
  let ownMet = 0
  for (const token of own) {
    ownAll += token.weight
    ownMet += token.weight * best(token, sentence, false)
  }
  const [first] = sentence.filter((token) => token.weight > 0.3)
  const isFirst = first !== undefined && best(first, own) >= 0.7
  // "Name of the company" is not the name of the page.
  const isOwned = sentence.some((token) => owners.has(token.concept?.id ?? "") && best(token, own) < 0.5)
  return (ownMet / ownAll) * (isFirst ? 1 : 0.75) * (isOwned ? 0.5 : 1)
}

/** How much of some words others say too, light words left out. */
export const share = (some: Name, others: Name): number => {
  let most = 0
  for (const token of some) if (token.weight > 0.3) most = Math.max(most, best(token, others))
  return most >= 0.6 ? most : 0
}

/** The concept of what is named. */
export const conceptOf = (name: Name): Concept | undefined => name.find((token) => token.isHead)?.concept

export const has = (name: Name, concept: string): boolean => name.some((token) => token.concept?.id === concept)

const none: Name = []
const cache = new Map<string, Name>()
const maxCache = 20_000

const best = (token: Token, others: Name, isAsked = true): number => {
  let most = 0
  for (const other of others) {
    const like = isAsked ? alike(token, other) : alike(other, token)
    if (like > most) most = like
  }
  return most
}

/** `a` is asked for, `b` is there. */
const alike = (a: Token, b: Token): number => {
  if (a.word === b.word) return 1
  const { concept } = a
  const other = b.concept
  if (concept !== undefined && other !== undefined) {
    if (concept === other) return 0.95
    if (other.broader === concept.id) return 0.75
    return concept.broader === other.id && concept.isLoose ? 0.75 : 0
  }
  const length = Math.min(a.word.length, b.word.length)
  return length >= 6 && a.word.slice(0, length - 1) === b.word.slice(0, length - 1) ? 0.7 : 0
}

/** "Weight (kg)" is a weight. */
const withoutUnit = (name: string): string => {
  const [whole, unit = ""] = /\s*[([]\s*(?:in\s+)?([^()[\]\s]{1,8})\s*[)\]]\s*$/.exec(name.slice(0, 200)) ?? []
  const isUnit =
    whole !== undefined &&
    whole.length < name.length &&
    (Currency.codeOf(unit) !== undefined || Measure.unitOf(["", unit.toLowerCase()]) !== undefined)
  return isUnit ? name.slice(0, -whole.length) : name
}

/** In small letters, without marks, camel humps apart. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  withoutMarks(
    name
      .slice(0, 200)
      .replaceAll(oneWord, (word) => word.toLowerCase())
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
  )
    .toLowerCase()
    .replaceAll("№", " no ")
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== "")

/** The words of a text without the endings of plurals and participles: "Licensed" says license. */
export const stemsOf = (text: string): ReadonlyArray<string> =>
  wordsOf(text).map((word) => singular(word).replace(/(?<=.{4})(?:ed|e)$/u, ""))

/** Names of companies and things that are one word, whatever capitals are in it. */
const oneWord =
  /GitHub|GitLab|LinkedIn|YouTube|TikTok|WhatsApp|PayPal|SoundCloud|WordPress|JavaScript|TypeScript|PostgreSQL|MySQL|DuckDB|BitBucket/g

/** Greedy: the longest phrase that is known stands for its words. */
const tokensOf = (words: ReadonlyArray<string>): Name => {
  const found = tokensAmong(words, stop)
  // A name that is a word of grammar, as `on` for a day, is that word.
  return found.length === 0 ? tokensAmong(words, nothing) : found
}

const nothing: ReadonlySet<string> = new Set()

const tokensAmong = (words: ReadonlyArray<string>, silent: ReadonlySet<string>): Name => {
  const found: Array<{ word: string; concept?: Concept; isBefore: boolean }> = []
  const ofs: Array<number> = []
  for (let at = 0; at < words.length; ) {
    const [concept, count] = longest(words, at)
    const word = words
      .slice(at, at + count)
      .map(singular)
      .join(" ")
    if (concept === undefined && silent.has(word)) {
      if (/^(?:of|de|du|der|des|di|do|da|van|von|for|per)$/.test(word) && found.length > 0) ofs.push(found.length)
    } else {
      found.push(concept === undefined ? { word, isBefore: false } : { word, concept, isBefore: false })
    }
    at += count
  }
  // "number of reviews": what is named stands before the "of"; else it is the last word.
  const [of] = ofs
  const counted = found.findIndex(({ concept }) => concept?.id === "count")
  const end = counted === 0 ? 0 : of === undefined || of >= found.length ? found.length - 1 : of - 1
  const head = end > 0 && isLightWord(found[end]) && !isLightWord(found[end - 1]) ? end - 1 : end
  return found.map(({ word, concept }, i) => {
    const isLight = light.has(word) && found.length > 1
    const weight = i === head ? 1 : isLight ? 0.25 : 0.6
    return concept === undefined ? { word, weight, isHead: i === head } : { word, concept, weight, isHead: i === head }
  })
}

const isLightWord = (token: { readonly word: string; readonly concept?: Concept } | undefined): boolean =>
  token === undefined || (token.concept === undefined && light.has(token.word))

const longest = (words: ReadonlyArray<string>, at: number): readonly [Concept | undefined, number] => {
  for (let count = Math.min(5, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count)
    const concept = byPhrase.get(some.join(" ")) ?? byPhrase.get(some.map(singular).join(" "))
    if (concept !== undefined) return [concept, count]
  }
  return [inflected(words[at] ?? ""), 1]
}

/** The forms of a word: the singular of a plural, and the concept of the word that it is a form of. */

/** "Zutaten", "prezzi": the plural of a known word in other languages. */
const inflected = (word: string): Concept | undefined => {
  if (word.length < 6) return undefined
  for (const [ending, others] of endings) {
    if (!word.endsWith(ending)) continue
    const stem = word.slice(0, -ending.length)
    for (const other of others) {
      const concept = stem.length + other.length < 4 ? undefined : byPhrase.get(stem + other)
      if (concept !== undefined) return concept
    }
  }
  return undefined
}

const endings: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["en", ["", "e"]],
  ["es", ["", "e"]],
  ["er", [""]],
  ["i", ["o", "e", "a"]],
  ["e", ["", "a"]]
]

const singular = (word: string): string => {
  if (word.length < 4 || word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`
  return word.endsWith("s") ? word.slice(0, -1) : word
}

/*
 * Words of names by what they mean: little, nothing, or what distinguishes a name from similar ones.
 */

/** Words that say little: "item name" is a name, "user score" a score. */
export const light: ReadonlySet<string> = new Set(
  (
    "item product page main full user our your my current official web website job article primary first total basic general entry record detail info information " +
    "object field value data text overall average mean yearly annual monthly per is has get wanted extracted actual exact published shown listed given displayed short long new original content og dc dcterms citation this that own profile weekly daily"
  ).split(" ")
)

const stop: ReadonlySet<string> = new Set(
  "the a an of for to in on at by with and or was were be been as its it this that der die das des dem den ein eine le la les un une de du el los las il lo gli i o os het een".split(
    " "
  )
)

/** What tells a name from its like: a sale price is not the price. */
const telling: ReadonlySet<string> = new Set(
  (
    "old new sale list regular original special min max minimum maximum lowest highest low high first last next previous start end total sub net gross parent child worst best from birth death home work mobile billing shipping " +
    "secondary alternative alternate backup estimated wholesale unpaid"
  ).split(" ")
)

/** Words that make a different name, on either side: a deputy director is not the director, nor the director a deputy. */
const another: ReadonlySet<string> = new Set(
  (
    "deputy vice assistant acting interim former co honorary emeritus emergency maiden middle " +
    "stellvertretend stellvertretende stellvertretender ehemalig ehemalige ehemaliger adjoint adjointe ancien ancienne"
  ).split(" ")
)
