/** Reads stored rows. */
import * as Effect from "effect/Effect"
import type * as Table from "#engine/Table"
import * as Database from "./Database.ts"
import type { Options } from "./options.ts"

/** The rows of a table; a column that the database lacks is null. */
export const rows = (options: Options, _directory: string, table: Table.Table) =>
  Effect.sync(() =>
    Database.rows(Database.nameOf(options), table.name).map(
      (row): Table.Row => Object.fromEntries(table.columns.map(({ name }) => [name, row[name] ?? null]))
    )
  )
