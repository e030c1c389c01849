/** Reads what the sink keeps beside the rows: its runs, their callers' keys, and the owners of tables. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import { reading } from "./file/ReadersDatabase.ts"
import * as LoadTables from "./ledger/LoadTables.ts"
import * as RunProfiles from "./ledger/RunProfiles.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import type { Options } from "./options.ts"
import * as Place from "./Place.ts"

/** The runs that have committed, in the order of their last commits. */
export const runs = (
  options: Options,
  directory: string
): Effect.Effect<ReadonlyArray<Sink.RunRecord>, Sink.SinkError> =>
  reading(options, directory, (database, file) =>
    LoadTables.runs(database, Place.of(options)).pipe(Effect.mapError(failure(`cannot read the runs of ${file}`)))
  )

/** The run of a pipeline under a caller's key. It is read from the file itself, because the published copy may be older. */
export const ranOnce = (
  options: Options,
  directory: string,
  key: Sink.OnceKey
): Effect.Effect<Option.Option<Sink.RunRecord>, Sink.SinkError> =>
  Effect.map(
    reading({ path: options.path }, directory, (database, file) =>
      LoadTables.ranOnce(database, Place.of(options), key).pipe(
        Effect.map(Option.toArray),
        Effect.mapError(failure(`cannot read the runs of ${file}`))
      )
    ),
    ([run]) => Option.fromUndefinedOr(run)
  )

/** The checks and profiles of these runs. */
export const details = (
  options: Options,
  directory: string,
  runIds: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Sink.RunDetails>, Sink.SinkError> =>
  reading(options, directory, (database, file) =>
    RunProfiles.details(database, Place.of(options), runIds).pipe(
      Effect.mapError(failure(`cannot read what ${file} keeps of its runs`))
    )
  )

/** The pipeline that owns each table. */
export const owners = (
  options: Options,
  directory: string
): Effect.Effect<ReadonlyMap<string, string>, Sink.SinkError> =>
  Effect.map(
    reading(options, directory, (database, file) =>
      TableOwners.read(database, Place.of(options)).pipe(
        Effect.mapError(failure(`cannot read whose the tables of ${file} are`))
      )
    ),
    (owners) => new Map(owners.map(({ pipeline, table }) => [table, pipeline]))
  )
