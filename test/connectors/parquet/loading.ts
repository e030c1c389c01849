/** A load of each disposition given, each into a folder of its own; prints whether DuckDB's library is loaded after each. */
import * as Fs from "node:fs"
import * as Effect from "effect/Effect"
import { load, storeOf } from "./load.ts"

const [directory = "", ...writes] = process.argv.slice(2)
const isLoaded = (): boolean => {
  const report: { readonly sharedObjects: ReadonlyArray<string> } = JSON.parse(
    JSON.stringify(process.report.getReport())
  )
  return report.sharedObjects.some((path) => /duckdb/.test(path))
}
for (const write of writes) {
  if (write !== "append" && write !== "replace" && write !== "merge") throw new Error(`no load is called ${write}`)
  const folder = `${directory}/${write}`
  Fs.mkdirSync(folder, { recursive: true })
  for (const run of ["one", "two"]) {
    const rows = [{ url: "/a", title: null, version: run.length }]
    await Effect.runPromise(load(folder, run, { rows, write }).pipe(Effect.provide(storeOf(folder))))
  }
  console.log(`${write} ${isLoaded()}`)
}
