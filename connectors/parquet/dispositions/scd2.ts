/**
 * scd2, for files: which versions are closed, which are reopened, and which staged rows are new versions.
 *
 * A version is valid from `valid_from` until `valid_to`. A staged row is a new version if its fingerprint differs from the
 * current version, which then ends when the run began. Versions with the same time are of one run, so the later one
 * replaces the earlier one. Only keys, times and digests of fingerprints are joined.
 */
import * as Effect from "effect/Effect"
import * as Database from "#engine/Duckdb"
import * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import { openSource, type RowChange } from "../lake/copyRows.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import { fileNumber, keyOf, rowNumber, seenOf, tableOf } from "../lake/StagedKeys.ts"
import { hasHistory } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"
import { matchOf, prunedFiles } from "../table/KeyMatch.ts"
import { mayBeOf, openFiles, rewriteFile } from "../table/rewriteFile.ts"
import { temp } from "../table/sameRows.ts"
import { type Changed, type Circumstances, inPlace, isOfAll } from "./Disposition.ts"
import * as VersionTable from "./VersionTable.ts"

/** Writes new versions and closes old ones. All versions that may be current are compared in one table. */
export const scd2 = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
): Effect.fn.Return<Changed, Sink.SinkError> {
  const { before, commit, files, forgotten, ours, rewritten } = circumstances
  const at = commit.run.startedAt
  const closing = session.options.removed === "close" && commit.complete
  const adopting = before !== undefined && !hasHistory(before)
  const isEach = adopting || isOfAll(circumstances, stage)
  const touched =
    isEach || closing || forgotten !== undefined
      ? new Set(files.keys())
      : yield* prunedFiles(session, files, matchOf(stage))
  const opened = yield* openFiles(
    session,
    stage,
    files,
    (file, number) => isEach || (touched.has(number) && mayHoldAfter(file, at, forgotten))
  )
  const staged = yield* Effect.forEach(stage.held, ([number, { file, path }]) =>
    Effect.map(openSource(session, path, file.partition, stage.columns), (source) => ({ number, source }))
  )
  const visit = { files: opened, staged, at, forgotten, adopting, closing, ours }
  const unchanged = yield* settle(session.database, stage, visit)
  for (const each of opened) {
    const change = yield* changeOf(session.database, stage, each.number).pipe(
      Effect.mapError(failure(`table ${stage.table.name}`))
    )
    yield* rewriteFile(session, stage, each, change, rewritten)
  }
  return inPlace(stage, circumstances, unchanged)
})

/**
 * Decides which versions are closed, removed and added. The keys that stay in the stage are new versions. Returns
 * the number of staged rows that are not new versions.
 */
const settle = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage.Stage, visit: VersionTable.Visit) {
    const now = VersionTable.moment(visit.at)
    yield* database.run(`INSERT INTO ${seenOf(stage.table)} SELECT ${keyOf(stage.table)} FROM ${tableOf(stage.table)}`)
    yield* database.withRaisedMemoryLimit(VersionTable.gather(database, stage, visit, now))
    if (visit.adopting && (yield* database.withRaisedMemoryLimit(VersionTable.hasDuplicates(database, stage)))) {
      return yield* failure(
        `table ${stage.table.name} has several rows of one key, so it cannot become a history; keep one of each, or replace`
      )()
    }
    if (visit.forgotten !== undefined)
      yield* database.withRaisedMemoryLimit(VersionTable.reopen(database, stage, visit, now))
    yield* VersionTable.meet(database, stage, visit, now)
    const unchanged = yield* database.withRaisedMemoryLimit(VersionTable.end(database, stage, now))
    if (visit.closing) {
      const closing = database.run(
        `UPDATE ${VersionTable.versionsOf(stage)} AS v SET _to = ${now}
          WHERE ${VersionTable.inForce(now)} AND ${VersionTable.isOurs(visit)} AND NOT EXISTS (FROM ${seenOf(stage.table)} AS s WHERE ${VersionTable.isSame(stage, "v", "s")})`
      )
      yield* database.withRaisedMemoryLimit(closing)
    }
    return unchanged
  },
  (effect, _database, { table }) => Effect.mapError(effect, failure(`table ${table.name}`))
)

/** The change of the rows of a stored file. */
const changeOf = Effect.fnUntraced(function* (database: Database.Database, stage: Stage.Stage, number: number) {
  const versions = `FROM ${VersionTable.versionsOf(stage)} WHERE ${fileNumber} = ${number}`
  const changed = `${versions} AND NOT _gone AND _to IS DISTINCT FROM _was`
  const gone = yield* database.query(`SELECT _to ${versions} AND _gone LIMIT 1`, [VersionTable.moments])
  const ends = yield* database.query(`SELECT DISTINCT _to ${changed}`, [VersionTable.moments])
  const change: RowChange = {
    ...(gone.length === 0 ? {} : { go: `SELECT ${rowNumber} AS row ${versions} AND _gone` }),
    change: ends.map(({ at }) => ({
      rows: `SELECT ${rowNumber} AS row ${changed} AND _to IS NOT DISTINCT FROM ${VersionTable.moment(at)}`,
      values: { valid_to: VersionTable.moment(at), is_current: at === null ? "TRUE" : "FALSE" }
    }))
  }
  return gone.length === 0 && ends.length === 0 ? undefined : change
})

/** The change of the staged rows of a file: new versions. Some are closed already, by a later run. */
export const newVersions = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  number: number,
  at: bigint
) {
  const ended = `FROM ${temp(stage, "ends")} WHERE ${fileNumber} = ${number}`
  const ends = yield* database.query(`SELECT DISTINCT _ends ${ended}`, [VersionTable.moments])
  const change: RowChange = {
    columns: stage.columns,
    absent: { valid_from: VersionTable.moment(at), valid_to: "NULL", is_current: "TRUE" },
    change: ends.map(({ at: end }) => ({
      rows: `SELECT ${rowNumber} AS row ${ended} AND _ends = ${VersionTable.moment(end)}`,
      values: { valid_to: VersionTable.moment(end), is_current: "FALSE" }
    }))
  }
  return change
})

/** Whether a file may hold versions that are valid at a time or later, or versions of a run. */
const mayHoldAfter = (file: Manifest.DataFile, at: bigint, run: string | undefined): boolean => {
  const [current, end] = [file.max["is_current"], file.max["valid_to"]]
  if (current !== "false" || typeof end !== "string" || (run !== undefined && mayBeOf(file, run))) return true
  return !(Date.parse(`${end.replace(" ", "T")}Z`) < Math.floor(Number(at) / 1000))
}
