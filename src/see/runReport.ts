/**
 * The end of a run on the command line: what is printed, and the exit code.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as PipelineFile from "#engine/PipelineFile"
import type * as Run from "#engine/Run"
import { fileFault } from "#library/fileFault"
import { StartError } from "#library/StartError"
import { CliFailure, failed, heldCommit, wrong } from "./CliFailure.ts"
import { gapsOf } from "./gapsOf.ts"
import { jsonLine } from "./printable.ts"
import { iso, isPartial, type Named, summary } from "./summary.ts"

/** Prints a report: for people, or as one JSON object. */
export const showReport = (report: Run.Report, json: boolean, named: Named): void => {
  process.stdout.write(json ? jsonLine(toJson(report)) : summary(report, named))
}

/**
 * Fails if a check held the run, a sink is behind, a monitor could read no page, or sections were left out because another
 * section has their identity.
 */
export const verdict = (report: Run.Report): Effect.Effect<void, CliFailure> => {
  const { failures, parts, pipeline, runId, status } = report
  if (status === "held") {
    const has = parts === 0 ? "nothing was committed" : `its last rows were not committed (parts before: ${parts})`
    return Effect.fail(
      heldCommit(
        `${pipeline}: held by a check, ${has}; look at it, then: millrace commit ${runId}, or millrace drop ${runId}`
      )
    )
  }
  const { checks = 0, unread = 0 } = report.facts
  if (status === "done" && checks > 0 && unread === checks) {
    return Effect.fail(
      failed(
        `${pipeline}: the monitor could read no page in ${checks === 1 ? "its check" : `any of its ${checks} checks`}: ` +
          "monitor_checks and page_changes say why"
      )
    )
  }
  const clashes = report.facts["clashes"] ?? 0
  if (status === "done" && clashes > 0) {
    return Effect.fail(
      failed(
        `${pipeline}: sections that were not loaded, because another section has the same identity: ${clashes}; all others were ` +
          "loaded; see millrace rejects list"
      )
    )
  }
  if (status === "done") return Effect.void
  const behind = Object.entries(failures).map(
    ([name, { message }]) => `${pipeline}: sink ${name} is behind: ${message}`
  )
  return Effect.fail(
    failed(`${behind.join("\n")}\n${pipeline}: the next run loads from the journal what is missing there`)
  )
}

/** The failure of a run. An error in the pipeline file is reported with its line and column. */
export const failureOf = (
  file: Pick<PipelineFile.PipelineFile<never>, "name" | "problemAt" | "commitEvery">,
  error: { readonly _tag: string; readonly message: string },
  json: boolean
): CliFailure => {
  if (json) process.stdout.write(jsonLine({ pipeline: file.name, status: "failed", error: error.message }))
  if (error instanceof CliFailure) return error
  if (error instanceof StartError) return wrong(error.message)
  const fault = fileFault(file, error)
  if (fault !== undefined) return wrong(fault.message)
  if (error._tag === "CountError") {
    return failed(
      `${file.name}: the run has committed, but its report does not match the destination: ${error.message}`
    )
  }
  if (error._tag === "PlanError") return wrong(`${file.name}: ${error.message}`)
  const has = file.commitEvery === undefined ? "nothing was committed" : "what it had committed before stays"
  return failed(`${file.name}: the run failed, ${has}: ${error.message}`)
}

const wholeAsJson = ({ expected, missing, present, why }: NonNullable<Run.Report["wholeness"]>) => ({
  expected,
  present,
  missing,
  ...(why === "" ? {} : { why })
})
const recorded = (alreadyDone: NonNullable<Run.Report["alreadyDone"]>) =>
  Object.fromEntries(
    Object.entries(alreadyDone).map(([name, { committedAt, rows, runId }]) => [
      name,
      { run_id: runId, committed_at: iso(committedAt), rows }
    ])
  )

/** The JSON of `--json`. */
const toJson = (report: Run.Report) => ({
  pipeline: report.pipeline,
  run_id: report.runId,
  status: report.status,
  ...(!isPartial(report) ? {} : { notice: "partial" }),
  ...(report.once === undefined ? {} : { once: report.once, already_done: report.alreadyDone !== undefined }),
  resumed: report.resumed,
  ...(report.parts === 0 ? {} : { parts: report.parts }),
  rows: report.rows,
  rejects: Object.values(report.rejected).reduce((sum, rows) => sum + rows, report.rejects),
  credits: report.facts["credits"] ?? 0,
  ...(report.facts["filled"] === undefined
    ? {}
    : {
        required: {
          filled: report.facts["filled"],
          missing: report.facts["missing"] ?? 0,
          ...(gapsOf(report.facts).length === 0 ? {} : { lacking: Object.fromEntries(gapsOf(report.facts)) })
        }
      }),
  duration_ms: report.durationMillis,
  // Of a run that had committed before, only its records are known.
  sinks: report.alreadyDone === undefined ? report.commitResults : recorded(report.alreadyDone),
  ...(Object.keys(report.rejected).length === 0 ? {} : { rejected_by: report.rejected }),
  ...(Object.keys(report.failures).length === 0
    ? {}
    : { behind: Object.fromEntries(Object.entries(report.failures).map(([name, { message }]) => [name, message])) }),
  ...(report.before.length === 0 ? {} : { before: report.before.map(({ rows, runId }) => ({ run_id: runId, rows })) }),
  ...(report.caughtUp.length === 0 ? {} : { caught_up: report.caughtUp }),
  ...(report.checks.length === 0 ? {} : { checks: report.checks }),
  ...(report.warnings.length === 0 ? {} : { warnings: report.warnings }),
  ...Option.match(report.accounting, { onNone: () => ({}), onSome: (accounting) => ({ accounting }) }),
  ...(report.wholeness === undefined ? {} : { whole: wholeAsJson(report.wholeness) })
})

/**
 * The text for a run that Ctrl-C or SIGTERM has stopped: what was committed, and what the next run does.
 *
 * `action`: what was stopped. The journal does not know what a replay has committed, but each sink has all of it or nothing.
 */
export const stoppedLine = (
  pipeline: string,
  { committed, missing, parts, runId, status }: Run.Stopped,
  action: "run" | "commit" | "replay"
): string => {
  const line = (text: string) => `${pipeline}: ${text} (run ${runId})\n`
  if (action === "replay") {
    return line("the replay was stopped; each sink has the whole run or nothing of it; replay the run again")
  }
  if (status === "stopped") {
    const has = parts === 0 ? "nothing was committed" : `what it had committed until then stays (parts: ${parts})`
    return line(`stopped, its job was cancelled and ${has}; the next run starts from the beginning`)
  }
  const has = committed.length === 0 ? "nothing was committed" : `${committed.join(" and ")} committed`
  if (missing.length === 0) return line(`stopped after the commit; every sink has the run`)
  const lacks = committed.length === 0 ? "" : `, ${missing.join(" and ")} did not`
  const next = status === "held" ? "the run is still held: commit or drop it" : "the next run loads it from the journal"
  return line(`stopped, ${has}${lacks}; ${next}`)
}

export const stoppedAsJson = (pipeline: string, { committed, missing, parts, runId, status }: Run.Stopped): string =>
  `${JSON.stringify({ pipeline, run_id: runId, status, committed, missing, ...(parts === 0 ? {} : { parts }) })}\n`
