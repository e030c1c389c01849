/** Removes stages that are not used again: those of runs that are over, or that will be read again from the journal. */
import * as Effect from "effect/Effect"
import * as Journal from "../Journal.ts"
import * as Stage from "../Stage.ts"

/** Every run does this when it begins. So of the runs that are over, only those that ended last can have left a stage. */
export const removeStages = Effect.fnUntraced(function* (pipelineJournal: Journal.Journal) {
  const stages = yield* Stage.Stages
  yield* stages.remove(pipelineJournal.folder)
  const isOver = ({ state }: Journal.Entry) => Journal.isOver(state.status)
  const entries = yield* pipelineJournal.runs
  const ended = entries.filter(isOver).toSorted((a, b) => (b.state.ended_at ?? 0) - (a.state.ended_at ?? 0))
  const open = entries.filter((entry) => !isOver(entry) && entry.state.status !== "held")
  for (const { folder } of [...open, ...ended.slice(0, mostStages)]) yield* stages.remove(folder)
})

/** How many of the runs that ended last are checked. */
const mostStages = 20
