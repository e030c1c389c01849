/** The runs of the pipeline, one of them with its errors, and what changed between two. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { failed, wrong } from "../CliFailure.ts"
import { piecesOf, textOf } from "../diff/differenceText.ts"
import { diffRequest, loadsOf } from "../diff/diffRequest.ts"
import { namedLoad } from "../diff/namedLoad.ts"
import { runsOf } from "../pastRuns.ts"
import { collectReport } from "../report/collectReport.ts"
import { isRead, runOf } from "../report/reportRuns.ts"
import type { DiffAnswer, DiffPiece, RunsAnswer } from "./ExploreApi.ts"
import type { Explorer } from "./Explorer.ts"

const mostChanges = 200
const longestPiece = 2000

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

/**
 * The differences from the sink that is shown, if it has both loads, otherwise from the first sink that has both, otherwise
 * from the first sink that has a part of them.
 */
export const exploreDiff = Effect.fn("exploreDiff")(function* (explorer: Explorer, params: URLSearchParams) {
  const { loaded, name } = explorer
  const sinks = Object.entries(loaded.pipeline.sinks).toSorted(([a], [b]) => Number(b === name) - Number(a === name))
  let partly: DiffAnswer | undefined
  const failures: Array<string> = []
  for (const [sinkName, sink] of sinks) {
    const answer = yield* Effect.result(Effect.scoped(diffOf(explorer, { name: sinkName, sink }, params)))
    if (answer._tag === "Failure") failures.push(answer.failure.message)
    else if (answer.success.whole) return answer.success
    else partly ??= answer.success
  }
  return partly ?? (yield* failed([...new Set(failures)].join("\n")))
})

const diffOf = Effect.fnUntraced(function* (
  { layout, loaded: { pipeline } }: Explorer,
  { name, sink }: { readonly name: string; readonly sink: Explorer["loaded"]["pipeline"]["sinks"][string] },
  params: URLSearchParams
) {
  const where = `${pipeline.name}: sink ${name}`
  if (sink.differences === undefined) return yield* failed(`${where}: ${sink.type} cannot compare two loads`)
  const table = layout.tables.find((one) => one.name === params.get("table"))
  if (table === undefined) return yield* wrong(`the pipeline has no table ${params.get("table") ?? ""}`)
  const runs = loadsOf(pipeline.name, yield* sink.runs(pipeline.directory))
  const from = yield* namedLoad(params.get("from") ?? "previous", runs, where)
  const to = yield* namedLoad(params.get("to") ?? "latest", runs, where)
  if (from.runId === to.runId) return yield* wrong("choose two different runs")
  const request = diffRequest(pipeline, layout, { sink, table, columns: [], runs, from, to, limit: mostChanges })
  const found = yield* sink.differences(pipeline.directory, request)
  const changes = yield* Stream.runCollect(Stream.take(found.changes, mostChanges))
  const answer: DiffAnswer = {
    sink: name,
    from: from.runId,
    to: to.runId,
    basis: found.basis,
    whole: found.whole,
    counts: found.counts,
    changes: changes.map((change) => ({
      kind: change.kind,
      key: Object.entries(change.key).map(([column, value]) => [column, cut(textOf(value))] as const),
      fields: change.fields.map((field) => ({
        name: field,
        pieces: piecesOf(change, field, 120).map((piece): DiffPiece => ({ ...piece, text: cut(piece.text) }))
      }))
    }))
  }
  return answer
})

const cut = (text: string): string =>
  text.length <= longestPiece ? text : `${text.slice(0, longestPiece - 1).toWellFormed()}…`
