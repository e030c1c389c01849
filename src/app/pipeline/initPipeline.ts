/**
 * The work behind `millrace init`: writes a first pipeline file, which can be run unchanged.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { isIP } from "node:net"
import { basename, dirname, join, relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as HttpUrl from "#contract/HttpUrl"
import { pipelineName } from "#engine/PipelineKeys"
import { quoted } from "#engine/ScheduleExport"
import { failed, wrong } from "#see/CliFailure"
import { packageFolder } from "#see/packageFolder"
import { isLoopback, isPublic } from "#web/AddressGuard"

export const initPipeline = Effect.fn("initPipeline")(function* (options: {
  readonly file: string
  readonly url: string
}) {
  const fault = HttpUrl.urlFault(options.url)
  if (fault === HttpUrl.credentialsMessage) {
    return yield* wrong(
      "--url must not have a name and a password: leave them out, and set the header Authorization in `scrapeOptions` of the file"
    )
  }
  if (fault !== undefined) {
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
      if (code === "EEXIST" && syscall === "open") return wrong(`${options.file} already exists; name another file`)
      if (code === "EEXIST" || code === "ENOTDIR") {
        return wrong(`${options.file} cannot be written: a part of its path is a file, not a folder; name another path`)
      }
      if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
        return failed(`${options.file} cannot be written: you have no permission to write there; name another folder`)
      }
      return failed(`${options.file} cannot be written: ${message}`)
    }
  })
  const run = `millrace run ${quoted(options.file)}`
  const next = isPrivate(new URL(options.url).hostname)
    ? `${run} --allow-private (addresses of this machine or its network are refused without it)`
    : run
  process.stdout.write(`wrote ${options.file}; now: ${next}\n`)
})

/** Whether a run refuses the host without --allow-private. Names other than localhost are not resolved here. */
const isPrivate = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, "")
  return isLoopback(host) || (isIP(bare) !== 0 && !isPublic(bare))
}

const reasonOf = (cause: unknown): { readonly code?: unknown; readonly syscall?: unknown; readonly message: string } =>
  cause instanceof Error ? cause : { message: String(cause) }

const schemaFile = join(packageFolder(), "pipelines", "pipeline.schema.json")

const template = (path: string, url: string): string => {
  const stem = basename(path).replace(/\.ya?ml$/i, "")
  const name = nameFrom(stem)
  const schema = relative(dirname(path), schemaFile).replaceAll("\\", "/")
  return `# yaml-language-server: $schema=${schema}
${name === stem ? "" : `name: ${JSON.stringify(name)}\n`}source:
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

/** The name of the pipeline, from the name of its file without the characters that are not allowed: "São Paulo" is Sao-Paulo. */
const nameFrom = (stem: string): string => {
  if (pipelineName.test(stem)) return stem
  const plain = stem.normalize("NFD").replace(/\p{M}+/gu, "")
  const name = plain.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[._-]+|[._-]+$/g, "")
  return name === "" ? "pipeline" : name.slice(0, 100)
}
