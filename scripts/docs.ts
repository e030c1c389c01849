/**
 * `npm run docs`: writes the pages of `docs/reference` from the schemas, the command tree, the tables and the public surface
 * themselves. It copies the TypeScript of all pages to `test/docs/blocks`, and the examples of comments to `test/docs/api`,
 * where they are compiled. With `--check` it writes nothing and fails when a file is not what would be written.
 */
import "effect/schema/SchemaJITCompiler/enable"
import type { Dirent } from "node:fs"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { connectors } from "#connectors/index"
import { loadConnectors } from "#engine/loadConnectors"
import { apiExamples } from "./reference/apiExamples.ts"
import { apiPages } from "./reference/apiPages.ts"
import { cliPage } from "./reference/cliPage.ts"
import { errorsPage } from "./reference/errorsPage.ts"
import { libraryPage } from "./reference/libraryPage.ts"
import { manifestPage } from "./reference/manifestPage.ts"
import { readSurface } from "./reference/PublicSurface.ts"
import { pipelineFilePage, sinksPage, sourcesPage } from "./reference/pipelineFilePage.ts"
import { tablesPage } from "./reference/tablesPage.ts"
import { typeScriptBlocks } from "./reference/typeScriptBlocks.ts"

const surface = readSurface()
const loaded = await Effect.runPromise(loadConnectors(connectors))

const made: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/reference/": {
    "cli.md": await Effect.runPromise(cliPage),
    "errors.md": errorsPage(),
    "library.md": libraryPage(surface),
    "manifest.md": manifestPage(),
    "pipeline-file.md": pipelineFilePage(),
    "sinks.md": sinksPage(loaded),
    "sources.md": sourcesPage(loaded),
    "tables.md": await tablesPage()
  },
  "docs/reference/api/": apiPages(surface),
  "test/docs/api/": apiExamples(surface),
  "test/docs/blocks/": typeScriptBlocks()
}

const checks = process.argv.includes("--check")
const stale: Array<string> = []

for (const [name, files] of Object.entries(made)) {
  const folder = new URL(`../${name}`, import.meta.url)
  const present = await readdir(folder, { withFileTypes: true }).catch((): ReadonlyArray<Dirent> => [])
  const unknown = present.flatMap((file) => (file.isFile() && files[file.name] === undefined ? [file.name] : []))
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
