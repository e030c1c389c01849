/**
 * A sink of two functions, one for a batch and one for a commit: for authors who want rows to get somewhere and no more.
 *
 *     export const lines = Sink.simple({
 *       type: "lines",
 *       options: Schema.Struct({ path: Schema.String }),
 *       batch: (_, { rows }) => rows.map((row) => JSON.stringify(row)),
 *       commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.flat().join("\n"))
 *     })
 *
 * It appends. What it lacks beside a sink of `Sink.make`, it declares (`SinkAbility`). Rows are JSON values, as
 * `millrace preview --format json` shows them. The law: nobody sees what `batch` makes before `commit` shows it.
 */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CellJson from "../pipeline/CellJson.ts"
import { cellFromJson } from "../pipeline/cellFromJson.ts"
import * as Owner from "../pipeline/Owner.ts"
import * as Sink from "../pipeline/Sink.ts"
import type { SinkAbility } from "../pipeline/SinkAbility.ts"
import * as SinkWriter from "../pipeline/SinkWriter.ts"
import type * as Table from "../pipeline/Table.ts"
import { type NoOptions, optionsOf } from "./noOptions.ts"
import * as Ledger from "./SimpleLedger.ts"

/** A row with JSON values. */
export type JsonRow = Readonly<Record<string, unknown>>

/** What both functions of a simple sink get: the folder of the pipeline. */
export interface Place {
  /** The folder of the pipeline file. */
  readonly directory: string
  /** A path of the options as an absolute one: relative paths start in the folder of the pipeline file. */
  readonly resolve: (path: string) => string
}

/** A batch of one table, as `batch` of a simple sink gets it. */
export interface BatchPlace extends Place {
  readonly table: Table.Table
  readonly rows: ReadonlyArray<JsonRow>
  readonly runId: string
}

/** What `commit` of a simple sink gets. */
export interface CommitPlace<Piece> extends Place {
  /** What `batch` gave since the last commit, in its order. */
  readonly pieces: ReadonlyArray<Piece>
  readonly pipeline: string
  /** The same where a run is committed a second time, because the process died: a name for what must be there once. */
  readonly runId: string
}

/** The parts of a simple sink. */
export interface SimpleSink<Options, Encoded, Piece> {
  /** What `type:` says in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description?: string
  /** What a pipeline file may say beside `type`; default: nothing. */
  readonly options?: Schema.Codec<Options, Encoded>
  /** Takes rows of one table. What it gives, the commit gets. */
  readonly batch: (options: Options, batch: BatchPlace) => Piece | Promise<Piece>
  /**
   * Makes everything since the last commit visible. Where it fails, it must leave what was there. A text that it gives is
   * where a person finds the rows.
   */
  readonly commit: (options: Options, commit: CommitPlace<Piece>) => unknown
  /** The rows of a table as a reader sees them, in their order: for `millrace why`, `diff`, and the suite. */
  readonly read?: (
    options: Options,
    place: Place & { readonly table: Table.Table }
  ) => Iterable<object> | Promise<Iterable<object>>
}

/** Those of every such sink. */
const lacking: ReadonlyArray<SinkAbility> = ["exactlyOnce", "columns", "again", "details", "shared"]

type Own<Options> = { readonly own: Options; readonly write?: Sink.WriteDisposition }

/**
 * A sink of two functions: one takes a batch, one shows everything since the last commit. It appends. What it lacks
 * beside a sink of `Sink.make` is in `lacks` of its destination. What the functions throw becomes a `SinkError`.
 *
 * @example
 * ```ts
 * import { appendFile } from "node:fs/promises"
 * import * as Schema from "effect/Schema"
 * import { Sink } from "millrace"
 *
 * const jsonl = Sink.simple({
 *   type: "jsonl",
 *   options: Schema.Struct({ path: Schema.String }),
 *   batch: (_, { rows }) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
 *   commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.join(""))
 * })
 * console.log(jsonl.with({ path: "out.jsonl" }).type) // "jsonl"
 * ```
 */
export const simple = <Options = NoOptions, Encoded = Options, Piece = unknown>(
  parts: SimpleSink<Options, Encoded, Piece>
): Sink.Sink<Options, never> => {
  const { batch, commit, read, type } = parts
  const schema = optionsOf(parts.options)
  const encodeOptions = Schema.encodeSync(schema)
  const fileOf = (options: Options, directory: string) => Ledger.fileOf(directory, type, encodeOptions(options))
  const placeOf = (directory: string): Place => ({ directory, resolve: (path) => resolve(directory, path) })
  const call = <A>(doing: string, work: () => A | Promise<A>) =>
    Effect.tryPromise({ try: () => Promise.resolve().then(work), catch: (cause) => Ledger.failure(type, doing, cause) })

  const open = Effect.fn(`${type}.open`)(function* ({ own }: Own<Options>, plan: Sink.Plan) {
    const refused = refusalOf(type, plan)
    if (refused !== undefined) return yield* refused
    const file = fileOf(own, plan.directory)
    yield* Ledger.hold(type, file)
    let ledger = yield* Ledger.read(type, file)
    const { owners } = ledger
    const foreign = Owner.fault(plan, type, (table) =>
      owners[table] === undefined ? undefined : { owner: owners[table], shared: false }
    )
    if (foreign !== undefined) return yield* new Sink.SinkError({ sink: type, message: foreign, retryable: false })
    const place = placeOf(plan.directory)
    const { pipeline, runId } = plan
    let pieces: Array<Piece> = []
    let received: Record<string, number> = {}
    return SinkWriter.make({
      sink: type,
      stages: plan.tables.map((planned) => ({ ...planned, cells: cellsOf(planned.table) })),
      resume: Ledger.checkpointOf(ledger, pipeline),
      columnsBefore: () => undefined,
      retainKeys: () => Effect.void,
      write: ({ cells, table }, some) =>
        Effect.map(
          call(`cannot take rows of ${table.name}`, () =>
            batch(own, { ...place, table, rows: some.map(cells), runId })
          ),
          (piece) => {
            pieces.push(piece)
            received = { ...received, [table.name]: (received[table.name] ?? 0) + some.length }
          }
        ),
      commit: (what) =>
        Effect.gen(function* () {
          const found = yield* call("cannot commit", () => commit(own, { ...place, pieces, pipeline, runId }))
          const tables = Object.fromEntries(plan.tables.map(({ table }) => [table.name, counted(received[table.name])]))
          pieces = []
          received = {}
          ledger = Ledger.record(ledger, plan, what)
          yield* Ledger.write(type, file, ledger)
          return { location: typeof found === "string" ? found : type, tables }
        }).pipe(Effect.uninterruptible)
    })
  })

  const made = Sink.make<Own<Options>, unknown, never>({
    type,
    description: parts.description ?? `rows to ${type}`,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is not asked: `with` and `decode` below go by the schema of the author
    options: Schema.Unknown as unknown as Schema.Codec<Own<Options>, unknown>,
    writes: ["append"],
    defaultWrite: () => "append",
    runs: ({ own }, directory) => Effect.map(Ledger.read(type, fileOf(own, directory)), ({ runs }) => runs),
    owners: ({ own }, directory) =>
      Effect.map(Ledger.read(type, fileOf(own, directory)), ({ owners }) => new Map(Object.entries(owners))),
    rows: ({ own }, directory, table) =>
      read === undefined
        ? Effect.succeed([])
        : Effect.map(
            call(`cannot read ${table.name}`, () => read(own, { ...placeOf(directory), table })),
            (rows) => Array.from(rows, rowOf(table))
          ),
    open
  })
  const bind = (own: Options): Sink.Destination<never> => ({
    ...made.with({ own }),
    lacks: read === undefined ? [...lacking, "read"] : lacking
  })
  const decode = Schema.decodeUnknownEffect(schema)
  return {
    type,
    description: made.description,
    schema,
    writes: made.writes,
    with: bind,
    decode: (raw) => Effect.map(decode(raw, { onExcessProperty: "error", errors: "all" }), bind)
  }
}

/** Why a plan cannot be written by a sink that keeps so little, if so. */
const refusalOf = (type: string, plan: Sink.Plan): Sink.SinkError | undefined => {
  const because =
    plan.again === true
      ? "it cannot write a run a second time, as it does not know which rows it wrote"
      : plan.evolve
        ? undefined
        : "it keeps no columns, so no contract can hold: leave `contract` out, or set it to evolve"
  return because === undefined
    ? undefined
    : new Sink.SinkError({ sink: type, message: `${type}: ${because}`, retryable: false })
}

const cellsOf = ({ columns }: Table.Table): ((row: Table.Row) => JsonRow) => {
  const cells = columns.map(({ name, type }) => [name, CellJson.ofCell(type)] as const)
  return (row) => Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])]))
}

/** The cells of a row that was read back; a column that it lacks is null. */
const rowOf = ({ columns }: Table.Table): ((row: object) => Table.Row) => {
  const cells = columns.map(({ name, type }) => [name, cellFromJson(type)] as const)
  return (row) => Object.fromEntries(cells.map(([name, convert]) => [name, convert(Reflect.get(row, name))]))
}

const counted = (received = 0): Sink.TableResult => ({
  received,
  written: received,
  unchanged: 0,
  superseded: 0,
  kept: 0
})
