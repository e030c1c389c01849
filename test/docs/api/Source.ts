// Copied by `npm run docs` from docs/reference/api/Source.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Checkpoint, Source, Table, rows, run } from "../../../src/index.ts"
import { Database, memory } from "../../../connectors/memory/index.ts"

{
  const gone = new Source.SourceError({ source: "lines", message: "names.txt is missing; create it", retryable: false })
  console.log(gone._tag) // "SourceError"
}
{
  const days = Table.make({ name: "days", description: "days", schema: Schema.Struct({ day: Schema.String }) })
  const calendar = Source.make({
    type: "calendar",
    description: "the days that an answer names",
    options: Schema.Struct({}),
    state: Schema.Null,
    cursor: Schema.Null,
    incremental: false,
    standsAlone: true,
    tables: () => [days],
    fetch: () => Stream.make({ kind: "days", at: Date.now(), text: "Monday Tuesday", cursor: null }),
    decode: (_, { text }) =>
      Effect.succeed([...Table.batches(days, text.split(" ").map((day) => ({ day }))), Checkpoint.make(null)])
  })
  await run({ source: calendar.with({}), sinks: { out: memory.with({ name: "calendar" }) } })
  console.log(Database.rows("calendar", "days").map(({ day }) => day)) // ["Monday", "Tuesday"]
}
{
  const made = Source.makePrepared({
    type: "one",
    description: "one row, in a table of the user's name",
    options: Schema.Struct({ table: Schema.String }),
    state: Schema.Null,
    cursor: Schema.Null,
    prepare: ({ table: name }) => Table.make({ name, description: name, schema: Schema.Struct({ id: Schema.Int }) }),
    tables: (_, __, table) => [table],
    fetch: () => Stream.make({ kind: "id", at: Date.now(), text: "7", cursor: null }),
    decode: (_, { text }, __, table) => Effect.succeed([Table.batch(table, [{ id: Number(text) }]), Checkpoint.make(null)])
  })
  const [batch] = await Effect.runPromise(Stream.runCollect(Source.read(made.with({ table: "people" }))))
  console.log(batch?._tag === "Batch" && [batch.table.name, batch.rows]) // ["people", [{ id: 7 }]]
}
{
  const shout = Source.mapped(rows([{ name: "Ada" }], { table: "people" }), {
    name: "shout",
    columns: [{ name: "name", type: { _tag: "VARCHAR" }, nullable: true }],
    map: ({ name }) => ({ name: String(name).toUpperCase() })
  })
  await run({ source: shout, sinks: { out: memory.with({ name: "loud" }) } })
  console.log(Database.rows("loud", "people").map(({ name }) => name)) // ["ADA"]
}
{
  console.log(Source.progress({ discovered: 10, failed: 1 })) // { _tag: "Progress", facts: { discovered: 10, failed: 1 } }
}
{
  const elements = Source.read(rows([{ id: 1 }], { table: "numbers" }))
  console.log((await Effect.runPromise(Stream.runCollect(elements))).map(({ _tag }) => _tag)) // ["Batch", "Checkpoint"]
}
{
  const countdown = Source.simple({
    type: "countdown",
    options: Schema.Struct({ from: Schema.Int }),
    columns: { n: "BIGINT NOT NULL" },
    rows: function* ({ from }) {
      for (let n = from; n > 0; n--) yield { n }
    }
  })
  await run({ source: countdown.with({ from: 3 }), sinks: { out: memory.with({ name: "countdown" }) } })
  console.log(Database.rows("countdown", "countdown").map(({ n }) => n)) // [3, 2, 1]
}
{
  const grouped = Source.warnings([["/a", "it is empty"], ["/b", undefined], ["/c", "it is empty"]])
  console.log(grouped) // [{ _tag: "Warning", message: "it is empty", about: ["/a", "/c"] }]
}
