import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import { folder } from "#testing/folder"

const word = (bytes: Buffer, at: number): bigint => BigInt.asUintN(64, bytes.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n)

/** A database file whose head says that a newer DuckDB has written it, under a checksum that is right. */
const newerFile = async (path: string): Promise<void> => {
  const instance = await DuckDBInstance.create(path)
  instance.closeSync()
  const bytes = await Fs.readFile(path)
  const before = word(bytes, 8) ^ word(bytes, 16)
  bytes.writeBigUInt64LE(69n, 12)
  bytes.writeBigUInt64LE(bytes.readBigUInt64LE(0) ^ before ^ word(bytes, 8) ^ word(bytes, 16), 0)
  await Fs.writeFile(path, bytes)
}

it.effect("a file of a newer DuckDB is named as one, with the ways out, and stays as it is", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const path = join(directory, "warehouse.duckdb")
    yield* Effect.promise(() => newerFile(path))
    const before = yield* Effect.promise(() => Fs.readFile(path))
    const sink = duckdb.with({ path })
    const plan = { pipeline: "p", runId: "r", directory, evolve: true, tables: [] }

    const opened = yield* Effect.flip(Effect.scoped(sink.open(plan)))
    const read = yield* Effect.flip(sink.runs(directory))

    expect(opened.message).toContain("has storage version 69: a newer DuckDB (2.0 or later) has written it")
    expect(opened.message).toContain("(publish: FILE)")
    expect(read.message).toBe(opened.message)
    expect(yield* Effect.promise(() => Fs.readFile(path))).toEqual(before)
  })
)
