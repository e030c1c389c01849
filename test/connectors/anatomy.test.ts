import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file))

const lackingIn = (sink: string, anatomy: ReadonlyArray<string>): ReadonlyArray<string> => {
  const files = filesOf(`connectors/${sink}`)
  return anatomy.map((name) => `connectors/${sink}/${name}.ts`).filter((file) => !files.includes(file))
}

const textOf = (file: string): string => readFileSync(join(root, file), "utf8")

it("the sinks have the same files; those of files for hand-over and of memory keep no states to compare", () => {
  const anatomy = ["options", "sink", "stage", "commit", "ledger", "read", "diff", "index", "failure"]
  const lacking = ["parquet", "file", "memory"].flatMap((sink) => lackingIn(sink, anatomy))

  expect(lacking).toEqual(["connectors/file/diff.ts", "connectors/memory/diff.ts"])
})

it("the sinks that stand on the planner have the same files, and none of a disposition", () => {
  const planned = ["duckdb", "postgres", "sqlite"]

  expect(planned.flatMap((sink) => lackingIn(sink, ["options", "sink", "dialect", "index"]))).toEqual([])
  expect(planned.flatMap((sink) => filesOf(`connectors/${sink}`)).filter((file) => /disposition/.test(file))).toEqual(
    []
  )
})

it("the memory sink is a complete sink in at most 215 lines without its comments", () => {
  const codeOf = (file: string) => textOf(file).replaceAll(/^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, "")
  const lines = filesOf("connectors/memory").reduce((sum, file) => sum + codeOf(file).trimEnd().split("\n").length, 0)

  expect(lines).toBeGreaterThan(100)
  expect(lines).toBeLessThanOrEqual(215)
})

it("the memory sink imports only what the package exports", () => {
  const doors = (text: string) => [...text.matchAll(/from "#([^"]+)"/g)].map(([, door = ""]) => door)
  // `Sink` of the library is the contract and the short way to make one.
  const exported = [...doors(textOf("src/index.ts")), ...doors(textOf("src/library/Sink.ts"))]
  const imported = filesOf("connectors/memory").flatMap((file) => doors(textOf(file)))

  expect(imported.length).toBeGreaterThan(5)
  expect(imported.filter((path) => !exported.includes(path))).toEqual([])
})
