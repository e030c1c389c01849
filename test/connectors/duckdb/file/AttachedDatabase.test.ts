import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"

const open = (directory: string, path = "warehouse.duckdb") =>
  duckdb
    .with({ path })
    .open({ pipeline: "p", runId: "r", directory, evolve: true, tables: [{ table: pages, write: "append" }] })

it.effect("a file that another process has open is refused, and says so", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const script = fileURLToPath(new URL("../crashing.ts", import.meta.url))
    const other = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const child = spawn(process.execPath, [script, directory], { stdio: ["ignore", "pipe", "inherit"] })
        await once(createInterface(child.stdout), "line")
        await Fs.mkdir(join(directory, "warehouse.duckdb.spill"), { recursive: true })
        return child
      }),
      (child) => Effect.promise(() => (child.kill("SIGKILL"), once(child, "close")))
    )

    const error = yield* Effect.flip(Effect.scoped(open(directory)))

    expect(error.message).toBe(
      `${directory}/warehouse.duckdb is open in another process (${other.pid}); close it there and run again`
    )
    expect(error.retryable).toBe(true)
    // What the other process spilled is not ours to remove.
    expect(yield* Effect.promise(() => Fs.readdir(directory))).toContain("warehouse.duckdb.spill")
  })
)

it.effect("a file that this process has open is refused under any of its names, and free again after", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.promise(() => Fs.mkdir(join(directory, "real")))
    yield* Effect.promise(() => Fs.symlink("real", join(directory, "alias")))
    yield* Effect.promise(() => Fs.symlink("real/w.duckdb", join(directory, "link.duckdb")))
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* open(directory, "real/w.duckdb")
        for (const path of ["alias/w.duckdb", "link.duckdb", "./real/../real/w.duckdb"]) {
          const error = yield* Effect.flip(Effect.scoped(open(directory, path)))
          expect(error.message).toContain("is open in another run")
        }
      })
    )

    yield* Effect.scoped(open(directory, "alias/w.duckdb"))
  })
)

it.effect("a file of another kind is refused and left as it is", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const content of ["hello", "", "x".repeat(50_000)]) {
      yield* Effect.promise(() => Fs.writeFile(join(directory, "notes.txt"), content))

      const error = yield* Effect.flip(Effect.scoped(open(directory, "notes.txt")))

      expect(error.message).toBe(
        `${directory}/notes.txt exists and is not a DuckDB database; choose another path, or move it away`
      )
      expect(yield* Effect.promise(() => Fs.readFile(join(directory, "notes.txt"), "utf8"))).toBe(content)
    }
  })
)

it.effect("a folder in the place of the file is refused", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.promise(() => Fs.mkdir(join(directory, "warehouse.duckdb")))

    const error = yield* Effect.flip(Effect.scoped(open(directory)))

    expect(error.message).toMatch(/^cannot open .*warehouse\.duckdb: /)
  })
)

it.effect("what a killed writer spilled is removed, and a closed file is alone", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.promise(() => Fs.mkdir(join(directory, "warehouse.duckdb.spill")))
    yield* Effect.promise(() =>
      Fs.writeFile(join(directory, "warehouse.duckdb.spill/duckdb_temp_storage-0.tmp"), "left")
    )

    yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(directory)
        yield* writer.write(Table.batch(pages, [{ url: "/a", title: null, version: 1 }]))
        yield* writer.commit({
          checkpoint: { runId: "r", state: 1 },
          run: { runId: "r", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
          checks: [],
          complete: true
        })
      })
    )

    expect(yield* Effect.promise(() => Fs.readdir(directory))).toEqual(["warehouse.duckdb"])
  })
)

it.live("a log of many rewritten rows is read, and is in the file when it is closed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "warehouse.duckdb")
    yield* Effect.promise(async () => {
      const instance = await DuckDBInstance.create(file)
      const connection = await instance.connect()
      await connection.run("SET wal_autocheckpoint = '1TB'; PRAGMA disable_checkpoint_on_shutdown")
      await connection.run(
        "CREATE TABLE texts AS SELECT i, repeat(md5(i::VARCHAR), 1000) AS text FROM range(1500) t (i); CHECKPOINT"
      )
      await connection.run("UPDATE texts SET text = text || ' again'")
      connection.closeSync()
      instance.closeSync()
    })
    const files = Effect.promise(() => Fs.readdir(directory))
    expect(yield* files).toContain("warehouse.duckdb.wal")

    yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(directory)
        yield* writer.write(Table.batch(pages, [{ url: "/a", title: "a", version: 1 }]))
      })
    )

    expect(yield* files).toEqual(["warehouse.duckdb"])
  })
)
