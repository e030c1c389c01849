/**
 * `npm run docs`: writes the pages of `docs/reference` from the schemas, the command tree and the tables themselves. With
 * `--check` it writes nothing and fails when a page is not what would be written.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { cliPage } from "./reference/cliPage.ts"
import { errorsPage } from "./reference/errorsPage.ts"
import { manifestPage } from "./reference/manifestPage.ts"
import { pipelineFilePage, sinksPage, sourcesPage } from "./reference/pipelineFilePage.ts"
import { tablesPage } from "./reference/tablesPage.ts"

const folder = new URL("../docs/reference/", import.meta.url)

const pages: Readonly<Record<string, string>> = {
  "cli.md": await Effect.runPromise(cliPage),
  "errors.md": errorsPage(),
  "manifest.md": manifestPage(),
  "pipeline-file.md": pipelineFilePage(),
  "sinks.md": sinksPage(),
  "sources.md": sourcesPage(),
  "tables.md": await tablesPage()
}

const present = await readdir(folder).catch((): ReadonlyArray<string> => [])
const unknown = present.filter((name) => pages[name] === undefined)

if (process.argv.includes("--check")) {
  const texts = await Promise.all(
    Object.keys(pages).map((name) => readFile(new URL(name, folder), "utf8").catch(() => ""))
  )
  const stale = [
    ...Object.entries(pages).flatMap(([name, text], index) => (texts[index] === text ? [] : [name])),
    ...unknown
  ]
  if (stale.length > 0) {
    console.error(`stale in docs/reference: ${stale.join(", ")}; run \`npm run docs\``)
    process.exitCode = 1
  }
} else {
  await mkdir(folder, { recursive: true })
  await Promise.all(unknown.map((name) => rm(new URL(name, folder))))
  await Promise.all(Object.entries(pages).map(([name, text]) => writeFile(new URL(name, folder), text)))
}
