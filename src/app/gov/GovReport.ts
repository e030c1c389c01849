/**
 * The report of `millrace gov load`: counts in progress, then counts by format, what was left out and why, and what failed.
 */
import type { Loaded } from "#law/GovLoader"
import { textTable } from "#see/printable"
import { count, seconds } from "#see/summary"

interface Counts {
  files: number
  known: number
  /** Identities and versions of documents: several files may have parts of one document. */
  documents: Set<string>
  sections: number
  written: number
  removed: number
}

interface GovReport {
  readonly add: (loaded: Loaded) => void
  readonly pruned: (gone: { readonly files: number; readonly sections: number }) => void
  readonly failures: number
  readonly sections: number
  /** The number of sections that were rejected because another section has the same identity. */
  readonly rejects: number
  /** The most frequent reason why something was left out. */
  readonly reason: string | undefined
  readonly text: (database: string, millis: number) => string
  readonly json: (database: string, millis: number) => string
}

export const make = (progress: Pick<NodeJS.WriteStream, "isTTY" | "write">): GovReport => {
  const formats = new Map<string, Counts>()
  const left = new Map<string, Array<string>>()
  const failures: Array<string> = []
  const rejects: Array<string> = []
  let gone = { files: 0, sections: 0 }
  let drawn = 0

  const total = (): Counts =>
    [...formats.values()].reduce(
      (sum, one) => ({
        files: sum.files + one.files,
        known: sum.known + one.known,
        documents: new Set([...sum.documents, ...one.documents]),
        sections: sum.sections + one.sections,
        written: sum.written + one.written,
        removed: sum.removed + one.removed
      }),
      { files: 0, known: 0, documents: new Set<string>(), sections: 0, written: 0, removed: 0 }
    )

  const show = () => {
    if (!progress.isTTY || Date.now() - drawn < 100) return
    drawn = Date.now()
    const { files, sections } = total()
    progress.write(`\r\u001b[2K${count(files)} files, ${count(sections)} sections`)
  }
  const clear = () => {
    if (progress.isTTY) progress.write("\r\u001b[2K")
  }

  return {
    add: ({ documents, failed, file, isKnown, rejected, removed, sections, skipped, written }) => {
      const known = formats.get(file.format) ?? {
        files: 0,
        known: 0,
        documents: new Set<string>(),
        sections: 0,
        written: 0,
        removed: 0
      }
      formats.set(file.format, {
        files: known.files + 1,
        known: known.known + (isKnown ? 1 : 0),
        documents: new Set([...known.documents, ...documents]),
        sections: known.sections + sections,
        written: known.written + written,
        removed: known.removed + removed
      })
      for (const one of skipped) {
        const where = one.line === undefined ? one.file : `${one.file}:${one.line}`
        const places = left.get(one.why)
        if (places === undefined) left.set(one.why, [where])
        else places.push(where)
      }
      for (const { why } of rejected) rejects.push(why)
      if (failed !== undefined) {
        failures.push(`${failed.file}${failed.line === undefined ? "" : `:${failed.line}`}: ${failed.message}`)
      }
      show()
    },
    pruned: (some) => {
      gone = some
    },
    get failures() {
      return failures.length
    },
    get sections() {
      return total().sections
    },
    get rejects() {
      return rejects.length
    },
    get reason() {
      return byCount(left)[0]?.[0]
    },
    text: (database, millis) => {
      clear()
      const rows = [...formats].map(([format, one]) => [
        format === "none" ? "not a known format" : format,
        count(one.files),
        count(one.documents.size),
        count(one.sections),
        count(one.written),
        count(one.removed)
      ])
      const { files, sections, written } = total()
      const lines = [
        `${count(sections)} sections of ${files === 1 ? "1 file" : `${count(files)} files`} are in ${database}, ${count(written)} of them new or changed (${seconds(millis)})\n`,
        textTable([["format", "files", "documents", "sections", "written", "removed"], ...rows])
      ]
      if (gone.files > 0)
        lines.push(`removed with ${count(gone.files)} files that no longer exist: ${count(gone.sections)} sections\n`)
      if (left.size > 0)
        lines.push(
          "left out:\n",
          textTable(
            byKind(left)
              .slice(0, maxReasons)
              .map(([why, where]) => [`  ${count(where.length)}`, why, `such as ${where[0] ?? ""}`])
          ),
          ...(byKind(left).length > maxReasons
            ? [`  ${count(byKind(left).length - maxReasons)} more reasons: --json prints all\n`]
            : [])
        )
      if (rejects.length > 0) lines.push("rejected:\n", ...rejects.map((one) => `  ${one}\n`))
      if (failures.length > 0) lines.push("failed:\n", ...failures.map((one) => `  ${one}\n`))
      return lines.join("")
    },
    json: (database, millis) =>
      `${JSON.stringify({ database, elapsed_ms: millis, ...toJson(total()), formats: Object.fromEntries([...formats].map(([format, one]) => [format, toJson(one)])), gone, left_out: Object.fromEntries(left), rejected: rejects, failed: failures })}\n`
  }
}

const toJson = ({ documents, ...counts }: Counts) => ({ ...counts, documents: documents.size })

const maxReasons = 12

/** Groups reasons that differ only after ": ", as "a heading without text: 6.08.040". The first of a group stands for it. */
const byKind = (left: ReadonlyMap<string, ReadonlyArray<string>>) =>
  byCount(
    new Map(
      [...Map.groupBy(left, ([why]) => why.replace(/: .*$/s, ""))].map(([, some]) => [
        some[0]?.[0] ?? "",
        some.flatMap(([, where]) => where)
      ])
    )
  )

const byCount = (left: ReadonlyMap<string, ReadonlyArray<string>>) =>
  [...left].toSorted(([, one], [, other]) => other.length - one.length)
