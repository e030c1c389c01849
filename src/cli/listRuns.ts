/**
 * The work behind `millrace runs`: a line for each run, the newest first.
 */
import * as Effect from "effect/Effect"
import { type CommittedRun, committedRuns, type Options } from "./committedRuns.ts"
import { runAsJson } from "./runAsJson.ts"
import { count, seconds, when } from "./summary.ts"

export const listRuns = Effect.fn("listRuns")(function* (options: Options & { readonly json: boolean }) {
  const runs = yield* committedRuns(options)
  if (options.json) {
    for (const run of runs) process.stdout.write(`${JSON.stringify(runAsJson(run))}\n`)
    return
  }
  const lines = runs.map(cells)
  const table = [["RUN", "PIPELINE", "COMMITTED", "TOOK", "ROWS", "CREDITS", "SINKS"], ...lines]
  const widths = table[0]?.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0))) ?? []
  const text = table.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()
  )
  process.stdout.write(runs.length === 0 ? "no runs yet\n" : `${text.join("\n")}\n`)
})

const cells = (run: CommittedRun): ReadonlyArray<string> => [
  run.runId,
  run.pipeline,
  when(run.committedAt),
  seconds(Number(run.committedAt - run.startedAt) / 1000),
  count(Object.values(run.rows).reduce((sum, rows) => sum + rows, 0)),
  run.facts["credits"] === undefined ? "" : count(run.facts["credits"]),
  run.sinks.join(", ")
]
