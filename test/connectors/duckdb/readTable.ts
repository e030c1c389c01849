/** Reads a table of a DuckDB file as another program would: none where the file or the table is missing. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Cell from "#engine/DuckdbCell"
import type * as Table from "#engine/Table"
import { readingFile } from "./reading.ts"

export const readTable = (file: string, table: Table.Table) =>
  Effect.suspend(() => {
    if (!existsSync(file)) return Effect.succeed([])
    const names = table.columns.map(Cell.selected).join(", ")
    return readingFile(file, (database) =>
      database.query(`SELECT ${names} FROM target.main.${Column.quote(table.name)}`, table.columns).pipe(
        Effect.catchIf(
          (error) => error.message.includes("does not exist"),
          () => Effect.succeed([])
        )
      )
    )
  })
