/**
 * What a commit does to the files of one table: which are dropped, which are written anew, which come; and what became of the
 * rows that were staged.
 *
 * The law: files are never changed. One in which a row goes or changes is written anew under another name, group by
 * group, and takes its place in the manifest; one that nothing touches stays as it is, and is not even fetched where the
 * manifest says enough. Only keys and digests are joined, never whole rows.
 */
import * as Effect from "effect/Effect"
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import { changeByMerge } from "../dispositions/merge.ts"
import { changeByReplace } from "../dispositions/replace.ts"
import * as history from "../dispositions/scd2.ts"
import { failure } from "../failure.ts"
import * as pour from "../format/copyRows.ts"
import * as Workshop from "../lake/LakeSession.ts"
import type * as Manifest from "../lake/Manifest.ts"
import * as Stage from "../stage.ts"
import { hasHistory, isWider } from "./columnsAfter.ts"
import { matchOf } from "./KeyMatch.ts"
import { mayBeOf, mayMatch, openFile, openFiles, type Rewritten, rewrite } from "./rewriteFile.ts"
import * as StagedKeys from "./StagedKeys.ts"
import { temp } from "./sameRows.ts"

export interface Circumstances {
  /** The table as the last manifest has it. */
  readonly before: Manifest.TableState | undefined
  readonly parent: Stage.Stage | undefined
  readonly commit: Sink.Commit
  /** The run whose rows make way, if one does. */
  readonly forgotten: string | undefined
  /** What `_pipeline` has in the rows of this pipeline, where the table is shared. */
  readonly ours: ReadonlyArray<string> | undefined
}

export interface TableChange {
  readonly files: ReadonlyArray<Manifest.DataFile>
  readonly columns: ReadonlyArray<Column.Column>
  readonly receipt: Sink.TableResult
  /** Bytes that were written. */
  readonly bytes: number
}

/** Changes the files of a table. Keys are settled; of a parent and its children the children come first. */
export const tableChange = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  of: Circumstances
): Effect.fn.Return<TableChange, Sink.SinkError> {
  const { forgotten } = of
  const counting = stage.keys === undefined ? stage.received : yield* countOf(workshop, stage.keys)
  const files = (of.before?.files ?? []).filter((file) => forgotten === undefined || file.run_id !== forgotten)
  const rewritten: Rewritten = new Map()
  const settled = yield* settle(workshop, stage, of, files, rewritten)
  const fresh = [...settled.fresh, ...(yield* shipHeld(workshop, stage, of.commit))]
  const written = fresh.reduce((sum, { rows }) => sum + rows, 0)
  stage.ours = [...settled.ours, ...fresh]
  const { kept, unchanged } = settled
  const after = [...settled.left, ...fresh]
  const known = new Set(files.map(({ path }) => path))
  return {
    files: after,
    columns: settled.columns,
    receipt: { received: stage.received, written, unchanged, superseded: stage.received - counting, kept },
    bytes: after.reduce((sum, { bytes, path }) => sum + (known.has(path) ? 0 : bytes), 0)
  }
})

/** What is there but for the files that wait for the commit. */
interface Settled {
  /** Files of earlier commits, those of this run among them. */
  readonly left: ReadonlyArray<Manifest.DataFile>
  readonly ours: ReadonlyArray<Manifest.DataFile>
  readonly fresh: ReadonlyArray<Manifest.DataFile>
  readonly columns: ReadonlyArray<Column.Column>
  readonly unchanged: number
  readonly kept: number
}

const settle = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  of: Circumstances,
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
): Effect.fn.Return<Settled, Sink.SinkError> {
  const { before, forgotten, parent } = of
  if (stage.write === "replace") return yield* replace(workshop, stage, of, files, rewritten)
  const isOfAll = before !== undefined && isWider(before, stage.columns)
  let unchanged = 0
  if (stage.write === "scd2") unchanged = yield* changeHistory(workshop, stage, of, files, rewritten)
  else if (stage.write === "merge") {
    unchanged = yield* changeByMerge(workshop, stage, { parent, forgotten, isOfAll }, files, rewritten)
  } else yield* forget(workshop, stage, { forgotten, isOfAll }, files, rewritten)
  return {
    left: files.flatMap((file) => current(file, rewritten)),
    ours: stage.ours.flatMap((file) => current(file, rewritten)),
    fresh: stage.fresh,
    columns: stage.columns,
    unchanged,
    kept: 0
  }
})

/** What is in the place of a file. */
const current = (file: Manifest.DataFile, rewritten: Rewritten): ReadonlyArray<Manifest.DataFile> => {
  const now = rewritten.has(file.path) ? rewritten.get(file.path) : file
  return now === undefined ? [] : [now]
}

/** replace: beside what is left of other runs stand the files of this one, made as wide where they are narrower. */
const replace = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  { before, commit, forgotten, ours, parent }: Circumstances,
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
) {
  const mine = new Set(stage.ours.map(({ path }) => path))
  const others = files.filter(({ path }) => !mine.has(path))
  const {
    columns,
    kept,
    files: left
  } = before === undefined || others.length === 0
    ? { columns: stage.columns, kept: 0, files: [] }
    : yield* changeByReplace(
        workshop,
        stage,
        { before, parent, complete: commit.complete, forgotten, ours },
        others,
        rewritten
      )
  const wide = { ...stage, columns }
  const widened = Effect.fnUntraced(function* (files: ReadonlyArray<Manifest.DataFile>) {
    for (const file of files) {
      yield* rewrite(workshop, wide, { file, source: yield* openFile(workshop, file) }, undefined, rewritten)
      if (rewritten.has(file.path)) yield* Workshop.unship(workshop, file)
    }
    return files.flatMap((file) => current(file, rewritten))
  })
  const isWide = stage.columns.every(({ name, type }) => {
    const now = Column.named(columns, name)
    return now === undefined || Column.toSql(now.type) === Column.toSql(type)
  })
  const [earlier, fresh] = isWide
    ? [stage.ours, stage.fresh]
    : [yield* widened(stage.ours), yield* widened(stage.fresh)]
  return { left: [...left, ...earlier], ours: earlier, fresh, columns, unchanged: 0, kept }
})

/** append: rows go because their run is written again. One file at a time. */
const forget = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  { forgotten, isOfAll }: { readonly forgotten: string | undefined; readonly isOfAll: boolean },
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
) {
  const { database } = workshop
  const gone = temp(stage, "gone")
  for (const file of files) {
    const forgets = forgotten !== undefined && mayBeOf(file, forgotten)
    if (!isOfAll && !forgets) continue
    const source = yield* openFile(workshop, file)
    const isThere = forgets && Column.named(source.columns, "_run_id") !== undefined
    const some = !isThere
      ? 0
      : yield* database
          .run(
            `CREATE OR REPLACE TEMP TABLE ${gone} AS SELECT v.${StagedKeys.rowNumber} AS row
              FROM ${pour.viewOf(source, { columns: stage.columns })} AS v WHERE v._run_id = ${Database.literal(forgotten)}`
          )
          .pipe(
            Effect.andThen(Database.numbers(database, `SELECT count(*) FROM ${gone}`)),
            Effect.mapBoth({ onSuccess: ([count = 0]) => count, onFailure: failure(`table ${stage.table.name}`) })
          )
    yield* rewrite(workshop, stage, { file, source }, some === 0 ? undefined : { go: `FROM ${gone}` }, rewritten)
  }
})

/** scd2: versions end, and all that may be in force are looked at together. The answer is how many rows make none. */
const changeHistory = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Stage.Stage,
  { before, commit, forgotten, ours }: Circumstances,
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
) {
  const at = commit.run.startedAt
  const closing = workshop.options.removed === "close" && commit.complete
  const adopting = before !== undefined && !hasHistory(before)
  const isOfAll = adopting || (before !== undefined && isWider(before, stage.columns))
  const touched =
    isOfAll || closing || forgotten !== undefined
      ? new Set(files.keys())
      : yield* mayMatch(workshop, files, matchOf(stage))
  const opened = yield* openFiles(
    workshop,
    files,
    (file, number) => isOfAll || (touched.has(number) && mayHoldAfter(file, at, forgotten))
  )
  const staged = yield* Effect.forEach(stage.held, ([number, { path }]) =>
    Effect.map(pour.look(workshop, path), (source) => ({ number, source }))
  )
  const visit = { files: opened, staged, at, forgotten, adopting, closing, ours }
  const unchanged = yield* history.settle(workshop.database, stage, visit)
  for (const each of opened) {
    const change = yield* history
      .changeOf(workshop.database, stage, each.number)
      .pipe(Effect.mapError(failure(`table ${stage.table.name}`)))
    yield* rewrite(workshop, stage, each, change, rewritten)
  }
  return unchanged
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

/** How many of the staged rows count. */
const countOf = (workshop: Workshop.Workshop, keys: StagedKeys.StagedKeys) =>
  Effect.map(StagedKeys.counts(workshop.database, keys), (counts) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0)
  ).pipe(Effect.mapError(failure(`table ${keys.table.name}`)))

/** Whether a file may hold versions that are in force at a moment or later, or of a run. */
const mayHoldAfter = (file: Manifest.DataFile, at: bigint, run: string | undefined): boolean => {
  const [current, end] = [file.max["is_current"], file.max["valid_to"]]
  if (current !== "false" || typeof end !== "string" || (run !== undefined && mayBeOf(file, run))) return true
  return !(Date.parse(`${end.replace(" ", "T")}Z`) < Math.floor(Number(at) / 1000))
}
