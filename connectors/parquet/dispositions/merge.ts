/**
 * merge, for files: which stored rows staged ones replace, and which staged ones are stored already.
 *
 * A stored row stays if the staged row of its key equals it, and its file stays if no row of it is removed. Of the
 * children of staged parents as many stay as equal ones are staged; the others are removed. Several stored rows of one
 * key become one.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type * as Sink from "#engine/Sink"
import * as StoredTable from "#engine/StoredTable"
import { failure } from "../failure.ts"
import { openSource, type Source, viewOf } from "../lake/copyRows.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import { fileNumber, rowNumber, seq, tableOf } from "../lake/StagedKeys.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"
import { type Match, matches, matchOf, prunedFiles } from "../table/KeyMatch.ts"
import * as RereadRows from "../table/RereadRows.ts"
import { mayBeOf, type Opened, openFiles, rewriteFile } from "../table/rewriteFile.ts"
import { contentDigest } from "../table/rowDigest.ts"
import { digestStaged, digestStored, type Numbered, temp } from "../table/sameRows.ts"
import { type Changed, type Circumstances, inPlace, isOfAll } from "./Disposition.ts"

/** Changes the files. Staged rows that are stored already do not count from then on. */
export const merge = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
): Effect.fn.Return<Changed, Sink.SinkError> {
  const { files, forgotten, parent, rewritten } = circumstances
  const { database } = session
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const match = matchOf(stage, parent)
  const touched = yield* prunedFiles(session, files, match)
  const forgets = (file: Manifest.DataFile) => forgotten !== undefined && mayBeOf(file, forgotten)
  const opened = yield* openFiles(
    session,
    stage,
    files,
    (file, number) => isOfAll(circumstances, stage) || touched.has(number) || forgets(file)
  )
  if (opened.length === 0) return inPlace(stage, circumstances, 0)

  yield* meet(database, stage, opened, { match, forgotten }).pipe(inTable)
  const staged = yield* Effect.forEach(stage.held, ([number, { file, path }]) =>
    Effect.map(openSource(session, path, file.partition, stage.columns), (source) => ({ number, source }))
  )
  const [met, same, replacedRows] = [temp(stage, "met"), temp(stage, "same"), temp(stage, "gone")]
  yield* (stage.table.parent === undefined ? sameOfKey : sameChildren)(database, stage, opened, staged).pipe(inTable)
  yield* database
    .run(
      `CREATE OR REPLACE TEMP TABLE ${replacedRows} AS SELECT m.${fileNumber}, m.${rowNumber} FROM ${met} AS m
        ANTI JOIN ${same} AS s ON s.${fileNumber} = m.${fileNumber} AND s.${rowNumber} = m.${rowNumber}`
    )
    .pipe(database.withRaisedMemoryLimit, inTable)
  for (const each of opened) {
    const rows = `SELECT ${rowNumber} AS row FROM ${replacedRows} WHERE ${fileNumber} = ${each.number}`
    const some = yield* database.values(`${rows} LIMIT 1`).pipe(inTable)
    yield* rewriteFile(session, stage, each, some.length === 0 ? undefined : { go: rows }, rewritten)
  }
  const unchanged = yield* database
    .run(`DELETE FROM ${tableOf(stage.table)} WHERE ${seq} IN (SELECT ${seq} FROM ${same})`)
    .pipe(database.withRaisedMemoryLimit, inTable)
  return inPlace(stage, circumstances, unchanged)
})

/** Finds the stored rows that staged ones may replace, and those of the forgotten run. */
const meet = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  files: ReadonlyArray<Opened>,
  { forgotten, match }: { readonly match: Match; readonly forgotten: string | undefined }
) {
  const met = temp(stage, "met")
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${met} (${seq} BIGINT, ${fileNumber} BIGINT, ${rowNumber} BIGINT, _forgotten BOOLEAN,
      ${RereadRows.storedRun} VARCHAR)`
  )
  const on = matches(match, "v", "k")
  for (const { number, source } of files) {
    const view = viewOf(source, { columns: stage.columns })
    const run = isThere("_run_id", source, stage) ? "v._run_id" : "NULL"
    const isForgotten =
      forgotten === undefined || run === "NULL" ? "FALSE" : `coalesce(${run} = ${Database.literal(forgotten)}, FALSE)`
    const rows =
      stage.table.parent === undefined
        ? `SELECT k.${seq}, ${number}, v.${rowNumber}, ${isForgotten}, ${run}
            FROM ${view} AS v LEFT JOIN ${match.keys} AS k ON ${on} WHERE k.${seq} IS NOT NULL OR ${isForgotten}`
        : `SELECT NULL, ${number}, v.${rowNumber}, ${isForgotten}, ${run} FROM ${view} AS v
            WHERE EXISTS (FROM ${match.keys} AS k WHERE ${on}) OR ${isForgotten}`
    yield* database.withRaisedMemoryLimit(database.run(`INSERT INTO ${met} ${rows}`))
  }
})

const isThere = (name: string, source: Source, { columns }: Stage.Stage): boolean =>
  Column.named(source.columns, name) !== undefined && Column.named(columns, name) !== undefined

/** Finds the staged rows whose key has one stored row, which equals them. */
const sameOfKey = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  files: ReadonlyArray<Opened>,
  staged: ReadonlyArray<Numbered>
) {
  const [met, once, old, fresh] = [temp(stage, "met"), temp(stage, "once"), temp(stage, "old"), temp(stage, "new")]
  const digest = contentDigest(stage)
  yield* refuseAmbiguous(database, stage, files)
  yield* database.withRaisedMemoryLimit(
    database.run(
      `CREATE OR REPLACE TEMP TABLE ${once} AS
        SELECT ${seq}, any_value(${fileNumber}) AS ${fileNumber}, any_value(${rowNumber}) AS ${rowNumber},
          any_value(${RereadRows.storedRun}) AS ${RereadRows.storedRun}
        FROM ${met} WHERE NOT _forgotten GROUP BY ${seq} HAVING count(*) = 1`
    )
  )
  yield* digestStored(database, stage, { files, rows: once, digest, into: old })
  yield* digestStaged(database, stage, { files: staged, asked: `SELECT ${seq} FROM ${once}`, digest, into: fresh })
  yield* database.withRaisedMemoryLimit(
    database.run(
      `CREATE OR REPLACE TEMP TABLE ${temp(stage, "same")} AS SELECT m.* FROM ${once} AS m
        JOIN ${old} AS o USING (${fileNumber}, ${rowNumber}) JOIN ${fresh} AS f USING (${seq}) WHERE o._digest = f._digest`
    )
  )
  const rest = `(FROM ${once} WHERE ${seq} NOT IN (SELECT ${seq} FROM ${temp(stage, "same")}))`
  yield* RereadRows.find(database, stage, { files, staged, met: rest, since: "NULL::TIMESTAMP" })
})

/** Refuses a key of which several stored rows differ. Several rows that say the same become one. */
const refuseAmbiguous = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  files: ReadonlyArray<Opened>
) {
  const [met, several, old] = [temp(stage, "met"), temp(stage, "several"), temp(stage, "old")]
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${several} AS SELECT * FROM ${met} WHERE NOT _forgotten
      QUALIFY count(*) OVER (PARTITION BY ${seq}) > 1`
  )
  if ((yield* database.values(`SELECT 1 FROM ${several} LIMIT 1`)).length === 0) return
  yield* digestStored(database, stage, { files, rows: several, digest: contentDigest(stage), into: old })
  const differing = yield* database.values(
    `SELECT 1 FROM ${several} JOIN ${old} AS o USING (${fileNumber}, ${rowNumber})
      GROUP BY ${seq} HAVING count(DISTINCT o._digest) > 1 LIMIT 1`
  )
  if (differing.length > 0) return yield* failure(StoredTable.narrowKey(stage.table))()
})

/** Pairs the stored children of staged parents with equal staged ones, one to one. */
const sameChildren = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  files: ReadonlyArray<Opened>,
  staged: ReadonlyArray<Numbered>
) {
  const [met, old, fresh] = [temp(stage, "met"), temp(stage, "old"), temp(stage, "new")]
  const digest = contentDigest(stage)
  yield* digestStored(database, stage, { files, rows: `(FROM ${met} WHERE NOT _forgotten)`, digest, into: old })
  const some = yield* database.values(`SELECT 1 FROM ${old} LIMIT 1`)
  yield* digestStaged(database, stage, { files: some.length === 0 ? [] : staged, digest, into: fresh })
  const nth = (of: string, order: string) =>
    `(SELECT *, row_number() OVER (PARTITION BY _digest ORDER BY ${order}) AS _nth FROM ${of})`
  yield* database.withRaisedMemoryLimit(
    database.run(
      `CREATE OR REPLACE TEMP TABLE ${temp(stage, "same")} AS SELECT n.${seq}, o.${fileNumber}, o.${rowNumber}
        FROM ${nth(old, `${fileNumber}, ${rowNumber}`)} AS o JOIN ${nth(fresh, seq)} AS n USING (_digest, _nth)`
    )
  )
})
