import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { openToRead } from "#connectors/duckdb/file/ReadersDatabase"
import * as Database from "#engine/Duckdb"
import { folder } from "#testing/folder"

it.effect("readers of one file spill into folders of their own, away from it, which are gone after", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "warehouse.duckdb")
    const settings = { threads: 1, memory: "64MB" }
    yield* Effect.scoped(
      Effect.flatMap(Database.open({ ...settings, spill: join(directory, "spill") }), (database) =>
        database.run(`ATTACH ${Database.literal(file)} AS made`)
      )
    )
    const spill = (database: Database.Database) => Database.texts(database, "SELECT current_setting('temp_directory')")

    const spills = yield* Effect.scoped(
      Effect.flatMap(Effect.all([openToRead(file, settings), openToRead(file, settings)]), (readers) =>
        Effect.forEach(readers, spill)
      )
    )
    const [one = "", other = ""] = spills.flat()

    expect(one).not.toBe(other)
    for (const path of [one, other]) {
      expect(path).not.toContain(directory)
      expect(existsSync(path)).toBe(false)
    }
  })
)
