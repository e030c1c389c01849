/** The features of a whole page. They decide its kind, and are also features of each of its blocks. */
import type { Outline } from "./Outline.ts"
import { type PageFacts, pathGroups, typeGroups } from "./PageFacts.ts"
import type { Part } from "./Part.ts"

interface PageFeature {
  readonly name: string
  readonly of: (page: Measured) => number
}

interface Measured {
  readonly outline: Outline
  readonly facts: PageFacts
  readonly path: string
  readonly names: ReadonlyMap<string, number>
  /** The number of words in all elements of a name. */
  readonly within: ReadonlyMap<string, number>
  readonly repeated: number
  readonly veiled: number
}

const wordsOf = ({ outline }: Measured): number => outline.root.counts.words
const share = (part: number, all: number): number => (all === 0 ? 0 : part / all)
const count = (name: string): PageFeature => ({
  name: `count ${name}`,
  of: ({ names }) => Math.log1p(names.get(name) ?? 0)
})
const holds = (name: string): PageFeature => ({
  name: `share of words in ${name}`,
  of: (page) => share(page.within.get(name) ?? 0, wordsOf(page))
})

export const pageFeatures: ReadonlyArray<PageFeature> = [
  { name: "words", of: (page) => Math.log1p(wordsOf(page)) },
  { name: "blocks", of: ({ outline }) => Math.log1p(outline.blocks.length) },
  { name: "words a block", of: (page) => share(wordsOf(page), page.outline.blocks.length) },
  { name: "share of links", of: ({ outline }) => outline.root.counts.linked },
  { name: "share of paragraphs", of: ({ outline }) => share(outline.root.counts.paragraphs, outline.blocks.length) },
  { name: "paragraphs", of: ({ outline }) => Math.log1p(outline.root.counts.paragraphs) },
  { name: "money", of: ({ outline }) => Math.log1p(outline.root.counts.money) },
  { name: "digits", of: ({ outline }) => share(outline.root.counts.digits, outline.root.counts.chars) },
  { name: "commas", of: (page) => share(page.outline.root.counts.commas, wordsOf(page)) },
  { name: "images", of: ({ outline }) => Math.log1p(outline.root.images) },
  { name: "controls", of: ({ outline }) => Math.log1p(outline.root.controls) },
  { name: "headings", of: ({ outline }) => Math.log1p(outline.root.headings) },
  { name: "repeated", of: ({ repeated }) => repeated },
  { name: "veiled", of: (page) => share(page.veiled, wordsOf(page)) },
  { name: "depth of path", of: ({ path }) => path.split("/").length },
  { name: "digits of path", of: ({ path }) => (path.match(/\d/g) ?? []).length },
  { name: "query", of: ({ facts }) => (facts.url.includes("?") ? 1 : 0) },
  { name: "start page", of: ({ path }) => (path === "/" || path === "" ? 1 : 0) },
  ...["article", "main", "h1", "h2", "h3", "h4", "li", "td", "p", "pre", "form", "blockquote", "dt", "figure"].map(
    count
  ),
  ...["article", "main", "li", "td", "p", "pre", "aside", "nav", "footer"].map(holds),
  ...pathGroups.map(
    ([name, is]): PageFeature => ({ name: `path ${name}`, of: ({ facts }) => (is.test(facts.url) ? 1 : 0) })
  ),
  ...typeGroups.map(
    ([name, is]): PageFeature => ({
      name: `type ${name}`,
      of: ({ facts }) => (Array.from(facts.types).filter((type) => is.test(type)).length > 0 ? 1 : 0)
    })
  ),
  ...["article", "product", "website"].map(
    (name): PageFeature => ({ name: `og ${name}`, of: ({ facts }) => (facts.ogType.includes(name) ? 1 : 0) })
  )
]

export const measurePage = (outline: Outline, facts: PageFacts): Float64Array => {
  const names = new Map<string, number>()
  const within = new Map<string, number>()
  for (const part of outline.parts) {
    names.set(part.name, (names.get(part.name) ?? 0) + 1)
    if (!isInside(part)) within.set(part.name, (within.get(part.name) ?? 0) + part.counts.words)
  }
  const page: Measured = {
    outline,
    facts,
    path: URL.parse(facts.url)?.pathname ?? "",
    names,
    within,
    repeated: repeatedShare(outline),
    veiled: outline.blocks.reduce((sum, { counts, part }) => (part.veil === 0 ? sum : sum + counts.words), 0)
  }
  return Float64Array.from(pageFeatures, ({ of }) => of(page))
}

/** Whether a part is in another part with its name. */
const isInside = ({ name, parent }: Part): boolean => {
  for (let at = parent; at !== undefined; at = at.parent) if (at.name === name) return true
  return false
}

/** The share of words in blocks that are repeated: at least five have the same `way`. */
const repeatedShare = ({ blocks, root }: Outline): number => {
  const ways = new Map<number, { count: number; words: number }>()
  for (const { counts, part } of blocks) {
    const group = ways.get(part.way) ?? { count: 0, words: 0 }
    group.count++
    group.words += counts.words
    ways.set(part.way, group)
  }
  let words = 0
  for (const group of ways.values()) if (group.count >= 5) words += group.words
  return share(words, root.counts.words)
}
