/** The search of the site: loaded when it is opened for the first time. The index stands before it in its file. */
import MiniSearch, { type AsPlainObject } from "minisearch"
import { options, type Section } from "../searchIndex.ts"

export interface Found {
  readonly page: string
  readonly heading: string
  /** From the root of the site. */
  readonly address: string
  /** A piece of the text around the first word that was found, in parts. */
  readonly excerpt: ReadonlyArray<{ readonly text: string; readonly isFound: boolean }>
}

declare global {
  /** What `searchIndex` has made. */
  var docsIndex: AsPlainObject
  var findInDocs: ((query: string) => ReadonlyArray<Found>) | undefined
}

const search = MiniSearch.loadJS<Section>(globalThis.docsIndex, options)

const find = (query: string): ReadonlyArray<Found> =>
  search
    .search(query)
    .slice(0, 12)
    .map((result) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the index stores these fields, as `options` says
      const { address, heading, page, text } = result as unknown as Section
      return { page, heading, address, excerpt: excerptOf(text, result.terms) }
    })

const excerptOf = (text: string, terms: ReadonlyArray<string>): Found["excerpt"] => {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length)
  // A term has letters, numbers, and `_`, `.` or `-` between them.
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}])(${longestFirst.map((term) => term.replaceAll(".", "\\.")).join("|")})`,
    "giu"
  )
  const from = Math.max(0, text.search(found) - 60)
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1
  const piece = text.slice(start, start + 180)
  const parts = piece.split(found).map((part, index) => ({ text: part, isFound: index % 2 === 1 }))
  return [...(start > 0 ? [{ text: "… ", isFound: false }] : []), ...parts]
}

globalThis.findInDocs = find
