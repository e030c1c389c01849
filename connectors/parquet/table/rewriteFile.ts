/**
 * The files of a table that a commit reads, and the files that replace those that change.
 *
 * Guarantee: a file is never changed. If a row of it is removed or changed, it is rewritten under a new name, group by group.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import { copyRows, openSource, type RowChange, type Source, type Values } from "../lake/copyRows.ts"
import * as LakeSession from "../lake/LakeSession.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import { assertWhole } from "../manifest/takeFile.ts"
import * as Stage from "../stage.ts"

/** The changed files, by their paths: the file that replaces each, if any. */
export type Rewritten = Map<string, Manifest.DataFile | undefined>

/** A local file of a table, with its index among the files of the table. */
export interface Opened {
  readonly number: number
  readonly file: Manifest.DataFile
  readonly source: Source
}

export const openFile = (
  session: LakeSession.LakeSession,
  { columns }: Pick<Stage.Stage, "columns">,
  file: Manifest.DataFile
) => Effect.flatMap(LakeSession.fetch(session, file), (path) => openSource(session, path, file.partition, columns))

/** Fetches those of these files that are wanted, by their indexes. */
export const openFiles = (
  session: LakeSession.LakeSession,
  stage: Pick<Stage.Stage, "columns">,
  files: ReadonlyArray<Manifest.DataFile>,
  isWanted: (file: Manifest.DataFile, number: number) => boolean
): Effect.Effect<ReadonlyArray<Opened>, Sink.SinkError> =>
  Effect.forEach(
    [...files.entries()].filter(([number, file]) => isWanted(file, number)),
    ([number, file]) => Effect.map(openFile(session, stage, file), (source) => ({ number, file, source }))
  )

/** The history of a row that had none: its start is unknown, so it is the epoch. */
export const firstVersion: Values = { valid_from: "make_timestamp(0)", valid_to: "NULL", is_current: "TRUE" }

/** Whether a file may hold rows of a run. A file with `run_id` holds rows of that run only. */
export const mayBeOf = ({ run_id, min, max }: Manifest.DataFile, run: string): boolean => {
  const [first, last] = [min["_run_id"], max["_run_id"]]
  if (run_id !== undefined || first === null || last === null) return false
  return (first === undefined || first <= run) && (last === undefined || last >= run)
}

/** Rewrites a file if its rows change, or the columns of the table have changed. */
export const rewriteFile = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Pick<Stage.Stage, "table" | "columns" | "write" | "edges">,
  { file, source }: Pick<Opened, "file" | "source">,
  change: RowChange | undefined,
  rewritten: Rewritten
) {
  const isNarrow = stage.columns.some(({ name, type }) => {
    const present = Column.named(source.columns, name)
    return present === undefined
      ? stage.write === "scd2" && firstVersion[name] !== undefined
      : Column.toSql(present.type) !== Column.toSql(type)
  })
  if (change !== undefined || isNarrow) {
    const wide: RowChange = isNarrow ? { ...change, columns: stage.columns, absent: firstVersion } : { ...change }
    yield* assertWhole(session.store, file, source.path)
    const growing = LakeSession.newFile(session, stage.table.name)
    yield* copyRows(session, source, wide, growing).pipe(Effect.mapError((error) => inTable(error, stage.table.name)))
    rewritten.set(
      file.path,
      growing.bytes === 0
        ? undefined
        : yield* Effect.flatMap(
            LakeSession.finish(
              session,
              growing,
              Stage.belonging(stage, wide.columns ?? source.columns, file.partition, file.run_id)
            ),
            (local) => LakeSession.ship(session, local)
          )
    )
  }
  yield* LakeSession.discard(source.path)
})

const inTable = (error: Sink.SinkError, table: string): Sink.SinkError =>
  new Sink.SinkError({
    sink: error.sink,
    message: `table ${table}: ${error.message}`,
    retryable: error.retryable,
    cause: error
  })
