/** What a table that is there asks of a run, before rows are taken. */
import * as Sink from "../../src/pipeline/Sink.ts"
import type * as Database from "./Database.ts"
import { lastOfEach } from "./merge.ts"

/** Whether a table has the columns of a history. */
export const isHistory = ({ columns }: Database.Stored): boolean =>
  Sink.historyColumns.every(({ name }) => columns.some((column) => column.name === name))

/** Why a table cannot be written as planned, if so. */
export const storedFault = (
  { table, write }: Sink.TablePlan,
  stored: Database.Stored,
  evolve: boolean
): string | undefined => {
  if (write === "replace") return undefined
  const lacking = table.key.find((name) => !stored.columns.some((column) => column.name === name))
  if (lacking !== undefined && !evolve && write !== "append") {
    return `table ${table.name} of the database has no column ${lacking}, by which its rows are told apart; let it be added`
  }
  const isOurs = Sink.historyColumns.some(({ name }) => table.columns.some((column) => column.name === name))
  if (isHistory(stored)) {
    return write === "scd2" || isOurs
      ? undefined
      : `table ${table.name} of the database is a history; write it with scd2, or write another table`
  }
  return write === "scd2" && lastOfEach(table.key, stored.rows).size < stored.rows.length
    ? `table ${table.name} of the database has several rows of one key, so it cannot become a history; keep one of each`
    : undefined
}
