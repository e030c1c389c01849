// Copied by `npm run docs` from docs/reference/api/Stage.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Stage, Stages, Table } from "../../../src/index.ts"

{
  console.log(Schema.is(Stage.Fault)({ message: "no column age", path: ["steps", 0, "where"] })) // true
}
{
  const wrong = new Stage.StageError({ message: "there is no column age", path: ["steps", 0, "where"] })
  console.log(wrong.path.join(".")) // "steps.0.where"
}
{
  const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ age: Schema.Int }) })
  const plan: Stage.Plan = {
    folder: process.cwd(),
    tables: [people],
    steps: [{ where: "age >= 18" }],
    checks: [],
    key: undefined,
    fingerprint: () => ["age"],
    fingerprints: undefined,
    reopen: false
  }
  const adults = Effect.gen(function* () {
    const stage = yield* (yield* Stage.Stages).open(plan)
    yield* stage.write("people", [12, 36].map((age) => ({ row: { age }, presence: "seen" })))
    return yield* stage.finish
  })
  console.log(await Effect.runPromise(Effect.scoped(adults).pipe(Effect.provide(Stages.layer)))) // { people: 1 }
}
