import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { memory } from "#connectors/memory/index"
import * as Table from "#engine/Table"
import * as TableReader from "#see/why/TableReader"

const table = Table.make({
  name: "links",
  description: "one row per link",
  schema: Schema.Struct({ page: Schema.String, position: Schema.Int, href: Schema.NullOr(Schema.String) }),
  key: ["page", "position"]
})

it("rows are found by their values where a destination answers no SQL", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sink = memory.with({ name: "why-reader" })
      const writer = yield* sink.open({
        pipeline: "links",
        runId: "run-1",
        directory: "/",
        evolve: true,
        tables: [{ table, write: "merge" }]
      })
      const rows = [1n, 2n].map((position) => ({ page: "/a", position, href: null }))
      yield* writer.write(Table.batch(table, rows))
      yield* writer.commit({
        checkpoint: { runId: "run-1", state: null },
        run: { runId: "run-1", pipeline: "links", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
        checks: [],
        complete: true
      })
      const reader = yield* TableReader.open({ name: "links", directory: "/" }, sink)

      expect(yield* reader.find(table, { page: "/a", position: "2" })).toEqual([
        { page: "/a", position: 2, href: null }
      ])
      expect(yield* reader.find(table, { page: "/b" })).toEqual([])
    }).pipe(Effect.scoped)
  ))
