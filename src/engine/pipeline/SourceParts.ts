/** What the author of a source writes: its options, its requests, and how it decodes an answer. */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { Element, SourceResponse } from "../SourceElement.ts"
import type * as Table from "../Table.ts"
import type { ResumePoint } from "./ResumePoint.ts"
import type { SourceError } from "./SourceError.ts"

/** The parts of a source. */
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
  /** Whether it gets the last checkpoint although it is not incremental; default: false. */
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
