/**
 * The text that a command prints when a run has ended: its rows, what could not be read, and where the rows are.
 */
import * as Option from "effect/Option"
import type * as Run from "#engine/Run"
import type * as Sink from "#engine/Sink"
import { printable } from "./printable.ts"

export const summary = (report: Run.Report): string => {
  const { status } = report
  const resumed = report.resumed ? ", resumed" : ""
  if (report.alreadyDone !== undefined) return alreadyDone(report, report.alreadyDone)
  const isPartial = partialOf(report) !== undefined
  const ended = status === "held" ? "held" : status === "behind" ? "partly done" : isPartial ? "partial" : "done"
  const lines = [
    `${report.pipeline}: ${ended} in ${seconds(report.durationMillis)} (run ${report.runId}${resumed})`,
    ...report.before.flatMap(({ rows, runId }) => [
      `  the same command also ended run ${runId} first, with`,
      ...rowLines(shownRows(rows)).map((line) => `  ${line}`)
    ]),
    ...report.caughtUp.map((run) => `  before it, a sink that was behind loaded run ${run} from the journal`),
    ...rowLines(shownRows(report.rows), notesOf(report)),
    ...Option.match(report.accounting, {
      onNone: () => [],
      onSome: (accounting) => [`  ${accountingLine(accounting)}`]
    }),
    ...coverageLines(report.facts).map((line) => `  ${line}`),
    ...partialLines(report),
    ...warningLines(report),
    ...report.checks.map(({ check, found, passed }) => `  ${passed ? "passed" : "FAILED"}  ${check}: ${found}`),
    ...Object.entries(report.commitResults).map(
      ([name, { location, bytes }]) => `  ${name}: ${location}${bytes === undefined ? "" : ` (${size(bytes)})`}`
    ),
    ...Object.entries(report.rejected).map(
      ([name, rows]) =>
        `  ${name}: ${count(rows)} ${rows === 1 ? "row does" : "rows do"} not fit this sink: see millrace rejects list`
    ),
    ...(report.rejects === 0
      ? []
      : [
          `  ${count(report.rejects)} ${report.rejects === 1 ? "row was" : "rows were"} rejected: millrace rejects list shows each with its reason`
        ])
  ]
  return printable(`${lines.join("\n")}\n`)
}

/** The text for a run that had already committed under the key of this call. */
const alreadyDone = (report: Run.Report, records: NonNullable<Run.Report["alreadyDone"]>): string =>
  `${[
    `${report.pipeline}: a run has already committed under the key ${report.once} (run ${report.runId}); nothing was run`,
    ...rowLines(shownRows(report.rows)),
    ...Option.match(report.accounting, {
      onNone: () => [],
      onSome: (accounting) => [`  ${accountingLine(accounting)}`]
    }),
    ...Object.entries(records).map(
      ([name, { committedAt, runId }]) =>
        `  ${name}: committed ${when(committedAt)} UTC${runId === report.runId ? "" : ` by run ${runId}`}`
    )
  ].join("\n")}\n`

/**
 * What became of the discovered URLs, in numbers: discovered = loaded + failed + blocked + the rest. If the rows are not
 * one per URL, as in jobs of several URLs: discovered = read + failed + blocked.
 */
export const accountingLine = (accounting: Run.Accounting): string => {
  const { blocked, discovered, dropped, failed, gone, left, loaded, read, rejected, revalidated = 0 } = accounting
  const parts = [
    ...(read === undefined ? [`${count(loaded)} loaded`] : [`${count(read)} read`]),
    ...(revalidated === 0 ? [] : [`${count(revalidated)} revalidated`]),
    ...(gone === 0 || read !== undefined ? [] : [`${count(gone)} gone`]),
    ...(rejected === 0 || read !== undefined ? [] : [`${count(rejected)} rejected`]),
    `${count(failed)} failed`,
    `${count(blocked)} blocked`,
    ...(left === 0 ? [] : [`${count(left)} not reached because of a limit`])
  ]
  const removed = dropped === 0 ? "" : `; steps removed ${count(dropped)} of the loaded rows`
  return `discovered ${count(discovered)} = ${parts.join(" + ")}${removed}`
}

/** What a run that has committed could not read; undefined: it could read everything. */
export const partialOf = ({ status, wholeness }: Run.Report) =>
  status === "held" || wholeness === undefined || !(wholeness.isPartial || wholeness.isLacking) ? undefined : wholeness

const partialLines = (report: Run.Report): ReadonlyArray<string> => {
  const partial = partialOf(report)
  if (partial === undefined) return []
  const { expected, missing, why } = partial
  const lost =
    missing === 0 ? "not everything could be read" : `${count(missing)} of ${count(expected)} could not be read`
  return [
    `  partial: ${lost}${why === "" ? "" : ` (${why})`}; stored rows that were not read again stay as they were, and none is removed`
  ]
}

const warningLines = ({ warnings }: Run.Report): ReadonlyArray<string> => [
  ...warnings.slice(0, maxWarnings).map(({ count: times, first, message }) => {
    const where = [...(times === 1 ? [] : [`${count(times)} times`]), ...(first === undefined ? [] : [first])]
    return `  warning: ${message}${where.length === 0 ? "" : ` (${where.join(", first ")})`}`
  }),
  ...(warnings.length > maxWarnings
    ? [`  warnings of ${count(warnings.length - maxWarnings)} other kinds: see --json`]
    : [])
]

const maxWarnings = 10

/** What became of the rows of each table, if a destination did more than write them and all destinations did the same. */
const notesOf = ({ commitResults }: Run.Report): Readonly<Record<string, string>> => {
  const [first, ...others] = Object.values(commitResults).map(({ tables }) =>
    Object.fromEntries(Object.entries(tables).map(([table, receipt]) => [table, noteOf(receipt)]))
  )
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(([table, note]) => note !== "" && others.every((other) => other[table] === note))
  )
}

const noteOf = ({ kept: fromBefore, superseded, unchanged, written }: Sink.TableResult): string => {
  const parts = [
    ...(unchanged > 0 || superseded > 0 ? [`${count(written)} written`] : []),
    ...(unchanged > 0 ? [`${count(unchanged)} unchanged`] : []),
    ...(superseded > 0 ? [`${count(superseded)} superseded by later rows of the same key`] : []),
    ...(fromBefore > 0 ? [`${count(fromBefore)} kept from before`] : [])
  ]
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`
}

/** The tables of a run that its summary names: those of rejects only if they have rows. */
const shownRows = (rows: Run.Report["rows"]): ReadonlyArray<readonly [table: string, count: number]> =>
  Object.entries(rows).filter(([table, count]) => count > 0 || !table.endsWith("__rejects"))

/** The number of rows of each table, one line per table. */
export const rowLines = (
  rows: ReadonlyArray<readonly [table: string, count: number]>,
  notes: Readonly<Record<string, string>> = {}
): ReadonlyArray<string> => {
  const width = Math.max(14, ...rows.map(([table]) => table.length))
  return rows.map(([table, n]) => `  ${table.padEnd(width)} ${count(n).padStart(9)} rows${notes[table] ?? ""}`)
}

/** How many pages gave no row, and how many of the required values were found, if the source counts them. */
export const coverageLines = ({
  filled,
  missing = 0,
  read = 0,
  without_rows: empty = 0
}: Readonly<Record<string, number>>): ReadonlyArray<string> => [
  ...(empty === 0
    ? []
    : [`pages: ${count(read)} read = ${count(read - empty)} with rows + ${count(empty)} without a row`]),
  ...(filled === undefined || filled + missing === 0
    ? []
    : [`required values: ${count(filled)} filled + ${count(missing)} missing`])
]

export const count = (n: number): string => n.toLocaleString("en-US")

export const seconds = (millis: number): string => {
  if (millis < 60_000) return `${(millis / 1000).toFixed(1)} s`
  return `${Math.floor(millis / 60_000)} min ${Math.round((millis % 60_000) / 1000)} s`
}

export const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** A moment in microseconds, as "2026-11-21 02:00:07", in UTC. */
export const when = (micros: bigint): string => iso(micros).slice(0, 19).replace("T", " ")

/** A moment in microseconds, as programs read it: "2026-11-21T02:00:07.000Z". */
export const iso = (micros: bigint): string => new Date(Number(micros / 1000n)).toISOString()
