/**
 * The contract of a source: something that reads rows.
 *
 * The laws, which `millrace/testing` SourceSuite runs on every source:
 * - `tables` names every table that `read` emits;
 * - reading to a checkpoint and then from it gives the same rows as reading through;
 * - a stream that ends, ends with a checkpoint: where the next scheduled run starts;
 * - failing after k rows loses none and repeats none past the last checkpoint;
 * - interrupting the stream stops its requests, and cancels a job that it started.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Checkpoint from "./Checkpoint.ts"
import type * as Table from "./Table.ts"

/** A kind of source, as a connector offers it. `with` is for TypeScript, `decode` for pipeline files. */
export interface Source<in Options, out R> {
  /** What `type:` says in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description: string
  /** What a pipeline file may say under `source:`, without `type`: it parses, and it documents. */
  readonly schema: Schema.Constraint
  readonly with: (options: Options) => Reader<R>
  readonly decode: (options: unknown) => Effect.Effect<Reader<R>, Schema.SchemaError>
}

/** A source with its options: ready to read. Its state crosses this line as JSON. */
export interface Reader<out R> {
  readonly type: string
  /** The tables it emits; the first is the one that `table:` in a file speaks of. */
  readonly tables: readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  /** Reads from `start`, or from the beginning. Runs nothing until the stream is pulled. */
  readonly read: (start: Option.Option<unknown>, limits?: Limits) => Stream.Stream<Element<unknown>, SourceError, R>
}

/** What one run may use, as the pipeline's `limits:` says; a source keeps to what concerns it. */
export interface Limits {
  readonly credits?: number
  /** Requests in flight. */
  readonly concurrency?: number
}

export type Element<State> = Table.Batch | Checkpoint.Checkpoint<State> | Progress

/**
 * News for the person who watches, and for the run's record: `facts` are counts that a run shows and keeps
 * (discovered, completed, failed, blocked, credits), each as the latest value, not as a difference.
 */
export interface Progress {
  readonly _tag: "Progress"
  readonly facts: Readonly<Record<string, number>>
}

/** A source from its typed parts. A stored state that no longer decodes is a `SourceError` that says so. */
export const make = <Options, OptionsEncoded, State, StateEncoded, R>(parts: {
  readonly type: string
  readonly description: string
  readonly options: Schema.Codec<Options, OptionsEncoded>
  /** What a checkpoint holds. Encodes to JSON. */
  readonly state: Schema.Codec<State, StateEncoded>
  readonly tables: (options: Options) => readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  readonly read: (
    options: Options,
    start: Option.Option<State>,
    limits: Limits
  ) => Stream.Stream<Element<State>, SourceError, R>
}): Source<Options, R> => {
  const decodeOptions = Schema.decodeUnknownEffect(parts.options)
  const decodeState = Schema.decodeUnknownEffect(parts.state)
  const encodeState = Schema.encodeEffect(parts.state)
  const broken = (what: string) => (cause: Schema.SchemaError) =>
    new SourceError({ source: parts.type, message: what, retryable: false, cause })

  const encode = (element: Element<State>) =>
    element._tag === "Checkpoint"
      ? encodeState(element.state).pipe(
          Effect.map((state): Element<unknown> => Checkpoint.make<unknown>(state)),
          Effect.mapError(broken("its checkpoint does not fit its own state schema"))
        )
      : Effect.succeed<Element<unknown>>(element)

  const read =
    (options: Options) =>
    (start: Option.Option<unknown>, limits: Limits = {}) =>
      Stream.unwrap(
        Effect.transposeOption(Option.map(start, (state) => decodeState(state))).pipe(
          Effect.mapError(broken("the stored checkpoint is not one of this source; start anew with --full-refresh")),
          Effect.map((state) =>
            Stream.mapArrayEffect(parts.read(options, state, limits), (elements) => Effect.forEach(elements, encode))
          )
        )
      )

  const bind = (options: Options): Reader<R> => ({
    type: parts.type,
    tables: parts.tables(options),
    read: read(options)
  })
  return {
    type: parts.type,
    description: parts.description,
    schema: parts.options,
    with: bind,
    decode: (raw) => Effect.map(decodeOptions(raw, strict), bind)
  }
}

/** Unknown keys are errors, and all errors are told at once. */
const strict = { onExcessProperty: "error", errors: "all" } as const

export const progress = (facts: Readonly<Record<string, number>>): Progress => ({ _tag: "Progress", facts })

/** A source that cannot go on. The message says what happened, to what, and what to do. */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  source: Schema.String,
  message: Schema.String,
  /** Whether the same read may succeed a little later. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
