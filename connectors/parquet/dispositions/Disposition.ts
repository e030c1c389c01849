/** What a write disposition is asked for one table at a commit, and what it answers: `append`, `merge`, `replace` and `scd2`. */
import type * as Effect from "effect/Effect"
import type * as Column from "../../../src/pipeline/Column.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import type * as Manifest from "../lake/Manifest.ts"
import type * as Stage from "../stage.ts"
import { isWider } from "../table/columnsAfter.ts"
import type { Rewritten } from "../table/rewriteFile.ts"

export type Disposition = (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
) => Effect.Effect<Changed, Sink.SinkError>

export interface Circumstances {
  /** The table as the last manifest has it. */
  readonly before: Manifest.TableState | undefined
  /** Its files, without those that go as a whole. */
  readonly files: ReadonlyArray<Manifest.DataFile>
  /** Which of them are not as they were: filled by the disposition. */
  readonly rewritten: Rewritten
  readonly parent: Stage.Stage | undefined
  readonly commit: Sink.Commit
  /** The run whose rows make way, if one does. */
  readonly forgotten: string | undefined
  /** What `_pipeline` has in the rows of this pipeline, where the table is shared. */
  readonly ours: ReadonlyArray<string> | undefined
}

/** What is there but for the files that wait for the commit. */
export interface Changed {
  /** Files of earlier commits, those of this run among them. */
  readonly left: ReadonlyArray<Manifest.DataFile>
  readonly ours: ReadonlyArray<Manifest.DataFile>
  readonly fresh: ReadonlyArray<Manifest.DataFile>
  readonly columns: ReadonlyArray<Column.Column>
  /** Staged rows that stored ones say already. */
  readonly unchanged: number
  /** Rows of other runs that replace left. */
  readonly kept: number
}

/** Whether columns of the table are wider than they were, so that all files are written anew. */
export const isOfAll = ({ before }: Circumstances, { columns }: Stage.Stage): boolean =>
  before !== undefined && isWider(before, columns)

/** The files as a disposition has left them that writes anew what changes, and keeps nothing. */
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

/** What is in the place of these files. */
export const current = (
  files: ReadonlyArray<Manifest.DataFile>,
  rewritten: Rewritten
): ReadonlyArray<Manifest.DataFile> =>
  files.flatMap((file) => (rewritten.has(file.path) ? (rewritten.get(file.path) ?? []) : file))
