/**
 * A configuration file of the service as it is read: YAML or JSON, as strict as a pipeline file, with the same environment
 * variables and secrets. What is wrong is collected in the reading, each with its line and column.
 */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type * as FileReading from "#engine/FileReading"
import * as YamlTree from "#engine/YamlTree"
import { wrong } from "./StartError.ts"
import { secretIn } from "./secrets.ts"

/** Begins to read the file at this path. */
export const readServiceFile = Effect.fnUntraced(function* (path: string) {
  const text = yield* textOf(path)
  const tree = YamlTree.parse(text)
  const reading: FileReading.FileReading = {
    file: path,
    text,
    tree,
    problems: [...tree.problems],
    schemes: [],
    values: {
      env: process.env,
      vars: new Map(),
      secrets: (name) => secretIn(name, process.env),
      run: { date: "", id: "" }
    }
  }
  return reading
})

export const textOf = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => wrong(`${path}: cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
