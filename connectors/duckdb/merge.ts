/**
 * Merge, over the staged rows: what goes, and what comes.
 *
 * The law: a staged row takes the place of the row with its key, and the staged children of a row that of all its
 * children. Only keys are joined, never whole rows, so that merging a million pages needs the memory of their keys.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"
import * as Doubles from "../../src/duckdb/Doubles.ts"
import { sameValues } from "../../src/duckdb/sameValues.ts"
import { doubled, names, type Stage, staged, target } from "./Stage.ts"

/** Merges one table; the answer is how many rows came. Parents are merged before their children, and stay staged. */
export const merge = Effect.fnUntraced(function* (database: Database.Database, stage: Stage, parent?: Stage) {
  const { table } = stage
  const [from, on] =
    table.parent === undefined
      ? [table.name, table.key.map((column) => [column, column] as const)]
      : [table.parent.table, Object.entries(table.parent.on)]
  const [ours, theirs] = [on.map(([our]) => our), on.map(([, their]) => their)]
  yield* database.amply(
    Effect.andThen(
      Doubles.drop(database, doubled(stage), parent === undefined ? undefined : doubled(parent)),
      database.run(
        `DELETE FROM ${target(table)} AS t USING ${staged(from)} AS s WHERE ${sameValues(ours, "t", theirs, "s")}`
      )
    )
  )
  return yield* database.run(
    `INSERT INTO ${target(table)} (${names(stage)}) SELECT ${names(stage)} FROM ${staged(table.name)}`
  )
})
