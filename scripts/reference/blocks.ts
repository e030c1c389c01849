/** The code blocks of a page, in its order. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The line of the page on which the code begins. */
  readonly line: number
}

export const blocksOf = (page: string): ReadonlyArray<Block> =>
  Array.from(page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm), (match) => ({
    language: (match[1] ?? "").trim(),
    text: match[2] ?? "",
    line: page.slice(0, match.index).split("\n").length + 1
  }))
