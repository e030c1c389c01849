/** The runs of the pipeline, and one of them with its errors. */
import * as Effect from "effect/Effect"
import { runsOf } from "../pastRuns.ts"
import { collectReport } from "../report/collectReport.ts"
import { isRead, runOf } from "../report/reportRuns.ts"
import type { RunsAnswer } from "./ExploreApi.ts"
import type { Explorer } from "./Explorer.ts"

export const exploreRuns = Effect.fn("exploreRuns")(function* ({ loaded, path }: Explorer) {
  const { runs, unread } = yield* runsOf({ path, pipeline: loaded.pipeline })
  const newestFirst = runs.filter(isRead).toSorted((a, b) => (a.startedAt > b.startedAt ? -1 : 1))
  const answer: RunsAnswer = { runs: newestFirst.map(runOf), notes: unread }
  return answer
})

/** One run, in the form of `millrace report --json`. */
export const exploreRun = Effect.fn("exploreRun")(({ loaded, path }: Explorer, run: string) =>
  Effect.scoped(collectReport(path, loaded, run))
)
