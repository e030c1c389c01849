/**
 * Two texts as a unified diff, as text and as the chunks that it consists of. Undefined where they differ so much that
 * finding out how would take too long.
 */
import type { StructuredPatchHunk } from "diff"

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

const limits = { context: 3, maxEditLength: 4000, timeout: 1000 }

/** Lines are equal where `isSame` says so; as they are where it is left out. */
export const unified = async (
  previous: string,
  current: string,
  isSame?: (a: string, b: string) => boolean
): Promise<UnifiedDiff | undefined> => {
  const { formatPatch, structuredPatch } = await import("diff")
  const patch = structuredPatch("previous", "current", previous, current, undefined, undefined, {
    ...limits,
    ...(isSame === undefined ? {} : { comparator: isSame })
  })
  if (patch === undefined) return undefined
  return {
    text: formatPatch(patch).replace(/^=+\n/, ""),
    json: { files: [{ from: "previous", to: "current", chunks: patch.hunks.map(chunkOf) }] }
  }
}

/** The lines of one chunk with their numbers on each side. */
const chunkOf = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): Chunk => {
  let ln1 = oldStart
  let ln2 = newStart
  return {
    content: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    changes: lines
      .filter((content) => !content.startsWith("\\"))
      .map((content) => {
        if (content.startsWith("-")) return { type: "del", ln: ln1++, content }
        if (content.startsWith("+")) return { type: "add", ln: ln2++, content }
        return { type: "normal", normal: true, ln1: ln1++, ln2: ln2++, content }
      })
  }
}
