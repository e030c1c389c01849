/**
 * The format json as columns, of the types that its schema says; without a schema, as one column of any JSON.
 *
 * A json that does not fit its schema is rejected. A service reports what it did not find as null, whether the schema
 * allows null or not. So null counts as absent if the value may be absent, and a json of only nulls is a null cell.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ScrapeOptions } from "#contract/ScrapeOptions"
import { formatNames, formatOf } from "#contract/ScrapeOptions"
import type { Column } from "#engine/Column"
import * as JsonSchemaColumn from "#engine/JsonSchemaColumn"
import type { Misread } from "#engine/JsonSchemaRow"
import type { JsonSchemaError } from "#engine/JsonSchemaValidator"
import type * as Table from "#engine/Table"
import { found, isNothing } from "../foundJson.ts"

/** The cells of a json; null if a page has none. */
type ReadJson = (json: unknown) => Result.Result<Table.Row, Misread>

interface JsonFormat {
  readonly columns: ReadonlyArray<Column>
  /** Compiles the schema. */
  readonly reader: Effect.Effect<ReadJson, JsonSchemaError>
}

export const jsonFormat = (options: ScrapeOptions | undefined): JsonFormat => {
  if (!formatNames(options).includes("json")) return unasked
  const schema = formatOf(options, "json")?.schema
  if (schema === undefined) return untyped
  const column = JsonSchemaColumn.of("json", schema)
  return {
    columns: column.columns,
    reader: Effect.map(
      JsonSchemaColumn.reader(column),
      (read): ReadJson =>
        (json) =>
          read(isNothing(json) ? null : found(column.shape, json))
    )
  }
}

const unasked: JsonFormat = { columns: [], reader: Effect.succeed(() => Result.succeed({})) }

const untyped: JsonFormat = {
  columns: [
    { name: "json", type: { _tag: "JSON" }, nullable: true, description: "the data that was found on the page" }
  ],
  reader: Effect.succeed((json) => Result.succeed({ json }))
}
