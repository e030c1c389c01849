/**
 * A connector: what one system adds to Millrace. It is a value in a list, not a side effect of an import.
 *
 * The list that the command line uses is `connectors/index.ts`; a program of yours may pass its own.
 */
import type * as ObjectStore from "./ObjectStore.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"

/** What one system adds to Millrace: its sources, its sinks, and the stores behind its URLs. */
export interface Connector<out R = never> {
  /** Names the connector in messages. */
  readonly name: string
  /** What `source: type:` can name; empty: it has none. */
  readonly sources: ReadonlyArray<Source.Source<never, R>>
  /** What `type:` of a sink can name; empty: it has none. */
  readonly sinks: ReadonlyArray<Sink.Sink<never, R>>
  /** What serves the schemes of its URLs, such as `s3`; empty: it has none. */
  readonly stores: ReadonlyArray<ObjectStore.StoreFactory>
}

/**
 * A connector of its parts; those that it does not have are absent.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Connector, Sink } from "millrace"
 *
 * const lines = Sink.simple({
 *   type: "lines",
 *   options: Schema.Struct({ prefix: Schema.String }),
 *   batch: ({ prefix }, { rows }) => rows.map((row) => `${prefix}${JSON.stringify(row)}`),
 *   commit: (_, { pieces }) => console.log(pieces.flat().join("\n"))
 * })
 * console.log(Connector.make({ name: "lines", sinks: [lines] }).sources.length) // 0
 * ```
 */
export const make = <R = never>(connector: {
  readonly name: string
  readonly sources?: ReadonlyArray<Source.Source<never, R>>
  readonly sinks?: ReadonlyArray<Sink.Sink<never, R>>
  readonly stores?: ReadonlyArray<ObjectStore.StoreFactory>
}): Connector<R> => ({ sources: [], sinks: [], stores: [], ...connector })
