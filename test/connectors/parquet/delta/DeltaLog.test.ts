import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parquet } from "#connectors/parquet/index"
import * as Database from "#engine/Duckdb"
import { folder } from "#testing/folder"
import { links } from "#testing/specimens"
import { filesOf, manifestOf, stores } from "../lake.ts"
import { type Load, load as loadInto, storeOf } from "../load.ts"
import { activeIn as activeInLog } from "./activeIn.ts"

const load = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const page = (url: string, version = 1) => ({ url, title: "t", version })
const logOf = (directory: string, table = "pages") => join(directory, "lake", table, "_delta_log")
const versions = (directory: string, table = "pages") =>
  Effect.promise(async () =>
    (await Fs.readdir(logOf(directory, table))).filter((name) => name.endsWith(".json")).sort()
  )
const nameOf = (version: number) => `${String(version).padStart(20, "0")}.json`
const actionsOf = (directory: string, version: number, table = "pages") =>
  Effect.promise(async () =>
    (await Fs.readFile(join(logOf(directory, table), nameOf(version)), "utf8"))
      .trim()
      .split("\n")
      .map((line): Record<string, any> => JSON.parse(line))
  )
const remove = (directory: string, version: number) =>
  Effect.promise(() => Fs.rm(join(logOf(directory), nameOf(version))))

const activeIn = (directory: string, to: number, table = "pages") =>
  Effect.sync(() => activeInLog(join(directory, "lake"), table, to))
const inManifest = (directory: string, table = "pages") =>
  Effect.map(filesOf(join(directory, "lake"), table), (files) => files.map(({ path }) => path).sort())

it.effect(
  "each change of a table is one version, which says what came and went; a run that changes nothing adds none",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "one", { rows: [page("/a"), page("/b")], at: 1 })
      yield* load(directory, "two", { rows: [page("/a", 2)], at: 2 })
      yield* load(directory, "three", { rows: [page("/a", 2)], at: 3 })
      yield* load(directory, "four", {
        rows: [{ page_url: "/a", at: 1, href: "#" }],
        table: links,
        write: "append",
        at: 4
      })

      expect(yield* versions(directory)).toEqual([0, 1].map(nameOf))
      expect(yield* versions(directory, "links")).toEqual([nameOf(0)])
      const [info, txn, protocol, metadata, add] = yield* actionsOf(directory, 0)
      expect(info?.["commitInfo"]).toMatchObject({ timestamp: 60_000, operationParameters: { run_id: "one" } })
      expect(txn).toEqual({ txn: { appId: "millrace", version: 1 } })
      expect(protocol).toEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } })
      expect(JSON.parse(metadata?.["metaData"].schemaString).fields).toEqual([
        { name: "url", type: "string", nullable: true, metadata: {} },
        { name: "title", type: "string", nullable: true, metadata: {} },
        { name: "version", type: "long", nullable: true, metadata: {} }
      ])
      expect(JSON.parse(add?.["add"].stats)).toEqual({ numRecords: 2 })
      expect((yield* actionsOf(directory, 1)).map((action) => Object.keys(action)[0])).toEqual([
        "commitInfo",
        "txn",
        "remove",
        "add",
        "add"
      ])
      expect(yield* activeIn(directory, 1)).toEqual(yield* inManifest(directory))
      expect((yield* actionsOf(directory, 0, "links"))[1]).toEqual({ txn: { appId: "millrace", version: 4 } })
      const manifest = Option.getOrThrow(yield* manifestOf(join(directory, "lake")))
      expect([manifest.tables["pages"]?.delta?.version, manifest.tables["links"]?.delta?.version]).toEqual([1, 0])
    })
)

it.effect("versions that a kill left out are the same, byte for byte, when the next run writes them", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const run of ["one", "two", "three"])
      yield* load(directory, run, { rows: [page("/a", run.length), page(`/${run}`)] })
    const read = (version: number) => Effect.promise(() => Fs.readFile(join(logOf(directory), nameOf(version)), "utf8"))
    const before = yield* Effect.forEach([0, 1, 2], read)

    for (const gone of [[2], [1, 2], [0, 1, 2]]) {
      yield* Effect.forEach(gone, (version) => remove(directory, version))
      yield* Effect.provide(parquet.with({ path: "lake" }).compact?.(directory, { below: 1 }) ?? Effect.void, stores)
      expect(yield* Effect.forEach([0, 1, 2], read)).toEqual(before)
    }
  })
)

it.effect(
  "a lake without a log, of an older version, gets one with its next commit, which has all that is active",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "one", { rows: [page("/a")], write: "append" })
      yield* load(directory, "links", { rows: [{ page_url: "/a", at: 1, href: "#" }], table: links, write: "append" })
      yield* asOlder(directory)

      yield* load(directory, "two", { rows: [page("/b")], write: "append" })

      for (const table of ["pages", "links"]) {
        expect(yield* versions(directory, table)).toEqual([nameOf(0)])
        expect(yield* activeIn(directory, 0, table)).toEqual(yield* inManifest(directory, table))
      }
    })
)

it.effect("files whose bounds an older version gave for some columns only are added again without bounds", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a"), page("/b")] })
    yield* load(directory, "links", { rows: [{ page_url: "/a", at: 1, href: "#" }], table: links, write: "append" })
    yield* boundedAsOlder(directory)
    const [, , , , old] = yield* actionsOf(directory, 0)
    expect(JSON.parse(old?.["add"].stats)).toMatchObject({ numRecords: 2, minValues: { url: "/a" } })

    yield* load(directory, "two", { rows: [page("/c")] })
    yield* load(directory, "three", { rows: [page("/c")] })

    const [, , again, added] = yield* actionsOf(directory, 1)
    expect([`pages/${again?.["add"].path}`, again?.["add"].dataChange]).toEqual([
      ...(yield* activeIn(directory, 0)),
      false
    ])
    expect(added?.["add"].dataChange).toBe(true)
    expect([again, added].map((action) => action?.["add"].stats)).toEqual(['{"numRecords":2}', '{"numRecords":1}'])
    // A table that the run does not know too, and none a second time.
    expect((yield* actionsOf(directory, 1, "links"))[2]?.["add"].stats).toBe('{"numRecords":1}')
    expect(yield* versions(directory)).toEqual([0, 1].map(nameOf))
    expect(yield* versions(directory, "links")).toEqual([0, 1].map(nameOf))
    expect(yield* activeIn(directory, 1)).toEqual(yield* inManifest(directory))
  })
)

it.effect("a log that jumps over versions says of no file the bounds that an older version gave", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a"), page("/b")], write: "append" })
    yield* boundedAsOlder(directory)
    yield* load(directory, "two", { rows: [page("/c")], write: "append" })
    yield* Effect.promise(() => Fs.rm(join(logOf(directory), nameOf(1))))
    yield* Effect.promise(() => Fs.rm(join(directory, "lake/_manifest/000000000001.json")))

    yield* load(directory, "three", { rows: [page("/d")], write: "append" })

    const stats = (yield* actionsOf(directory, 1)).flatMap(({ add }) => (add === undefined ? [] : [add.stats]))
    expect(stats).toEqual(['{"numRecords":2}', '{"numRecords":1}'])
  })
)

it.effect("where an older version has committed in between, the log jumps to what is there", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a"), page("/b")] })
    yield* load(directory, "two", { rows: [page("/a", 2)] })
    yield* Effect.promise(() => Fs.cp(logOf(directory), join(directory, "kept"), { recursive: true }))
    yield* load(directory, "three", { rows: [page("/a", 3)] })
    yield* asOlder(directory)
    yield* Effect.promise(() => Fs.cp(join(directory, "kept"), logOf(directory), { recursive: true }))

    yield* load(directory, "four", { rows: [page("/c")] })

    expect(yield* versions(directory)).toEqual([0, 1, 2].map(nameOf))
    expect(yield* activeIn(directory, 2)).toEqual(yield* inManifest(directory))
  })
)

it.effect("a log that somebody else writes to is told, and written anew where it was removed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a")], write: "append" })
    const foreign = storeOf(directory, (store) => ({
      // It comes after this run has looked.
      list: (prefix) => Effect.map(store.list(prefix), (all) => all.filter(({ path }) => !path.endsWith(nameOf(1))))
    }))
    yield* Effect.promise(() => Fs.writeFile(join(logOf(directory), nameOf(1)), '{"commitInfo":{}}\n'))

    const error = yield* Effect.flip(
      Effect.provide(loadInto(directory, "two", { rows: [page("/b")], write: "append" }), foreign)
    )
    expect(error.message).toContain("something else writes to the Delta table; remove pages/_delta_log")

    yield* Effect.promise(() => Fs.rm(logOf(directory), { recursive: true }))
    yield* load(directory, "three", { rows: [page("/c")], write: "append" })
    expect(yield* versions(directory)).toEqual([0, 1, 2].map(nameOf))
    expect(yield* activeIn(directory, 2)).toEqual(yield* inManifest(directory))
  })
)

it.effect("every hundredth version has a checkpoint, which says all that is active", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (let run = 0; run <= 100; run++)
      yield* load(directory, `run${run}`, { rows: [page(`/${run}`)], write: "append" })

    const database = yield* Database.open({ threads: 1, memory: "256MB", spill: join(directory, "spill") })
    const file = join(logOf(directory), `${String(100).padStart(20, "0")}.checkpoint.parquet`)
    const counts = yield* database.values(
      `SELECT count(add), count(protocol), count("metaData"), max(txn.version) FROM read_parquet('${file}')`
    )
    expect(counts).toEqual([[101n, 1n, 1n, 101n]])
    const last = yield* Effect.promise(() => Fs.readFile(join(logOf(directory), "_last_checkpoint"), "utf8"))
    expect(JSON.parse(last)).toMatchObject({ version: 100, size: 104 })
  })
)

/** Makes a lake what the version before logs would have left: no log, and manifests that do not say its place. */
const asOlder = (directory: string) =>
  Effect.promise(async () => {
    const manifests = join(directory, "lake/_manifest")
    for (const name of await Fs.readdir(manifests)) {
      const { digest, ...manifest } = JSON.parse(await Fs.readFile(join(manifests, name), "utf8"))
      expect(digest).toBeDefined()
      for (const state of Object.values<{ delta?: object }>(manifest.tables)) delete state.delta
      await Fs.writeFile(join(manifests, name), `${JSON.stringify(manifest)}\n`)
    }
    for (const table of ["pages", "links"]) {
      await Fs.rm(logOf(directory, table), { recursive: true, force: true })
    }
  })

/** Makes the newest manifest and the first versions of the logs what a version before this law would have left. */
const boundedAsOlder = (directory: string) =>
  Effect.promise(async () => {
    const manifests = join(directory, "lake/_manifest")
    const newest = join(
      manifests,
      (await Fs.readdir(manifests))
        .filter((name) => name.endsWith(".json"))
        .sort()
        .at(-1) ?? ""
    )
    const { digest, ...manifest } = JSON.parse(await Fs.readFile(newest, "utf8"))
    expect(digest).toBeDefined()
    for (const [table, { delta }] of Object.entries<{ delta: { bounds?: boolean } }>(manifest.tables)) {
      delete delta.bounds
      const version = join(logOf(directory, table), nameOf(0))
      const text = await Fs.readFile(version, "utf8")
      const bounds = String.raw`\"minValues\":{\"url\":\"/a\"},\"maxValues\":{\"url\":\"/b\"},\"nullCount\":{}`
      await Fs.writeFile(version, text.replaceAll(/(\\"numRecords\\":\d+)/g, `$1,${bounds}`))
    }
    await Fs.writeFile(newest, `${JSON.stringify(manifest)}\n`)
  })
