/**
 * replace, for files: which rows of earlier runs stay beside the new ones.
 *
 * Guarantee: after a complete run that retains nothing no old row stays, and no old file is read. Otherwise a written row
 * replaces the stored one of its key with its children, also if no new child was written. A row that was neither written
 * nor retained is removed only if the run is complete. In a shared table only the rows of this pipeline are changed. The
 * written keys are read from the new files: they are not kept during the run.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import { projection } from "../format/fileSql.ts"
import { viewOf } from "../lake/copyRows.ts"
import * as LakeSession from "../lake/LakeSession.ts"
import { besideFault } from "../lake/nextManifest.ts"
import { place } from "../lake/place.ts"
import * as RetainedKeys from "../lake/RetainedKeys.ts"
import { definitions, tableOf } from "../lake/StagedKeys.ts"
import { columnsAfter, isWider } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"
import { isForgotten, temp } from "../table/CommitTable.ts"
import { type Match, matches, prunedFiles } from "../table/KeyMatch.ts"
import { mayBeOf, type Opened, openFile, openFiles, type Rewritten, rewriteFile } from "../table/rewriteFile.ts"
import { type Changed, type Circumstances, current } from "./Disposition.ts"

/** The files of this run, widened if needed, beside the rows of other runs that stay. */
export const replace = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
): Effect.fn.Return<Changed, Sink.SinkError> {
  const { before, files, rewritten } = circumstances
  const mine = new Set(stage.ours.map(({ path }) => path))
  const others = files.filter(({ path }) => !mine.has(path))
  const {
    columns,
    kept,
    files: left
  } = before === undefined || others.length === 0
    ? { columns: stage.columns, kept: 0, files: [] }
    : yield* leave(session, stage, { ...circumstances, before, files: others })
  const widened = (files: ReadonlyArray<Manifest.DataFile>) =>
    widenFiles(session, { ...stage, columns }, files, rewritten)
  const isWide = stage.columns.every(({ name, type }) => {
    const now = Column.named(columns, name)
    return now === undefined || Column.toSql(now.type) === Column.toSql(type)
  })
  const [earlier, fresh] = isWide
    ? [stage.ours, stage.fresh]
    : [yield* widened(stage.ours), yield* widened(stage.fresh)]
  return { left: [...left, ...earlier], ours: earlier, fresh, columns, unchanged: 0, kept }
})

/** The files of a run, rewritten with wider columns. */
export const widenFiles = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  wide: Stage.Stage,
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
) {
  for (const file of files) {
    yield* rewriteFile(session, wide, { file, source: yield* openFile(session, wide, file) }, undefined, rewritten)
    if (rewritten.has(file.path)) yield* LakeSession.unship(session, file)
  }
  return current(files, rewritten)
})

interface Left {
  /** The files of earlier runs that stay, unchanged or rewritten. */
  readonly files: ReadonlyArray<Manifest.DataFile>
  /** Rows of this pipeline among them. */
  readonly kept: number
  /** The columns that the table has with them. */
  readonly columns: ReadonlyArray<Column.Column>
}

/** What decides which rows of earlier runs stay. */
interface Leaving extends Circumstances {
  /** The values of `_pipeline` in the rows of this pipeline, if the table is shared. */
  readonly ours: ReadonlyArray<string> | undefined
  /** Whose rows each file has, as far as the manifest says. */
  readonly sides: ReadonlyArray<Side>
  readonly keys: Keys
  /** Whether columns are wider than they were, so that all files are rewritten. */
  readonly isOfAll: boolean
}

/** The files of earlier runs that stay. */
const leave = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances & { readonly before: Manifest.TableState }
): Effect.fn.Return<Left, Sink.SinkError> {
  const { before, commit, files, parent, pipeline, rewritten } = circumstances
  const ours = pipeline === undefined ? undefined : Owner.namesOf(pipeline)
  const named = parent !== undefined && stage.table.parent !== undefined ? parent : stage
  const sides = files.map((file) => sideOf(file, ours))
  const columns = columnsWith(before, stage)
  const isOfAll = isWider(before, columns)
  const isUnread = sides.every((side) => side === "ours" || (side === "others" && !isOfAll))
  if (commit.complete && !RetainedKeys.isAny(named.retained) && isUnread) {
    const left = files.filter((_, at) => sides[at] === "others")
    return { files: left, kept: 0, columns: left.length === 0 ? stage.columns : columns }
  }

  const wide = { ...stage, columns }
  const leaving = { ...circumstances, ours, sides, isOfAll, keys: yield* gather(session, wide, named) }
  const opened = yield* openChanging(session, wide, leaving)
  let foreign = files.reduce((sum, { rows }, at) => sum + (sides[at] === "others" ? rows : 0), 0)
  for (const each of opened) {
    const others = yield* removeRows(session, wide, each, leaving)
    if (sides[each.number] === "mixed") foreign += others
  }
  const left = current(files, rewritten)
  if (left.length === 0) return { files: left, kept: 0, columns: stage.columns }
  const keptRows = left.reduce((sum, { rows }) => sum + rows, 0) - foreign
  const fault = besideFault(
    before,
    stage,
    stage.partition.map(({ name }) => name)
  )
  if (fault !== undefined) {
    return yield* failure(
      `${fault}; ${keptRows} of its rows would stay beside those of this run, which was not complete or could not learn them: a complete run replaces the table`
    )()
  }
  return { files: left, kept: keptRows, columns }
})

/** Removes the files of which no row stays, and opens those whose rows may change. */
const openChanging = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  { commit, files, forgotten, isOfAll, keys, rewritten, sides }: Leaving
): Effect.fn.Return<ReadonlyArray<Opened>, Sink.SinkError> {
  const [goes, stays] = yield* Effect.forEach([keys.written, keys.retained], (match) =>
    match === undefined ? Effect.succeed(new Set<number>()) : prunedFiles(session, files, match)
  )
  const isGone = (number: number) =>
    commit.complete && sides[number] === "ours" && !keys.retainsAll && stays?.has(number) !== true
  const opened = yield* openFiles(session, stage, files, (file, number) => {
    if (isGone(number)) return false
    if (isOfAll || sides[number] === "mixed") return true
    const forgets = forgotten !== undefined && mayBeOf(file, forgotten)
    return sides[number] === "ours" && (commit.complete || forgets || goes?.has(number) === true)
  })
  for (const [number, file] of files.entries()) if (isGone(number)) rewritten.set(file.path, undefined)
  return opened
})

/** Rewrites a file without the rows that go. Returns how many of its rows are of other pipelines. */
const removeRows = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  file: Opened,
  leaving: Leaving
): Effect.fn.Return<number, Sink.SinkError> {
  const { database } = session
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const oldRows = temp(stage, "gone")
  const isOurs = isOursIn(leaving.ours)
  const goes = `${isOurs} AND (${reasonsToGo(stage, leaving).join(" OR ")})`
  yield* database
    .run(
      `CREATE OR REPLACE TEMP TABLE ${oldRows} AS SELECT v.${place} AS row, ${goes} AS goes, ${isOurs} AS ours
        FROM ${viewOf([{ number: 0, source: file.source }], { columns: stage.columns })} AS v`
    )
    .pipe(database.withRaisedMemoryLimit, inTable)
  const [some = 0, others = 0] = yield* Database.numbers(
    database,
    `SELECT count(*) FILTER (goes), count(*) FILTER (NOT ours) FROM ${oldRows}`
  ).pipe(inTable)
  const change = some === 0 ? undefined : { go: `SELECT row FROM ${oldRows} WHERE goes` }
  yield* rewriteFile(session, stage, file, change, leaving.rewritten)
  return others
})

/** The conditions, of which one suffices, for a row of this pipeline to go. */
const reasonsToGo = (stage: Stage.Stage, { commit, forgotten, keys }: Leaving): ReadonlyArray<string> => [
  ...(keys.written === undefined ? [] : [isAmong(keys.written)]),
  isForgotten(stage, forgotten),
  ...(!commit.complete || keys.retainsAll
    ? []
    : [keys.retained === undefined ? "TRUE" : `NOT ${isAmong(keys.retained)}`])
]

/** The columns of the stored and the new rows, each of a type that holds the values of both. */
const columnsWith = (before: Manifest.TableState, stage: Stage.Stage): ReadonlyArray<Column.Column> =>
  columnsAfter(before, { table: { ...stage.table, columns: stage.columns }, write: "replace" }, true)

interface Keys {
  /** The keys that show whether a row was written, or retained; undefined: all rows were written. */
  readonly written: Match | undefined
  readonly retained: Match | undefined
  /** Whether all rows are retained, because the keys of the retained ones are not known. */
  readonly retainsAll: boolean
}

/** Writes the keys of written and of retained rows into temporary tables: keys of this table, or of its parent. */
const gather = Effect.fnUntraced(
  function* (
    session: LakeSession.LakeSession,
    stage: Stage.Stage,
    named: Stage.Stage
  ): Effect.fn.Return<Keys, Sink.SinkError | Database.DatabaseError> {
    const { database } = session
    const on: ReadonlyArray<readonly [string, string]> =
      named === stage || named.table.name === stage.table.name
        ? stage.table.key.map((name) => [name, name] as const)
        : Object.entries(stage.table.parent?.on ?? {})
    const pairs = on.flatMap(([ours, key]) => {
      const column = Column.named(stage.columns, ours)
      return column === undefined ? [] : [{ column, key }]
    })
    if (pairs.length === 0) return { written: undefined, retained: undefined, retainsAll: false }
    const columns = pairs.map(({ column, key }): Column.Column => ({ ...column, name: key }))
    const match = (name: string): Match => ({ keys: temp(stage, name), pairs })
    const [written, retained] = [match("written"), match("staying")]
    for (const { keys } of [written, retained]) {
      yield* database.run(`CREATE OR REPLACE TEMP TABLE ${keys} (${definitions(columns)})`)
    }
    const take = (into: Match, from: ReadonlyArray<Column.Column>, rows: string) =>
      database.run(`INSERT INTO ${into.keys} SELECT DISTINCT ${projection(from, columns).join(", ")} FROM ${rows}`)
    if (named.keys !== undefined)
      yield* take(written, named.keys.columns, tableOf(named.table)).pipe(database.withRaisedMemoryLimit)
    for (const file of [...named.ours, ...named.fresh]) {
      const source = yield* openFile(session, named, file)
      yield* take(written, source.columns, source.rows).pipe(database.withRaisedMemoryLimit)
      yield* LakeSession.discard(source.path)
    }
    if (!RetainedKeys.isAny(named.retained)) return { written, retained: undefined, retainsAll: false }
    yield* take(retained, named.retained.columns, RetainedKeys.tableOf(named.retained)).pipe(
      database.withRaisedMemoryLimit
    )
    return {
      written,
      retained,
      retainsAll: pairs.some(({ key }) => Column.named(named.retained.columns, key) === undefined)
    }
  },
  (effect, _workshop, { table }) => Effect.mapError(effect, failure(`table ${table.name}`))
)

const isAmong = (match: Match): string => `EXISTS (FROM ${match.keys} AS k WHERE ${matches(match, "v", "k")})`

type Side = "ours" | "others" | "mixed"

/** Whose rows a file has, as far as the manifest says. */
const sideOf = ({ max, min }: Manifest.DataFile, ours: ReadonlyArray<string> | undefined): Side => {
  if (ours === undefined) return "ours"
  const [least, most] = [min[pipeline], max[pipeline]]
  if (least === undefined || least === null || least !== most) return "mixed"
  return ours.includes(least) ? "ours" : "others"
}

const isOursIn = (ours: ReadonlyArray<string> | undefined): string =>
  ours === undefined
    ? "TRUE"
    : `coalesce(v.${Column.quote(pipeline)} IN (${ours.map(Database.literal).join(", ")}), FALSE)`

const pipeline = Sink.pipelineColumn.name
