// Copied by `npm run docs` from docs/reference/api/connectors-parquet.md. Do not edit.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { rows, run, sql } from "../../../src/index.ts"
import { fileStore } from "../../../connectors/file/index.ts"
import { Options, connector, parquet, readManifest, type Manifest } from "../../../connectors/parquet/index.ts"
import { mkdir, writeFile } from "node:fs/promises"

{
  const lake = parquet.with({ path: "./one-lake" })
  await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { lake } })
  const read = fileStore.open("./one-lake").pipe(Effect.flatMap(readManifest), Effect.flatMap(Effect.fromOption))
  const { tables }: Manifest = await Effect.runPromise(read)
  console.log(tables["numbers"]?.rows) // 1
}
{
  await mkdir("./odd-lake/_manifest", { recursive: true })
  await writeFile("./odd-lake/_manifest/000000000001.json", "{}")
  const error = fileStore.open("./odd-lake").pipe(Effect.flatMap(readManifest), Effect.flip)
  console.log((await Effect.runPromise(error))._tag) // "ManifestError"
}
{
  console.log(Schema.decodeUnknownSync(Options)({ path: "./lake" }).path) // "./lake"
}
{
  console.log(connector.sinks.map(({ type }) => type)) // ["parquet"]
}
{
  const lake = parquet.with({ path: "./lake" })
  await run({ source: rows([{ id: 1 }, { id: 2 }], { table: "numbers" }), sinks: { lake } })
  console.log(await sql(lake, "SELECT sum(id) AS sum FROM numbers")) // [{ sum: 3 }]
}
{
  await run({ source: rows([{ id: 1 }], { table: "n" }), sinks: { lake: parquet.with({ path: "./read-lake" }) } })
  const manifest = await Effect.runPromise(Effect.flatMap(fileStore.open("./read-lake"), readManifest))
  console.log(Option.getOrThrow(manifest).version, Option.getOrThrow(manifest).previous) // 1 null
}
