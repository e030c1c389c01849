/**
 * What a commit does to the files of one table: which are dropped, which are written anew, which come.
 *
 * The law: files are never changed. One in which a row goes or changes is written anew under another name, group by
 * group, and takes its place in the manifest; one that nothing touches stays as it is, and is not even fetched where the
 * manifest says enough. Only keys are joined, never whole rows.
 */
import * as Effect from "effect/Effect"
import * as Database from "../../src/duckdb/Database.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { candidates } from "./candidates.ts"
import { hasHistory, isWider } from "./columnsAfter.ts"
import { failure } from "./failure.ts"
import * as history from "./history.ts"
import type * as Manifest from "./Manifest.ts"
import { type Match, matches, matchOf } from "./merge.ts"
import * as pour from "./pour.ts"
import * as Stage from "./Stage.ts"
import * as StagedKeys from "./StagedKeys.ts"
import * as Workshop from "./Workshop.ts"

export interface Circumstances {
  /** The table as the last manifest has it, where it is not replaced. */
  readonly before: Manifest.TableState | undefined
  readonly parent: Stage.Stage | undefined
  readonly commit: Sink.Commit
  /** The run whose rows make way, if one does. */
  readonly forgotten: string | undefined
}

export interface TableChange {
  readonly files: ReadonlyArray<Manifest.DataFile>
  /** Rows that came, and bytes that were written. */
  readonly rows: number
  readonly bytes: number
}

/** Changes the files of a table. Keys are settled; of a parent and its children the children come first. */
export const tableChange = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  of: Circumstances
): Effect.fn.Return<TableChange, Sink.SinkError> {
  const files = (of.before?.files ?? []).filter((file) => of.forgotten === undefined || file.run_id !== of.forgotten)
  const rewritten =
    stage.write === "scd2"
      ? yield* changeHistory(workshop, stage, of, files)
      : yield* changeRows(workshop, stage, of, files)
  const fresh = [...stage.fresh, ...(yield* shipHeld(workshop, stage, of.commit))]
  const written = [...fresh, ...[...rewritten.values()].flatMap((file) => file ?? [])]
  return {
    files: [...files.flatMap((file) => (rewritten.has(file.path) ? (rewritten.get(file.path) ?? []) : file)), ...fresh],
    rows: fresh.reduce((sum, { rows }) => sum + rows, 0),
    bytes: written.reduce((sum, { bytes }) => sum + bytes, 0)
  }
})

/** The files that are not as they were, by their paths: what came in their place, if anything. */
type Rewritten = Map<string, Manifest.DataFile | undefined>

/** append, replace and merge: rows go for staged ones, or because their run is written again. One file at a time. */
const changeRows = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  { before, parent, forgotten }: Circumstances,
  files: ReadonlyArray<Manifest.DataFile>
) {
  const match = stage.write === "merge" ? matchOf(stage, parent) : undefined
  const isOfAll = before !== undefined && isWider(before, stage.columns)
  const touched = match === undefined ? new Set<number>() : yield* mayMatch(workshop, files, match)
  const rewritten: Rewritten = new Map()
  for (const [number, file] of files.entries()) {
    const forgets = forgotten !== undefined && mayBeOf(file, forgotten)
    if (!isOfAll && !forgets && !touched.has(number)) continue
    const source = yield* openFile(workshop, file)
    const view = pour.viewOf(source, { columns: stage.columns })
    const rows = [
      ...(match !== undefined && (isOfAll || touched.has(number))
        ? [
            `SELECT v.${row} AS row FROM ${view} AS v WHERE EXISTS (FROM ${match.keys} AS k WHERE ${matches(match, "v", "k")})`
          ]
        : []),
      ...(forgets && Column.named(source.columns, "_run_id") !== undefined
        ? [`SELECT v.${row} AS row FROM ${view} AS v WHERE v._run_id = ${Database.literal(forgotten)}`]
        : [])
    ]
    const gone = yield* markGone(workshop.database, rows).pipe(Effect.mapError(failure(`table ${stage.table.name}`)))
    yield* rewrite(workshop, stage, file, source, !gone ? undefined : { go: "SELECT row FROM gone" }, rewritten)
  }
  return rewritten
})

/** Puts the rows of these queries into a table, for as long as their file is written anew. Whether there are any. */
const markGone = Effect.fnUntraced(function* (database: Database.Database, rows: ReadonlyArray<string>) {
  yield* database.run("CREATE OR REPLACE TEMP TABLE gone (row BIGINT)")
  const gone = rows.length === 0 ? 0 : yield* database.amply(database.run(`INSERT INTO gone ${rows.join(" UNION ")}`))
  return gone > 0
})

/** scd2: versions end, and all that may be in force are looked at together. */
const changeHistory = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  { before, commit, forgotten }: Circumstances,
  files: ReadonlyArray<Manifest.DataFile>
) {
  const at = commit.run.startedAt
  const closing = workshop.options.removed === "close" && commit.complete
  const adopting = before !== undefined && !hasHistory(before)
  const isOfAll = adopting || (before !== undefined && isWider(before, stage.columns))
  const touched =
    isOfAll || closing || forgotten !== undefined
      ? new Set(files.keys())
      : yield* mayMatch(workshop, files, matchOf(stage))
  const opened: Array<history.Numbered & { readonly file: Manifest.DataFile }> = []
  for (const [number, file] of files.entries()) {
    if (isOfAll || (touched.has(number) && mayHoldAfter(file, at, forgotten))) {
      opened.push({ number, file, source: yield* openFile(workshop, file) })
    }
  }
  const staged = yield* Effect.forEach(stage.held, ([number, { path }]) =>
    Effect.map(pour.look(workshop, path), (source) => ({ number, source }))
  )
  yield* history.settle(workshop.database, stage, { files: opened, staged, at, forgotten, adopting, closing })
  const rewritten: Rewritten = new Map()
  for (const { number, file, source } of opened) {
    const change = yield* history
      .changeOf(workshop.database, stage, number)
      .pipe(Effect.mapError(failure(`table ${stage.table.name}`)))
    yield* rewrite(workshop, stage, file, source, change, rewritten)
  }
  return rewritten
})

/** Writes a file anew where its rows change, or its columns are not those of the table any more. */
const rewrite = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  file: Manifest.DataFile,
  source: pour.Source,
  change: pour.Change | undefined,
  rewritten: Rewritten
) {
  const isNarrow = stage.columns.some(({ name, type }) => {
    const present = Column.named(source.columns, name)
    return present === undefined
      ? stage.write === "scd2" && history.adopted[name] !== undefined
      : Column.toSql(present.type) !== Column.toSql(type)
  })
  if (change !== undefined || isNarrow) {
    const wide: pour.Change = isNarrow ? { ...change, columns: stage.columns, absent: history.adopted } : { ...change }
    const growing = Workshop.newFile(workshop, stage.table.name)
    yield* pour.pour(workshop, source, wide, growing)
    rewritten.set(
      file.path,
      growing.bytes === 0
        ? undefined
        : yield* Effect.flatMap(
            Workshop.finish(
              workshop,
              growing,
              Stage.belonging(stage, wide.columns ?? source.columns, file.partition, file.run_id)
            ),
            (local) => Workshop.ship(workshop, local)
          )
    )
  }
  yield* Workshop.discard(source.path)
})

/** Ships what waited for the commit, as it is where all of its rows count. */
const shipHeld = Effect.fnUntraced(function* (workshop: Workshop.Workshop, stage: Stage.Stage, { run }: Sink.Commit) {
  const fresh: Array<Manifest.DataFile> = []
  if (stage.keys === undefined) return fresh
  const { database } = workshop
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const counts = yield* StagedKeys.counts(database, stage.keys).pipe(inTable)
  for (const [number, local] of stage.held) {
    const count = counts.get(number) ?? 0
    if (count > 0 && (count < local.file.rows || stage.write === "scd2")) {
      const versions =
        stage.write === "scd2" ? yield* history.newOf(database, stage, number, run.startedAt).pipe(inTable) : {}
      const growing = Workshop.newFile(workshop, stage.table.name)
      const source = yield* pour.look(workshop, local.path)
      yield* pour.pour(workshop, source, { ...versions, stay: StagedKeys.rowsOf(stage.keys, number) }, growing)
      const of = Stage.belonging(stage, stage.columns, local.file.partition, workshop.runId)
      fresh.push(yield* Workshop.ship(workshop, yield* Workshop.finish(workshop, growing, of)))
    } else if (count > 0) fresh.push(yield* Workshop.ship(workshop, local))
    yield* Workshop.discard(local.path)
  }
  return fresh
})

const openFile = (workshop: Workshop.Workshop, file: Manifest.DataFile) =>
  Effect.flatMap(Workshop.fetch(workshop, file), (path) => pour.look(workshop, path))

const mayMatch = (workshop: Workshop.Workshop, files: ReadonlyArray<Manifest.DataFile>, match: Match) =>
  candidates(workshop, files, match.keys, match.pairs).pipe(
    Effect.mapError(failure("cannot look for files to merge with"))
  )

/** Whether a file may hold rows of a run. One that says its run holds rows of that one only. */
const mayBeOf = ({ run_id, min, max }: Manifest.DataFile, run: string): boolean => {
  const [first, last] = [min["_run_id"], max["_run_id"]]
  if (run_id !== undefined || first === null || last === null) return false
  return (first === undefined || first <= run) && (last === undefined || last >= run)
}

/** Whether a file may hold versions that are in force at a moment or later, or of a run. */
const mayHoldAfter = (file: Manifest.DataFile, at: bigint, run: string | undefined): boolean => {
  const [current, end] = [file.max["is_current"], file.max["valid_to"]]
  if (current !== "false" || typeof end !== "string" || (run !== undefined && mayBeOf(file, run))) return true
  return !(Date.parse(`${end.replace(" ", "T")}Z`) < Math.floor(Number(at) / 1000))
}

const row = StagedKeys.rowNumber
