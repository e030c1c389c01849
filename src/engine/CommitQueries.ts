/**
 * What the planner of SQL sinks asks of staged and stored rows, for a sink whose rows are in no table: it asks of views in DuckDB,
 * and does itself what follows from the answers. A staged row is known by `numberColumn`, and a stored one by `rowId`.
 */
import type * as Effect from "effect/Effect"
import * as Column from "./Column.ts"
import type { SinkError } from "./Commit.ts"
import { duckdbDialect } from "./duckdbDialect.ts"
import type * as Sink from "./Sink.ts"
import * as StoredTable from "./StoredTable.ts"
import * as Spelling from "./sql/Spelling.ts"
import { type StepDatabase, take as takeSteps } from "./sql/SqlDatabase.ts"
import { retained, type StagedTable } from "./sql/StagedTable.ts"
import type { Steps } from "./sql/Step.ts"

export { childNewsSteps, endedOf } from "./sql/childHistorySteps.ts"
export { pairedChildren, pairingSteps } from "./sql/childSteps.ts"
export { comparisonSteps, isOtherReading, isSame, matches, pairs, severalSteps } from "./sql/comparison.ts"
export { duplicateSteps } from "./sql/duplicateSteps.ts"
export { newsOf, newsSteps, reopened, reopeningSteps, unseenOf, unseenSteps, type Visit } from "./sql/historySteps.ts"
export { numberColumn, type StagedTable } from "./sql/StagedTable.ts"
export { rereadOf } from "./sql/sameRow.ts"

/** The relations of a table, and the column that tells stored rows apart. */
type Relations = Pick<StagedTable, "number" | "rowId"> & Required<Pick<StagedTable, "keys" | "rows" | "target">>

/** A table as the planner sees it. `after`: its columns after the commit, which the relations have. */
export const tableOf = (
  planned: Sink.TablePlan,
  after: ReadonlyArray<Column.Column>,
  relations: Relations
): StagedTable => {
  const stored = after.map(({ name, type }) => ({
    name,
    sql: Column.toSql(type),
    type,
    nullable: true,
    hasDefault: false
  }))
  return {
    ...planned,
    ...relations,
    spelling,
    columns: planned.table.columns.flatMap(({ name: ours, type: from }) => {
      const there = Column.named(after, ours)
      return there === undefined
        ? []
        : [{ name: there.name, ours, from, to: there.type, sql: Column.toSql(there.type) }]
    }),
    stored,
    foreign: [],
    lacking: StoredTable.notWritten(planned, stored),
    cleared: []
  }
}

const spelling = Spelling.of({ ...duckdbDialect, type: Column.toSql, describe: () => "", rowId: () => undefined })

/** The table of the keys that a run saw, or could not read: of the table of a number in its plan. */
export const seenOf = (number: number): string => retained({ number, spelling })

/** Takes steps in their order. */
export const take = (database: StepDatabase, steps: Steps): Effect.Effect<unknown, SinkError> =>
  takeSteps(database, steps, "")
