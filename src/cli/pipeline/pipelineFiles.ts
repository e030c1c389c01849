/**
 * The pipeline files that a command is about: those that were named, else all of this folder.
 *
 * The law: a YAML file that names no source and no sinks is another program's, and is passed over.
 */
import { readdir, readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { wrong } from "../CliFailure.ts"
import { loadPipeline } from "./loadPipeline.ts"

export interface Options {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
}

export const loadPipelines = Effect.fn("loadPipelines")(function* ({ files, vars }: Options) {
  const named = files.length > 0 ? files : yield* inThisFolder
  return yield* Effect.forEach(named, (path) => Effect.map(loadPipeline(path, vars), (loaded) => ({ ...loaded, path })))
})

const inThisFolder = Effect.gen(function* () {
  const found = yield* Effect.promise(async () => {
    const names = (await readdir(".")).filter((name) => /\.ya?ml$/.test(name)).sort()
    const texts = await Promise.all(names.map((name) => readFile(name, "utf8").catch(() => "")))
    return names.filter((_, at) => /^source:/m.test(texts[at] ?? "") && /^sinks:/m.test(texts[at] ?? ""))
  })
  return found.length > 0 ? found : yield* wrong("there is no pipeline file in this folder: name one")
})
