import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { fileStore } from "#connectors/file/index"
import { parquet } from "#connectors/parquet/index"
import * as Manifest from "#connectors/parquet/manifest/Manifest"
import { sealManifest } from "#connectors/parquet/manifest/sealManifest"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { manifestOf, readLake, stores } from "../lake.ts"
import { load } from "../load.ts"

const fileOf = (name: string): Manifest.DataFile => ({
  path: `pages/${name}.parquet`,
  rows: 1,
  bytes: 10,
  sha256: name,
  partition: {},
  min: {},
  max: {}
})

/** A lake in which each commit puts the lists and the manifest, without the files. */
const lakeOf = Effect.fnUntraced(function* (directory: string) {
  const store = yield* fileStore.open(directory)
  let written = 0
  let last: Manifest.Manifest | undefined
  const commit = Effect.fnUntraced(function* (files: ReadonlyArray<Manifest.DataFile>) {
    const next: Manifest.Manifest = {
      format: "millrace-manifest-1",
      version: (last?.version ?? 0) + 1,
      previous: last?.version ?? null,
      writer: "0123abcd",
      run: { run_id: "run", pipeline: "p", started_at: "", committed_at: "", facts: {}, rows: {} },
      checkpoints: {},
      tables: {
        pages: { columns: [], schema_hash: "", key: [], partition: [], rows: files.length, bytes: 10, files }
      }
    }
    const { fresh, manifest } = sealManifest(last, next)
    for (const { bytes, path } of fresh) yield* store.put(path, bytes)
    const text = Manifest.encode(manifest)
    yield* store.put(Manifest.pathOf(manifest.version), text)
    written += text.length + fresh.reduce((sum, { bytes }) => sum + bytes.length, 0)
    last = manifest
    return manifest
  })
  return { store, commit, written: () => written }
})

const pathsOf = (manifest: Manifest.Manifest | undefined) => manifest?.tables["pages"]?.files.map(({ path }) => path)

it.effect("what is written grows with the commits and not with their square, and each version has its files", () =>
  Effect.gen(function* () {
    const { commit, store, written } = yield* lakeOf(yield* folder)
    let files: ReadonlyArray<Manifest.DataFile> = []
    const half: Array<number> = []
    for (let at = 1; at <= 300; at++) {
      files = (yield* commit([...files, fileOf(`f${at}`)])).tables["pages"]?.files ?? []
      if (at % 150 === 0) half.push(written())
    }
    const [first = 0, both = 0] = half
    expect(both).toBeLessThan(first * 2.5)
    for (const version of [1, 64, 65, 131, 300]) {
      const paths = pathsOf(yield* Manifest.readVersion(store, version))
      expect(paths).toEqual(Array.from({ length: version }, (_, at) => `pages/f${at + 1}.parquet`))
    }
    const newest = yield* Manifest.readVersion(store, 300)
    expect(newest.format).toBe("millrace-manifest-2")
    expect(newest.tables["pages"]?.lists?.map((list) => list.files)).toEqual([260])
  })
)

it.effect("a file that goes is named beside its list, and a list goes when a quarter of it is gone", () =>
  Effect.gen(function* () {
    const { commit, store } = yield* lakeOf(yield* folder)
    const files = Array.from({ length: 100 }, (_, at) => fileOf(`f${at}`))
    yield* commit(files)
    const changed = fileOf("changed")
    yield* commit([...files.slice(0, 9), ...files.slice(10), changed])
    const second = yield* Manifest.readVersion(store, 2)
    yield* commit(files.slice(0, 70))
    const third = yield* Manifest.readVersion(store, 3)
    yield* commit(files.slice(0, 20))
    const fourth = yield* Manifest.readVersion(store, 4)

    expect(pathsOf(second)).toEqual([...files.slice(0, 9), ...files.slice(10), changed].map(({ path }) => path))
    expect(second.tables["pages"]?.lists).toMatchObject([{ files: 100, without: ["pages/f9.parquet"] }])
    expect(third.tables["pages"]?.lists).toMatchObject([{ files: 70 }])
    expect(pathsOf(third)).toEqual(files.slice(0, 70).map(({ path }) => path))
    expect([fourth.format, fourth.tables["pages"]?.lists]).toEqual(["millrace-manifest-1", undefined])
    expect(pathsOf(fourth)).toHaveLength(20)
  })
)

it.effect("what only a list names is named, and so is the list", () =>
  Effect.gen(function* () {
    const { commit, store } = yield* lakeOf(yield* folder)
    const files = Array.from({ length: 100 }, (_, at) => fileOf(`f${at}`))
    const manifest = yield* commit(files)
    const list = manifest.tables["pages"]?.lists?.[0]?.path ?? expect.fail("there is a list")
    const asked = ["pages/f7.parquet", list, "pages/never.parquet", `${list}.other`]

    expect(yield* Manifest.neverNamed(store, asked)).toEqual(["pages/never.parquet", `${list}.other`])
  })
)

it.effect("a list that is cut or gone is named, with what to do", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const { commit, store } = yield* lakeOf(directory)
    const manifest = yield* commit(Array.from({ length: 100 }, (_, at) => fileOf(`f${at}`)))
    const list = manifest.tables["pages"]?.lists?.[0]?.path ?? expect.fail("there is a list")
    const read = Effect.flip(Manifest.readManifest(store))

    const text = yield* Effect.promise(() => Fs.readFile(join(directory, list), "utf8"))
    yield* Effect.promise(() => Fs.writeFile(join(directory, list), text.replace("f7", "f8")))
    expect((yield* read).message).toContain(`${list} has other bytes than were written: put it back from a backup`)
    const { digest, files, ...rest } = JSON.parse(text)
    expect(digest).toBeDefined()
    yield* Effect.promise(() => Fs.writeFile(join(directory, list), JSON.stringify({ ...rest, files: files.slice(1) })))
    expect((yield* read).message).toContain(`${list} has 99 files, where the manifest says 100: put it back`)
    yield* Effect.promise(() => Fs.truncate(join(directory, list), 50))
    expect((yield* read).message).toBe(
      `${list} is cut off or damaged: put it back from a backup, or \`millrace verify FILE --repair\` goes on without it, and says which runs to load again`
    )
    yield* Effect.promise(() => Fs.rm(join(directory, list)))
    expect((yield* read).message).toContain(`${list} is gone: put it back`)
  })
)

it.effect("a table of many files is appended to, merged into, joined, cleaned, and read as of an earlier run", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const lake = join(directory, "lake")
    const options = { row_group: 10, rotate: 1 }
    const page = (at: number, title: string | null = null) => ({ url: `/${at}`, title, version: at })
    const some = (from: number) => Array.from({ length: 1000 }, (_, at) => page(from + at))
    for (const from of [0, 1000]) {
      yield* Effect.provide(load(directory, `r${from}`, { rows: some(from), write: "append", options }), stores)
    }
    const before = Option.getOrThrow(yield* manifestOf(lake))
    yield* Effect.provide(load(directory, "changes", { rows: [page(15, "new"), page(2000)], options }), stores)
    const after = Option.getOrThrow(yield* manifestOf(lake))

    expect(before.tables["pages"]?.lists?.map(({ files }) => files)).toEqual([200])
    expect(after.tables["pages"]?.lists).toMatchObject([{ files: 200, without: [expect.stringMatching(/^pages\//)] }])
    const rows = (yield* readLake(lake, pages)).toSorted(
      (one, other) => Number(one["version"]) - Number(other["version"])
    )
    expect(rows.map((row) => row["version"])).toEqual(Array.from({ length: 2001 }, (_, at) => BigInt(at)))
    expect(rows.filter((row) => row["title"] !== null)).toMatchObject([{ url: "/15", title: "new" }])
    const store = yield* fileStore.open(lake)
    expect(yield* Manifest.readVersion(store, 2)).toEqual(before)

    const destination = parquet.with({ path: "lake" })
    yield* Effect.provide(destination.compact?.(directory, { below: 1_000_000 }) ?? Effect.die("none"), stores)
    const joined = Option.getOrThrow(yield* manifestOf(lake))
    expect([joined.format, joined.tables["pages"]?.files.length]).toEqual(["millrace-manifest-1", 1])
    expect(yield* readLake(lake, pages)).toHaveLength(2001)
    yield* Effect.provide(destination.vacuum?.(directory, { retain: 0, dryRun: false }) ?? Effect.die("none"), stores)
    expect(yield* readLake(lake, pages)).toHaveLength(2001)
  })
)
