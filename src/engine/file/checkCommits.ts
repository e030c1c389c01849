/** Checks whether a pipeline with `commit_every` can commit before its end. The problem is added where it can be solved. */
import * as CommitEvery from "../CommitEvery.ts"
import * as FileReading from "../FileReading.ts"
import type * as Pipeline from "../Pipeline.ts"
import type { PipelineKeys } from "../PipelineKeys.ts"
import type * as Sink from "../Sink.ts"
import type * as Table from "../Table.ts"
import * as YamlTree from "../YamlTree.ts"

export const checkCommits = <R>(
  reading: FileReading.FileReading,
  { checks = [], commit_every: every, steps = [] }: PipelineKeys,
  tables: ReadonlyArray<Table.Table>,
  table: Pipeline.TableOptions,
  sinks: Readonly<Record<string, Sink.Destination<R>>>
): void => {
  const fault = every === undefined ? undefined : CommitEvery.faultOf({ checks, sinks, steps, table, tables })
  if (fault === undefined) return
  const { message, sink } = fault
  const write = sink === undefined ? [] : ["sinks", sink, "write"]
  const isSaid = sink !== undefined && YamlTree.nearest(reading.tree.root, write)._tag === "Scalar"
  FileReading.add(reading, { path: isSaid ? write : ["commit_every"], at: "value", message })
}
