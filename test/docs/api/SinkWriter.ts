// Copied by `npm run docs` from docs/reference/api/SinkWriter.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SinkWriter } from "../../../src/index.ts"

{
  const writer = SinkWriter.make({
    sink: "nowhere",
    stages: [],
    resume: Option.none(),
    columnsBefore: () => undefined,
    write: () => Effect.void,
    retainKeys: () => Effect.void,
    commit: () => Effect.succeed({ location: "nowhere", tables: {} })
  })
  console.log(Option.isNone(writer.resume)) // true
}
