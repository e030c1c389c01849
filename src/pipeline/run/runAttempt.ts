/**
 * An attempt with all that it opens closed again. Its stage stays only while a check holds it.
 */
import * as Effect from "effect/Effect"
import type * as Journal from "../Journal.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Stage from "../Stage.ts"
import * as Attempt from "./Attempt.ts"

export const runAttempt = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  home: Journal.Journal,
  journal: Journal.RunJournal,
  options: Attempt.Options
) {
  const outcome = yield* Effect.scoped(Attempt.attempt(pipeline, home, journal, options))
  if (outcome.status !== "held") yield* (yield* Stage.Stages).remove(journal.folder)
  return outcome
})
