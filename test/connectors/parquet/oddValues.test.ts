/** Values that SQL, JSON or the names of folders take for something else: each is read as what it was. */
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Table from "../../../src/pipeline/Table.ts"
import { folder } from "../../../src/testing/folder.ts"
import { readLake, stores } from "./lake.ts"
import { load } from "./load.ts"

const table = Table.make({
  name: "odd",
  description: "odd values",
  schema: Schema.Struct({ id: Schema.Int, place: Schema.NullOr(Schema.String), any: Schema.Unknown }),
  key: ["id"]
})

it.effect("half a surrogate pair in JSON is U+FFFD, and the table is read and merged", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = [
      { id: 1, place: "a", any: { "\ud800": "cut \ud83d" } },
      { id: 2, place: "b", any: null }
    ]

    yield* load(directory, "run1", { table, rows })
    yield* load(directory, "run2", { table, rows: [{ id: 2, place: "b", any: ["\udfff"] }] })

    expect(yield* readLake(join(directory, "lake"), table)).toEqual([
      { id: 1n, place: "a", any: { "\ufffd": "cut \ufffd" } },
      { id: 2n, place: "b", any: ["\ufffd"] }
    ])
  }).pipe(Effect.provide(stores))
)
