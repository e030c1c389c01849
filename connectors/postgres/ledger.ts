/** Reads what the sink keeps beside the rows: its runs, their callers' keys, and the owners of tables. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import * as LoadTables from "./ledger/LoadTables.ts"
import * as RunProfiles from "./ledger/RunProfiles.ts"
import * as TableOwners from "./ledger/TableOwners.ts"
import type { Options } from "./options.ts"
import { reading } from "./server/reading.ts"

/** The runs that have committed, in the order of their last commits. */
export const runs = (options: Options): Effect.Effect<ReadonlyArray<Sink.RunRecord>, Sink.SinkError> =>
  reading(options, (connection, place) =>
    LoadTables.runs(connection, place).pipe(Effect.mapError(failure(`cannot read the runs of ${place.location}`)))
  )

/** The run of a pipeline under a caller's key. */
export const ranOnce = (
  options: Options,
  _directory: string,
  key: Sink.OnceKey
): Effect.Effect<Option.Option<Sink.RunRecord>, Sink.SinkError> =>
  reading(options, (connection, place) =>
    LoadTables.ranOnce(connection, place, key).pipe(
      Effect.mapError(failure(`cannot read the runs of ${place.location}`))
    )
  )

/** The checks and profiles of these runs. */
export const details = (
  options: Options,
  _directory: string,
  runIds: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Sink.RunDetails>, Sink.SinkError> =>
  reading(options, (connection, place) =>
    RunProfiles.details(connection, place, runIds).pipe(
      Effect.mapError(failure(`cannot read what ${place.location} keeps of its runs`))
    )
  )

/** The pipeline that owns each table. */
export const owners = (options: Options): Effect.Effect<ReadonlyMap<string, string>, Sink.SinkError> =>
  reading(options, (connection, place) =>
    TableOwners.read(connection, place).pipe(
      Effect.map((owners) => new Map(owners.map(({ pipeline, table }) => [table, pipeline]))),
      Effect.mapError(failure(`cannot read whose the tables of ${place.location} are`))
    )
  )
