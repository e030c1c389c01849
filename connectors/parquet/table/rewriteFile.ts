/**
 * Files of a table that a commit looks into, and what comes in the place of those that change.
 *
 * The law: a file is never changed. One in which a row goes or changes is written anew under another name, group by group.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import * as history from "../dispositions/scd2.ts"
import { failure } from "../failure.ts"
import * as pour from "../format/copyRows.ts"
import * as Workshop from "../lake/LakeSession.ts"
import type * as Manifest from "../lake/Manifest.ts"
import * as Stage from "../stage.ts"
import type { Match } from "./KeyMatch.ts"
import { candidates } from "./prunedFiles.ts"

/** The files that are not as they were, by their paths: what came in their place, if anything. */
export type Rewritten = Map<string, Manifest.DataFile | undefined>

/** A file of a table that is here, by its place among the files of the table. */
export interface Opened {
  readonly number: number
  readonly file: Manifest.DataFile
  readonly source: pour.Source
}

export const openFile = (workshop: Workshop.Workshop, file: Manifest.DataFile) =>
  Effect.flatMap(Workshop.fetch(workshop, file), (path) => pour.look(workshop, path))

/** Fetches those of these files that are wanted, by their places. */
export const openFiles = (
  workshop: Workshop.Workshop,
  files: ReadonlyArray<Manifest.DataFile>,
  isWanted: (file: Manifest.DataFile, number: number) => boolean
): Effect.Effect<ReadonlyArray<Opened>, Sink.SinkError> =>
  Effect.forEach(
    [...files.entries()].filter(([number, file]) => isWanted(file, number)),
    ([number, file]) => Effect.map(openFile(workshop, file), (source) => ({ number, file, source }))
  )

/** Which of these files may hold rows of some keys. */
export const mayMatch = (workshop: Workshop.Workshop, files: ReadonlyArray<Manifest.DataFile>, match: Match) =>
  candidates(workshop, files, match.keys, match.pairs).pipe(
    Effect.mapError(failure("cannot look for files to merge with"))
  )

/** Whether a file may hold rows of a run. One that says its run holds rows of that one only. */
export const mayBeOf = ({ run_id, min, max }: Manifest.DataFile, run: string): boolean => {
  const [first, last] = [min["_run_id"], max["_run_id"]]
  if (run_id !== undefined || first === null || last === null) return false
  return (first === undefined || first <= run) && (last === undefined || last >= run)
}

/** Writes a file anew where its rows change, or its columns are not those of the table any more. */
export const rewrite = Effect.fnUntraced(function* (
  workshop: Workshop.Workshop,
  stage: Pick<Stage.Stage, "table" | "columns" | "write" | "edges">,
  { file, source }: Pick<Opened, "file" | "source">,
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
