/**
 * Conformance by predicates: every reader is asked for the rows of which a predicate is true, of every column and type, and has
 * to find those that plain Python finds among all rows: after each disposition, after compact and vacuum, now and at every
 * version that the vacuum left.
 *
 * MILLRACE_TEST_PYTHON names a Python with deltalake, polars, pandas, pyarrow, pyiceberg and duckdb; with the packages
 * `duckdb-extension-delta`, `-iceberg` and `-avro` of its DuckDB, that is asked by these too. MILLRACE_TEST_SPARK names one
 * with Spark (`sparkReaders.test.ts` says what it needs), pyarrow, pandas and duckdb. The suite prints a table of what it asked.
 */
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { folder } from "#testing/folder"
import { isEveryCase, sampleOf } from "../../../thoroughness.ts"
import { stores } from "../lake.ts"
import { type Finding, staleIn, sumOf, tableOf, wrongIn } from "./answers.ts"
import { layouts, type State, statesOf, writes } from "./lakeOfValues.ts"

const script = join(import.meta.dirname, "predicates.py")
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const sparkPython = process.env["MILLRACE_TEST_SPARK"] ?? "python3"

const readersOf = (path: string): ReadonlyArray<string> => {
  const { status, stdout } = spawnSync(path, [script, "readers"], { encoding: "utf8" })
  return status === 0 ? JSON.parse(stdout) : []
}

const usual = [
  "delta-rs pandas",
  "delta-rs pyarrow",
  "delta-rs SQL",
  "Polars scan_delta",
  "Polars scan_iceberg",
  "Polars scan_parquet",
  "pyarrow over the files",
  "PyIceberg",
  "DuckDB read.sql",
  "DuckDB over to_pyarrow_dataset"
]
const extensions = ["DuckDB delta_scan", "DuckDB iceberg_scan"]
const sparks = ["Spark Delta", "Spark Iceberg"]

const installed = readersOf(python)
const missing = usual.filter((reader) => !installed.includes(reader))
const hasReaders = missing.length === 0
if (!hasReaders) {
  console.warn(
    `SKIPPED: ${python} has not all of deltalake, polars, pandas, pyarrow, pyiceberg and duckdb, so no predicate is asked of our lakes (MILLRACE_TEST_PYTHON); it lacks ${missing.join(", ")}`
  )
}
const more = extensions.filter((reader) => installed.includes(reader))
if (more.length < extensions.length) {
  console.warn(
    `SKIPPED: ${python} has not duckdb-extension-delta, -iceberg and -avro, so DuckDB asks no predicate by its extensions (MILLRACE_TEST_PYTHON)`
  )
}
const hasSpark = isEveryCase && sparks.every((reader) => readersOf(sparkPython).includes(reader))
if (!hasSpark) {
  console.warn(
    `SKIPPED: ${sparkPython} has not all of pyspark, pyarrow, pandas and duckdb, or not all tests run, so Spark asks no predicate of our lakes (MILLRACE_TEST_SPARK)`
  )
}

const all: Array<Finding> = []

const ask = async (path: string, readers: ReadonlyArray<string>, states: ReadonlyArray<State>) => {
  const child = spawn(path, [script], { stdio: ["pipe", "pipe", "pipe"] })
  child.stdin.end(JSON.stringify({ readers, states }))
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect([code, code === 0 ? "" : err]).toEqual([0, ""])
  const told: ReadonlyArray<Finding> = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  all.push(...told)
  return told
}

const cases = writes.flatMap((write) => Object.entries(layouts).map(([name, layout]) => ({ write, name, layout })))
const asked = sampleOf(cases, 2, ({ name, write }) => `${write} ${name}`)

for (const { layout, name, write } of asked) {
  it.effect.skipIf(!hasReaders)(
    `after runs of ${write}, compact and vacuum, every predicate finds its rows in a table ${name}, at every version`,
    () =>
      Effect.gen(function* () {
        const states = yield* statesOf(yield* folder, write, layout)
        const told = yield* Effect.promise(() => ask(python, [...usual, ...more], states))
        expect(wrongIn(told)).toEqual([])
        // Every reader was asked of every column that it does not refuse.
        expect(new Set(told.map(({ reader }) => reader))).toEqual(new Set([...usual, ...more]))
      }).pipe(Effect.provide(stores)),
    3_600_000
  )
  it.effect.skipIf(!hasSpark)(
    `after runs of ${write}, compact and vacuum, Spark finds the rows of every predicate in a table ${name}`,
    () =>
      Effect.gen(function* () {
        const states = yield* statesOf(yield* folder, write, layout)
        const told = yield* Effect.promise(() => ask(sparkPython, sparks, states.slice(-1)))
        expect(wrongIn(told)).toEqual([])
        expect(new Set(told.map(({ reader }) => reader))).toEqual(new Set(sparks))
      }).pipe(Effect.provide(stores)),
    3_600_000
  )
}

it.skipIf(!hasReaders || !isEveryCase)("every known fault of a reader is still one", () => {
  expect(staleIn(all)).toEqual([])
})

afterAll(() => {
  if (all.length > 0) console.log(`${tableOf(all)}\n${sumOf(all)}`)
})
