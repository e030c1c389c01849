/**
 * A connector: what one system adds to Millrace. It is a value in a list, not a side effect of an import.
 *
 * The command line uses the list in `connectors/index.ts`. Your own program can pass another list.
 */
import type * as ObjectStore from "./ObjectStore.ts"
import type * as Sink from "./Sink.ts"
import type * as Source from "./Source.ts"

/** A kind of source or sink whose code is loaded only when a pipeline file names it. */
export interface Lazy<out Kind> {
  /** The value of `type:` in a pipeline file. */
  readonly type: string
  /** Loads the kind. Called once for each pipeline file that names it. */
  readonly load: () => Promise<Kind>
}

/** What one system adds to Millrace: its sources, its sinks, and the stores behind its URLs. */
export interface Connector<out R = never> {
  /** The name of the connector in messages. */
  readonly name: string
  /** Its sources, which `source: type:` can name. */
  readonly sources: ReadonlyArray<Source.Source<never, R> | Lazy<Source.Source<never, R>>>
  /** Its sinks, which `type:` of a sink can name. */
  readonly sinks: ReadonlyArray<Sink.Sink<never, R> | Lazy<Sink.Sink<never, R>>>
  /** Its object stores, one for each scheme of its URLs, such as `s3`. */
  readonly stores: ReadonlyArray<ObjectStore.StoreFactory>
}

/**
 * Makes a connector of its sources, sinks and stores; default of each: an empty list.
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
 * Makes a kind whose code is loaded only when a pipeline file names it. Write `import("./letters.ts")` in `load`, so that
 * runs that do not use it do not load it.
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
