import { spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fileStore } from "#connectors/file/index"
import { parquet } from "#connectors/parquet/index"
import * as Shipments from "#connectors/parquet/lake/Shipments"
import * as Manifest from "#connectors/parquet/manifest/Manifest"
import * as Table from "#engine/Table"
import { planOf } from "#testing/commitForever"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { filesOf, stores } from "../lake.ts"
import { load } from "../load.ts"

const script = fileURLToPath(new URL("../crashing.ts", import.meta.url))

/** Runs a writer until it has said so many lines, and kills it. */
const killed = (directory: string, lines: number) =>
  Effect.callback<void>((resume) => {
    const child = spawn(process.execPath, [script, directory], { stdio: ["ignore", "pipe", "inherit"] })
    let said = 0
    createInterface(child.stdout).on("line", () => {
      if (++said === lines) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.void))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const parquetFiles = (directory: string) =>
  Effect.promise(async () =>
    (await Fs.readdir(directory, { recursive: true })).filter((path) => path.endsWith(".parquet")).toSorted()
  )

const privateFolders = (directory: string) =>
  Effect.promise(async () =>
    (await Fs.readdir(join(directory, ".millrace"))).filter((name) => name.startsWith("parquet-"))
  )

it.effect("what a killed writer left, here and in the lake, goes with the next run", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const sink = parquet.with({ path: "lake" })
    for (const lines of [4, 5, 8]) {
      yield* killed(directory, lines)
      expect(yield* privateFolders(directory)).toHaveLength(1)

      yield* Effect.provide(Effect.scoped(sink.open(planOf(sink, directory, "next"))), stores)

      expect(yield* privateFolders(directory)).toEqual([])
      const lake = yield* fileStore.open(join(directory, "lake"))
      const named = new Set(
        (yield* Effect.forEach(yield* Manifest.readAll(lake, ({ version }) => version), (version) =>
          Manifest.readVersion(lake, version)
        ))
          .flatMap(({ tables }) => Object.values(tables).flatMap(({ files }) => files))
          .map(({ path }) => path)
      )
      expect((yield* parquetFiles(join(directory, "lake"))).filter((path) => !named.has(path))).toEqual([])
    }
  })
)

it.effect("the folder of a writer that is at work stays, and so do its files", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const sink = parquet.with({ path: "lake" })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* sink.open({
          ...planOf(sink, directory, "at work"),
          tables: [{ table: pages, write: "append" }]
        })
        yield* writer.write(Table.batch(pages, [{ url: "/a", title: null, version: 1 }]))
        const before = yield* privateFolders(directory)
        yield* load(directory, "other", {
          write: "append",
          table: { ...pages, name: "others" },
          rows: [{ url: "/b", version: 1 }]
        })
        expect(yield* privateFolders(directory)).toEqual(before)
      })
    ).pipe(Effect.provide(stores))
    expect(yield* privateFolders(directory)).toEqual([])
  })
)

it.effect("files that a manifest may name stay: of another store, and of one that was publishing far away", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.provide(load(directory, "one", { write: "append", rows: [{ url: "/a", version: 1 }] }), stores)
    const [named] = yield* filesOf(join(directory, "lake"), "pages")
    const path = named?.path ?? ""
    const lake = yield* fileStore.open(join(directory, "lake"))
    const far = { ...lake, location: "s3://bucket/lake" }
    yield* lake.put("pages/never.parquet", new Uint8Array(1))
    const noted = Effect.fnUntraced(function* (store: typeof lake, isPublishing: boolean) {
      const left = yield* Effect.promise(() => Fs.mkdtemp(join(directory, "left-")))
      for (const each of [path, "pages/never.parquet"]) yield* Shipments.note(left, store, each)
      if (isPublishing) yield* Shipments.notePublishing(left, store)
      return left
    })
    const files = Effect.map(lake.list("pages/"), (objects) =>
      objects.map(({ path }) => path).filter((path) => path.endsWith(".parquet"))
    )

    expect(yield* Shipments.settle(lake, yield* noted(far, false))).toBe(false)
    expect(yield* Shipments.settle(far, yield* noted(far, true))).toBe(true)
    expect(yield* files).toHaveLength(2)
    expect(yield* Shipments.settle(lake, yield* noted(lake, true))).toBe(true)
    expect(yield* files).toEqual([path])
  })
)
