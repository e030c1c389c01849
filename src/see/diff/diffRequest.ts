/** The request to a sink for the differences of a table between two of its loads. */
import type * as Difference from "#engine/Difference"
import type * as OutputTables from "#engine/OutputTables"
import type * as Pipeline from "#engine/Pipeline"
import { writeOf } from "#engine/planOf"
import * as Sink from "#engine/Sink"
import { sharedTable } from "#engine/sharedTable"
import * as Table from "#engine/Table"

export const diffRequest = <R>(
  pipeline: Pick<Pipeline.Pipeline<R>, "name" | "source">,
  layout: OutputTables.OutputTables,
  {
    by,
    columns,
    limit,
    sink,
    table,
    ...loads
  }: Pick<Difference.DiffRequest, "runs" | "from" | "to" | "limit"> & {
    readonly sink: Sink.Destination<R>
    readonly table: Table.Table
    /** The columns to compare; empty: those of the fingerprint. */
    readonly columns: ReadonlyArray<string>
    readonly by?: Difference.DiffRequest["by"] | undefined
  }
): Difference.DiffRequest => {
  const fingerprint = table === layout.main ? layout.fingerprint : Table.fingerprintOf(table, undefined)
  return {
    ...loads,
    ...(limit === undefined ? {} : { limit }),
    ...(by === undefined ? {} : { by }),
    table: sink.shared === true ? sharedTable(table) : table,
    ...(sink.shared === true ? { owner: Sink.ownerOf(pipeline.name) } : {}),
    write: writeOf(sink, layout, table),
    compared: columns.length > 0 ? columns : fingerprint,
    incremental: pipeline.source.incremental
  }
}

/** The runs of a sink that are loads of a pipeline. Runs that only loaded rejects again are left out. */
export const loadsOf = (pipeline: string, records: ReadonlyArray<Sink.RunRecord>): ReadonlyArray<Sink.RunRecord> =>
  records.filter((run) => run.pipeline === pipeline && run.facts["resolved"] === undefined)
