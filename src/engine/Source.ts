/**
 * The contract of a source: it requests answers, and it makes rows of them.
 *
 * The guarantee, which `millrace/testing` SourceSuite tests on every source:
 * - `tables` names every table that it emits;
 * - parsing is pure: the answers of a journal give the same rows again;
 * - requesting can continue after any answer: the answers before and after it are the same as those of one reading;
 * - reading to a checkpoint and then from it gives the same rows as reading through;
 * - a stream that ends without an error ends with a checkpoint: the start of the next scheduled run;
 * - interrupting the stream stops its requests, and cancels a job that it started.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Segment } from "#base/Segment"
import * as Checkpoint from "./Checkpoint.ts"
import type { RunSegments } from "./Journal.ts"
import { SourceError } from "./pipeline/SourceError.ts"
import type { Element, SourceResponse } from "./SourceElement.ts"
import type * as Table from "./Table.ts"
import { comparableWithoutHeaders } from "./withoutHeaders.ts"

export { SourceError } from "./pipeline/SourceError.ts"
export {
  type Element,
  type Progress,
  progress,
  type Reject,
  type Unchanged,
  type UnknownKeys,
  type Warning,
  warnings
} from "./SourceElement.ts"

/** A kind of source, as a connector offers it. `with` is for TypeScript, `decode` for pipeline files. */
export interface Source<in Options, out R> {
  /** The value of `type:` in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description: string
  /** The options under `source:` of a pipeline file, without `type`: this schema parses and documents them. */
  readonly schema: Schema.Constraint
  /** Makes a reader of options in TypeScript. */
  readonly with: (options: Options) => Reader<R>
  /** Makes a reader of options of a pipeline file. Its error lists every problem of the options. */
  readonly decode: (options: unknown) => Effect.Effect<Reader<R>, Schema.SchemaError>
}

/** A source with its options: ready to read. Outside of it, its state and its cursor are JSON values. */
export interface Reader<out R> {
  /** The type of the source, for messages and records. */
  readonly type: string
  /** The tables that it emits. The first is the main table, which `table:` of a pipeline file configures. */
  readonly tables: readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  /** The options as JSON text, without the values of headers. An unfinished run continues only if they are unchanged. */
  readonly options: string
  /** Whether it continues at its checkpoint; false: each run reads everything. */
  readonly incremental: boolean
  /** Whether reading from the beginning gives every row again, so that its checkpoint only saves work. */
  readonly rereadable?: boolean
  /**
   * Present if a source that is not incremental gets the last checkpoint too, to give things the same names as before. Its
   * answers are for every sink, whatever checkpoint each sink has. It says whether the source can read a checkpoint: a full
   * refresh leaves out one that it cannot.
   */
  readonly remembers?: (checkpoint: unknown) => boolean
  /** Whether it needs no web data service, so that none is started for it. */
  readonly standsAlone?: boolean
  /** Whether it asks only for what has changed if it gets what the last run knew (`ResumePoint.revalidation`). */
  readonly revalidates?: boolean
  /** Sends requests, and emits the answers as they arrive. Sends nothing until the stream is pulled. */
  readonly fetch: (from: ResumePoint<unknown, unknown>) => Stream.Stream<SourceResponse, SourceError, R>
  /** Makes rows and other elements of an answer. The same answer always gives the same elements. */
  readonly decode: (answer: SourceResponse) => Effect.Effect<ReadonlyArray<Element<unknown>>, SourceError>
  /** The names of the `map` steps that were applied to it. */
  readonly maps?: ReadonlyArray<string>
  /** Whether a `map` step has changed the key of a row, so that the keys that the source reports identify no row. */
  readonly rekeys?: () => boolean
  /** The same reader with another key of the main table, which the user sets; absent: the key makes no difference. */
  readonly keyed?: (key: ReadonlyArray<string>) => Reader<R>
}

/** What the author of a source writes: its options, its requests, and how it decodes an answer. */
export interface Parts<Options, OptionsEncoded, State, StateEncoded, Cursor, CursorEncoded, R, Prepared> {
  /** The value of `source: type:` in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`: lower case, without a full stop. */
  readonly description: string
  /** The options that a pipeline file may set beside `type`. */
  readonly options: Schema.Codec<Options, OptionsEncoded>
  /** The state in a checkpoint. Encodes to JSON. */
  readonly state: Schema.Codec<State, StateEncoded>
  /** Whether it continues at its checkpoint (`start`); false: each run reads everything. Default: true. */
  readonly incremental?: boolean
  /**
   * Whether reading from the beginning gives every row again, so that its checkpoint only saves work. For a sink that
   * removes rows that a run does not write, it is then read from the beginning. Default: false.
   */
  readonly rereadable?: boolean
  /** Whether it gets the last checkpoint although it is not incremental, in a full refresh too; default: false. */
  readonly remembers?: boolean
  /** Whether it needs no web data service, so that none is started for it; default: false. */
  readonly standsAlone?: boolean
  /** Whether it can request only what has changed (`ResumePoint.revalidation`); default: false. */
  readonly revalidates?: (options: Options) => boolean
  /** The cursor that is kept with each answer, to continue after it. Encodes to JSON. */
  readonly cursor: Schema.Codec<Cursor, CursorEncoded>
  /** Whether it uses the user's key; default: false. */
  readonly keyed?: boolean
  /** The tables. `key` is the user's key of the main table, if there is one and the source is `keyed`. */
  readonly tables: (
    options: Options,
    key: Key,
    prepared: Prepared
  ) => readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  /** Sends requests, and emits answers as they arrive. Continues after `from.after`, otherwise begins at `from.start`. */
  readonly fetch: (
    options: Options,
    from: ResumePoint<State, Cursor>,
    key: Key,
    prepared: Prepared
  ) => Stream.Stream<Fetched<Cursor>, SourceError, R>
  /** Makes rows and other elements of an answer. Pure: the same answer gives the same rows, today and from the journal. */
  readonly decode: (
    options: Options,
    answer: Fetched<Cursor>,
    key: Key,
    prepared: Prepared
  ) => Effect.Effect<ReadonlyArray<Element<State>>, SourceError>
}

/** The user's key: the columns that identify a row. Undefined: the user did not set one. */
export type Key = ReadonlyArray<string> | undefined

/** An answer with its cursor, before the cursor becomes JSON. */
export interface Fetched<out Cursor> extends SourceResponse {
  /** Where reading continues after this answer. */
  readonly cursor: Cursor
}

/** Where reading begins. */
export interface ResumePoint<State, Cursor> {
  /** The checkpoint of the last run; none: the beginning. */
  readonly start: Option.Option<State>
  /** The cursor of the last answer of this run in the journal: reading continues after it. None: the journal is empty. */
  readonly after: Option.Option<Cursor>
  /** The idempotency key of the run: every attempt of one run has the same, and no other run has it. */
  readonly key: string
  /** What the run may use. */
  readonly limits: Limits
  /** The folder that relative paths start from: that of the pipeline file. */
  readonly directory: string
  /** Files for a source that reads in this process; absent: the reading cannot be continued after a kill. */
  readonly segments?: Effect.Effect<RunSegments, SourceError>
  /** Present if the source may report things as unchanged instead of emitting their rows; absent: it reads everything. */
  readonly revalidation?: Revalidation | undefined
  /** Whether the run commits while it reads. The source then emits rows as soon as they are final, not at its end. */
  readonly commitsWhileReading?: boolean
}

/** What a source may know of the last run, so that it requests only what has changed. */
export interface Revalidation {
  /** What the source wrote into `segments.known` in the last run; undefined: not every destination has those rows. */
  readonly known: Segment | undefined
}

/** What one run may use: `limits:` of the pipeline. A source obeys the limits that apply to it. */
export interface Limits {
  /** The maximum number of credits that the service may charge; default: no limit. */
  readonly credits?: number
  /** The maximum number of requests in flight; default: that of the source. */
  readonly concurrency?: number
}

/**
 * Makes a source of its typed parts. `fetch` sends requests and emits answers, each with a cursor; `decode` makes rows
 * of an answer and is pure. If a stored state no longer decodes, reading fails with `SourceError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import * as Stream from "effect/Stream"
 * import { Checkpoint, run, Source, Table } from "millrace"
 * import { Database, memory } from "millrace/connectors/memory"
 *
 * const days = Table.make({ name: "days", description: "days", schema: Schema.Struct({ day: Schema.String }) })
 * const calendar = Source.make({
 *   type: "calendar",
 *   description: "the days that an answer names",
 *   options: Schema.Struct({}),
 *   state: Schema.Null,
 *   cursor: Schema.Null,
 *   incremental: false,
 *   standsAlone: true,
 *   tables: () => [days],
 *   fetch: () => Stream.make({ kind: "days", at: Date.now(), text: "Monday Tuesday", cursor: null }),
 *   decode: (_, { text }) =>
 *     Effect.succeed([...Table.batches(days, text.split(" ").map((day) => ({ day }))), Checkpoint.make(null)])
 * })
 * await run({ source: calendar.with({}), sinks: { out: memory.with({ name: "calendar" }) } })
 * console.log(Database.rows("calendar", "days").map(({ day }) => day)) // ["Monday", "Tuesday"]
 * ```
 */
export const make = <Options, OptionsEncoded, State, StateEncoded, Cursor, CursorEncoded, R>(
  parts: Parts<Options, OptionsEncoded, State, StateEncoded, Cursor, CursorEncoded, R, undefined>
): Source<Options, R> => makePrepared({ ...parts, prepare: () => undefined })

/**
 * Like `make`, for a source that prepares something once per reader from its options and its key, such as a table from
 * the user's schema or a compiled validator. Every part gets what `prepare` returns.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import * as Stream from "effect/Stream"
 * import { Checkpoint, Source, Table } from "millrace"
 *
 * const made = Source.makePrepared({
 *   type: "one",
 *   description: "one row, in a table of the user's name",
 *   options: Schema.Struct({ table: Schema.String }),
 *   state: Schema.Null,
 *   cursor: Schema.Null,
 *   prepare: ({ table: name }) => Table.make({ name, description: name, schema: Schema.Struct({ id: Schema.Int }) }),
 *   tables: (_, __, table) => [table],
 *   fetch: () => Stream.make({ kind: "id", at: Date.now(), text: "7", cursor: null }),
 *   decode: (_, { text }, __, table) => Effect.succeed([Table.batch(table, [{ id: Number(text) }]), Checkpoint.make(null)])
 * })
 * const [batch] = await Effect.runPromise(Stream.runCollect(Source.read(made.with({ table: "people" }))))
 * console.log(batch?._tag === "Batch" && [batch.table.name, batch.rows]) // ["people", [{ id: 7 }]]
 * ```
 */
export const makePrepared = <Options, OptionsEncoded, State, StateEncoded, Cursor, CursorEncoded, R, Prepared>(
  parts: Parts<Options, OptionsEncoded, State, StateEncoded, Cursor, CursorEncoded, R, Prepared> & {
    readonly prepare: (options: Options, key: Key) => Prepared
  }
): Source<Options, R> => {
  const decodeOptions = Schema.decodeUnknownEffect(parts.options)
  const encodeOptions = Schema.encodeSync(parts.options)
  const decodeState = Schema.decodeUnknownEffect(parts.state)
  const encodeState = Schema.encodeEffect(parts.state)
  const isState = (checkpoint: unknown) => Option.isSome(Schema.decodeUnknownOption(parts.state)(checkpoint))
  const decodeCursor = Schema.decodeUnknownEffect(parts.cursor)
  const encodeCursor = Schema.encodeEffect(parts.cursor)
  const broken = (what: string) => (cause: Schema.SchemaError) =>
    new SourceError({ source: parts.type, message: what, retryable: false, over: true, cause })
  const oddCursor = broken("a cursor in the journal does not belong to this source; start again with --full-refresh")

  const encode = (element: Element<State>) =>
    element._tag === "Checkpoint"
      ? encodeState(element.state).pipe(
          Effect.map((state): Element<unknown> => Checkpoint.make<unknown>(state)),
          Effect.mapError(broken("its checkpoint does not fit its own state schema"))
        )
      : Effect.succeed<Element<unknown>>(element)

  const comparable = (options: Options) => comparableWithoutHeaders(encodeOptions(options))
  const bind = (options: Options, key?: ReadonlyArray<string>): Reader<R> => {
    const prepared = parts.prepare(options, key)
    return {
      type: parts.type,
      tables: parts.tables(options, key, prepared),
      options: JSON.stringify(key === undefined ? comparable(options) : [comparable(options), key]),
      incremental: parts.incremental ?? true,
      ...(parts.rereadable === true ? { rereadable: true } : {}),
      ...(parts.remembers === true ? { remembers: isState } : {}),
      ...(parts.standsAlone === true ? { standsAlone: true } : {}),
      ...(parts.revalidates?.(options) === true ? { revalidates: true } : {}),
      fetch: (from) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const start = yield* Effect.transposeOption(Option.map(from.start, (state) => decodeState(state))).pipe(
              Effect.mapError(
                broken("the stored checkpoint does not belong to this source; start again with --full-refresh")
              )
            )
            const after = yield* Effect.transposeOption(Option.map(from.after, (cursor) => decodeCursor(cursor))).pipe(
              Effect.mapError(oddCursor)
            )
            return Stream.mapEffect(parts.fetch(options, { ...from, start, after }, key, prepared), (answer) =>
              encodeCursor(answer.cursor).pipe(
                Effect.map((cursor): SourceResponse => ({ ...answer, cursor })),
                Effect.mapError(broken("its cursor does not fit its own cursor schema"))
              )
            )
          })
        ),
      decode: Effect.fnUntraced(function* (answer: SourceResponse) {
        const cursor = yield* Effect.mapError(decodeCursor(answer.cursor), oddCursor)
        return yield* Effect.forEach(yield* parts.decode(options, { ...answer, cursor }, key, prepared), encode)
      }),
      ...(parts.keyed === true ? { keyed: (named: ReadonlyArray<string>) => bind(options, named) } : {})
    }
  }
  return {
    type: parts.type,
    description: parts.description,
    schema: parts.options,
    with: (options) => bind(options),
    decode: (raw) => Effect.map(decodeOptions(raw, strict), (options) => bind(options))
  }
}

/**
 * Fetches and decodes in one stream, without a journal: for previews and tests.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 * import { rows, Source } from "millrace"
 *
 * const elements = Source.read(rows([{ id: 1 }], { table: "numbers" }))
 * console.log((await Effect.runPromise(Stream.runCollect(elements))).map(({ _tag }) => _tag)) // ["Batch", "Checkpoint"]
 * ```
 */
export const read = <R>(
  reader: Reader<R>,
  from: Partial<ResumePoint<unknown, unknown>> = {}
): Stream.Stream<Element<unknown>, SourceError, R> =>
  reader
    .fetch({
      start: Option.none(),
      after: Option.none(),
      key: crypto.randomUUID(),
      limits: {},
      directory: ".",
      ...from
    })
    .pipe(Stream.mapEffect(reader.decode), Stream.flattenIterable)

/** Unknown keys are errors, and all errors are reported at once. */
const strict = { onExcessProperty: "error", errors: "all" } as const
