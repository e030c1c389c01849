/**
 * A connector: what one system adds to Millrace. It is a value in a list, not a side effect of an import.
 *
 * The list that the command line uses is `connectors/index.ts`; a program of yours may pass its own.
 */
import type * as ObjectStore from "./ObjectStore.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"

export interface Connector<out R = never> {
  readonly name: string
  readonly sources: ReadonlyArray<Source.Source<never, R>>
  readonly sinks: ReadonlyArray<Sink.Sink<never, R>>
  readonly stores: ReadonlyArray<ObjectStore.StoreFactory>
}

export const make = <R = never>(connector: {
  readonly name: string
  readonly sources?: ReadonlyArray<Source.Source<never, R>>
  readonly sinks?: ReadonlyArray<Sink.Sink<never, R>>
  readonly stores?: ReadonlyArray<ObjectStore.StoreFactory>
}): Connector<R> => ({ sources: [], sinks: [], stores: [], ...connector })
