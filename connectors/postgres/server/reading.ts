/** A session that only reads a place, with each query in a read-only transaction. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import type { Options } from "../options.ts"
import * as Place from "../Place.ts"
import * as Connection from "./Connection.ts"

export const reading = <A>(
  options: Options,
  use: (connection: Connection.Connection, place: Place.DatabaseLocation) => Effect.Effect<A, Sink.SinkError>
): Effect.Effect<A, Sink.SinkError> =>
  Effect.scoped(Effect.flatMap(openToRead(options), ({ connection, place }) => use(connection, place)))

/** Opens a session with one transaction for its whole duration, so that everything is read as of one moment. */
export const openToRead = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<
  { readonly connection: Connection.Connection; readonly place: Place.DatabaseLocation },
  Sink.SinkError,
  Scope.Scope
> {
  const place = Place.of(options)
  const fault = Place.faultOf(place)
  if (fault !== undefined) return yield* failure(fault)()
  const within = Effect.mapError(failure(`cannot read ${place.location}`))
  const connection = yield* within(Connection.open(place))
  yield* within(connection.run(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${Connection.transactionSettings}`))
  return { connection, place }
})
