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
    return yield* wrong(`--url must be an absolute http or https URL, not ${JSON.stringify(options.url)}`)
  }
  const path = resolve(options.file)
  yield* Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, template(path, options.url), { flag: "wx" })
    },
    catch: (cause) => {
      const { code, message, syscall } = reasonOf(cause)
      if (code === "EEXIST" && syscall === "open") return wrong(`${options.file} exists already; name another file`)
      if (code === "EEXIST" || code === "ENOTDIR") {
        return wrong(`${options.file} cannot be written: a part of its path is a file, not a folder; name another path`)
      }
      if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
        return failed(`${options.file} cannot be written: you have no permission to write there; name another folder`)
      }
      return failed(`${options.file} cannot be written: ${message}`)
    }
  })
  process.stdout.write(`wrote ${options.file}; now: millrace run ${options.file}\n`)
})

const reasonOf = (cause: unknown): { readonly code?: unknown; readonly syscall?: unknown; readonly message: string } =>
  cause instanceof Error ? cause : { message: String(cause) }

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
