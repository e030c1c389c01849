// Copied by `npm run docs` from docs/reference/api/connectors-s3.md. Do not edit.
import * as Effect from "effect/Effect"
import { connector, s3 } from "../../../connectors/s3/index.ts"

{
  console.log(connector.stores.map(({ scheme }) => scheme)) // ["s3"]
}
{
  const listed = Effect.flatMap(s3.open("s3://lake/pages", { region: "eu-central-1" }), ({ list }) => list(""))
  console.log((await Effect.runPromise(listed)).length)
}
