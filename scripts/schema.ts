/**
 * Writes `pipelines/pipeline.schema.json`, which editors complete and check pipeline files with, from the connectors.
 * With `--check` it writes nothing and fails when the file is not what would be written.
 */
import { readFile, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { connectors } from "#connectors/index"
import { pipelineJsonSchema } from "#engine/file/pipelineJsonSchema"
import { loadConnectors } from "#engine/loadConnectors"

const file = new URL("../pipelines/pipeline.schema.json", import.meta.url)
const schema = pipelineJsonSchema(await Effect.runPromise(loadConnectors(connectors)))
const text = `${JSON.stringify(schema, null, 2)}\n`

if (!process.argv.includes("--check")) {
  await writeFile(file, text)
} else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
  console.error("pipelines/pipeline.schema.json is stale: run `npm run schema`")
  process.exitCode = 1
}
