// Copied by `npm run docs` from docs/reference/api/Stage.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Stage, Stages } from "../../../src/index.ts"

{
  console.log(Schema.is(Stage.Fault)({ message: "no column age", path: ["steps", 0, "where"] })) // true
}
{
  const wrong = new Stage.StageError({ message: "there is no column age", path: ["steps", 0, "where"] })
  console.log(wrong.path.join(".")) // "steps.0.where"
}
{
  const removed = Effect.flatMap(Stage.Stages, ({ remove }) => remove("/tmp/no-such-run"))
  await Effect.runPromise(Effect.provide(removed, Stages.layer))
}
