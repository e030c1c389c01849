/** Runs statements on a DuckDB file as another program would. */
import * as Effect from "effect/Effect"
import * as Database from "#engine/Duckdb"

export const runSql = (file: string, statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: `${file}.sql` })
      yield* database.run(`ATTACH ${Database.literal(file)} AS target`)
      yield* database.run("USE target")
      for (const statement of statements) yield* database.run(statement)
    })
  )
