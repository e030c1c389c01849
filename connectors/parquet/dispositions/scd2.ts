/**
 * scd2, for files: the planner says which staged rows are new versions, and which stored versions they close or take the place of.
 * Files are rewritten in which a version is closed, opened again or removed. Children have the versions of their row, whose table comes
 * before theirs.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Queries from "#engine/CommitQueries"
import * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import { place } from "../lake/place.ts"
import { hasHistory } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"
import * as CommitTable from "../table/CommitTable.ts"
import { matchOf, prunedFiles } from "../table/KeyMatch.ts"
import { firstVersion, mayBeOf, type Opened, openFiles } from "../table/rewriteFile.ts"
import { type Changed, type Circumstances, inPlace, isOfAll } from "./Disposition.ts"

/** Writes new versions and closes old ones. */
export const scd2 = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
): Effect.fn.Return<Changed, Sink.SinkError> {
  const { before, commit, files, forgotten, rewritten } = circumstances
  const above = circumstances.parent
  const parent = above && CommitTable.of(above)
  const at = commit.run.startedAt
  const closing = session.options.removed === "close" && commit.complete
  const adopting = before !== undefined && !hasHistory(before)
  const isEach = adopting || isOfAll(circumstances, stage)
  const touched =
    isEach || closing || forgotten !== undefined
      ? new Set(files.keys())
      : yield* prunedFiles(session, files, matchOf(stage, above))
  const opened = yield* openFiles(
    session,
    stage,
    files,
    (file, number) => isEach || (touched.has(number) && mayHoldAfter(file, at, forgotten))
  )
  const table = yield* CommitTable.show(session, stage, opened, { forgotten, absent: firstVersion })
  if (adopting) yield* refuseRepeated(session, stage, table)
  const visit: Queries.Visit = { at, pipeline: circumstances.pipeline, removed: closing ? "close" : "watch" }
  if (forgotten !== undefined) {
    yield* CommitTable.take(session, stage, Queries.reopeningSteps(table, visit, parent))
    yield* showReopened(session, stage, table, opened, forgotten)
  }
  yield* CommitTable.take(
    session,
    stage,
    parent === undefined
      ? [...Queries.newsSteps(table, visit), ...Queries.unseenSteps(table, visit)]
      : Queries.childNewsSteps(table, parent, visit)
  )
  const news = Queries.newsOf(table)
  const closed =
    parent === undefined ? closedRows(table, visit) : `SELECT old FROM ${Queries.endedOf(table)} WHERE in_place = 0`
  yield* CommitTable.rewrite(session, stage, opened, {
    removed: `${parent === undefined ? news : Queries.endedOf(table)} WHERE in_place = 1`,
    changed: { query: changedEnds(table, visit, { closed, isAgain: forgotten !== undefined }), columns: ends },
    forgotten,
    rewritten
  })
  const unchanged = yield* CommitTable.drop(session, stage, `NOT IN (SELECT new FROM ${news})`)
  const reread = CommitTable.rereadValues(table, true, `${news} WHERE is_reread = 1`, parent)
  return {
    ...inPlace(stage, circumstances, unchanged),
    ...(reread && { reread }),
    ends: {
      query: `SELECT new AS ${place}, until AS valid_to, FALSE AS is_current FROM ${news} WHERE until IS NOT NULL`,
      columns: ends
    }
  }
})

/** The columns of the end of a version. */
const ends = ["valid_to", "is_current"].flatMap((name) => Column.named(Sink.historyColumns, name) ?? [])

const refuseRepeated = Effect.fnUntraced(function* (
  { database }: LakeSession.LakeSession,
  { table }: Stage.Stage,
  { target }: Queries.StagedTable
) {
  const key = table.key.map(Column.quote).join(", ")
  const several = yield* database
    .values(`SELECT 1 FROM ${target} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1`)
    .pipe(database.withRaisedMemoryLimit, Effect.mapError(failure(`table ${table.name}`)))
  if (several.length === 0) return
  return yield* failure(
    `table ${table.name} has several rows of one key, so it cannot become a history; keep one of each, or replace`
  )()
})

/** Makes the view of the stored rows again, with the versions open that the forgotten run had closed. */
const showReopened = (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  table: Queries.StagedTable,
  opened: ReadonlyArray<Opened>,
  forgotten: string
) =>
  CommitTable.view(
    session,
    stage,
    "stored",
    `SELECT v.* REPLACE (CASE WHEN r.old IS NULL THEN v.valid_to ELSE r.until END AS valid_to)
      FROM ${CommitTable.rowsOf(stage, opened, firstVersion)} AS v LEFT JOIN ${Queries.reopened(table)} AS r ON r.old = v.${place}
      WHERE NOT ${CommitTable.isForgotten(stage, forgotten)}`
  )

/** The query of the stored versions that this run closes. */
const closedRows = (table: Queries.StagedTable, { removed }: Queries.Visit): string =>
  [
    `SELECT old FROM ${Queries.newsOf(table)} WHERE old IS NOT NULL AND in_place = 0`,
    ...(removed === "close" ? [`SELECT old FROM ${Queries.unseenOf(table)}`] : [])
  ].join(" UNION ALL ")

/** The stored versions that end at another time than before. One that was opened again and is closed again does not. */
const changedEnds = (
  table: Queries.StagedTable,
  visit: Queries.Visit,
  { closed, isAgain }: { readonly closed: string; readonly isAgain: boolean }
): string => {
  const moment = table.spelling.moment(visit.at)
  const changed = isAgain
    ? `SELECT coalesce(c.old, r.old) AS old, CASE WHEN c.old IS NULL THEN r.until ELSE ${moment} END AS valid_to
        FROM (${closed}) AS c FULL JOIN ${Queries.reopened(table)} AS r ON r.old = c.old WHERE c.old IS NULL OR r.old IS NULL`
    : `SELECT old, ${moment} AS valid_to FROM (${closed})`
  return `SELECT old AS ${place}, valid_to, valid_to IS NULL AS is_current FROM (${changed})`
}

/** Whether a file may hold versions that are valid at a time or later, or versions of a run. */
const mayHoldAfter = (file: Manifest.DataFile, at: bigint, run: string | undefined): boolean => {
  const [current, end] = [file.max["is_current"], file.max["valid_to"]]
  if (current !== "false" || typeof end !== "string" || (run !== undefined && mayBeOf(file, run))) return true
  return !(Date.parse(`${end.replace(" ", "T")}Z`) < Math.floor(Number(at) / 1000))
}
