// Copied by `npm run docs` from docs/reference/api/Source.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Checkpoint, Source, Table, rows } from "../../../src/index.ts"

{
  const gone = new Source.SourceError({ source: "lines", message: "names.txt is missing; create it", retryable: false })
  console.log(gone._tag) // "SourceError"
}
{
  const hours = Table.make({ name: "hours", description: "hours", schema: Schema.Struct({ hour: Schema.Int }) })
  const clock = Source.make({
    type: "clock",
    description: "the hour",
    options: Schema.Struct({}),
    state: Schema.Null,
    cursor: Schema.Null,
    incremental: false,
    tables: () => [hours],
    fetch: () => Stream.sync(() => ({ kind: "hour", at: Date.now(), text: `${new Date().getHours()}`, cursor: null })),
    decode: (_, { text }) => Effect.succeed([Table.batch(hours, [{ hour: Number(text) }]), Checkpoint.make(null)])
  })
  console.log(clock.with({}).type) // "clock"
}
{
  const made = Source.makePrepared({
    type: "empty",
    description: "a table of the user's name, without rows",
    options: Schema.Struct({ table: Schema.String }),
    state: Schema.Null,
    cursor: Schema.Null,
    prepare: ({ table: name }) => Table.make({ name, description: name, schema: Schema.Struct({ id: Schema.Int }) }),
    tables: (_, __, table) => [table],
    fetch: () => Stream.empty,
    decode: () => Effect.succeed([])
  })
  console.log(made.with({ table: "people" }).tables[0].name) // "people"
}
{
  const shout = Source.mapped(rows([{ name: "Ada" }], { table: "people" }), {
    name: "shout",
    columns: [{ name: "name", type: { _tag: "VARCHAR" }, nullable: true }],
    map: ({ name }) => ({ name: String(name).toUpperCase() })
  })
  console.log(shout.tables[0].columns.length) // 1
}
{
  console.log(Source.progress({ discovered: 10, failed: 1 })._tag) // "Progress"
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
  console.log(countdown.with({ from: 3 }).tables[0].name) // "countdown"
}
