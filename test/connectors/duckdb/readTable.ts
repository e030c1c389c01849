/** Reads a table of a DuckDB file as another program would: none where the file or the table is missing. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import type * as Table from "#engine/Table"

export const readTable = (file: string, table: Table.Table) =>
  Effect.scoped(
    Effect.gen(function* () {
      if (!existsSync(file)) return []
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: `${file}.read` })
      yield* database.run(`ATTACH ${Database.literal(file)} AS target (READ_ONLY)`)
      const names = table.columns.map(Cell.selected).join(", ")
      return yield* database.query(`SELECT ${names} FROM target.main.${Column.quote(table.name)}`, table.columns).pipe(
        Effect.catchIf(
          (error) => error.message.includes("does not exist"),
          () => Effect.succeed([])
        )
      )
    })
  )
