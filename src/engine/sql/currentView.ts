/**
 * The view `NAME_current` of a history: its current rows. If its name belongs to something else, the view is not made.
 *
 * In some databases a view keeps the columns that it had when it was made. So where it has a comment that says whose it is, it is
 * made again with each commit, and it goes before columns of its table change. A dialect that makes it itself keeps it.
 */
import * as Effect from "effect/Effect"
import type { SinkError } from "../Commit.ts"
import type * as Sink from "../Sink.ts"
import type { SqlDatabase } from "./SqlDatabase.ts"

/** Makes the view if its name is free, and again if Millrace made it. */
export const showCurrent = Effect.fnUntraced(function* (
  database: SqlDatabase,
  plan: Sink.Plan,
  table: string
): Effect.fn.Return<void, SinkError> {
  const { dialect, spelling } = database
  const name = nameOf(table)
  if (plan.tables.some((planned) => spelling.fold(planned.table.name) === spelling.fold(name))) return
  if (dialect.nameFault?.({ name, description: "", key: [], columns: [] }, "append") !== undefined) return
  const there = yield* database.describe(name)
  if (there !== undefined && (dialect.view !== undefined || there.comment !== commentOf(table))) return
  const how = dialect.comments === undefined ? "CREATE VIEW" : "CREATE OR REPLACE VIEW"
  const view = `${how} ${spelling.table(name)} AS SELECT * FROM ${spelling.table(table)} WHERE is_current = TRUE`
  yield* database.run(dialect.view?.(name, table) ?? view)
  if (dialect.comments !== undefined) yield* database.run(dialect.comments.table(name, "VIEW", commentOf(table)))
})

/** Removes the view if a comment says that Millrace made it. */
export const hideCurrent = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string
): Effect.fn.Return<void, SinkError> {
  const name = nameOf(table)
  if (database.dialect.comments === undefined) return
  const there = yield* database.describe(name)
  if (there?.comment === commentOf(table)) yield* database.run(`DROP VIEW ${database.spelling.table(name)}`)
})

const nameOf = (table: string): string => `${table}_current`
const commentOf = (table: string): string => `the rows of ${table} that are in force`
