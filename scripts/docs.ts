/**
 * `npm run docs`: writes the pages of `docs/reference` from the schemas, the command tree and the tables themselves, and copies
 * the TypeScript of all pages to `test/docs/blocks`, where it is compiled. With `--check` it writes nothing and fails when a
 * file is not what would be written.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { cliPage } from "./reference/cliPage.ts"
import { errorsPage } from "./reference/errorsPage.ts"
import { libraryPage } from "./reference/libraryPage.ts"
import { manifestPage } from "./reference/manifestPage.ts"
import { pipelineFilePage, sinksPage, sourcesPage } from "./reference/pipelineFilePage.ts"
import { tablesPage } from "./reference/tablesPage.ts"
import { typeScriptBlocks } from "./reference/typeScriptBlocks.ts"

const made: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/reference/": {
    "cli.md": await Effect.runPromise(cliPage),
    "errors.md": errorsPage(),
    "library.md": libraryPage(),
    "manifest.md": manifestPage(),
    "pipeline-file.md": pipelineFilePage(),
    "sinks.md": sinksPage(),
    "sources.md": sourcesPage(),
    "tables.md": await tablesPage()
  },
  "test/docs/blocks/": typeScriptBlocks()
}

const checks = process.argv.includes("--check")
const stale: Array<string> = []

for (const [name, files] of Object.entries(made)) {
  const folder = new URL(`../${name}`, import.meta.url)
  const present = await readdir(folder).catch((): ReadonlyArray<string> => [])
  const unknown = present.filter((file) => files[file] === undefined)
  if (!checks) await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    const place = new URL(file, folder)
    if (!checks) await writeFile(place, text)
    else if ((await readFile(place, "utf8").catch(() => "")) !== text) stale.push(`${name}${file}`)
  }
  if (checks) stale.push(...unknown.map((file) => `${name}${file}`))
  else await Promise.all(unknown.map((file) => rm(new URL(file, folder))))
}

if (stale.length > 0) {
  console.error(`stale: ${stale.join(", ")}; run \`npm run docs\``)
  process.exitCode = 1
}
