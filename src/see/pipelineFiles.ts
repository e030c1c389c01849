/**
 * The pipeline files of a command: those that its arguments name, otherwise all of the current folder.
 *
 * In the folder, a YAML file without a source or without sinks belongs to another program and is ignored. If a file of the
 * folder is invalid, it is reported and `those` can continue with the others; a file that an argument names must be valid.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type CliFailure, wrong } from "./CliFailure.ts"
import { loadPipeline } from "./loadPipeline.ts"
import { printable } from "./printable.ts"

export interface Options {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
}

export const loadPipelines = Effect.fn("loadPipelines")(function* ({ files, vars }: Options) {
  const load = (path: string) => Effect.map(loadPipeline(path, vars), (loaded) => ({ ...loaded, path }))
  return files.length > 0 ? yield* Effect.forEach(files, load) : yield* withoutFailed(yield* inThisFolder, load)
})

/** The results of the work that succeeds. Failures are reported on stderr; if all work fails, this fails. */
export const withoutFailed = Effect.fnUntraced(function* <A extends string | { readonly path: string }, B, R>(
  all: ReadonlyArray<A>,
  work: (one: A) => Effect.Effect<B, CliFailure, R>
) {
  const good: Array<B> = []
  const failures: Array<CliFailure> = []
  const leftOut: Array<string> = []
  for (const one of all) {
    const made = yield* Effect.result(work(one))
    if (Result.isSuccess(made)) good.push(made.success)
    else {
      failures.push(made.failure)
      leftOut.push(typeof one === "string" ? one : one.path)
    }
  }
  if (failures.length > 0 && good.length === 0) {
    return yield* wrong(failures.map(({ message }) => message).join("\n\n"))
  }
  for (const { message } of failures) process.stderr.write(printable(`${message}\n`))
  if (failures.length > 0) process.stderr.write(`these files are left out: ${leftOut.join(", ")}\n`)
  return good
})

/** The pipeline files of a folder, by their paths; empty: it has none. */
export const pipelineFilesOf = Effect.fnUntraced(function* (folder: string) {
  const names = yield* Effect.tryPromise({
    try: async () => (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort(),
    catch: (cause) =>
      wrong(`this folder cannot be listed: ${cause instanceof Error ? cause.message : String(cause)}; name a file`)
  })
  const paths = names.map((name) => join(folder, name))
  const texts = yield* Effect.promise(() => Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => ""))))
  return paths.filter((_, at) => /^source:/m.test(texts[at] ?? "") && /^sinks:/m.test(texts[at] ?? ""))
})

const inThisFolder = Effect.gen(function* () {
  const found = yield* pipelineFilesOf(".")
  return found.length > 0
    ? found
    : yield* wrong("there is no pipeline file in this folder: name one at the end of the command")
})
