/**
 * scd2, over files: which versions close, which open again, and which of the staged rows are new ones.
 *
 * A version is in force from `valid_from` until `valid_to`. A staged row makes a version where its fingerprint
 * is not that of the version in force, which ends when the run began; versions of one moment are of one run, so the later
 * takes the place of the earlier. Only keys, moments and digests of fingerprints are joined.
 */
import * as Effect from "effect/Effect"
import * as Database from "../../../src/duckdb/Database.ts"
import { sameValues } from "../../../src/duckdb/sameValues.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import * as Sink from "../../../src/pipeline/Sink.ts"
import { failure } from "../failure.ts"
import { openSource, type RowChange, viewOf } from "../lake/copyRows.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import type * as Manifest from "../lake/Manifest.ts"
import type * as Stage from "../stage.ts"
import { hasHistory } from "../table/columnsAfter.ts"
import { matchOf, prunedFiles } from "../table/KeyMatch.ts"
import { firstVersion, mayBeOf, openFiles, rewriteFile } from "../table/rewriteFile.ts"
import { fingerprintDigest } from "../table/rowDigest.ts"
import { definitions, fileNumber, keyOf, rowNumber, seenOf, seq, tableOf } from "../table/StagedKeys.ts"
import { digestStaged, digestStored, type Numbered, temp } from "../table/sameRows.ts"
import { type Changed, type Circumstances, inPlace, isOfAll } from "./Disposition.ts"

/** Versions end, and all that may be in force are looked at together. */
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
    files,
    (file, number) => isEach || (touched.has(number) && mayHoldAfter(file, at, forgotten))
  )
  const staged = yield* Effect.forEach(stage.held, ([number, { path }]) =>
    Effect.map(openSource(session, path), (source) => ({ number, source }))
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

interface Visit {
  readonly files: ReadonlyArray<Numbered>
  readonly staged: ReadonlyArray<Numbered>
  /** When the run began. */
  readonly at: bigint
  /** The run whose versions make way, if one does. */
  readonly forgotten: string | undefined
  /** Whether the table had no history before. */
  readonly adopting: boolean
  /** Whether keys that were not seen are closed. */
  readonly closing: boolean
  /** What `_pipeline` has in the rows of this pipeline, where the table is shared: the others are left alone. */
  readonly ours: ReadonlyArray<string> | undefined
}

/**
 * Settles which versions end, go and come. What stays among the keys of the stage are new versions; the answer is how many
 * staged rows make none.
 */
const settle = Effect.fnUntraced(
  function* (database: Database.Database, stage: Stage.Stage, visit: Visit) {
    const now = moment(visit.at)
    yield* database.run(`INSERT INTO ${seenOf(stage.table)} SELECT ${keyOf(stage.table)} FROM ${tableOf(stage.table)}`)
    yield* database.withRaisedMemoryLimit(gather(database, stage, visit, now))
    if (visit.adopting && (yield* database.withRaisedMemoryLimit(hasDoubles(database, stage)))) {
      return yield* failure(
        `table ${stage.table.name} has several rows of one key, so it cannot become a history; keep one of each, or replace`
      )()
    }
    if (visit.forgotten !== undefined) yield* database.withRaisedMemoryLimit(reopen(database, stage, visit, now))
    yield* meet(database, stage, visit, now)
    const unchanged = yield* database.withRaisedMemoryLimit(end(database, stage, now))
    if (visit.closing) {
      const closing = database.run(
        `UPDATE ${versionsOf(stage)} AS v SET _to = ${now}
          WHERE ${inForce(now)} AND ${isOurs(visit)} AND NOT EXISTS (FROM ${seenOf(stage.table)} AS s WHERE ${isSame(stage, "v", "s")})`
      )
      yield* database.withRaisedMemoryLimit(closing)
    }
    return unchanged
  },
  (effect, _database, { table }) => Effect.mapError(effect, failure(`table ${table.name}`))
)

/** What becomes of the rows of a file. */
const changeOf = Effect.fnUntraced(function* (database: Database.Database, stage: Stage.Stage, number: number) {
  const versions = `FROM ${versionsOf(stage)} WHERE ${fileNumber} = ${number}`
  const changed = `${versions} AND NOT _gone AND _to IS DISTINCT FROM _was`
  const gone = yield* database.query(`SELECT _to ${versions} AND _gone LIMIT 1`, [moments])
  const ends = yield* database.query(`SELECT DISTINCT _to ${changed}`, [moments])
  const change: RowChange = {
    ...(gone.length === 0 ? {} : { go: `SELECT ${rowNumber} AS row ${versions} AND _gone` }),
    change: ends.map(({ at }) => ({
      rows: `SELECT ${rowNumber} AS row ${changed} AND _to IS NOT DISTINCT FROM ${moment(at)}`,
      values: { valid_to: moment(at), is_current: at === null ? "TRUE" : "FALSE" }
    }))
  }
  return gone.length === 0 && ends.length === 0 ? undefined : change
})

/** What becomes of the staged rows of a file: new versions, some of which have ended already, as later runs saw. */
export const newVersions = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  number: number,
  at: bigint
) {
  const ended = `FROM ${temp(stage, "ends")} WHERE ${fileNumber} = ${number}`
  const ends = yield* database.query(`SELECT DISTINCT _ends ${ended}`, [moments])
  const change: RowChange = {
    columns: stage.columns,
    absent: { valid_from: moment(at), valid_to: "NULL", is_current: "TRUE" },
    change: ends.map(({ at: end }) => ({
      rows: `SELECT ${rowNumber} AS row ${ended} AND _ends = ${moment(end)}`,
      values: { valid_to: moment(end), is_current: "FALSE" }
    }))
  }
  return change
})

/** The versions that are in force, or will be: of staged keys, or of all where keys are closed or a run makes way. */
const gather = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  { files, forgotten, adopting, closing }: Visit,
  now: string
) {
  const { table, columns } = stage
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${versionsOf(stage)} (${definitions(keyColumns(stage))}, ${fileNumber} BIGINT,
      ${rowNumber} BIGINT, _from TIMESTAMP, _to TIMESTAMP, _was TIMESTAMP, _gone BOOLEAN)`
  )
  const run = Column.named(columns, "_run_id") === undefined ? undefined : forgotten
  const goes = run === undefined ? "FALSE" : "coalesce(v._run_id = $1, FALSE)"
  const among =
    closing || adopting || forgotten !== undefined
      ? ""
      : `AND EXISTS (FROM ${tableOf(table)} AS k WHERE ${isSame(stage, "v", "k")})`
  for (const { number, source } of files) {
    yield* database.run(
      `INSERT INTO ${versionsOf(stage)}
        SELECT ${keyOf(stage.table)}, ${number}, v.${rowNumber}, v.valid_from, v.valid_to, v.valid_to, ${goes}
        FROM ${viewOf(source, { columns, absent: firstVersion })} AS v
        WHERE (v.valid_to IS NULL OR v.valid_to >= ${now} OR ${goes}) ${among}`,
      run === undefined ? [] : [run]
    )
  }
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${temp(stage, "later")} AS SELECT ${keyOf(stage.table)}, min(_from) AS _starts
      FROM ${versionsOf(stage)} WHERE NOT _gone AND _from > ${now} GROUP BY ALL`
  )
})

/** Whether there are two rows of one key. */
const hasDoubles = (database: Database.Database, stage: Stage.Stage) =>
  Effect.map(
    database.query(`SELECT 1 FROM ${versionsOf(stage)} GROUP BY ${keyOf(stage.table)} HAVING count(*) > 1 LIMIT 1`, [
      { name: "one", type: { _tag: "BIGINT" }, nullable: false }
    ]),
    (rows) => rows.length > 0
  )

/** Opens what the run had closed that makes way, until the next version. */
const reopen = (database: Database.Database, stage: Stage.Stage, visit: Visit, now: string) =>
  database.run(
    `UPDATE ${versionsOf(stage)} AS v
      SET _to = (SELECT l._starts FROM ${temp(stage, "later")} AS l WHERE ${isSame(stage, "l", "v")})
      WHERE NOT v._gone AND v._was = ${now} AND ${isOurs(visit)}`
  )

/** The condition that a version is of this pipeline. */
const isOurs = ({ ours }: Visit): string =>
  ours === undefined
    ? "TRUE"
    : `v.${Column.quote(Sink.pipelineColumn.name)} IN (${ours.map(Database.literal).join(", ")})`

/** Finds the staged rows that meet a version in force, and those of them that say the same. */
const meet = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  { files, staged }: Visit,
  now: string
) {
  const keys = tableOf(stage.table)
  const [met, old, fresh] = [temp(stage, "met"), temp(stage, "old"), temp(stage, "new")]
  const matching = database.run(
    `CREATE OR REPLACE TEMP TABLE ${met} AS SELECT k.${seq}, v.${fileNumber}, v.${rowNumber}, v._to AS _ends
      FROM ${versionsOf(stage)} AS v JOIN ${keys} AS k ON ${isSame(stage, "v", "k")} WHERE ${inForce(now)}`
  )
  yield* database.withRaisedMemoryLimit(matching)
  const digest = fingerprintDigest(stage)
  yield* digestStored(database, stage, { files, rows: met, digest, into: old })
  yield* digestStaged(database, stage, { files: staged, asked: `SELECT ${seq} FROM ${met}`, digest, into: fresh })
  const comparison = database.run(
    `CREATE OR REPLACE TEMP TABLE ${temp(stage, "same")} AS SELECT DISTINCT m.${seq} FROM ${met} AS m
      JOIN ${old} AS o USING (${fileNumber}, ${rowNumber}) JOIN ${fresh} AS f USING (${seq}) WHERE o._digest = f._digest`
  )
  yield* database.withRaisedMemoryLimit(comparison)
})

/** Ends the versions that staged rows take over from, and forgets the staged rows that say nothing new. */
const end = Effect.fnUntraced(function* (database: Database.Database, stage: Stage.Stage, now: string) {
  const keys = tableOf(stage.table)
  const [met, unchanged] = [temp(stage, "met"), temp(stage, "same")]
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${temp(stage, "ends")} AS
      SELECT k.${fileNumber}, k.${rowNumber}, m._ends FROM ${met} AS m JOIN ${keys} AS k USING (${seq})
        WHERE m._ends IS NOT NULL
      UNION ALL
      SELECT k.${fileNumber}, k.${rowNumber}, l._starts
        FROM ${keys} AS k JOIN ${temp(stage, "later")} AS l ON ${isSame(stage, "k", "l")}
        WHERE k.${seq} NOT IN (SELECT ${seq} FROM ${met})`
  )
  yield* database.run(`DELETE FROM ${met} WHERE ${seq} IN (SELECT ${seq} FROM ${unchanged})`)
  yield* database.run(
    `UPDATE ${versionsOf(stage)} AS v SET _gone = (v._from = ${now}), _to = ${now} FROM ${met} AS m
      WHERE v.${fileNumber} = m.${fileNumber} AND v.${rowNumber} = m.${rowNumber}`
  )
  return yield* database.run(`DELETE FROM ${keys} WHERE ${seq} IN (SELECT ${seq} FROM ${unchanged})`)
})

const inForce = (now: string): string => `NOT v._gone AND v._from <= ${now} AND (v._to IS NULL OR v._to > ${now})`
const isSame = ({ table }: Stage.Stage, a: string, b: string): string => sameValues(table.key, a, table.key, b)
const moment = (at: unknown): string => (typeof at === "bigint" ? `make_timestamp(${at}::BIGINT)` : "NULL::TIMESTAMP")
const moments: Column.Column = { name: "at", type: { _tag: "TIMESTAMP" }, nullable: true }

const keyColumns = ({ table, columns }: Stage.Stage) => table.key.flatMap((name) => Column.named(columns, name) ?? [])

const versionsOf = (stage: Stage.Stage): string => temp(stage, "versions")

/** Whether a file may hold versions that are in force at a moment or later, or of a run. */
const mayHoldAfter = (file: Manifest.DataFile, at: bigint, run: string | undefined): boolean => {
  const [current, end] = [file.max["is_current"], file.max["valid_to"]]
  if (current !== "false" || typeof end !== "string" || (run !== undefined && mayBeOf(file, run))) return true
  return !(Date.parse(`${end.replace(" ", "T")}Z`) < Math.floor(Number(at) / 1000))
}
