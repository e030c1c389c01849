/** The work behind `millrace runs` and `millrace runs show`: a list of past runs, and one run in detail. */
import * as Effect from "effect/Effect"
import { failed, wrong } from "#see/CliFailure"
import { type Options, type PastRun, pastRuns, runAsJson, statusOf } from "#see/pastRuns"
import { jsonLine, printable, textTable } from "#see/printable"
import { accountingLine, count, coverageLines, rowLines, seconds, when } from "#see/summary"

/** Prints a line for each run, the newest first. */
export const listRuns = Effect.fn("listRuns")(function* (options: Options & { readonly json: boolean }) {
  const { runs, unread } = yield* pastRuns(options)
  if (options.json) for (const run of runs) process.stdout.write(jsonLine(runAsJson(run)))
  else if (runs.length > 0) process.stdout.write(textTable(tableOf(runs)))
  else if (unread.length === 0) process.stdout.write("no runs yet\n")
  if (unread.length > 0) return yield* failed(unread.join("\n"))
})

/** The reasons stand in a column of their own, if a run has one. */
const tableOf = (runs: ReadonlyArray<PastRun>): ReadonlyArray<ReadonlyArray<string>> => {
  const hasNotes = runs.some(({ message }) => message !== undefined)
  const rows = [head, ...runs.map(cells)]
  return hasNotes ? rows.map((row, at) => [...row, at === 0 ? "NOTE" : (runs[at - 1]?.message ?? "")]) : rows
}

const head = ["RUN", "PIPELINE", "STATUS", "STARTED", "TOOK", "ROWS", "CREDITS", "SINKS"]

const cells = (run: PastRun): ReadonlyArray<string> => [
  run.runId,
  run.pipeline,
  statusOf(run),
  when(run.startedAt),
  run.endedAt === undefined ? "" : seconds(Number(run.endedAt - run.startedAt) / 1000),
  count(Object.values(run.rows).reduce((sum, rows) => sum + rows, 0)),
  run.facts["credits"] === undefined ? "" : count(run.facts["credits"]),
  run.sinks.join(", ")
]

/** Prints one run with all its counts, a table a line. */
export const showRun = Effect.fn("showRun")(function* (
  options: Options & { readonly run: string; readonly json: boolean }
) {
  const { runs, unread } = yield* pastRuns(options)
  const found = runs.filter(({ runId }) => runId.startsWith(options.run))
  const [run] = found
  if (run === undefined && unread.length > 0) return yield* failed(unread.join("\n"))
  if (run === undefined) return yield* wrong(`no run has an id that begins with ${options.run}: see millrace runs`)
  if (found.length > 1)
    return yield* wrong(`${found.length} runs begin with ${options.run}: give more characters of the id`)
  process.stdout.write(options.json ? jsonLine(runAsJson(run)) : printable(asText(run)))
})

const asText = (run: PastRun): string => {
  const {
    blocked = 0,
    discovered,
    dropped = 0,
    failed = 0,
    filled: _filled,
    expected,
    gone = 0,
    left = 0,
    loaded,
    missing: _missing,
    missing_rows: lost = 0,
    options: _options,
    partial,
    read,
    rejected = 0,
    revalidated = 0,
    skipped = 0,
    too_slow: tooSlow = 0,
    without_rows: _empty,
    ...rest
  } = run.facts
  const ended =
    run.endedAt === undefined
      ? "not ended"
      : `${when(run.endedAt)} UTC after ${seconds(Number(run.endedAt - run.startedAt) / 1000)}`
  const lines = [
    `${run.pipeline}: run ${run.runId}, ${statusOf(run)}, ${ended}`,
    ...rowLines(Object.entries(run.rows)),
    ...(discovered === undefined
      ? []
      : // Old records lack `loaded`. The sum was correct when the run committed, so `loaded` follows from the rest.
        [
          `  ${accountingLine({ discovered, loaded: loaded ?? discovered - revalidated - gone - failed - blocked - left, revalidated, gone, rejected, failed: failed - skipped, skipped, blocked, left, tooSlow, dropped, ...(read === undefined ? {} : { read }) })}`
        ]),
    ...(run.facts["filled"] === undefined ? [] : coverageLines(run.facts).map((line) => `  ${line}`)),
    ...(partial === undefined || expected === undefined
      ? []
      : [`  partial: ${count(lost)} of ${count(expected)} could not be read; no stored row was removed`]),
    ...Object.entries(rest)
      .filter(([fact]) => !fact.startsWith("lacking_"))
      .map(([fact, n]) => `  ${fact.padEnd(14)} ${count(n).padStart(9)}`),
    `  ${run.sinks.length === 0 ? "in no sink" : `in ${run.sinks.join(", ")}`}`,
    ...(run.once === undefined ? [] : [`  once: ${run.once}`]),
    ...(run.message === undefined ? [] : [`  ${run.message}`])
  ]
  return `${lines.join("\n")}\n`
}
