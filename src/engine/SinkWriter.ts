/**
 * The writer of a sink, made of functions that handle one table: it finds the table of each call, refuses rows without
 * their key, and counts batches.
 *
 * Guarantee: calls run one after the other, and none after a call that failed or was interrupted. Such a call may have
 * staged half a batch, which the next commit would make visible, so the destination must be opened again.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type * as Column from "./Column.ts"
import { type Commit, type CommitResult, SinkError } from "./Commit.ts"
import type { Writer } from "./Sink.ts"
import { rowFault, type TablePlan } from "./SinkPlan.ts"
import type * as Table from "./Table.ts"
import type { RowError } from "./validateRow.ts"

/** What a sink does in one run. A stage is the sink's own object for one table, together with the plan of that table. */
export interface Parts<Stage extends TablePlan> {
  /** The type of the sink, for messages. */
  readonly sink: string
  /** One for each table of the plan, in its order. */
  readonly stages: ReadonlyArray<Stage>
  /** The checkpoint of the last commit of this pipeline. */
  readonly resume: Writer["resume"]
  /** As `Writer.healed`. */
  readonly healed?: ReadonlyArray<string>
  /** The columns of a table before this run, as `Writer.columns` has them. */
  readonly columnsBefore: (stage: Stage) => ReadonlyArray<Column.Column> | undefined
  /** As `Writer.rowError`; absent: the destination takes every row that fits its table. */
  readonly rowError?: (stage: Stage, row: Table.Row) => RowError | undefined
  /** As `Writer.storedKeys`. `keys`: the table with its key columns only. */
  readonly storedKeys?: (stage: Stage, keys: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, SinkError>
  /** Takes rows. `batch` counts the calls of this run, over all of its tables. */
  readonly write: (stage: Stage, rows: ReadonlyArray<Table.Row>, batch: number) => Effect.Effect<void, SinkError>
  /** As `Writer.retainKeys`; a sink that only appends does nothing. */
  readonly retainKeys: (stage: Stage, keys: ReadonlyArray<Table.Row>) => Effect.Effect<void, SinkError>
  /** `isFirst`: whether this is the first commit since the writer was opened. */
  readonly commit: (commit: Commit, isFirst: boolean) => Effect.Effect<Committed, SinkError>
}

/** The result of `commit` of the parts; the writer adds the number of rows of each table. */
export type Committed = Omit<CommitResult, "rows">

/**
 * Makes the writer of a sink of its parts. Calls run one after the other, and none after a call that failed. It fails
 * with `SinkError` for a batch of an unknown table, and for a row without its key.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 * import * as Schema from "effect/Schema"
 * import { SinkWriter, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
 * const taken: Array<unknown> = []
 * const writer = SinkWriter.make({
 *   sink: "list",
 *   stages: [{ table, write: "merge" as const }],
 *   resume: Option.none(),
 *   columnsBefore: () => undefined,
 *   write: (_, rows) => Effect.sync(() => void taken.push(...rows)),
 *   retainKeys: () => Effect.void,
 *   commit: () => Effect.succeed({ location: "a list", tables: {} })
 * })
 * await Effect.runPromise(writer.write(Table.batch(table, [{ id: 1 }])))
 * const keyless = await Effect.runPromise(Effect.flip(writer.write(Table.batch(table, [{ id: null }]))))
 * console.log(taken, keyless.message) // [{ id: 1 }] "table t: a row has no id, which merge needs; fill it, or append"
 * ```
 */
export const make = <Stage extends TablePlan>(parts: Parts<Stage>): Writer => {
  const stages = new Map(parts.stages.map((stage) => [stage.table.name, stage]))
  let batches = 0
  let isFirst = true
  const refused = (message: string) => Effect.fail(new SinkError({ sink: parts.sink, message, retryable: false }))
  const stageOf = (table: string, rows: ReadonlyArray<Table.Row>) => {
    const stage = stages.get(table)
    if (stage === undefined) return refused(`table ${table} is not in the plan of this run`)
    const fault = rowFault(stage, rows)
    return fault === undefined ? Effect.succeed(stage) : refused(fault)
  }
  const { healed, rowError, storedKeys } = parts
  return strictWriter(parts.sink, {
    resume: parts.resume,
    tables: parts.stages.map(({ table }) => table),
    ...(healed === undefined ? {} : { healed }),
    notices: parts.stages.flatMap(({ notices = [] }) => notices),
    ...(rowError === undefined
      ? {}
      : {
          rowError: (table: string, row: Table.Row) => {
            const stage = stages.get(table)
            return stage === undefined ? undefined : rowError(stage, row)
          }
        }),
    ...(storedKeys === undefined
      ? {}
      : {
          storedKeys: (table: string) =>
            Effect.flatMap(stageOf(table, []), (stage) => storedKeys(stage, keysOf(stage.table)))
        }),
    columns: (table) =>
      Option.flatMap(Option.fromUndefinedOr(stages.get(table)), (stage) =>
        Option.fromUndefinedOr(parts.columnsBefore(stage))
      ),
    write: ({ rows, table }) =>
      Effect.flatMap(stageOf(table.name, rows), (stage) => parts.write(stage, rows, ++batches)),
    retainKeys: (table, keys) => Effect.flatMap(stageOf(table, keys), (stage) => parts.retainKeys(stage, keys)),
    commit: (commit) =>
      Effect.map(parts.commit(commit, isFirst), (committed) => {
        isFirst = false
        const rows = Object.entries(committed.tables).map(([table, { written }]) => [table, written] as const)
        return { ...committed, rows: Object.fromEntries(rows) }
      })
  })
}

const keysOf = (table: Table.Table): Table.Table => ({
  ...table,
  columns: table.columns.filter(({ name }) => table.key.includes(name))
})

/**
 * The same writer, which takes one call at a time and none after one that failed or was interrupted.
 *
 * @internal
 */
export const strictWriter = (sink: string, writer: Writer): Writer => {
  const semaphore = Semaphore.makeUnsafe(1)
  let broken = false
  const refused = new SinkError({
    sink,
    message: "an earlier call of this writer failed; open the destination again",
    retryable: false
  })
  const whole = <A>(call: Effect.Effect<A, SinkError>) =>
    semaphore.withPermit(
      Effect.suspend(() =>
        broken ? Effect.fail(refused) : Effect.onError(call, () => Effect.sync(() => void (broken = true)))
      )
    )
  const { storedKeys } = writer
  return {
    resume: writer.resume,
    ...(writer.tables === undefined ? {} : { tables: writer.tables }),
    ...(writer.healed === undefined ? {} : { healed: writer.healed }),
    notices: writer.notices,
    columns: writer.columns,
    ...(writer.rowError === undefined ? {} : { rowError: writer.rowError }),
    ...(storedKeys === undefined ? {} : { storedKeys: (table: string) => whole(storedKeys(table)) }),
    write: (batch) => whole(writer.write(batch)),
    retainKeys: (table, keys) => whole(writer.retainKeys(table, keys)),
    commit: (commit) => whole(writer.commit(commit))
  }
}
