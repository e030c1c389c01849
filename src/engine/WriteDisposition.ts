/** How the rows of a table are written, the options for it, and the columns that it adds. */
import * as Schema from "effect/Schema"
import * as Column from "./Column.ts"
import type * as Table from "./Table.ts"

/**
 * How rows are written. append: they are added. replace: they become the table. merge: a row replaces the stored row
 * with its key. scd2: a row whose fingerprint changed becomes a new version of its key, and the version before is closed.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink } from "millrace"
 *
 * console.log(Schema.is(Sink.WriteDisposition)("merge")) // true
 * ```
 */
export const WriteDisposition = Schema.Literals(["append", "replace", "merge", "scd2"])
/**
 * append: rows are added. replace: they become the table. merge: a row replaces the stored row with its key. scd2: a row
 * whose fingerprint changed becomes a new version of its key, and the version before is closed.
 */
export type WriteDisposition = typeof WriteDisposition.Type

/**
 * The option `write`, which every sink has.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink } from "millrace"
 *
 * const Options = Schema.Struct({ path: Schema.String, write: Sink.writeOption })
 * console.log(Schema.decodeUnknownSync(Options)({ path: "out", write: "append" }).write) // "append"
 * ```
 */
export const writeOption = Schema.optionalKey(
  WriteDisposition.annotate({
    description:
      "append adds rows; replace keeps only the new rows; merge replaces rows by their key; " +
      "scd2 keeps every version of a row, with valid_from, valid_to and is_current"
  })
)

/**
 * The option `removed` of sinks that have scd2.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink } from "millrace"
 *
 * const Options = Schema.Struct({ write: Sink.writeOption, removed: Sink.removedOption })
 * console.log(Schema.decodeUnknownSync(Options)({ removed: "close" }).removed) // "close"
 * ```
 */
export const removedOption = Schema.optionalKey(
  Schema.Literals(["keep", "close"]).annotate({
    description:
      "scd2: what happens to the version of a key that a complete run does not have: keep it, or close it; default: keep"
  })
)

/**
 * The option `shared` of sinks in which several pipelines may write the same tables.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink } from "millrace"
 *
 * const Options = Schema.Struct({ write: Sink.writeOption, shared: Sink.sharedOption })
 * console.log(Schema.decodeUnknownSync(Options)({ shared: true }).shared) // true
 * ```
 */
export const sharedOption = Schema.optionalKey(
  Schema.Boolean.annotate({
    description:
      "true: other pipelines write the same tables. Rows get a _pipeline column, and each pipeline merges, replaces and " +
      "closes only its own rows; default: false"
  })
)

/**
 * The column with the pipeline of each row in a shared table. The engine fills it and puts it first into each key.
 *
 * @example
 * ```ts
 * import { Sink } from "millrace"
 *
 * console.log(Sink.pipelineColumn.name) // "_pipeline"
 * ```
 */
export const pipelineColumn: Column.Column = {
  name: "_pipeline",
  type: { _tag: "VARCHAR" },
  nullable: false,
  description: "the pipeline that the row belongs to"
}

/**
 * The columns that scd2 adds after the table's own. `valid_to` is null where `is_current`.
 *
 * @example
 * ```ts
 * import { Sink } from "millrace"
 *
 * console.log(Sink.historyColumns.map(({ name }) => name)) // ["valid_from", "valid_to", "is_current"]
 * ```
 */
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

/**
 * Whether a table with these columns is a history: a table that scd2 writes.
 *
 * @example
 * ```ts
 * import { Sink } from "millrace"
 *
 * console.log(Sink.isHistory([{ name: "id" }]), Sink.isHistory(Sink.historyColumns)) // false true
 * ```
 */
export const isHistory = (columns: ReadonlyArray<{ readonly name: string }>): boolean =>
  historyColumns.every(({ name }) => Column.named(columns, name) !== undefined)

/**
 * The columns of a table without those that scd2 adds.
 *
 * @example
 * ```ts
 * import { Sink } from "millrace"
 *
 * console.log(Sink.withoutHistory([{ name: "id" }, { name: "valid_from" }])) // [{ name: "id" }]
 * ```
 */
export const withoutHistory = <Named extends { readonly name: string }>(
  columns: ReadonlyArray<Named>
): ReadonlyArray<Named> => columns.filter(({ name }) => Column.named(historyColumns, name) === undefined)

/**
 * The default of a sink that can merge: "merge" for a table that has a key or a parent, and "append" for others.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Sink, Table } from "millrace"
 *
 * const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
 * console.log(Sink.mergeWhereKeyed(table)) // "merge"
 * ```
 */
export const mergeWhereKeyed = (table: Table.Table): WriteDisposition =>
  table.key.length > 0 || table.parent !== undefined ? "merge" : "append"
