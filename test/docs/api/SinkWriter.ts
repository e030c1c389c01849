// Copied by `npm run docs` from docs/reference/api/SinkWriter.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SinkWriter, Table } from "../../../src/index.ts"

{
  const table = Table.make({ name: "t", description: "t", key: ["id"], schema: Schema.Struct({ id: Schema.Int }) })
  const taken: Array<unknown> = []
  const writer = SinkWriter.make({
    sink: "list",
    stages: [{ table, write: "merge" as const }],
    resume: Option.none(),
    columnsBefore: () => undefined,
    write: (_, rows) => Effect.sync(() => void taken.push(...rows)),
    retainKeys: () => Effect.void,
    commit: () => Effect.succeed({ location: "a list", tables: {} })
  })
  await Effect.runPromise(writer.write(Table.batch(table, [{ id: 1 }])))
  const keyless = await Effect.runPromise(Effect.flip(writer.write(Table.batch(table, [{ id: null }]))))
  console.log(taken, keyless.message) // [{ id: 1 }] "table t: a row has no id, which merge needs; fill it, or append"
}
