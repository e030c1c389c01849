/**
 * Two texts as a unified diff, as text and as the chunks that it consists of. Undefined where more lines differ than anybody
 * would read. A text that is not empty ends with a line break.
 */
import { type Edit, lineEdits } from "./lineEdits.ts"

export interface UnifiedDiff {
  readonly text: string
  readonly json: { readonly files: ReadonlyArray<DiffFile> }
}

interface DiffFile {
  readonly from: string | null
  readonly to: string | null
  readonly chunks: ReadonlyArray<Chunk>
}

export interface Chunk {
  readonly content: string
  readonly changes: ReadonlyArray<Change>
}

/** `ln` where it stands on one side, `ln1` and `ln2` where it stands on both. */
export interface Change {
  readonly type: "normal" | "add" | "del"
  readonly normal?: boolean
  readonly ln?: number
  readonly ln1?: number
  readonly ln2?: number
  readonly content: string
}

/** Lines that stay, beside those that do not; and the most lines that go and come. */
const context = 3
const mostLines = 10_000

/** Lines are equal where `keyOf` says the same of them; as they are where it is left out. */
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

/** All lines with their numbers on each side; one that stays is as the new text has it. */
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

/** What differs, with what stays beside it. Where two differences have no more than that between them, they are one chunk. */
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
    // How many lines of each side stand before the chunk.
    for (; seen < from; seen++) [ln1, ln2] = [ln1 + onSide(changes[seen], "add"), ln2 + onSide(changes[seen], "del")]
    const own = changes.slice(from, to)
    const lines = (other: "add" | "del") => own.reduce((sum, change) => sum + onSide(change, other), 0)
    const side = (before: number, count: number) => `${count === 0 ? before : before + 1},${count}`
    return { content: `@@ -${side(ln1, lines("add"))} +${side(ln2, lines("del"))} @@`, changes: own }
  })
}

/** 1 where a line stands on the side that the other kind is not of. */
const onSide = (change: Change | undefined, other: "add" | "del"): number =>
  change === undefined || change.type === other ? 0 : 1
