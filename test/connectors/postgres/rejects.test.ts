import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { postgres } from "#connectors/postgres/index"
import * as Column from "#engine/Column"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pipelineOf, run } from "../../engine/run/scripted.ts"
import { databaseUrl, placeOf } from "./database.ts"
import { query } from "./readTable.ts"

const url = await databaseUrl()

const texts = Table.make({
  name: "texts",
  description: "texts",
  key: ["id"],
  schema: Schema.Struct({
    id: Schema.Int,
    text: Schema.String,
    any: Schema.NullOr(Schema.Unknown),
    at: Schema.NullOr(Column.Timestamp)
  })
})

const source = Source.make({
  type: "texts",
  description: "texts that Postgres can hold, and others",
  options: Schema.Struct({}),
  state: Schema.Int,
  cursor: Schema.Int,
  tables: () => [texts],
  fetch: () => Stream.make({ kind: "texts", at: 0, text: "", cursor: 1 }),
  decode: () =>
    Effect.succeed([
      Table.batch(texts, [
        { id: 1, text: "fits", any: { nul: "a\u0000b" }, at: 0n },
        { id: 2, text: "a\u0000b", any: null, at: null },
        { id: 3, text: "old", any: null, at: -9_000_000_000_000_000_000n }
      ]),
      { _tag: "Checkpoint", state: 1 }
    ])
})

describe.skipIf(url === undefined)("what Postgres cannot hold", () => {
  it.effect("is rejected by this destination alone, with its reason and its value; nothing is lost or changed", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const place = placeOf(url ?? "", directory)
      const sinks = { pg: postgres.with(place), db: duckdb.with({ path: "w.duckdb" }) }

      yield* run({ ...pipelineOf(source.with({}), sinks), directory })

      const rows = (sql: string) => Effect.promise(() => query(place.url, sql.replaceAll("$", place.schema)))
      expect(yield* rows(`SELECT id, text, "any"::text AS "any" FROM $.texts`)).toEqual([
        { id: "1", text: "fits", any: '{"nul":"a\\u0000b"}' }
      ])
      expect(
        yield* rows("SELECT rejected_by, reason, path, raw::text AS raw FROM $.texts__rejects ORDER BY reason")
      ).toEqual([
        {
          rejected_by: "destination",
          reason: "column at: Postgres holds no moment before 4714 BC",
          path: "at",
          raw: expect.stringContaining('"id":3')
        },
        {
          rejected_by: "destination",
          reason: "column text: a text has the character U+0000, which Postgres cannot hold",
          path: "text",
          raw: expect.stringContaining('"text":"a\\u0000b"')
        }
      ])
      expect(yield* sinks.db.rows(directory, texts)).toHaveLength(3)
    })
  )
})
