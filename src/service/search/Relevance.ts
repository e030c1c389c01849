/**
 * How well page documents answer words, by the words that they share (BM25 over title, description, address and text).
 *
 * The law: the same documents and words give the same order, ties by address; of two documents of one address the first
 * counts; a document is JSON text of anybody's.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Hit } from "./Search.ts"

export interface Ranking {
  readonly add: (document: string) => void
  readonly best: () => ReadonlyArray<Hit>
}

const Document = Schema.Struct({
  markdown: Schema.optionalKey(Schema.String),
  metadata: Schema.Struct({
    url: Schema.String,
    statusCode: Schema.Finite,
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String)
  })
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Document))

/** Terms of a text: lower case, without plural, without words that say nothing. */
export const termsOf = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 1 && !dull.has(word))
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word))

const dull = new Set(
  "the a an and or of to in on for with by from at is are was be as it this that all any each every find get give show list me their its what which who how data information page pages please".split(
    " "
  )
)

interface Counted {
  readonly hit: Hit
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

export const make = (words: string, limit: number): Ranking => {
  const wanted = new Set(termsOf(words))
  const found = new Map<string, Counted>()
  const seen = new Set<string>()
  let documents = 0
  let lengths = 0

  const add = (text: string): void => {
    const document = Option.getOrUndefined(decode(text))
    if (document === undefined || document.metadata.statusCode >= 400 || seen.has(document.metadata.url)) return
    const { markdown = "", metadata } = document
    const { url } = metadata
    const title = (metadata.title ?? "").slice(0, mostTitle)
    const description = (metadata.description ?? "").slice(0, mostDescription)
    seen.add(url)
    const counts = new Map<string, number>()
    const count = (part: string, weight: number): number => {
      const terms = termsOf(part)
      for (const term of terms) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + weight)
      return terms.length
    }
    const length = count(title, 4) + count(description, 2) + count(pathOf(url), 2) + count(markdown.slice(0, most), 1)
    documents += 1
    lengths += length
    if (counts.size > 0) found.set(url, { hit: { url, title, description }, counts, length })
  }

  const best = (): ReadonlyArray<Hit> => {
    const mean = lengths / Math.max(1, documents)
    const rarity = (term: string): number => {
      const having = [...found.values()].filter(({ counts }) => counts.has(term)).length
      return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
    }
    const weights = new Map([...wanted].map((term) => [term, rarity(term)]))
    const scoreOf = ({ counts, length }: Counted): number =>
      [...counts].reduce((sum, [term, n]) => {
        const saturated = (n * 2.2) / (n + 1.2 * (0.25 + (0.75 * length) / mean))
        return sum + (weights.get(term) ?? 0) * saturated
      }, 0)
    return [...found.values()]
      .map((one) => ({ hit: one.hit, score: scoreOf(one) }))
      .sort((a, b) => b.score - a.score || (a.hit.url < b.hit.url ? -1 : 1))
      .slice(0, limit)
      .map(({ hit }) => hit)
  }
  return { add, best }
}

/** Text of a page that is looked at. */
const most = 20_000
const mostTitle = 300
const mostDescription = 1000

const pathOf = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "" : readable(`${parsed.hostname} ${parsed.pathname}`)
}

const readable = (text: string): string => {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
