/** The input and the result of a write disposition for one table at a commit: `append`, `merge`, `replace` and `scd2`. */
import type * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import type * as LakeSession from "../lake/LakeSession.ts"
import { isWider } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"
import type { RowValues } from "../table/CommitTable.ts"
import type { Rewritten } from "../table/rewriteFile.ts"

export type Disposition = (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
) => Effect.Effect<Changed, Sink.SinkError>

export interface Circumstances {
  /** The table in the last manifest. */
  readonly before: Manifest.TableState | undefined
  /** Its files, without those that are dropped as a whole. */
  readonly files: ReadonlyArray<Manifest.DataFile>
  /** Those that changed: filled by the disposition. */
  readonly rewritten: Rewritten
  readonly parent: Stage.Stage | undefined
  readonly commit: Sink.Commit
  /** The run whose rows are removed because it is written again, if any. */
  readonly forgotten: string | undefined
  /** The pipeline, if the table is shared: rows of others do not change. */
  readonly pipeline: string | undefined
}

/** The table after the disposition, without the files that wait for the commit. */
export interface Changed {
  /** Files of earlier commits that stay, also those of this run. */
  readonly left: ReadonlyArray<Manifest.DataFile>
  readonly ours: ReadonlyArray<Manifest.DataFile>
  readonly fresh: ReadonlyArray<Manifest.DataFile>
  readonly columns: ReadonlyArray<Column.Column>
  /** Staged rows that equal stored ones. */
  readonly unchanged: number
  /** Rows of other runs that replace kept. */
  readonly kept: number
  /** What staged rows keep of the stored ones that they are, read again by another version of their reader. */
  readonly reread?: RowValues
  /** When new versions of a history end that are closed already. */
  readonly ends?: RowValues
}

/** Whether columns of the table are wider than they were, so that all files are rewritten. */
export const isOfAll = ({ before }: Circumstances, { columns }: Stage.Stage): boolean =>
  before !== undefined && isWider(before, columns)

/** The files after a disposition that rewrites those that change. */
export const inPlace = (
  stage: Stage.Stage,
  { files, rewritten }: Pick<Circumstances, "files" | "rewritten">,
  unchanged: number
): Changed => ({
  left: current(files, rewritten),
  ours: current(stage.ours, rewritten),
  fresh: stage.fresh,
  columns: stage.columns,
  unchanged,
  kept: 0
})

/** These files after the changes. */
export const current = (
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
): ReadonlyArray<Manifest.DataFile> =>
  files.flatMap((file) => (rewritten.has(file.path) ? (rewritten.get(file.path) ?? []) : file))
