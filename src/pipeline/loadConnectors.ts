/** Kinds of connectors that are loaded when a file names them, or when somebody describes them all. */
import type { UnknownError } from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Connector, Lazy } from "./Connector.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"

/** A connector with all of its kinds loaded. */
export interface Loaded<out R = never> extends Connector<R> {
  readonly sources: ReadonlyArray<Source.Source<never, R>>
  readonly sinks: ReadonlyArray<Sink.Sink<never, R>>
}

/** Fails with what the module of a lazy one threw. */
export const loadKind = <Kind extends { readonly type: string }>(
  kind: Kind | Lazy<Kind>
): Effect.Effect<Kind, UnknownError> => ("load" in kind ? Effect.tryPromise(kind.load) : Effect.succeed(kind))

export const loadConnectors = <R>(connectors: ReadonlyArray<Connector<R>>): Effect.Effect<ReadonlyArray<Loaded<R>>> =>
  Effect.forEach(connectors, (connector) =>
    Effect.orDie(
      Effect.map(
        Effect.all([Effect.forEach(connector.sources, loadKind), Effect.forEach(connector.sinks, loadKind)]),
        ([sources, sinks]) => ({ ...connector, sources, sinks })
      )
    )
  )
