/**
 * Parses the query of a search: `"phrases"`, `-without`, `site:host/path`, `intitle:`, `inurl:`, `filetype:`, and words.
 *
 * Every text is a valid query; whatever is not an operator is words. A page must contain at least one of the words, and
 * match all phrases and operators. A term is a sequence of words: most have one word.
 */
import { isDull } from "#base/dullWords"
import { isDense, wordsOf } from "#base/Words"

export type Term = ReadonlyArray<string>

/** Pages of a host and its subdomains, or below a path of it. */
export interface Site {
  readonly host: string
  /** A path, "/docs"; "": the whole host. */
  readonly path: string
}

export interface Query {
  /** A page must have at least one of these. */
  readonly words: ReadonlyArray<Term>
  /** A page must have all of these. */
  readonly phrases: ReadonlyArray<Term>
  readonly inTitle: ReadonlyArray<Term>
  readonly inUrl: ReadonlyArray<Term>
  /** A page must have none of these. */
  readonly without: ReadonlyArray<Term>
  /** A page must be on one of `sites`, if there are any, and on none of `notSites`. */
  readonly sites: ReadonlyArray<Site>
  readonly notSites: ReadonlyArray<Site>
  /** A file extension, "pdf"; undefined: any. */
  readonly fileType: string | undefined
  /** Operators of other search engines that are not supported here. */
  readonly unknown: ReadonlyArray<string>
}

const nothing: Query = {
  words: [],
  phrases: [],
  inTitle: [],
  inUrl: [],
  without: [],
  sites: [],
  notSites: [],
  fileType: undefined,
  unknown: []
}

/** A query of only words, without operators: for texts that were not written as a query. */
export const ofWords = (text: string): Query => ({ ...nothing, words: wanted(text) })

export const parse = (text: string): Query => {
  const query = {
    words: [] as Array<string>,
    phrases: [] as Array<Term>,
    inTitle: [] as Array<Term>,
    inUrl: [] as Array<Term>,
    without: [] as Array<Term>,
    sites: [] as Array<Site>,
    notSites: [] as Array<Site>,
    unknown: [] as Array<string>
  }
  let fileType: string | undefined
  const add = (list: Array<Term>, written: string) => {
    const term = wordsOf(written, maxWords)
    if (term.length > 0 && list.length < maxTerms) list.push(term)
  }
  const plain = text.slice(0, maxLetters).replaceAll(/[“”„«»]/g, '"')
  for (const [whole, minus = "", named, phrase, word] of plain.matchAll(part)) {
    const operator = named?.toLowerCase()
    const content = phrase ?? word ?? ""
    const site = operator === "site" ? siteOf(content) : undefined
    if (operator === "site" && site === undefined) query.words.push(whole)
    else if (site !== undefined) (minus === "-" ? query.notSites : query.sites).push(site)
    else if (minus === "-") add(query.without, content)
    else if (operator === "intitle") add(query.inTitle, content)
    else if (operator === "inurl") add(query.inUrl, content)
    else if (operator === "filetype") fileType = content.toLowerCase()
    else if (operator !== undefined) query.unknown.push(whole)
    else if (phrase !== undefined) add(query.phrases, phrase)
    else if (content !== "OR" && content !== "AND") query.words.push(content)
  }
  return { ...query, words: wanted(query.words.join(" ")), fileType }
}

/** Whether a query has nothing to search for, such as only punctuation. */
export const isBlank = ({ fileType, inTitle, inUrl, notSites, phrases, sites, without, words }: Query): boolean =>
  fileType === undefined &&
  [words, phrases, inTitle, inUrl, without, sites, notSites].every((terms) => terms.length === 0)

/** Parses a host, or a host with a path, as people write it. Returns undefined if it is not one. */
export const siteOf = (text: string): Site | undefined => {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text.replace(/^(?:\*\.|\.)/, "")}`)
  if (url === null || !isHost(url.hostname)) return undefined
  return { host: url.host.replace(/^www\./, ""), path: url.pathname.replace(/\/$/, "") }
}

/** The query as one text, for a search engine that takes only text. */
export const asText = (text: string, sites: ReadonlyArray<Site>, notSites: ReadonlyArray<Site>): string => {
  const on = sites.map(({ host, path }) => `site:${host}${path}`)
  const off = notSites.map(({ host, path }) => `-site:${host}${path}`)
  return [text, on.length > 1 ? `(${on.join(" OR ")})` : on.join(""), ...off].filter((part) => part !== "").join(" ")
}

const isHost = (name: string): boolean => /^[^\s%]+$/.test(name)

/** A minus, an operator, and a value: in quotes, or up to the next blank. */
const part = /(-)?(?:(site|intitle|inurl|filetype|related|cache|link):)?(?:"([^"]*)"?|([^\s"]+))/giu
const maxLetters = 2000
const maxWords = 20
const maxTerms = 32

/**
 * The terms of words. Stop words count only if there are no others. Consecutive letters of dense scripts (such as Chinese)
 * form one term. If such a term is long, or has hiragana, which joins words, it may be a sentence: then its words are terms
 * too.
 */
const wanted = (text: string): ReadonlyArray<Term> => {
  const all: Array<Array<string>> = []
  for (const run of text.split(/\s+/)) {
    let row: Array<string> | undefined
    for (const word of wordsOf(run, maxLetters)) {
      if (!isDense(word)) all.push([word])
      else if (row === undefined || row.length >= maxWords) all.push((row = [word]))
      else row.push(word)
      if (!isDense(word)) row = undefined
    }
  }
  const telling = all.filter(
    ([word = "", ...more]) => more.length > 0 || isDense(word) || (word.length > 1 && !isDull(word))
  )
  const own = telling.length > 0 ? telling : all
  const terms = [
    ...own,
    ...own.flatMap((term) => (term.length > maxName || term.some(isJoining) ? wordsOfRow(term) : []))
  ]
  return [...new Map(terms.map((term) => [term.join(" "), term])).values()].slice(0, maxTerms)
}

/** Up to so many letters of a dense script may be one name. */
const maxName = 4

const isJoining = (word: string): boolean => /^\p{Script=Hiragana}+$/u.test(word)

/** The words in consecutive letters, without those that only join others. */
const wordsOfRow = (row: Term): ReadonlyArray<Term> => {
  if (!isDense(row[0] ?? "")) return []
  const words = Array.from(
    new Intl.Segmenter("ja", { granularity: "word" }).segment(row.join("")),
    ({ segment }) => segment
  )
  return words.filter((word) => !isJoining(word)).map((word) => wordsOf(word, maxWords))
}
