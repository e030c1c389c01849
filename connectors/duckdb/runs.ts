/** The runs that a DuckDB file has seen, found the way its readers find its rows: in the published copy, if there is one. */
import { existsSync } from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Database from "../../src/duckdb/Database.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { failure } from "./failure.ts"
import * as Ledger from "./Ledger.ts"
import type { Options } from "./Options.ts"
import { refusal } from "./Target.ts"

export const runs = Effect.fn("duckdb.runs")(function* (
  options: Options,
  directory: string
): Effect.fn.Return<ReadonlyArray<Sink.RunRecord>, Sink.SinkError> {
  const file = Path.resolve(directory, options.publish ?? options.path)
  return existsSync(file) ? yield* Effect.scoped(read(file)) : []
})

const read = Effect.fnUntraced(function* (file: string) {
  const database = yield* Database.open({ threads: 1, memory: "128MB", spill: `${file}.read` }).pipe(
    Effect.mapError(failure(`cannot start DuckDB for ${file}`))
  )
  yield* database.run(`ATTACH ${Database.literal(file)} AS target (READ_ONLY)`).pipe(Effect.mapError(refusal(file)))
  return yield* Ledger.runs(database).pipe(Effect.mapError(failure(`cannot read the runs of ${file}`)))
})
