/**
 * The plan for a sink: each table of the run, and how it is written.
 *
 * scd2 is for the main table and the tables of its lists, which have the versions of their row. Other tables that belong to it have the
 * children of the current versions, so they are merged; every other table is written with the default of its sink. Rejects are never lost: they are merged by their id if the sink
 * can merge, otherwise appended.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as OutputTables from "./OutputTables.ts"
import type * as Pipeline from "./Pipeline.ts"
import type * as Sink from "./Sink.ts"
import { sharedTable } from "./sharedTable.ts"
import type * as Table from "./Table.ts"

/**
 * A pipeline that cannot run as it is defined, or a past run that cannot be committed, dropped or replayed. Nothing was
 * changed.
 *
 * @example
 * ```ts
 * import { rows, run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const keyless = rows([{ id: 1 }], { table: "numbers" })
 * const error: unknown = await run({ source: keyless, sinks: { out: memory.with({ name: "k", write: "merge" }) } }).catch(
 *   (error: unknown) => error
 * )
 * console.log(error instanceof Error && error.message) // "table numbers has no key to merge by; give it one, or append"
 * ```
 */
export class PlanError extends Schema.TaggedError<PlanError>()("PlanError", { message: Schema.String }) {}

export const planOf = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  target: {
    readonly runId: string
    readonly name: string
    readonly sink: Sink.Destination<R>
    readonly again: boolean
    readonly fullRefresh: boolean
  }
) {
  const { sink } = target
  const tables = sinkTables(sink, layout)
  const refused = tables.find(({ write }) => !sink.writes.includes(write))
  if (refused !== undefined) {
    const has = sink.writes.join(", ")
    return yield* new PlanError({
      message: `sink ${target.name}: ${sink.type} does not support write: ${refused.write}; it supports ${has}`
    })
  }
  const contract = pipeline.table.contract ?? "evolve"
  const plan: Sink.Plan = {
    pipeline: pipeline.name,
    runId: target.runId,
    tables,
    directory: pipeline.directory,
    evolve: contract === "evolve",
    contract,
    again: target.again,
    ...(target.fullRefresh ? { fullRefresh: true } : {}),
    ...(sink.shared === true ? { shared: true } : {})
  }
  return plan
})

/** The tables of a run as a sink gets them. */
export const sinkTables = <R>(sink: Sink.Destination<R>, layout: OutputTables.OutputTables) => {
  const digests = new Set(layout.nestings.get(layout.main.name)?.digests.values())
  return layout.tables.map((table): Sink.TablePlan => {
    const write = writeOf(sink, layout, table)
    const isHistory = write === "scd2" && table === layout.main
    const taken =
      table !== layout.main || isHistory || digests.size === 0
        ? table
        : { ...table, columns: table.columns.filter(({ name }) => !digests.has(name)) }
    return {
      table: sink.shared === true ? sharedTable(taken) : taken,
      write,
      ...(isHistory ? { fingerprint: layout.fingerprint, absent: layout.absent } : {})
    }
  })
}

/** How a sink writes a table of a run. */
export const writeOf = <R>(
  sink: Sink.Destination<R>,
  { main, rejects }: OutputTables.OutputTables,
  table: Table.Table
): Sink.WriteDisposition => {
  if (table === rejects) return sink.writes.includes("merge") ? "merge" : "append"
  const write = sink.writeOf(table)
  if (write !== "scd2" || table === main) return write
  if (table.parent?.table === main.name) return table.parent.isList === true ? "scd2" : "merge"
  return sink.defaultWriteOf(table)
}
