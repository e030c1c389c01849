/** The values of keys in the pipeline files that this repository has: those of `pipelines/`, and those that its pages show. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Predicate from "effect/Predicate"
import { parse } from "yaml"
import { blocksOf } from "./blocks.ts"
import type { Examples } from "./keyTable.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

export const readExamples = (): {
  readonly own: Examples
  readonly source: (type: string) => Examples
  readonly sink: (type: string) => Examples
} => {
  const files = [...shipped(), ...shown()].map((text): unknown => parse(text))
  const sources = files.flatMap((file) => valuesAt(file, ["source"]))
  const sinks = files.flatMap((file) => valuesAt(file, ["sinks", "*"]))
  const among =
    (roots: ReadonlyArray<unknown>): Examples =>
    (path) =>
      roots.flatMap((one) => valuesAt(one, path))
  const ofType = (all: ReadonlyArray<unknown>, type: string) =>
    all.filter((one) => Predicate.hasProperty(one, "type") && one.type === type)
  return {
    own: among(files),
    source: (type) => among(ofType(sources, type)),
    sink: (type) => among(ofType(sinks, type))
  }
}

const shipped = (): ReadonlyArray<string> =>
  readdirSync(join(root, "pipelines"))
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => readFileSync(join(root, "pipelines", file), "utf8"))

const shown = (): ReadonlyArray<string> =>
  pages().flatMap((file) =>
    blocksOf(readFileSync(file, "utf8")).flatMap(({ language, text }) => (language === "yaml" ? [text] : []))
  )

/** README.md and the pages of docs that people write. */
export const pages = (): ReadonlyArray<string> => [
  join(root, "README.md"),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("reference/"))
    .sort()
    .map((file) => join(root, "docs", file))
]

const valuesAt = (value: unknown, [step, ...rest]: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (step === undefined) return [value]
  if (step === "*") {
    return Predicate.isObject(value) || Array.isArray(value)
      ? Object.values(value).flatMap((one) => valuesAt(one, rest))
      : []
  }
  return Predicate.hasProperty(value, step) ? valuesAt(value[step], rest) : []
}
