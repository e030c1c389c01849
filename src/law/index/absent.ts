/**
 * Citations that name nothing in the index: what is said of them, and the nearest sections that there are.
 *
 * The answer stays in the code that the citation names. Law of another code under the same number is no answer.
 */
import * as Effect from "effect/Effect"
import { wordsIn } from "#base/Words"
import * as Jurisdiction from "../corpus/Jurisdiction.ts"
import type { Query } from "../query/Query.ts"
import type { KnownDocument } from "../query/Vocabulary.ts"
import type { Cited } from "../text/Citation.ts"
import { GovStore } from "./GovStore.ts"

/** Whether a citation says whose code it is of: "title 9, section 2451" is only probably of the United States Code. */
export const namesCode = ({ end, keys: [key = ""], start }: Cited, text: string): boolean =>
  !/^(?:usc|cfr)\//.test(key) || /u\. ?s|\busc?\b|united|c\. ?f|\bcfr|federal/i.test(text.slice(start, end))

/** Whether a document is of the code that a citation with this key names; undefined: the key names no code. */
const codeOf = (
  key: string,
  { mentions, text }: Query
): ((document: KnownDocument | undefined) => boolean) | undefined => {
  const [kind = ""] = key.split("/")
  if (kind === "usc") return (document) => document?.collection === "us-code"
  if (kind === "cfr") return (document) => document?.collection === "cfr" || document?.collection === "interpretation"
  if (/^us-[a-z]{2}$/.test(kind)) return (document) => isOf(document, kind)
  if (kind !== "n" && kind !== "s") return undefined
  const named = mentions.filter((mention) => mention.documents.size > 0)
  if (named.length > 0) {
    return (document) => document !== undefined && named.every(({ documents }) => documents.has(document.id))
  }
  const root = Jurisdiction.codeIn(text)?.root
  return root === undefined ? undefined : (document) => isOf(document, root)
}

const isOf = (document: KnownDocument | undefined, root: string): boolean =>
  document?.identity.startsWith(`${root}/`) === true

interface Absent {
  /** "there is no 99 U.S.C. § 1 in this index"; undefined: all that is cited is there. */
  readonly warning?: string
  /** The nearest sections of the code, which are the answer; undefined: the words of the query find the answer. */
  readonly near?: ReadonlyArray<number>
  /** The code that the answer stays in. */
  readonly isOfCode?: (document: KnownDocument | undefined) => boolean
}

/** `gone`: the citations that name nothing; `isAlone`: the query cites nothing else. */
export const absent = Effect.fnUntraced(function* (
  gone: ReadonlyArray<Cited>,
  isAlone: boolean,
  query: Query,
  documents: ReadonlyMap<number, KnownDocument>
) {
  const nothing: Absent = {}
  const [first] = gone
  if (first === undefined) return nothing
  const code = Jurisdiction.codeIn(query.text)?.name ?? ""
  const names = gone.map(({ end, keys: [key = ""], start }) => {
    const name = query.text.slice(start, end)
    return /^[ns]\//.test(key) ? `${code} ${name}`.trimStart() : name
  })
  const warning = `there is no ${names.join(", ")} in this index`
  const ofCode = new Set(wordsIn(code))
  const isOfCode = codeOf(first.keys[0] ?? "", query)
  // Words that were copied from a text are of the text, and not of what it cites.
  if (!isAlone || query.isText || isOfCode === undefined) return { ...nothing, warning }
  if (!query.words.every((word) => ofCode.has(word) || /^\d/.test(word))) return { ...nothing, warning, isOfCode }
  const near = yield* nearest(first.keys[0] ?? "", isOfCode, documents)
  const seen = near.length === 0 ? "" : "; the nearest sections of this code follow"
  return { ...nothing, warning: `${warning}${seen}`, isOfCode, near }
})

const nearest = Effect.fnUntraced(function* (
  key: string,
  isOfCode: (document: KnownDocument | undefined) => boolean,
  documents: ReadonlyMap<number, KnownDocument>
) {
  const prefix = /^(?:cfr\/.*\.|n\/.*[.:-]|.*\/)(?=\d)/.exec(key)?.[0]
  if (prefix === undefined) return []
  const number = numberOf(key, prefix)
  const away = (other: string): number => Math.abs(numberOf(other, prefix) - number)
  const some = (yield* (yield* GovStore).under(prefix)).filter((one) => isOfCode(documents.get(one.documentId)))
  const sorted = some.toSorted((a, b) => away(a.key) - away(b.key) || a.id - b.id)
  return [...new Set(sorted.map(({ id }) => id))].slice(0, manyNear)
})

const manyNear = 3

const numberOf = (key: string, prefix: string): number =>
  Number(/^\d+(?:\.\d+)?/.exec(key.slice(prefix.length))?.[0] ?? 0)
