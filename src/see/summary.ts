/**
 * The text that a command prints when a run has ended: what a person needs, in at most six lines. What went wrong, or may have,
 * stands before them, so that the end of the output says the same things at the same place.
 */
import * as Option from "effect/Option"
import type * as Run from "#engine/Run"
import { quoted } from "#engine/ScheduleExport"
import type * as Sink from "#engine/Sink"
import { gapsOf } from "./gapsOf.ts"
import { printable } from "./printable.ts"

/** The pipeline file of the run as it was named, and the names of the variables that were given with it. */
export interface Named {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
}

export const summary = (report: Run.Report, named: Named): string => {
  if (report.alreadyDone !== undefined) return alreadyDone(report, report.alreadyDone)
  const remarks = remarksOf(report).map((line) => `${report.pipeline}: ${line}\n`)
  const lines = [
    `${report.pipeline}: ${endedOf(report)} in ${seconds(report.durationMillis)} (run ${report.runId}${report.resumed ? ", resumed" : ""})`,
    `  rows: ${rowsLine(shownRows(report.rows), notesOf(report))}`,
    ...sumLines(report),
    ...checkLines(report),
    ...placeLines(report),
    `  next: ${nextOf(report, named).join(", ")}`
  ]
  return printable(`${remarks.length === 0 ? "" : `${remarks.join("")}\n`}${lines.join("\n")}\n`)
}

const endedOf = (report: Run.Report): string => {
  if (report.status === "held") return "held"
  if (report.status === "behind") return "partly done"
  return isPartial(report) ? "partial" : "done"
}

/** What a person should know of the run beside its figures: other runs of the call, what was not read, what did not fit. */
const remarksOf = (report: Run.Report): ReadonlyArray<string> => [
  ...report.before.map(
    ({ rows, runId }) => `the same command also ended run ${runId} first, with rows: ${rowsLine(shownRows(rows))}`
  ),
  ...report.caughtUp.map((run) => `before it, a sink that was behind loaded run ${run} from the journal`),
  ...partialLines(report),
  ...warningLines(report),
  ...failedChecks(report),
  ...Object.entries(report.rejected).map(
    ([name, rows]) =>
      `${name}: ${count(rows)} ${rows === 1 ? "row does" : "rows do"} not fit this sink: see millrace rejects list`
  ),
  ...(report.rejects === 0
    ? []
    : [
        `${count(report.rejects)} ${report.rejects === 1 ? "row was" : "rows were"} rejected: millrace rejects list shows each with its reason`
      ])
]

/** All checks of a run that one of them holds: no destination keeps what the others found. */
const failedChecks = (report: Run.Report): ReadonlyArray<string> =>
  report.checks.every(({ passed }) => passed)
    ? []
    : report.checks.map(
        ({ check, found, passed, table }) =>
          `${passed ? "passed" : "FAILED"}  ${tableOf(report, table)}${check}: ${found}`
      )

/** A check of another table than the main one says which. */
const tableOf = ({ rows }: Run.Report, table: string): string => (Object.keys(rows)[0] === table ? "" : `${table}: `)

/** Law: no page is lost silently, so the sum is always there where the source counts. */
const sumLines = ({
  accounting,
  facts,
  rejects,
  rows
}: Pick<Run.Report, "accounting" | "facts" | "rejects" | "rows">): ReadonlyArray<string> => {
  const parts = [
    ...Option.match(accounting, { onNone: () => [], onSome: (sum) => [accountingLine(sum)] }),
    ...coverageLines(facts),
    ...rejectParts(rejects, Object.values(rows)[0] ?? 0)
  ]
  return parts.length === 0 ? [] : [`  ${parts.join("; ")}`]
}

/** Many rejects are a part of the sum. A line above has every number of them. */
const rejectParts = (rejects: number, loaded: number): ReadonlyArray<string> => {
  const all = rejects + loaded
  return rejects === 0 || rejects < all * manyRejects
    ? []
    : [`${count(rejects)} of ${count(all)} rows (${Math.round((100 * rejects) / all)}%) rejected`]
}

const manyRejects = 0.1
const mostChecks = 3

const checkLines = (report: Run.Report): ReadonlyArray<string> => {
  const { checks } = report
  if (checks.length === 0) return []
  const passed = checks.filter((check) => check.passed)
  const failed = checks.length - passed.length
  if (failed > 0) return [`  checks: ${failed} of ${checks.length} failed, see above`]
  const words = passed.slice(0, mostChecks).map(({ check, table }) => `${tableOf(report, table)}${check}`)
  const more = passed.length > mostChecks ? `; and ${passed.length - mostChecks} more` : ""
  return [`  checks: ${checks.length} of ${checks.length} passed: ${words.join("; ")}${more}`]
}

const placeLines = ({ commitResults }: Run.Report): ReadonlyArray<string> => {
  const places = Object.entries(commitResults).map(
    ([name, { bytes, location }]) => `${name}: ${location}${bytes === undefined ? "" : ` (${size(bytes)})`}`
  )
  return places.length === 0 ? [] : [`  ${places.join(", ")}`]
}

/** The commands that look at the run. The values of variables may be secrets: only their names are printed. */
const nextOf = ({ rejected, rejects, status }: Run.Report, { file, vars }: Named): ReadonlyArray<string> => {
  const more = Object.keys(vars).map((name) => ` --var ${name}=...`)
  const has = rejects + Object.keys(rejected).length > 0
  return [
    "report",
    ...(status === "held" ? [] : ["explore"]),
    ...(has && status !== "held" ? ["rejects list"] : [])
  ].map((command) => `millrace ${command} ${quoted(file)}${more.join("")}`)
}

/** The text for a run that had already committed under the key of this call. */
const alreadyDone = (report: Run.Report, records: NonNullable<Run.Report["alreadyDone"]>): string =>
  printable(
    `${[
      `${report.pipeline}: a run has already committed under the key ${report.once} (run ${report.runId}); nothing was run`,
      `  rows: ${rowsLine(shownRows(report.rows))}`,
      ...sumLines({ ...report, facts: {} }),
      ...Object.entries(records).map(
        ([name, { committedAt, runId }]) =>
          `  ${name}: committed ${when(committedAt)} UTC${runId === report.runId ? "" : ` by run ${runId}`}`
      )
    ].join("\n")}\n`
  )

/**
 * What became of the discovered URLs, in numbers: discovered = loaded + failed + blocked + the rest. If the rows are not
 * one per URL, as in jobs of several URLs: discovered = read + gone + failed + blocked.
 */
export const accountingLine = (accounting: Run.Accounting): string => {
  const {
    blocked,
    discovered,
    dropped,
    failed,
    gone,
    left,
    loaded,
    read,
    rejected,
    revalidated = 0,
    skipped = 0,
    tooSlow = 0
  } = accounting
  const parts = [
    ...(read === undefined ? [`${count(loaded)} loaded`] : [`${count(read)} read`]),
    ...(revalidated === 0 ? [] : [`${count(revalidated)} revalidated`]),
    ...(gone === 0 ? [] : [`${count(gone)} gone`]),
    ...(rejected === 0 || read !== undefined ? [] : [`${count(rejected)} rejected`]),
    `${count(failed)} failed`,
    `${count(blocked)} blocked`,
    ...(skipped === 0 ? [] : [`${count(skipped)} skipped`]),
    ...(tooSlow === 0 ? [] : [`${count(tooSlow)} left: host too slow`]),
    ...(left === tooSlow ? [] : [`${count(left - tooSlow)} not reached because of a limit`])
  ]
  const removed = dropped === 0 ? "" : `; steps removed ${count(dropped)} of the loaded rows`
  return `discovered ${count(discovered)} = ${parts.join(" + ")}${removed}`
}

/** What a run that has committed could not read; undefined: it could read everything. */
const partialOf = ({ status, wholeness }: Run.Report) =>
  status === "held" || wholeness === undefined || !(wholeness.isPartial || wholeness.isLacking) ? undefined : wholeness

/** Whether a run that has committed could not read everything, or lacks values that its rows must have. */
export const isPartial = (report: Run.Report): boolean =>
  partialOf(report) !== undefined || (report.status !== "held" && lacksValues(report.facts))

/** Whether values that rows must have were not found: their rows are there, with null. */
export const lacksValues = ({ missing = 0 }: Readonly<Record<string, number>>): boolean => missing > 0

const partialLines = (report: Run.Report): ReadonlyArray<string> => [...unreadLines(report), ...lackLines(report)]

const lackLines = ({ facts, status }: Run.Report): ReadonlyArray<string> => {
  const { filled = 0, missing = 0 } = facts
  if (status === "held" || !lacksValues(facts)) return []
  const where = gapsOf(facts).map(([name, n]) => `${count(n)} without ${name}`)
  return [
    `partial: ${count(missing)} of ${count(filled + missing)} required values were not found${where.length === 0 ? "" : `: ${where.join(", ")}`}; checks: [{ required: 95% }] would hold a run that finds fewer`
  ]
}

const unreadLines = (report: Run.Report): ReadonlyArray<string> => {
  const partial = partialOf(report)
  if (partial === undefined) return []
  const { expected, missing, why } = partial
  const lost =
    missing === 0 ? "not everything could be read" : `${count(missing)} of ${count(expected)} could not be read`
  return [
    `partial: ${lost}${why === "" ? "" : ` (${why})`}; stored rows that were not read again stay as they were, and none is removed`
  ]
}

const warningLines = ({ warnings }: Run.Report): ReadonlyArray<string> => [
  ...warnings.slice(0, maxWarnings).map(({ count: times, first, message }) => {
    const where = [...(times === 1 ? [] : [`${count(times)} times`]), ...(first === undefined ? [] : [first])]
    return `warning: ${message}${where.length === 0 ? "" : ` (${where.join(", first ")})`}`
  }),
  ...(warnings.length > maxWarnings
    ? [`warnings of ${count(warnings.length - maxWarnings)} other kinds: see --json`]
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

/** A source may have a hundred tables. The report and `millrace runs show` have each. */
const mostTables = 8

/** The number of rows of each table on one line; of tables beside the main one, those that have some. */
const rowsLine = (
  rows: ReadonlyArray<readonly [table: string, count: number]>,
  notes: Readonly<Record<string, string>> = {}
): string => {
  const some = rows.filter(([table, n], at) => at === 0 || n > 0 || notes[table] !== undefined)
  if (some.length === 0) return "none"
  const others = some.slice(mostTables)
  const more = others.reduce((sum, [, n]) => sum + n, 0)
  return [
    ...some.slice(0, mostTables).map(([table, n]) => `${table} ${count(n)}${notes[table] ?? ""}`),
    ...(others.length === 0 ? [] : [`${count(others.length)} other tables ${count(more)}`])
  ].join(", ")
}

/** The number of rows of each table, one line per table. */
export const rowLines = (rows: ReadonlyArray<readonly [table: string, count: number]>): ReadonlyArray<string> => {
  const width = Math.max(14, ...rows.map(([table]) => table.length))
  return rows.map(([table, n]) => `  ${table.padEnd(width)} ${count(n).padStart(9)} rows`)
}

/** How many pages gave no row, and which of the required values were found, if the source counts them. */
export const coverageLines = (facts: Readonly<Record<string, number>>): ReadonlyArray<string> => {
  const { filled, missing = 0, read = 0, without_rows: empty = 0 } = facts
  const lacks = gapsOf(facts)
    .slice(0, mostLacks)
    .map(([name, n]) => `${count(n)} without ${name}`)
  return [
    ...(empty === 0
      ? []
      : [`pages: ${count(read)} read = ${count(read - empty)} with rows + ${count(empty)} without a row`]),
    ...(filled === undefined || filled + missing === 0
      ? []
      : [
          `required values: ${count(filled)} filled + ${count(missing)} missing${lacks.length === 0 ? "" : ` (${lacks.join(", ")})`}`
        ])
  ]
}

/** Columns that the sum names. The line above has all of them. */
const mostLacks = 3

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
