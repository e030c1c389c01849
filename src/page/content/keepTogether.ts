/** Rules that keep blocks together: the links of a contents page, a list, a heading with its text, a term, a picture. */
import { SHOWN } from "../tree/Hidden.ts"
import type { Outline } from "./Outline.ts"
import type { Block, Part } from "./Part.ts"

/** Keeps all of `<main>` if almost nothing else is kept: a contents page has only links, which are not kept otherwise. */
export const keepContents = ({ blocks, parts }: Outline, keptMask: Uint8Array): void => {
  const main = parts.find(({ stands, veil }) => stands === "main" && veil === SHOWN)
  if (main === undefined) return
  const words = blocks.reduce((sum, { counts }, i) => (keptMask[i] === 1 ? sum + counts.words : sum), 0)
  if (words >= fewKept || main.counts.words < words * muchMore) return
  for (let i = main.first; i < main.end; i++) if (blocks[i]?.part.veil === SHOWN) keptMask[i] = 1
}

const fewKept = 40
const muchMore = 4

/** Keeps or leaves out whole lists and tables, as most of their words are: half of one would be misleading. */
export const keepLists = ({ blocks, parts }: Outline, keptMask: Uint8Array): void => {
  let from = 0
  for (const { counts, end, first, name } of parts) {
    if (first < from || !lists.has(name)) continue
    // A longer list can hold the posts of a forum, or the whole page, so its items are not kept together; lists of names are.
    if (counts.words > maxList && counts.words > counts.blocks * fewWords) continue
    from = end
    let [all, most] = [0, 0]
    for (let i = first; i < end; i++) {
      const words = (blocks[i]?.counts.words ?? 0) + 0.1
      all += words
      if (keptMask[i] === 1) most += words
    }
    keptMask.fill(most * 2 >= all ? 1 : 0, first, end)
  }
}

const lists = new Set(["ul", "ol", "dl", "table"])

const maxList = 400
/** The maximum number of words in a name. */
const fewWords = 5

/** Keeps a heading if the block under it is kept: a list without its heading would be misleading. */
export const keepHeadings = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array): void => {
  for (let i = blocks.length - 2; i >= 0; i--) {
    const { part } = blocks[i] ?? {}
    if (part === undefined || keptMask[i] === 1 || keptMask[i + 1] !== 1 || !underHeading.test(part.name)) continue
    let section = part.parent
    // Skips elements that contain only the heading.
    while (section !== undefined && section.end === i + 1 && section.first === i) section = section.parent
    const isFollowed = section !== undefined && i + 1 < section.end && blocks[i + 1]?.part.name !== part.name
    if (isFollowed && part.veil === SHOWN) keptMask[i] = 1
  }
}

/** Not `h1`: it may be the banner of the site. */
const underHeading = /^h[2-6]$/

/** Keeps a term if its description is kept, even in a long list. */
export const keepTerms = ({ blocks, parts }: Outline, keptMask: Uint8Array): void => {
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]
    if (part?.name !== "dt" || part.veil !== SHOWN || keptMask[part.end] !== 1) continue
    const next = blocks[part.end]?.part
    const isOfList = (of: Part | undefined): boolean =>
      of !== undefined && (of.parent === part.parent || isOfList(of.parent))
    if (isOfList(next)) keptMask.fill(1, part.first, part.end)
  }
}

/** Keeps code right after a kept block, such as a title or a sentence, even at the end of the page. */
export const keepCode = ({ blocks }: Outline, keptMask: Uint8Array): void => {
  for (let i = 1; i < blocks.length; i++) {
    const part = blocks[i]?.part
    if (part !== undefined && keptMask[i - 1] === 1 && part.veil === SHOWN && isCode(part)) keptMask[i] = 1
  }
}

/** Whether a part is in a `<pre>`, and in nothing beside the content. */
const isCode = (part: Part): boolean => {
  let isFound = false
  for (let at: Part | undefined = part; at !== undefined; at = at.parent) {
    if (at.aside || at.name === "nav" || at.name === "aside" || at.name === "footer") return false
    isFound ||= at.name === "pre"
  }
  return isFound
}

/** Keeps a block without text, such as a picture, if most of the words around it are kept. */
export const keepPictures = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array): void => {
  const words = new Float64Array(blocks.length + 1)
  const keptWords = new Float64Array(blocks.length + 1)
  blocks.forEach(({ counts }, i) => {
    words[i + 1] = (words[i] ?? 0) + counts.words
    keptWords[i + 1] = (keptWords[i] ?? 0) + (keptMask[i] === 1 ? counts.words : 0)
  })
  blocks.forEach(({ counts, part }, i) => {
    if (counts.chars > 0) return
    let at = part
    while (at.parent !== undefined && at.counts.words < aFewWords && !at.aside) at = at.parent
    const all = (words[at.end] ?? 0) - (words[at.first] ?? 0)
    if (all === 0 && at.aside) keptMask[i] = 0
    if (all > 0) keptMask[i] = ((keptWords[at.end] ?? 0) - (keptWords[at.first] ?? 0)) * 2 > all ? 1 : 0
  })
}

const aFewWords = 10
