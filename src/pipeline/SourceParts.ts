/** What the author of a source writes: its options, what it asks, and what an answer means. */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { ResumePoint } from "./ResumePoint.ts"
import type { Element, SourceResponse } from "./SourceElement.ts"
import type { SourceError } from "./SourceError.ts"
import type * as Table from "./Table.ts"

/** What a source is made of. */
export interface Parts<Options, OptionsEncoded, State, StateEncoded, Cursor, CursorEncoded, R, Prepared> {
  /** What `source: type:` says in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`: lower case, without a full stop. */
  readonly description: string
  /** What a pipeline file may say beside `type`. */
  readonly options: Schema.Codec<Options, OptionsEncoded>
  /** What a checkpoint holds. Encodes to JSON. */
  readonly state: Schema.Codec<State, StateEncoded>
  /** Whether `start` makes a difference; default: true. */
  readonly incremental?: boolean
  /**
   * Whether it gives everything again if it is read from the beginning: its checkpoint only saves work. For a sink that
   * removes what a run does not write, it is read from the beginning. Default: false.
   */
  readonly rereadable?: boolean
  /** Whether it gets the last checkpoint though it reads everything; default: false. */
  readonly remembers?: boolean
  /** Whether it asks no web data service, so that none is started for it; default: false. */
  readonly standsAlone?: boolean
  /** Whether it asks only for what has changed, where it may; default: false. */
  readonly revalidates?: (options: Options) => boolean
  /** What is kept with each answer, to continue after it. Encodes to JSON. */
  readonly cursor: Schema.Codec<Cursor, CursorEncoded>
  /** Whether the user's key makes a difference; default: false. */
  readonly keyed?: boolean
  /** `key`: the columns of the main table that name a row, where the user says so and the source is `keyed`. */
  readonly tables: (
    options: Options,
    key: Key,
    prepared: Prepared
  ) => readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  /** Asks, and gives answers as they come. Continues after `from.after`, else begins at `from.start`. */
  readonly fetch: (
    options: Options,
    from: ResumePoint<State, Cursor>,
    key: Key,
    prepared: Prepared
  ) => Stream.Stream<Fetched<Cursor>, SourceError, R>
  /** What an answer says. Pure: the same answer gives the same rows, today and from the journal. */
  readonly decode: (
    options: Options,
    answer: Fetched<Cursor>,
    key: Key,
    prepared: Prepared
  ) => Effect.Effect<ReadonlyArray<Element<State>>, SourceError>
}

/** The columns that name a row, if the user says so. */
export type Key = ReadonlyArray<string> | undefined

/** An answer with its cursor, before the cursor becomes JSON. */
export interface Fetched<out Cursor> extends SourceResponse {
  /** Where reading continues after this answer. */
  readonly cursor: Cursor
}
