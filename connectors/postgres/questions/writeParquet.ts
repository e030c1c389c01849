/** Writes a result as a Parquet file, by a DuckDB in memory, which spills beside the file. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type * as Queries from "#engine/Queries"
import { temporaryFolder } from "#engine/temporaryFolder"
import { failure } from "../failure.ts"

export const writeParquet = ({ columns, rows }: Queries.Answer, file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("sql")
      const database = yield* Database.open({ threads: 1, memory: "512MB", spill: Path.join(folder, "spill") })
      const types = columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
      yield* database.run(`CREATE TABLE answer (${types.join(", ")})`)
      const feed = yield* database.feed(columns)
      yield* Stream.runForEach(rows, (some) => {
        feed.load(some)
        return database.run(`INSERT INTO answer FROM ${feed.call}`)
      })
      yield* database.run(`COPY answer TO ${Database.literal(file)} (FORMAT parquet, COMPRESSION zstd)`)
    })
  ).pipe(Effect.mapError(failure(`cannot write ${file}`)))
