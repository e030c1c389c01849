/**
 * What a commit does to the files of one table: which are dropped, which are written anew, which come; and what became of
 * the rows that were staged.
 *
 * Files are never changed. One in which a row goes or changes is written anew under another name, group by
 * group, and takes its place in the manifest; one that nothing touches stays as it is, and is not even fetched where the
 * manifest says enough. Only keys and digests are joined, never whole rows.
 */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Column from "../../../src/pipeline/Column.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import { append } from "../dispositions/append.ts"
import { type Circumstances, type Disposition, inPlace } from "../dispositions/Disposition.ts"
import { merge } from "../dispositions/merge.ts"
import { replace } from "../dispositions/replace.ts"
import { newVersions, scd2 } from "../dispositions/scd2.ts"
import { failure } from "../failure.ts"
import { copyRows, openSource, type RowChange } from "../lake/copyRows.ts"
import * as LakeSession from "../lake/LakeSession.ts"
import type * as Manifest from "../lake/Manifest.ts"
import { assertWhole } from "../lake/takeFile.ts"
import * as Stage from "../stage.ts"
import * as RereadRows from "./RereadRows.ts"
import * as StagedKeys from "./StagedKeys.ts"

export interface TableCommit {
  readonly files: ReadonlyArray<Manifest.DataFile>
  readonly columns: ReadonlyArray<Column.Column>
  readonly result: Sink.TableResult
  /** Bytes that were written. */
  readonly bytes: number
}

/** Changes the files of a table. Keys are settled; of a parent and its children the children come first. */
export const tableCommit = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Omit<Circumstances, "files" | "rewritten"> & {
    /** Whether its rows are identified by their keys, and neither it nor another such table got one. */
    readonly isIdle?: boolean
  }
): Effect.fn.Return<TableCommit, Sink.SinkError> {
  const { forgotten, isIdle = false } = circumstances
  const keys = isIdle ? undefined : stage.keys
  const counting = keys === undefined ? stage.received : yield* countOf(session, keys)
  const files = (circumstances.before?.files ?? []).filter(
    (file) => forgotten === undefined || file.run_id !== forgotten
  )
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  if (keys !== undefined) yield* RereadRows.clear(session.database, stage).pipe(inTable)
  const own = { ...circumstances, files, rewritten: new Map() }
  const settled = isIdle
    ? inPlace(stage, own, 0)
    : yield* dispositions[stage.write](session, stage, own).pipe(Effect.catch(blamingFiles(session)))
  const fresh = [...settled.fresh, ...(isIdle ? [] : yield* shipHeld(session, stage, circumstances.commit))]
  const reread = keys === undefined ? 0 : yield* RereadRows.count(session.database, stage).pipe(inTable)
  const written = fresh.reduce((sum, { rows }) => sum + rows, 0) - reread
  stage.ours = [...settled.ours, ...fresh]
  const { kept, unchanged } = settled
  const after = [...settled.left, ...fresh]
  const known = new Set(files.map(({ path }) => path))
  return {
    files: after,
    columns: settled.columns,
    result: {
      received: stage.received,
      written,
      unchanged: unchanged + reread,
      superseded: stage.received - counting,
      kept
    },
    bytes: after.reduce((sum, { bytes, path }) => sum + (known.has(path) ? 0 : bytes), 0)
  }
})

const dispositions: Readonly<Record<Sink.WriteDisposition, Disposition>> = { append, replace, merge, scd2 }

/** What fails over files of the lake fails with what is wrong with one of them, if something is. */
const blamingFiles =
  ({ fetched, store }: LakeSession.LakeSession) =>
  (error: Sink.SinkError) =>
    Effect.forEach(fetched, ([path, file]) => (existsSync(path) ? assertWhole(store, file, path) : Effect.void)).pipe(
      Effect.andThen(Effect.fail(error))
    )

/** Ships what waited for the commit, as it is where all of its rows count. */
const shipHeld = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  { run }: Sink.Commit
) {
  const fresh: Array<Manifest.DataFile> = []
  if (stage.keys === undefined) return fresh
  const { database } = session
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const counts = yield* StagedKeys.counts(database, stage.keys).pipe(inTable)
  for (const [number, local] of stage.held) {
    const count = counts.get(number) ?? 0
    const reread = yield* RereadRows.changesOf(database, stage, number).pipe(inTable)
    if (count > 0 && (count < local.file.rows || stage.write === "scd2" || reread.length > 0)) {
      const versions: RowChange =
        stage.write === "scd2" ? yield* newVersions(database, stage, number, run.startedAt).pipe(inTable) : {}
      const growing = LakeSession.newFile(session, stage.table.name)
      const source = yield* openSource(session, local.path, local.file.partition, stage.columns)
      yield* copyRows(
        session,
        source,
        { ...versions, change: [...reread, ...(versions.change ?? [])], stay: StagedKeys.rowsOf(stage.keys, number) },
        growing
      )
      // A file that has rows of other runs too is not the run's own: it does not go where that is written again.
      const own = reread.length === 0 ? session.runId : undefined
      const belonging = Stage.belonging(stage, stage.columns, local.file.partition, own)
      fresh.push(yield* LakeSession.ship(session, yield* LakeSession.finish(session, growing, belonging)))
    } else if (count > 0) fresh.push(yield* LakeSession.ship(session, local))
    yield* LakeSession.discard(local.path)
  }
  return fresh
})

/** How many of the staged rows count. */
const countOf = (session: LakeSession.LakeSession, keys: StagedKeys.StagedKeys) =>
  Effect.map(StagedKeys.counts(session.database, keys), (counts) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0)
  ).pipe(Effect.mapError(failure(`table ${keys.table.name}`)))
