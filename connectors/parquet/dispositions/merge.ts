/**
 * merge, for files: the planner says which staged rows are stored already. Their stored rows stay, and so do the files of which no
 * row is removed.
 */
import * as Effect from "effect/Effect"
import * as Queries from "#engine/CommitQueries"
import type * as Sink from "#engine/Sink"
import type * as LakeSession from "../lake/LakeSession.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"
import * as CommitTable from "../table/CommitTable.ts"
import { matchOf, prunedFiles } from "../table/KeyMatch.ts"
import { mayBeOf, openFiles } from "../table/rewriteFile.ts"
import { type Changed, type Circumstances, inPlace, isOfAll } from "./Disposition.ts"

/** Changes the files. Staged rows that are stored already do not count from then on. */
export const merge = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
): Effect.fn.Return<Changed, Sink.SinkError> {
  const { files, forgotten, parent, rewritten } = circumstances
  const touched = yield* prunedFiles(session, files, matchOf(stage, parent))
  const forgets = (file: Manifest.DataFile) => forgotten !== undefined && mayBeOf(file, forgotten)
  const opened = yield* openFiles(
    session,
    stage,
    files,
    (file, number) => isOfAll(circumstances, stage) || touched.has(number) || forgets(file)
  )
  if (opened.length === 0) return inPlace(stage, circumstances, 0)

  const table = yield* CommitTable.show(session, stage, opened, { forgotten })
  yield* CommitTable.take(session, stage, stepsOf(table, parent))
  const { removed, reread, same } = answersOf(table, parent)
  yield* CommitTable.rewrite(session, stage, opened, { removed, forgotten, rewritten })
  const unchanged = yield* CommitTable.drop(session, stage, `IN (SELECT new FROM ${same})`)
  return { ...inPlace(stage, circumstances, unchanged), ...(reread && { reread }) }
})

/** What the planner is asked: a child is found by its parent, another row by its key. */
const stepsOf = (table: Queries.StagedTable, parent: Stage.Stage | undefined) =>
  parent === undefined
    ? Queries.comparisonSteps(table, { several: Queries.severalSteps(table, Queries.matches(table)) })
    : Queries.pairingSteps(table, CommitTable.of(parent))

/** Which stored rows go, and which staged ones are stored already or were read again. */
const answersOf = (table: Queries.StagedTable, parent: Stage.Stage | undefined) => {
  if (parent !== undefined) {
    const pairs = `${Queries.pairedChildren(table)} WHERE`
    return {
      removed: `${pairs} old IS NOT NULL AND sides = 1`,
      same: `${pairs} new IS NOT NULL AND sides = 2`,
      reread: undefined
    }
  }
  const pairs = `${Queries.pairs(table)} WHERE state`
  const reread = CommitTable.rereadValues(table, false, `${pairs} = ${Queries.isOtherReading}`)
  return { removed: `${pairs} <> ${Queries.isSame}`, same: `${pairs} = ${Queries.isSame}`, reread }
}
