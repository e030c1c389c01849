/**
 * Citations of law in running text, in all their usual forms, as keys that are the same for each form.
 *
 * Index and queries use this one reader, so two forms of one citation get the same key. A key holds what was written and
 * no more: "§ 10.04.010" is a number, and the words around it must say whose code it is. A paragraph, "(a)(1)", is not
 * part of a key.
 */
import { wordsIn } from "#base/Words"
import { readersOf } from "./citationReaders.ts"

export interface Cited {
  /** The offsets in the text as it was given. */
  readonly start: number
  readonly end: number
  /** The keys that it may mean, the most likely first. */
  readonly keys: ReadonlyArray<string>
  /** The keys of the texts that contain it: the Act of a section, or the part of a regulation. */
  readonly within: ReadonlyArray<string>
  /** "(a)(1)"; "" where none is named. */
  readonly paragraph: string
  /** Whether it is only a number, such as "section 5", which means something only with the name of a text. */
  readonly isBare: boolean
}

/** The citations in a text, in order. If two overlap, one that names its text counts, then the first, then the longer. */
export const find = (text: string): ReadonlyArray<Cited> => {
  const plain = text.replace(/[‐-―−]/g, "-").replace(/\s/g, " ")
  const all = readersOf(plain).flatMap(({ pattern, read }) =>
    Array.from(plain.matchAll(pattern), (match): Cited => {
      const { keys, within = [], isBare = false } = read(match.groups ?? {})
      const paragraph = (match.groups?.paragraph ?? "").replaceAll(" ", "").toLowerCase()
      return { start: match.index, end: match.index + match[0].trimEnd().length, keys, within, paragraph, isBare }
    })
  )
  const read = all.filter(({ keys }) => keys.length > 0).sort((a, b) => a.start - b.start || b.end - a.end)
  const named = apart(read.filter(({ isBare }) => !isBare))
  // A number alone may be the rest of a citation that names its text.
  const numbers = apart(
    besides(
      read.filter(({ isBare }) => isBare),
      named
    )
  )
  return [...named, ...numbers].sort((a, b) => a.start - b.start)
}

/** Citations in order, without those that overlap the one before. */
const apart = (inOrder: ReadonlyArray<Cited>): ReadonlyArray<Cited> => {
  const distinct: Array<Cited> = []
  for (const one of inOrder) if (one.start >= (distinct.at(-1)?.end ?? 0)) distinct.push(one)
  return distinct
}

/** Citations in order, without those that overlap one of `others`, which are in order and do not overlap. */
const besides = (inOrder: ReadonlyArray<Cited>, others: ReadonlyArray<Cited>): ReadonlyArray<Cited> => {
  let at = 0
  return inOrder.filter(({ end, start }) => {
    while ((others[at]?.end ?? Infinity) <= start) at++
    return end <= (others[at]?.start ?? Infinity)
  })
}

export { bareKey } from "./citationReaders.ts"

/** The key of a whole citation, from its words only. */
export const wholeKey = (citation: string): string => `w/${wordsIn(citation).join(" ")}`

/** The keys of all whole citations that a text may contain, the longest first. */
export const wholeKeys = (text: string): ReadonlyArray<string> => {
  const all = wordsIn(text).slice(0, maxWords)
  const lengths = Array.from({ length: longest - shortest + 1 }, (_, less) => longest - less)
  return lengths.flatMap((length) =>
    all.slice(0, Math.max(0, all.length - length + 1)).map((_, at) => `w/${all.slice(at, at + length).join(" ")}`)
  )
}

/** Words of a text that are looked at, and of a citation. */
const maxWords = 24
const longest = 16
const shortest = 3

/** The citation of a key, as other texts write it. */
export const written = (key: string): string => {
  const [kind = "", first = "", second = "", third] = key.split("/")
  switch (kind) {
    case "usc":
      return `${first} U.S.C. ${second}`
    case "cfr":
      return second.includes(".") ? second : `part ${second}`
    case "pl":
      return `Public Law ${first}`
    case "bill":
      return (/^\d/.test(first) ? second : first).replace(/^hr/, "H.R. ").replace(/^s(?=\d)/, "S. ")
    case "fr":
      return `${first} FR ${second}`
    case "stat":
      return `${first} Stat. ${second}`
    default:
      return third ?? (second === "" ? first : second)
  }
}
