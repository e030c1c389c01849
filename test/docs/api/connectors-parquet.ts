// Copied by `npm run docs` from docs/reference/api/connectors-parquet.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Manifest, ManifestError, Options, connector, parquet, readManifest } from "../../../connectors/parquet/index.ts"
import { rows, run } from "../../../src/index.ts"
import { file } from "../../../connectors/file/index.ts"

{
  console.log(Schema.is(Manifest)({})) // false
}
{
  const isManifest = (error: unknown): boolean => error instanceof ManifestError
  console.log(isManifest(new Error("another"))) // false
}
{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./lake" }).path) // "./lake"
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["parquet"]
}
{
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { lake: parquet.with({ path: "./lake" }) } })
}
{
  const manifest = Effect.flatMap(file.open("/tmp/lake"), readManifest)
  console.log((await Effect.runPromise(manifest))._tag)
}
