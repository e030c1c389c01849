/**
 * A source of one function that gives rows: for authors who want to read something and no more.
 *
 * It reads everything each time. A run that was killed continues after the rows that the journal has, if they come again as
 * they were; otherwise a new run begins. A source that continues at a checkpoint, fills several tables or keeps the answers
 * as they came is made by `Source.make`.
 */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Source from "#engine/Source"
import { type Columns, columnsOf } from "./columns.ts"
import { optionsOf } from "./noOptions.ts"
import { decodeRows, fetchRows, RowsRead, rowTable } from "./rows/rowAnswers.ts"

/** What the function of a simple source gets beside its options. */
export interface ReadContext {
  /** The folder of the pipeline file. */
  readonly directory: string
  /** A path of the options as an absolute one: relative paths start in the folder of the pipeline file. */
  readonly resolve: (path: string) => string
  /** Aborted where the run stops: for `fetch` and others that can stop by it. */
  readonly signal: AbortSignal
  /** What the run may use. */
  readonly limits: Source.Limits
}

/** The parts of a simple source. */
export interface SimpleSource<Options, Encoded> {
  /** What `type:` says in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description?: string
  /** What a pipeline file may say beside `type`; default: nothing. */
  readonly options?: Schema.Codec<Options, Encoded>
  /** The name of the table; default: the type. */
  readonly table?: string
  /** Names and SQL types, or a schema. */
  readonly columns: Columns
  /** The columns that name a row. */
  readonly key?: ReadonlyArray<string>
  /** The rows: an array, or a generator, async or not. What it throws fails the run. */
  readonly rows: (
    options: Options,
    place: ReadContext
  ) => Iterable<object> | AsyncIterable<object> | Promise<Iterable<object>>
}

/**
 * A source of one function that gives rows. It reads everything in each run, and a run that was killed calls it from the
 * beginning: it continues after the rows that the journal has if they come again in the same order, and otherwise a new run
 * begins. What the function throws fails the run with `SourceError`.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { run, Source } from "millrace"
 * import { Database, memory } from "millrace/connectors/memory"
 *
 * const countdown = Source.simple({
 *   type: "countdown",
 *   options: Schema.Struct({ from: Schema.Int }),
 *   columns: { n: "BIGINT NOT NULL" },
 *   rows: function* ({ from }) {
 *     for (let n = from; n > 0; n--) yield { n }
 *   }
 * })
 * await run({ source: countdown.with({ from: 3 }), sinks: { out: memory.with({ name: "countdown" }) } })
 * console.log(Database.rows("countdown", "countdown").map(({ n }) => n)) // [3, 2, 1]
 * ```
 */
export const simple = <Options = object, Encoded = Options>(
  parts: SimpleSource<Options, Encoded>
): Source.Source<Options, never> => {
  const { columns, key = [], table = parts.type, type } = parts
  const description = parts.description ?? `rows of ${type}`
  const made = rowTable({ name: table, description, key, columns: columnsOf(columns) })
  const decode = decodeRows(made)
  const options = optionsOf(parts.options)
  return Source.make({
    type,
    description,
    options,
    state: Schema.Null,
    cursor: RowsRead,
    incremental: false,
    standsAlone: true,
    tables: () => [made.table],
    fetch: (options, from) =>
      fetchRows(type, made, from, (signal) => {
        const { directory, limits } = from
        const given = parts.rows(options, { directory, limits, signal, resolve: (path) => resolve(directory, path) })
        return given instanceof Promise ? later(given) : given
      }),
    decode: (_, answer) => Effect.succeed(decode(answer))
  })
}

async function* later(rows: Promise<Iterable<object>>): AsyncGenerator<object> {
  yield* await rows
}
