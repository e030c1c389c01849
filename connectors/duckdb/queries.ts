/** Answers SQL on the tables of a file: of the published copy, if there is one. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { queries as queriesOf } from "#engine/duckdbQueries"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import { openToRead, readersFile } from "./file/ReadersDatabase.ts"
import type { Options } from "./options.ts"
import * as Place from "./Place.ts"

export const queries = Effect.fn("duckdb.queries")(function* (
  options: Options,
  directory: string,
  { asOf, file: out }: Queries.QueryRequest
): Effect.fn.Return<Queries.Queries, Sink.SinkError, Scope.Scope> {
  const place = Place.of(options)
  const fault = Place.faultOf(place)
  if (fault !== undefined) return yield* failure(fault)()
  if (asOf !== undefined) {
    const why = "a DuckDB file keeps its tables as they are now"
    return yield* failure(
      `${why}: ask without --as-of, ask a history (write: scd2) by valid_from and valid_to, or ask a lake`
    )()
  }
  const file = readersFile(options, directory)
  if (file === undefined) return yield* failure(`${options.path} is not there yet: run the pipeline first`)()
  const database = yield* openToRead(file, { threads: 2, memory: "1GB" })
  yield* database.run(`USE ${Place.schemaOf(place)}`).pipe(Effect.mapError(failure(`cannot read ${file}`)))
  return yield* queriesOf(database, { files: [], out }, failure)
})
