/**
 * The unified diff of two texts, as text and as chunks; undefined: too many lines differ to be useful for a reader. A text
 * that is not empty ends with a line break.
 */
import { type Edit, lineEdits } from "./diff/lineEdits.ts"

export interface UnifiedDiff {
  readonly text: string
  readonly json: { readonly files: ReadonlyArray<DiffFile> }
}

interface DiffFile {
  readonly from: string | null
  readonly to: string | null
  readonly chunks: ReadonlyArray<Chunk>
}

interface Chunk {
  readonly content: string
  readonly changes: ReadonlyArray<Change>
}

/** `ln`: the line number of a removed or added line. `ln1` and `ln2`: the numbers of an unchanged line on each side. */
interface Change {
  readonly type: "normal" | "add" | "del"
  readonly normal?: boolean
  readonly ln?: number
  readonly ln1?: number
  readonly ln2?: number
  readonly content: string
}

/** The number of unchanged lines around a change, and the maximum number of changed lines. */
const context = 3
const mostLines = 10_000

/** `keyOf`: lines with equal keys count as equal; default: the line itself. */
export const unified = async (
  previous: string,
  current: string,
  keyOf: (line: string) => string = (line) => line
): Promise<UnifiedDiff | undefined> => {
  const [before, after] = [linesOf(previous), linesOf(current)]
  const edits = await lineEdits(before.map(keyOf), after.map(keyOf))
  const differing = edits.reduce((sum, { count, kind }) => sum + (kind === "same" ? 0 : count), 0)
  if (differing > mostLines) return undefined
  const chunks = chunksOf(changesOf(edits, before, after))
  const text = chunks.map(({ changes, content }) =>
    [content, ...changes.map((change) => change.content), ""].join("\n")
  )
  return {
    text: `--- previous\n+++ current\n${text.join("")}`,
    json: { files: [{ from: "previous", to: "current", chunks }] }
  }
}

const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\n$/, "").split("\n"))

/** All lines with their numbers. An unchanged line has the text of the new side. */
const changesOf = (edits: ReadonlyArray<Edit>, before: ReadonlyArray<string>, after: ReadonlyArray<string>) => {
  const changes: Array<Change> = []
  let [ln1, ln2] = [1, 1]
  for (const { count, kind } of edits) {
    for (let at = 0; at < count; at++) {
      if (kind === "removed") changes.push({ type: "del", ln: ln1, content: `-${before[ln1 - 1] ?? ""}` })
      else if (kind === "added") changes.push({ type: "add", ln: ln2, content: `+${after[ln2 - 1] ?? ""}` })
      else changes.push({ type: "normal", normal: true, ln1, ln2, content: ` ${after[ln2 - 1] ?? ""}` })
      if (kind !== "added") ln1 += 1
      if (kind !== "removed") ln2 += 1
    }
  }
  return changes
}

/** The changes with the unchanged lines around them. Changes whose surroundings touch are one chunk. */
const chunksOf = (changes: ReadonlyArray<Change>): ReadonlyArray<Chunk> => {
  const spans: Array<{ from: number; to: number }> = []
  for (const [at, { type }] of changes.entries()) {
    if (type === "normal") continue
    const last = spans.at(-1)
    const from = Math.max(0, at - context)
    if (last !== undefined && from <= last.to) last.to = at + 1 + context
    else spans.push({ from, to: at + 1 + context })
  }
  let [ln1, ln2, seen] = [0, 0, 0]
  return spans.map(({ from, to }) => {
    // Counts the lines of each side before the chunk.
    for (; seen < from; seen++) [ln1, ln2] = [ln1 + onSide(changes[seen], "add"), ln2 + onSide(changes[seen], "del")]
    const own = changes.slice(from, to)
    const lines = (other: "add" | "del") => own.reduce((sum, change) => sum + onSide(change, other), 0)
    const side = (before: number, count: number) => `${count === 0 ? before : before + 1},${count}`
    return { content: `@@ -${side(ln1, lines("add"))} +${side(ln2, lines("del"))} @@`, changes: own }
  })
}

/** 0 if the line is only on the other side (its kind is `other`), otherwise 1. */
const onSide = (change: Change | undefined, other: "add" | "del"): number =>
  change === undefined || change.type === other ? 0 : 1
