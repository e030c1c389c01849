/**
 * What is true of the site: what a default crawl from "/" finds at every address, and how each page stands to the revision
 * before.
 *
 * The truth follows from the drafts alone, never from a crawl, so a crawl can be compared with it.
 */
import type { Draft, Fact } from "./Draft.ts"

export interface Truth {
  readonly seed: number
  readonly revision: number
  /** By path with query. Only what a crawl reaches. */
  readonly pages: ReadonlyMap<string, Expectation>
  /** Pages and files, by path with query, against the revision before. Empty in revision 1. */
  readonly changes: ReadonlyMap<string, Change>
}

interface Expectation extends Pick<Draft, "kind" | "status" | "target" | "sameAs"> {
  readonly foundBy: "link" | "sitemap"
  readonly facts: Readonly<Record<string, Fact>>
}

interface Change {
  readonly status: "same" | "changed" | "new" | "removed"
  /** What changed: "title", "main", "price" ... */
  readonly fields: ReadonlyArray<string>
}

type Drafts = ReadonlyMap<string, Draft>

export const make = (
  edition: { readonly seed: number; readonly revision: number },
  drafts: Drafts,
  before: Drafts | undefined
): Truth => ({
  ...edition,
  pages: new Map(Array.from(drafts.values()).flatMap(expectationOf)),
  changes: before === undefined ? new Map() : changesOf(readable(before), readable(drafts))
})

const expectationOf = (draft: Draft): ReadonlyArray<readonly [string, Expectation]> => {
  const { facts = {}, foundBy, kind, path, sameAs, status, target } = draft
  if (foundBy === "nothing") return []
  const other = { ...(target === undefined ? {} : { target }), ...(sameAs === undefined ? {} : { sameAs }) }
  return [[path, { kind, status, foundBy, facts, ...other }]]
}

/** What a monitor watches: what a crawl finds and can read. */
const readable = (drafts: Drafts): Drafts =>
  new Map([...drafts].filter(([, { foundBy, kind }]) => foundBy !== "nothing" && (kind === "page" || kind === "file")))

const changesOf = (before: Drafts, after: Drafts): ReadonlyMap<string, Change> => {
  const paths = [...new Set([...after.keys(), ...before.keys()])]
  return new Map(paths.map((path) => [path, changeOf(before.get(path), after.get(path))]))
}

const changeOf = (before: Draft | undefined, after: Draft | undefined): Change => {
  if (after === undefined) return { status: "removed", fields: [] }
  if (before === undefined) return { status: "new", fields: [] }
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])]
  const fields = names.filter((name) => before.fields[name] !== after.fields[name])
  return { status: fields.length === 0 ? "same" : "changed", fields }
}
