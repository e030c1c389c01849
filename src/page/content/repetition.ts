/** Groups of repeated blocks: with the same `way`, the same tags or the same text. Also sums over neighbouring blocks. */
import type { Block } from "./Part.ts"
import type { PartFacts } from "./partFacts.ts"

interface Group {
  count: number
  words: number
  chars: number
  linkChars: number
}

export const noGroup: Group = { count: 0, words: 0, chars: 0, linkChars: 0 }

export const groupsOf = (blocks: ReadonlyArray<Block>, factsOf: (part: Block["part"]) => PartFacts) => {
  const ways = new Map<number, Group>()
  const tags = new Map<number, Group>()
  const texts = new Map<number, number>()
  const add = (groups: Map<number, Group>, key: number, { counts }: Block): void => {
    let group = groups.get(key)
    if (group === undefined) {
      group = { count: 0, words: 0, chars: 0, linkChars: 0 }
      groups.set(key, group)
    }
    group.count++
    group.words += counts.words
    group.chars += counts.chars
    group.linkChars += counts.linkChars
  }
  for (const block of blocks) {
    add(ways, block.part.way, block)
    add(tags, factsOf(block.part).tagWay, block)
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1)
  }
  return { ways, tags, texts }
}

/** Sums over nine blocks: each block, the four before it and the four after it. */
export const windowsOf = (blocks: ReadonlyArray<Block>) => {
  const size = blocks.length
  const words = new Float64Array(size)
  const linked = new Float64Array(size)
  const paragraphs = new Float64Array(size)
  const reach = 4
  let [sumWords, sumLinks, sumParagraphs] = [0, 0, 0]
  for (let i = -reach; i < size; i++) {
    const enters = blocks[i + reach]?.counts
    const leaves = blocks[i - reach - 1]?.counts
    sumWords += (enters?.words ?? 0) - (leaves?.words ?? 0)
    sumLinks += (enters?.linkWords ?? 0) - (leaves?.linkWords ?? 0)
    sumParagraphs += (enters?.paragraphs ?? 0) - (leaves?.paragraphs ?? 0)
    if (i < 0) continue
    words[i] = sumWords
    linked[i] = sumWords === 0 ? 0 : sumLinks / sumWords
    paragraphs[i] = sumParagraphs
  }
  return { words, linked, paragraphs }
}
