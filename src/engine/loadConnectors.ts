/** Loads the kinds of connectors: one when a pipeline file names it, or all to list them. */
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

/** Loads a kind if it is lazy. It fails with what its module throws. */
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
