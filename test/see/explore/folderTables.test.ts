import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import * as Database from "#engine/Duckdb"
import { engine } from "#library/services"
import type * as Explorer from "#see/explore/Explorer"
import { folderTables } from "#see/explore/exportFolder"
import { folder } from "#testing/folder"
import { runSql } from "../../connectors/duckdb/runSql.ts"

it.live("whole numbers of more digits than a file can have are exported as text", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "w.duckdb")
    yield* runSql(file, [
      "CREATE TABLE sums (id BIGINT, n HUGEINT)",
      "INSERT INTO sums VALUES (1, 170141183460469231731687303715884105727)"
    ])
    const explorer = {
      loaded: { pipeline: { directory } },
      sink: duckdb.with({ path: "w.duckdb" })
    } as unknown as Explorer.Explorer
    const out = join(directory, "out.duckdb")
    const sums = { name: "sums", description: "", columns: [], key: [], isOwn: false, isRecord: false, rows: 1 }

    const [table] = yield* folderTables(explorer, [sums], directory, out)

    expect(table?.columns).toEqual([
      { name: "id", type: "BIGINT" },
      { name: "n", type: "VARCHAR" }
    ])
    const database = yield* Database.open({ threads: 1, memory: "64MB", spill: join(directory, "spill") })
    yield* database.run(`ATTACH ${Database.literal(out)} AS o (READ_ONLY)`)
    expect(yield* Database.texts(database, "SELECT n FROM o.sums")).toEqual(["170141183460469231731687303715884105727"])
  }).pipe(Effect.provide(engine))
)
