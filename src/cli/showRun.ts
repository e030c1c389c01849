/**
 * The work behind `millrace runs show`: one run, in the lines that it ended with.
 */
import * as Effect from "effect/Effect"
import { wrong } from "./CliFailure.ts"
import { type CommittedRun, committedRuns, type Options } from "./committedRuns.ts"
import { runAsJson } from "./runAsJson.ts"
import { accountingLine, count, seconds, when } from "./summary.ts"

export const showRun = Effect.fn("showRun")(function* (
  options: Options & { readonly run: string; readonly json: boolean }
) {
  const runs = yield* committedRuns(options)
  const found = runs.filter(({ runId }) => runId.startsWith(options.run))
  const [run] = found
  if (run === undefined) return yield* wrong(`no run is called ${options.run}: see millrace runs`)
  if (found.length > 1) return yield* wrong(`${found.length} runs begin with ${options.run}: write more of the id`)
  process.stdout.write(options.json ? `${JSON.stringify(runAsJson(run))}\n` : asText(run))
})

const asText = (run: CommittedRun): string => {
  const { discovered, failed = 0, blocked = 0, left = 0, ...rest } = run.facts
  const took = seconds(Number(run.committedAt - run.startedAt) / 1000)
  const lines = [
    `${run.pipeline}: run ${run.runId}, committed ${when(run.committedAt)} UTC after ${took}`,
    ...Object.entries(run.rows).map(([table, rows]) => `  ${table.padEnd(14)} ${count(rows).padStart(9)} rows`),
    ...(discovered === undefined
      ? []
      : // It was true when the run committed: else it had not.
        [`  ${accountingLine({ discovered, loaded: discovered - failed - blocked - left, failed, blocked, left })}`]),
    ...Object.entries(rest).map(([fact, n]) => `  ${fact.padEnd(14)} ${count(n).padStart(9)}`),
    `  in ${run.sinks.join(", ")}`
  ]
  return `${lines.join("\n")}\n`
}
