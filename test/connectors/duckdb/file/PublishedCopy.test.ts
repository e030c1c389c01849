import { spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { duckdb } from "#connectors/duckdb/index"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import * as CrashSuite from "#testing/CrashSuite"
import { folder } from "#testing/folder"
import * as SinkSuite from "#testing/SinkSuite"
import { pages } from "#testing/specimens"
import { sampleOf, timesOf } from "../../../thoroughness.ts"
import { lawsOnCommit } from "../../lawsOnCommit.ts"
import { readTable } from "../readTable.ts"

const destination = () => duckdb.with({ path: "work/warehouse.duckdb", publish: "warehouse.duckdb" })
const read = (directory: string, table: Table.Table) => readTable(join(directory, "warehouse.duckdb"), table)

// What is published is a copy of a database that keeps every law (`sink.test.ts` of this connector).
lawsOnCommit(
  "duckdb, published",
  {
    destination,
    closing: () => duckdb.with({ path: "work/warehouse.duckdb", publish: "warehouse.duckdb", removed: "close" }),
    read,
    layer: Layer.empty,
    secondWriter: "fails to open",
    interruptions: timesOf(2, 4, 24)
  },
  sampleOf(SinkSuite.lawsOf.commits, 3, (law) => law.sentence)
)

CrashSuite.suite("duckdb, published", {
  script: fileURLToPath(new URL("../crashingPublished.ts", import.meta.url)),
  destination,
  read,
  layer: Layer.empty,
  kills: timesOf(1, 2, 5)
})

const rows = (version: number) =>
  Array.from({ length: 2000 }, (_, at) => ({ url: `/${at}`, title: "t".repeat(200), version }))

/** Loads one version of every page, in one commit each. */
const load = (directory: string, versions: ReadonlyArray<number>, how = destination()) =>
  Effect.scoped(
    Effect.gen(function* () {
      const plan: Sink.Plan = {
        pipeline: "p",
        runId: "run",
        directory,
        evolve: true,
        tables: [{ table: pages, write: "merge" }]
      }
      const writer = yield* how.open(plan)
      let receipt: Sink.CommitResult | undefined
      for (const version of versions) {
        yield* writer.write(Table.batch(pages, rows(version)))
        receipt = yield* writer.commit({
          checkpoint: { runId: "run", state: version },
          run: { runId: "run", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
          checks: [],
          complete: true
        })
      }
      return receipt
    })
  )

/** Opens the database again and again in a process of its own, and tells what it saw each time. */
const reader = (file: string) => {
  const script = fileURLToPath(new URL("../readForever.ts", import.meta.url))
  const child = spawn(process.execPath, [script, file], { stdio: ["ignore", "pipe", "inherit"] })
  const seen: Array<string> = []
  const lines = createInterface(child.stdout)
  lines.on("line", (line) => seen.push(line))
  const first = new Promise<void>((done) => lines.once("line", () => done()))
  const stop = () =>
    new Promise<void>((done) => {
      child.once("close", () => done())
      child.kill("SIGKILL")
    })
  return { seen, first, stop }
}

describe("the published copy", () => {
  it.live("is read in a loop by another process while loads run: never locked, always one whole commit", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, [1])
      const other = reader(join(directory, "warehouse.duckdb"))
      yield* Effect.promise(() => other.first)
      yield* load(directory, [2, 3, 4, 5])
      yield* load(directory, [6, 7, 8])
      yield* Effect.promise(other.stop)

      expect(other.seen.length).toBeGreaterThan(5)
      for (const line of other.seen) expect(line).toMatch(/^2000 rows of version \d$/)
      const versions = other.seen.map((line) => Number(line.at(-1)))
      expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    })
  )

  it.live("keeps what a reader has open as it was", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, [1])
      const instance = yield* Effect.promise(() =>
        DuckDBInstance.create(join(directory, "warehouse.duckdb"), { access_mode: "READ_ONLY" })
      )
      const connection = yield* Effect.promise(() => instance.connect())
      yield* load(directory, [2])
      const seen = yield* Effect.promise(() => connection.runAndReadAll("SELECT max(version)::INT AS v FROM pages"))
      connection.closeSync()
      instance.closeSync()

      expect(seen.getRowObjectsJson()).toEqual([{ v: 1 }])
      expect((yield* read(directory, pages)).every((row) => row["version"] === 2n || row["version"] === 2)).toBe(true)
    })
  )

  it.live(
    "is made good by the next run where the last one died before it was published, and not copied again else",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const file = join(directory, "warehouse.duckdb")
        const inode = Effect.promise(async () => (await Fs.stat(file)).ino)
        const open = Effect.scoped(
          destination().open({
            pipeline: "p",
            runId: "look",
            directory,
            evolve: true,
            tables: [{ table: pages, write: "merge" }]
          })
        )
        const receipt = yield* load(directory, [1])
        const before = yield* inode
        yield* open
        const same = yield* inode
        yield* load(directory, [2], duckdb.with({ path: "work/warehouse.duckdb" }))
        const behind = (yield* read(directory, pages))[0]?.["version"]
        yield* open

        expect(receipt?.location).toBe(file)
        expect((yield* Effect.promise(() => Fs.stat(file))).mode & 0o777).toBe(0o444)
        expect(same).toBe(before)
        expect(Number(behind)).toBe(1)
        expect(Number((yield* read(directory, pages))[0]?.["version"])).toBe(2)
        expect(yield* Effect.promise(() => Fs.readdir(directory))).toEqual(["warehouse.duckdb", "work"])
      })
  )

  it.live("is put where something else stands that cannot be read", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, [1])
      yield* Effect.promise(async () => {
        await Fs.rm(join(directory, "warehouse.duckdb"))
        await Fs.writeFile(join(directory, "warehouse.duckdb"), "not a database at all")
      })
      yield* load(directory, [])

      expect(yield* read(directory, pages)).toHaveLength(2000)
    })
  )

  it.live("says why it could not be made, and is made by the next run", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* Effect.promise(() => Fs.mkdir(join(directory, "warehouse.duckdb.next/full"), { recursive: true }))
      const taken = yield* Effect.flip(load(directory, [1]))
      yield* Effect.promise(() => Fs.rm(join(directory, "warehouse.duckdb.next"), { recursive: true }))
      yield* Effect.promise(() => Fs.writeFile(join(directory, "file"), ""))
      const inFile = yield* Effect.flip(
        load(directory, [2], duckdb.with({ path: "work/warehouse.duckdb", publish: "file/warehouse.duckdb" }))
      )
      yield* load(directory, [])

      expect(taken.message).toContain("could not be made; the next run makes it: ")
      expect(taken.message).toContain("warehouse.duckdb.next")
      expect(inFile.message).toContain("file already exists")
      expect(yield* read(directory, pages)).toHaveLength(2000)
    })
  )

  it.live("cannot be the database itself", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const error = yield* Effect.flip(load(directory, [1], duckdb.with({ path: "a.duckdb", publish: "./a.duckdb" })))

      expect(error.message).toContain("publish and path are both")
    })
  )
})
