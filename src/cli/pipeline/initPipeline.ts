/**
 * The work behind `millrace init`: a first pipeline file that runs as it is.
 */

import { mkdir, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { isHttpUrl } from "../../api/HttpUrl.ts"
import { failed, wrong } from "../CliFailure.ts"
import { packageFolder } from "../packageFolder.ts"

export const initPipeline = Effect.fn("initPipeline")(function* (options: {
  readonly file: string
  readonly url: string
}) {
  if (!isHttpUrl(options.url)) {
    return yield* wrong(`--url takes an absolute http or https URL, not ${JSON.stringify(options.url)}`)
  }
  const path = resolve(options.file)
  yield* Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, template(path, options.url), { flag: "wx" })
    },
    catch: (cause) =>
      cause instanceof Error && "code" in cause && cause.code === "EEXIST"
        ? wrong(`${options.file} is there already; name another file`)
        : failed(`${options.file} cannot be written: ${String(cause)}`)
  })
  process.stdout.write(`wrote ${options.file}; now: millrace run ${options.file}\n`)
})

const schemaFile = join(packageFolder(), "pipelines", "pipeline.schema.json")

const template = (path: string, url: string): string => {
  const name = basename(path).replace(/\.ya?ml$/i, "")
  const schema = relative(dirname(path), schemaFile).replaceAll("\\", "/")
  return `# yaml-language-server: $schema=${schema}
source:
  type: crawl
  url: ${JSON.stringify(url)}
  limit: 500                        # pages at most
  # includePaths: ["^/docs/"]       # RE2 patterns on the path
  scrapeOptions: { formats: [markdown, links] }

table: { name: pages, key: url }

sinks:
  warehouse: { type: duckdb, path: ./${name}.duckdb }             # merges by key
  lake: { type: parquet, path: ./${name}-lake, write: replace }
`
}
