/**
 * Finds the main content of a page. The outline is built while the page is read, and the blocks are chosen at the end.
 */

import type { PageKind } from "../PageKind.ts"
import type { Theme } from "../Theme.ts"
import { chooseBlocks } from "./chooseBlocks.ts"
import { hashOfText } from "./letters.ts"
import { Outline } from "./Outline.ts"
import { type PageFacts, spelled, titleHashes, typesOf, wholeTitleHashes } from "./PageFacts.ts"
import { sketchOf } from "./themedBlocks.ts"

/** Whether the blocks from `from` to `to`, both included, are main content. */
export interface Keeps {
  /** Whether most of their words are. */
  most(from: number, to: number): boolean
  /** Whether one of them is. */
  any(from: number, to: number): boolean
  /** Whether they contain the whole main content; false: the main content was not searched for. */
  all(from: number, to: number): boolean
}

export const everything: Keeps = { all: () => false, any: () => true, most: () => true }

export class MainContent {
  readonly outline = new Outline()
  private readonly types = new Set<string>()

  /** Adds a type of microdata. */
  item(type: string): void {
    this.types.add(type.slice(type.lastIndexOf("/") + 1))
  }

  /** Adds the types in a JSON-LD text. */
  declared(json: string): void {
    for (const type of typesOf(json)) this.types.add(type)
  }

  /** Chooses the blocks. `metadata`: of the page; `theme`: of its host; `sketches`: whether a sketch for its theme is made. */
  finish(
    url: string,
    metadata: Readonly<Record<string, string | ReadonlyArray<string>>>,
    { sketches = false, theme }: { readonly sketches?: boolean | undefined; readonly theme?: Theme | undefined } = {}
  ) {
    this.outline.finish()
    const valueOf = (name: string): string => [metadata[name] ?? ""].flat()[0] ?? ""
    const titles = [metadata["title"], metadata["ogTitle"]].flatMap((title) => title ?? [])
    const facts: PageFacts = {
      url: spelled(url, valueOf("canonical") || undefined),
      ogType: valueOf("ogType").toLowerCase(),
      types: this.types,
      titles: titleHashes(titles),
      wholeTitles: wholeTitleHashes(titles),
      site: hashOfText(valueOf("ogSiteName"))
    }
    const { hasHiddenList, keptMask, kind } = chooseBlocks(this.outline, facts, theme)
    const sketch = sketches ? sketchOf(this.outline, kind, keptMask) : undefined
    return { kind, hasHiddenList, keeps: keepsOf(this.outline, keptMask), sketch }
  }
}

const keepsOf = ({ blocks }: Outline, flags: Uint8Array): Keeps => {
  const size = blocks.length
  const counts = new Uint32Array(size + 1)
  const words = new Float64Array(size + 1)
  const keptWords = new Float64Array(size + 1)
  for (let i = 0; i < size; i++) {
    // A block without words has a small weight, so that `most` can be true for it, too.
    const weight = (blocks[i]?.counts.words ?? 0) + 0.001
    const is = flags[i] ?? 0
    counts[i + 1] = (counts[i] ?? 0) + is
    words[i + 1] = (words[i] ?? 0) + weight
    keptWords[i + 1] = (keptWords[i] ?? 0) + weight * is
  }
  const sum = (sums: Float64Array | Uint32Array, from: number, to: number): number =>
    (sums[Math.min(to, size - 1) + 1] ?? 0) - (sums[from] ?? 0)
  const [first, last] = [flags.indexOf(1), flags.lastIndexOf(1)]
  return {
    all: (from, to) => from <= first && last <= to,
    any: (from, to) => sum(counts, from, to) > 0,
    most: (from, to) => sum(keptWords, from, to) * 2 > sum(words, from, to)
  }
}

export type { PageKind }
