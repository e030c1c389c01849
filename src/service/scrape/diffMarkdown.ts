/**
 * Two texts as a unified diff, as text and as the chunks that it consists of. Undefined where they differ so much that
 * finding out how would take too long.
 */
import type { StructuredPatchHunk } from "diff"
import type { Diff } from "../../api/PageDocument.ts"

const limits = { context: 3, maxEditLength: 4000, timeout: 1000 }

export const diffMarkdown = async (previous: string, current: string): Promise<Diff | undefined> => {
  const { formatPatch, structuredPatch } = await import("diff")
  const patch = structuredPatch("previous", "current", previous, current, undefined, undefined, limits)
  if (patch === undefined) return undefined
  return {
    text: formatPatch(patch).replace(/^=+\n/, ""),
    json: { files: [{ from: "previous", to: "current", chunks: patch.hunks.map(chunkOf) }] }
  }
}

type Chunk = Diff["json"]["files"][number]["chunks"][number]

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
