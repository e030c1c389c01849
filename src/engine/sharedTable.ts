/**
 * A table in a destination that several pipelines write: with the column `_pipeline`, which is the first column of the key
 * and of the columns that join a child to its parent.
 *
 * The source, the steps and the checks of a pipeline do not see this column; its sinks and their readers do.
 */
import type * as Pipeline from "./Pipeline.ts"
import * as Sink from "./Sink.ts"
import * as Table from "./Table.ts"

const { name: column } = Sink.pipelineColumn

export const sharedTable = (table: Table.Table): Table.Table => ({
  ...Table.extend(table, [Sink.pipelineColumn]),
  key: table.key.length === 0 ? [] : [column, ...table.key],
  ...(table.parent === undefined ? {} : { parent: { ...table.parent, on: { [column]: column, ...table.parent.on } } })
})

/** The cell of the column, for rows of a pipeline. */
export const cellOf = (pipeline: string): Table.Row => ({ [column]: Sink.ownerOf(pipeline) })

/** The rows of one pipeline, without the column. */
export const ownRows = <R>(
  { name }: Pick<Pipeline.Pipeline<R>, "name">,
  rows: ReadonlyArray<Table.Row>
): ReadonlyArray<Table.Row> =>
  rows.flatMap(({ [column]: owner, ...row }) => (owner === Sink.ownerOf(name) ? [row] : []))
