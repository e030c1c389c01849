/**
 * The work behind `millrace runs`: a line for each run, the newest first.
 */
import * as Effect from "effect/Effect"
import { failed } from "../CliFailure.ts"
import { jsonLine, textTable } from "../printable.ts"
import { count, seconds, when } from "../summary.ts"
import { type Options, type PastRun, pastRuns, runAsJson, statusOf } from "./pastRuns.ts"

export const listRuns = Effect.fn("listRuns")(function* (options: Options & { readonly json: boolean }) {
  const { runs, unread } = yield* pastRuns(options)
  if (options.json) for (const run of runs) process.stdout.write(jsonLine(runAsJson(run)))
  else if (runs.length > 0) process.stdout.write(textTable([head, ...runs.map(cells)]))
  else if (unread.length === 0) process.stdout.write("no runs yet\n")
  if (unread.length > 0) return yield* failed(unread.join("\n"))
})

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
