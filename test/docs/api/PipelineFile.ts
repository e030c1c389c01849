// Copied by `npm run docs` from docs/reference/api/PipelineFile.md. Do not edit.
import * as Effect from "effect/Effect"
import { PipelineFile } from "../../../src/index.ts"

{
  const loaded = PipelineFile.load("a.yaml", "", { connectors: [], env: {}, runDate: new Date(), runId: "1" })
  console.log((await Effect.runPromise(Effect.flip(loaded))).issues[0]?.message) // "the file is empty"
}
