/**
 * The work behind `millrace runs show`: one run, in the lines that it ended with.
 */
import * as Effect from "effect/Effect"
import { failed, wrong } from "../CliFailure.ts"
import { jsonLine, printable } from "../printable.ts"
import { accountingLine, count, coverageLines, rowLines, seconds, when } from "../summary.ts"
import { type Options, type PastRun, pastRuns, runAsJson, statusOf } from "./pastRuns.ts"

export const showRun = Effect.fn("showRun")(function* (
  options: Options & { readonly run: string; readonly json: boolean }
) {
  const { runs, unread } = yield* pastRuns(options)
  const found = runs.filter(({ runId }) => runId.startsWith(options.run))
  const [run] = found
  if (run === undefined && unread.length > 0) return yield* failed(unread.join("\n"))
  if (run === undefined) return yield* wrong(`no run is called ${options.run}: see millrace runs`)
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
    filled,
    expected,
    gone = 0,
    left = 0,
    loaded,
    missing = 0,
    missing_rows: lost = 0,
    options: _options,
    partial,
    read,
    rejected = 0,
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
      : // It was true when the run committed: else it had not.
        [
          `  ${accountingLine({ discovered, loaded: loaded ?? discovered - gone - failed - blocked - left, gone, rejected, failed, blocked, left, dropped, ...(read === undefined ? {} : { read }) })}`
        ]),
    ...coverageLines(filled === undefined ? {} : { filled, missing }).map((line) => `  ${line}`),
    ...(partial === undefined || expected === undefined
      ? []
      : [`  partial: ${count(lost)} of what was expected could not be read, and nothing was removed`]),
    ...Object.entries(rest).map(([fact, n]) => `  ${fact.padEnd(14)} ${count(n).padStart(9)}`),
    `  ${run.sinks.length === 0 ? "in no sink" : `in ${run.sinks.join(", ")}`}`,
    ...(run.once === undefined ? [] : [`  once: ${run.once}`]),
    ...(run.message === undefined ? [] : [`  ${run.message}`])
  ]
  return `${lines.join("\n")}\n`
}
