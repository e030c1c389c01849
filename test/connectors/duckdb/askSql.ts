/** Asks a DuckDB file as another program would: under another name, in its own time zone. Each row is one text. */
import * as Effect from "effect/Effect"
import * as Database from "#engine/Duckdb"

export const askSql = (file: string, sql: string, zone = "America/New_York") =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: `${file}.read` })
      yield* database.run(`ATTACH ${Database.literal(file)} AS warehouse (READ_ONLY)`)
      yield* database.run(`SET TimeZone = ${Database.literal(zone)}`)
      yield* database.run("USE warehouse")
      const rows = yield* database.values(sql)
      return rows.map((row) => row.map((cell) => (cell === null ? "null" : String(cell))).join(" "))
    })
  )
