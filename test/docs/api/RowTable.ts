// Copied by `npm run docs` from docs/reference/api/RowTable.md. Do not edit.
import { RowTable, type Sink, type Table } from "../../../src/index.ts"

{
  const take = (stage: RowTable.RowStage, { rows }: Table.Batch) => RowTable.add(stage, rows, 1)
  console.log(take.length) // 2
}
{
  const commit = (stages: ReadonlyArray<RowTable.RowStage>, what: Sink.Commit) =>
    RowTable.commit(stages, new Map(), what, { isFirst: true }).results
  console.log(commit.length) // 2
}
{
  const why = (planned: Sink.TablePlan, stored: RowTable.RowTable) => RowTable.fault(planned, stored, true)
  console.log(why.length) // 2
}
{
  const opened = (plan: Sink.Plan) => plan.tables.map((planned) => RowTable.stage(planned, undefined, plan))
  console.log(opened.length) // 1
}
