/** How the rows of a table are written, what a pipeline file says of it, and the columns that this adds. */
import * as Schema from "effect/Schema"
import * as Column from "./Column.ts"
import type * as Table from "./Table.ts"

export const WriteDisposition = Schema.Literals(["append", "replace", "merge", "scd2"])
/**
 * append: add rows. replace: the new rows are the table. merge: a row replaces the one with its key. scd2: a row whose
 * fingerprint changed becomes a new version of its key, and the one before is closed.
 */
export type WriteDisposition = typeof WriteDisposition.Type

/** The option that every sink has. */
export const writeOption = Schema.optionalKey(
  WriteDisposition.annotate({
    description:
      "append adds rows; replace makes the new rows the table; merge replaces rows by their key; " +
      "scd2 keeps every version of a row, with valid_from, valid_to and is_current"
  })
)

/** The option of sinks that have scd2. */
export const removedOption = Schema.optionalKey(
  Schema.Literals(["keep", "close"]).annotate({
    description:
      "scd2: what happens to the version of a key that a complete run does not have: keep it, or close it; default: keep"
  })
)

/** The option of sinks in which several pipelines may write the same tables. */
export const sharedOption = Schema.optionalKey(
  Schema.Boolean.annotate({
    description:
      "true: other pipelines write the same tables. Rows get a _pipeline column, and each pipeline merges, replaces and " +
      "closes its own rows only; default: false"
  })
)

/** The column that tells the rows of pipelines apart in a shared table. The engine fills it and puts it first into each key. */
export const pipelineColumn: Column.Column = {
  name: "_pipeline",
  type: { _tag: "VARCHAR" },
  nullable: false,
  description: "the pipeline that the row belongs to"
}

/** The columns that scd2 adds after the table's own. `valid_to` is null where `is_current`. */
export const historyColumns: ReadonlyArray<Column.Column> = [
  {
    name: "valid_from",
    type: { _tag: "TIMESTAMP" },
    nullable: false,
    description: "when this version of the row began"
  },
  {
    name: "valid_to",
    type: { _tag: "TIMESTAMP" },
    nullable: true,
    description: "when this version of the row ended; null for the current version"
  },
  {
    name: "is_current",
    type: { _tag: "BOOLEAN" },
    nullable: false,
    description: "true for the current version of its key"
  }
]

/** Whether a table with these columns is one of versions. */
export const isHistory = (columns: ReadonlyArray<{ readonly name: string }>): boolean =>
  historyColumns.every(({ name }) => Column.named(columns, name) !== undefined)

/** The columns of a table without those that scd2 adds. */
export const withoutHistory = <Named extends { readonly name: string }>(
  columns: ReadonlyArray<Named>
): ReadonlyArray<Named> => columns.filter(({ name }) => Column.named(historyColumns, name) === undefined)

/** What a sink that can merge does where the user is silent: merges tables that have a key, their own or their parent's. */
export const mergeWhereKeyed = (table: Table.Table): WriteDisposition =>
  table.key.length > 0 || table.parent !== undefined ? "merge" : "append"
