/**
 * The report of `millrace gov load`: counts in progress, then counts by format, what was left out and why, and what failed.
 */
import type { Loaded } from "#law/GovLoader"
import { textTable } from "#see/printable"
import { count, seconds } from "#see/summary"

interface Counts {
  readonly files: number
  readonly known: number
  /** Identities and versions of documents: several files may have parts of one document. */
  readonly documents: ReadonlySet<string>
  readonly sections: number
  readonly written: number
  readonly removed: number
  /** Of the census: headings of sections in the files, those that are left out with a reason, and the words under the others. */
  readonly headings: number
  readonly exceptions: number
  readonly words: number
  readonly wordsRead: number
  readonly wordsFurniture: number
  readonly wordsLeft: number
  /** Lines in which they differ. */
  readonly unexplained: number
}

interface GovReport {
  readonly add: (loaded: Loaded) => void
  readonly pruned: (gone: { readonly files: number; readonly sections: number }) => void
  readonly failures: number
  readonly sections: number
  /** The number of sections that were rejected because another section has the same identity. */
  readonly rejects: number
  /** What the census counts and the sections have not, with file and line. */
  readonly differences: ReadonlyArray<string>
  /** The most frequent reason why something was left out. */
  readonly reason: string | undefined
  readonly text: (database: string, millis: number) => string
  readonly json: (database: string, millis: number) => string
}

/** What a load has done so far. */
interface Tally {
  readonly formats: Map<string, Counts>
  /** Why something was left out, and where. */
  readonly leftOut: Map<string, Array<string>>
  readonly failures: Array<string>
  readonly rejects: Array<string>
  readonly differences: Array<string>
  gone: { readonly files: number; readonly sections: number }
}

export const start = (progress: Pick<NodeJS.WriteStream, "isTTY" | "write">): GovReport => {
  const tally: Tally = {
    formats: new Map(),
    leftOut: new Map(),
    failures: [],
    rejects: [],
    differences: [],
    gone: { files: 0, sections: 0 }
  }
  let drawn = 0

  const show = () => {
    if (!progress.isTTY || Date.now() - drawn < 100) return
    drawn = Date.now()
    const { files, sections } = total(tally)
    progress.write(`\r\u001b[2K${count(files)} files, ${count(sections)} sections`)
  }

  return {
    add: (loaded) => {
      add(tally, loaded)
      show()
    },
    pruned: (gone) => {
      tally.gone = gone
    },
    get failures() {
      return tally.failures.length
    },
    get sections() {
      return total(tally).sections
    },
    get rejects() {
      return tally.rejects.length
    },
    differences: tally.differences,
    get reason() {
      return byCount(tally.leftOut)[0]?.[0]
    },
    text: (database, millis) => {
      if (progress.isTTY) progress.write("\r\u001b[2K")
      return textOf(tally, database, millis)
    },
    json: (database, millis) => {
      const { differences, failures, formats, gone, leftOut, rejects } = tally
      const byFormat = Object.fromEntries([...formats].map(([format, one]) => [format, toJson(one)]))
      const counts = { database, elapsed_ms: millis, ...toJson(total(tally)), formats: byFormat, gone }
      return `${JSON.stringify({ ...counts, left_out: Object.fromEntries(leftOut), rejected: rejects, failed: failures, differences })}\n`
    }
  }
}

const uncounted = { headings: 0, exceptions: 0, words: 0, wordsRead: 0, wordsFurniture: 0, wordsLeft: 0 }
const none: Counts = {
  ...uncounted,
  files: 0,
  known: 0,
  documents: new Set(),
  sections: 0,
  written: 0,
  removed: 0,
  unexplained: 0
}

const sumOf = (one: Counts, other: Counts): Counts => ({
  files: one.files + other.files,
  known: one.known + other.known,
  documents: new Set([...one.documents, ...other.documents]),
  sections: one.sections + other.sections,
  written: one.written + other.written,
  removed: one.removed + other.removed,
  headings: one.headings + other.headings,
  exceptions: one.exceptions + other.exceptions,
  words: one.words + other.words,
  wordsRead: one.wordsRead + other.wordsRead,
  wordsFurniture: one.wordsFurniture + other.wordsFurniture,
  wordsLeft: one.wordsLeft + other.wordsLeft,
  unexplained: one.unexplained + other.unexplained
})

const total = ({ formats }: Tally): Counts => [...formats.values()].reduce(sumOf, none)

const add = ({ differences, failures, formats, leftOut, rejects }: Tally, loaded: Loaded): void => {
  const { census, documents, failed, file, isKnown, rejected, removed, sections, skipped, written } = loaded
  const { differences: unlike, ...counts } = census ?? { ...uncounted, differences: [] }
  const own = {
    ...counts,
    unexplained: unlike.length,
    files: 1,
    known: isKnown ? 1 : 0,
    documents: new Set(documents),
    sections,
    written,
    removed
  }
  for (const one of unlike) differences.push(`${file.path}:${one}`)
  formats.set(file.format, sumOf(formats.get(file.format) ?? none, own))
  for (const one of skipped) {
    const where = one.line === undefined ? one.file : `${one.file}:${one.line}`
    const places = leftOut.get(one.why)
    if (places === undefined) leftOut.set(one.why, [where])
    else places.push(where)
  }
  for (const { why } of rejected) rejects.push(why)
  if (failed !== undefined) {
    failures.push(`${failed.file}${failed.line === undefined ? "" : `:${failed.line}`}: ${failed.message}`)
  }
}

const textOf = (tally: Tally, database: string, millis: number): string => {
  const { differences, failures, formats, gone, leftOut, rejects } = tally
  const { files, sections, written } = total(tally)
  const rows = [...formats].map(([format, one]) => [
    format === "none" ? "not a known format" : format,
    count(one.files),
    count(one.documents.size),
    count(one.sections),
    count(one.written),
    count(one.removed)
  ])
  const lines = [
    `${count(sections)} sections of ${files === 1 ? "1 file" : `${count(files)} files`} are in ${database}, ${count(written)} of them new or changed (${seconds(millis)})\n`,
    textTable([["format", "files", "documents", "sections", "written", "removed"], ...rows])
  ]
  if (gone.files > 0)
    lines.push(`removed with ${count(gone.files)} files that no longer exist: ${count(gone.sections)} sections\n`)
  const reasons = byKind(leftOut)
  if (leftOut.size > 0)
    lines.push(
      "left out:\n",
      textTable(
        reasons
          .slice(0, maxReasons)
          .map(([why, where]) => [`  ${count(where.length)}`, why, `such as ${where[0] ?? ""}`])
      ),
      ...(reasons.length > maxReasons
        ? [`  ${count(reasons.length - maxReasons)} more reasons: --json prints all\n`]
        : [])
    )
  const counted = [...formats].filter(([, { words }]) => words > 0)
  if (counted.length > 0)
    lines.push(
      "census of the tags in the files:\n",
      textTable([
        ["format", "headings", "sections", "with a reason", "words", "read", "furniture", "left out", "unexplained"],
        ...counted.map(([format, one]) => [
          format,
          count(one.headings),
          count(one.headings - one.exceptions),
          count(one.exceptions),
          count(one.words),
          count(one.wordsRead),
          count(one.wordsFurniture),
          count(one.wordsLeft),
          count(one.unexplained)
        ])
      ])
    )
  if (differences.length > 0) lines.push("unexplained:\n", ...differences.slice(0, 50).map((one) => `  ${one}\n`))
  if (rejects.length > 0) lines.push("rejected:\n", ...rejects.map((one) => `  ${one}\n`))
  if (failures.length > 0) lines.push("failed:\n", ...failures.map((one) => `  ${one}\n`))
  return lines.join("")
}

const toJson = ({ documents, ...counts }: Counts) => ({ ...counts, documents: documents.size })

const maxReasons = 12

/** Groups reasons that differ only after ": ", as "a heading without text: 6.08.040". The first of a group stands for it. */
const byKind = (leftOut: ReadonlyMap<string, ReadonlyArray<string>>) =>
  byCount(
    new Map(
      [...Map.groupBy(leftOut, ([why]) => why.replace(/: .*$/s, ""))].map(([, some]) => [
        some[0]?.[0] ?? "",
        some.flatMap(([, where]) => where)
      ])
    )
  )

const byCount = (leftOut: ReadonlyMap<string, ReadonlyArray<string>>) =>
  [...leftOut].toSorted(([, one], [, other]) => other.length - one.length)
