/**
 * The table of rows that do not fit: `<table>__rejects`.
 *
 * The law: a row that is not loaded is kept, as it was, with the reason. Its id follows from the table, the value and its
 * number in the run's answer, so a run that is replayed writes the same rejects again, and not twice as many.
 */
import { createHash } from "node:crypto"
import * as Schema from "effect/Schema"
import * as CellJson from "./CellJson.ts"
import * as Column from "./Column.ts"
import * as Table from "./Table.ts"

/** One value that is no row, and why. */
export interface Reject {
  /** The value as it was read. */
  readonly raw: unknown
  /** What is wrong with it, in words. */
  readonly reason: string
  /** Where: a column, or a JSON pointer into the value. */
  readonly path?: string | undefined
  /** Where it was read: a URL, a file, where that is known. */
  readonly source?: string | undefined
  /** Its number among all that the run read for this table: what tells two equal values apart. */
  readonly ordinal: number
}

const schema = Schema.Struct({
  reject_id: Schema.String,
  source: Schema.NullOr(Schema.String),
  reason: Schema.String,
  path: Schema.NullOr(Schema.String),
  raw: Schema.NullOr(Schema.Unknown),
  rejected_at: Column.Timestamp,
  resolved_by: Schema.NullOr(Schema.String)
})

/** The name of the table that keeps what does not fit into another. */
export const nameOf = (table: string): string => `${table}__rejects`

/** The rejects of a table. They belong to no row of it, because they never became one. */
export const tableOf = (table: Table.Table): Table.Table =>
  Table.make({
    name: nameOf(table.name),
    description: `what was read for ${table.name} and does not fit, with the reason`,
    key: ["reject_id"],
    schema
  })

/** The rows of rejects. `now` is in microseconds since the epoch. */
export const rowsOf = (table: Table.Table, rejects: ReadonlyArray<Reject>, now: bigint): ReadonlyArray<Table.Row> =>
  rejects.map(({ raw, reason, path, source, ordinal }) => {
    const kept = CellJson.ofAnything(raw)
    return {
      reject_id: idOf(table.name, kept, ordinal),
      source: source ?? null,
      reason,
      path: path ?? null,
      raw: kept,
      rejected_at: now,
      resolved_by: null
    }
  })

/** Rejects that a later run has loaded: the same rows, with its id. */
export const resolved = (rows: ReadonlyArray<Table.Row>, runId: string): ReadonlyArray<Table.Row> =>
  rows.map((row) => ({ ...row, resolved_by: runId }))

/** sha256 of the three as one JSON text, so that no two of them run together. */
const idOf = (table: string, raw: unknown, ordinal: number): string =>
  createHash("sha256")
    .update(JSON.stringify([table, raw, ordinal]))
    .digest("hex")
