/**
 * A connector: what one system adds to Millrace. It is a value in a list, not a side effect of an import.
 *
 * The list that the command line uses is `connectors/index.ts`; a program of yours may pass its own.
 */
import type * as ObjectStore from "./ObjectStore.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"

/** A kind of source or sink that is loaded when a file names it: what a run does not use costs it nothing. */
export interface Lazy<out Kind> {
  /** What `type:` says in a pipeline file. */
  readonly type: string
  /** Loads it; called when a file names it, once for each file. */
  readonly load: () => Promise<Kind>
}

/** What one system adds to Millrace: its sources, its sinks, and the stores behind its URLs. */
export interface Connector<out R = never> {
  /** Names the connector in messages. */
  readonly name: string
  /** What `source: type:` can name; empty: it has none. */
  readonly sources: ReadonlyArray<Source.Source<never, R> | Lazy<Source.Source<never, R>>>
  /** What `type:` of a sink can name; empty: it has none. */
  readonly sinks: ReadonlyArray<Sink.Sink<never, R> | Lazy<Sink.Sink<never, R>>>
  /** What serves the schemes of its URLs, such as `s3`; empty: it has none. */
  readonly stores: ReadonlyArray<ObjectStore.StoreFactory>
}

/**
 * A connector of its parts; those that it does not have are absent.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import { Connector, PipelineFile, Sink } from "millrace"
 *
 * const letters = Sink.simple({
 *   type: "letters",
 *   options: Schema.Struct({ address: Schema.String }),
 *   batch: (_, { rows }) => rows.length,
 *   commit: ({ address }) => `sent to ${address}`
 * })
 * const connector = Connector.make({ name: "letters", sinks: [letters] })
 * const options = { connectors: [connector], env: {}, runDate: new Date(), runId: "1" }
 * const text = "source: { type: crawl }\nsinks: { out: { type: letters, address: 1 } }"
 * const { issues } = await Effect.runPromise(Effect.flip(PipelineFile.load("a.yaml", text, options)))
 * console.log(connector.sources.length, issues.length) // 0 2
 * ```
 */
export const make = <R = never>(connector: {
  readonly name: string
  readonly sources?: Connector<R>["sources"]
  readonly sinks?: Connector<R>["sinks"]
  readonly stores?: ReadonlyArray<ObjectStore.StoreFactory>
}): Connector<R> => ({ sources: [], sinks: [], stores: [], ...connector })

/**
 * A kind that is loaded when a file names it. Write `import("./letters.ts")` in `load`: a run that does not use it costs nothing
 * of it then.
 *
 * @example
 * ```ts
 * import { Connector } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const connector = Connector.make({ name: "memory", sinks: [Connector.lazy("memory", async () => memory)] })
 * console.log(connector.sinks.map(({ type }) => type)) // ["memory"]
 * ```
 */
export const lazy = <Kind>(type: string, load: () => Promise<Kind>): Lazy<Kind> => ({ type, load })
