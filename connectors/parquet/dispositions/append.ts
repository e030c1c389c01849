/** append, for files: rows are removed only if their run is written again. One file at a time. */
import * as Effect from "effect/Effect"
import * as Database from "#engine/Duckdb"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import { viewOf } from "../lake/copyRows.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import { place } from "../lake/place.ts"
import type * as Stage from "../stage.ts"
import { isForgotten, temp } from "../table/CommitTable.ts"
import { mayBeOf, openFile, rewriteFile } from "../table/rewriteFile.ts"
import { type Changed, type Circumstances, inPlace, isOfAll } from "./Disposition.ts"

export const append = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  circumstances: Circumstances
): Effect.fn.Return<Changed, Sink.SinkError> {
  const { files, forgotten, rewritten } = circumstances
  const { database } = session
  const oldRows = temp(stage, "gone")
  for (const file of files) {
    const forgets = forgotten !== undefined && mayBeOf(file, forgotten)
    if (!isOfAll(circumstances, stage) && !forgets) continue
    const source = yield* openFile(session, stage, file)
    const some = !forgets
      ? 0
      : yield* database
          .run(
            `CREATE OR REPLACE TEMP TABLE ${oldRows} AS SELECT v.${place} AS row
              FROM ${viewOf([{ number: 0, source }], { columns: stage.columns })} AS v WHERE ${isForgotten(stage, forgotten)}`
          )
          .pipe(
            Effect.andThen(Database.numbers(database, `SELECT count(*) FROM ${oldRows}`)),
            Effect.mapBoth({ onSuccess: ([count = 0]) => count, onFailure: failure(`table ${stage.table.name}`) })
          )
    yield* rewriteFile(session, stage, { file, source }, some === 0 ? undefined : { go: `FROM ${oldRows}` }, rewritten)
  }
  return inPlace(stage, circumstances, 0)
})
