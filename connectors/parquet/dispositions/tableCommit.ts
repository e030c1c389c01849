/**
 * What a commit does to the files of one table: which are dropped, rewritten and added; and the counts of the staged rows.
 *
 * Files are never changed. If a row of a file is removed or changed, the file is rewritten under a new name, group by
 * group, and replaced in the manifest. Other files stay, and are not fetched if the manifest shows that they hold no such
 * row. Only keys and digests are joined, never whole rows.
 */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import { linkColumns } from "#engine/widen"
import { failure } from "../failure.ts"
import { copyRows, openSource, type RowChange } from "../lake/copyRows.ts"
import * as LakeSession from "../lake/LakeSession.ts"
import { countByFile, rowsIn } from "../lake/place.ts"
import * as StagedKeys from "../lake/StagedKeys.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import { assertWhole } from "../manifest/takeFile.ts"
import * as Stage from "../stage.ts"
import * as CommitTable from "../table/CommitTable.ts"
import { firstVersion } from "../table/rewriteFile.ts"
import { append } from "./append.ts"
import { type Changed, type Circumstances, current, type Disposition, inPlace } from "./Disposition.ts"
import { merge } from "./merge.ts"
import { replace, widenFiles } from "./replace.ts"
import { scd2 } from "./scd2.ts"

export interface TableCommit {
  readonly files: ReadonlyArray<Manifest.DataFile>
  readonly columns: ReadonlyArray<Column.Column>
  readonly result: Sink.TableResult
  /** Bytes that were written. */
  readonly bytes: number
}

/** Changes the files of a table. The keys must be settled, and children come before their parent unless they have its versions. */
export const tableCommit = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Omit<Circumstances, "files" | "rewritten"> & {
    /** Whether its rows are identified by their keys, and no such table of the run got a row. */
    readonly isIdle?: boolean
  }
): Effect.fn.Return<TableCommit, Sink.SinkError> {
  const { forgotten, isIdle = false } = circumstances
  const keys = isIdle ? undefined : stage.keys
  const counting = keys === undefined ? stage.received : yield* countOf(session, keys)
  const files = (circumstances.before?.files ?? []).filter(
    (file) => forgotten === undefined || file.run_id !== forgotten
  )
  const own = { ...circumstances, files, rewritten: new Map() }
  const settled = isIdle
    ? inPlace(stage, own, 0)
    : yield* dispositions[stage.write](session, stage, own).pipe(Effect.catch(blamingFiles(session)))
  const fresh = [...settled.fresh, ...(isIdle ? [] : yield* shipHeld(session, stage, circumstances.commit, settled))]
  const reread = [...(yield* rereadIn(session, stage, settled)).values()].reduce((sum, rows) => sum + rows, 0)
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

/** If a commit fails and one of the fetched files is damaged, the error names that file. */
const blamingFiles =
  ({ fetched, store }: LakeSession.LakeSession) =>
  (error: Sink.SinkError) =>
    Effect.forEach(fetched, ([path, file]) => (existsSync(path) ? assertWhole(store, file, path) : Effect.void)).pipe(
      Effect.andThen(Effect.fail(error))
    )

/** A replaced table whose columns hold what those of its parent hold, also those of old rows that stayed. `above`: these columns. */
export const linkTable = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  committed: TableCommit,
  above: ReadonlyArray<Column.Column>
): Effect.fn.Return<TableCommit, Sink.SinkError> {
  const columns = stage.write === "replace" ? linkColumns(committed.columns, stage.table.parent, above) : []
  if (columns.every(({ type }, at) => type === committed.columns[at]?.type)) return committed
  const rewritten = new Map()
  const files = yield* widenFiles(session, { ...stage, columns }, committed.files, rewritten)
  stage.ours = [...current(stage.ours, rewritten)]
  return { ...committed, files, columns, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
})

/** Puts the held files into the store: unchanged if all of their rows count, otherwise rewritten. */
const shipHeld = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  { run }: Sink.Commit,
  settled: Changed
) {
  const fresh: Array<Manifest.DataFile> = []
  if (stage.keys === undefined) return fresh
  const { database } = session
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const counts = yield* countByFile(database, StagedKeys.tableOf(stage.table)).pipe(inTable)
  const reread = yield* rereadIn(session, stage, settled)
  const versions: RowChange =
    stage.write === "scd2"
      ? { columns: stage.columns, absent: { ...firstVersion, valid_from: `make_timestamp(${run.startedAt}::BIGINT)` } }
      : {}
  for (const [number, local] of stage.held) {
    const count = counts.get(number) ?? 0
    if (count > 0 && (count < local.file.rows || stage.write === "scd2" || reread.has(number))) {
      const change = yield* Effect.forEach([settled.reread, settled.ends], (values) =>
        values === undefined ? Effect.succeed([]) : CommitTable.changesIn(session, number, values)
      ).pipe(inTable)
      const growing = LakeSession.newFile(session, stage.table.name)
      const source = yield* openSource(session, local.path, local.file.partition, stage.columns)
      const stay = rowsIn(number, StagedKeys.tableOf(stage.table))
      yield* copyRows(session, source, { ...versions, change: change.flat(), stay }, growing)
      // A file with rows of other runs too has no run of its own: it is not dropped if this run is written again.
      const own = reread.has(number) ? undefined : session.runId
      const belonging = Stage.belonging(stage, stage.columns, local.file.partition, own)
      fresh.push(yield* LakeSession.ship(session, yield* LakeSession.finish(session, growing, belonging)))
    } else if (count > 0) fresh.push(yield* LakeSession.ship(session, local))
    yield* LakeSession.discard(local.path)
  }
  return fresh
})

/** How many staged rows of each file are stored ones that were read again. */
const rereadIn = ({ database }: LakeSession.LakeSession, { table }: Stage.Stage, { reread }: Changed) =>
  reread === undefined
    ? Effect.succeed(new Map<number, number>())
    : countByFile(database, `(${reread.query})`).pipe(Effect.mapError(failure(`table ${table.name}`)))

/** How many of the staged rows count. */
const countOf = (session: LakeSession.LakeSession, keys: StagedKeys.StagedKeys) =>
  Effect.map(countByFile(session.database, StagedKeys.tableOf(keys.table)), (counts) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0)
  ).pipe(Effect.mapError(failure(`table ${keys.table.name}`)))
