import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { fileStore } from "#connectors/file/index"
import { parquet } from "#connectors/parquet/index"
import * as ObjectStore from "#engine/ObjectStore"
import * as Table from "#engine/Table"
import * as faults from "#testing/faults"
import { folder } from "#testing/folder"
import { links } from "#testing/specimens"
import { sampleOf } from "../../../thoroughness.ts"
import { filesOf, manifestOf, stores } from "../lake.ts"
import { type Load, load as loadInto, storeOf } from "../load.ts"
import { icebergIn as icebergInLake } from "./icebergIn.ts"

const load = (directory: string, run: string, of: Load) =>
  Effect.provide(loadInto(directory, run, { ...of, options: { iceberg: true, ...of.options } }), stores)
/** A run by a file that says nothing of Iceberg. */
const loadPlain = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const page = (url: string, version = 1) => ({ url, title: "t", version })
const icebergIn = (directory: string, table = "pages") => icebergInLake(join(directory, "lake"), table)
const inManifest = (directory: string, table = "pages") =>
  Effect.map(filesOf(join(directory, "lake"), table), (files) => files.map(({ path }) => path).sort())
const metadataOf = (directory: string, table = "pages") => join(directory, "lake", table, "metadata")
const namesIn = (directory: string) => Effect.promise(async () => (await Fs.readdir(metadataOf(directory))).sort())
const reopen = (directory: string) =>
  Effect.provide(parquet.with({ path: "lake" }).compact?.(directory, { below: 1 }) ?? Effect.die("none"), stores)
const vacuum = (directory: string, how: { readonly retain: number; readonly dryRun: boolean }) =>
  Effect.provide(parquet.with({ path: "lake" }).vacuum?.(directory, how) ?? Effect.die("none"), stores)

it.effect(
  "each change of a table is one snapshot with the number of its manifest; a run that changes nothing adds none",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "one", { rows: [page("/a"), page("/b")], at: 1 })
      yield* load(directory, "two", { rows: [page("/a", 2)], at: 2 })
      yield* load(directory, "three", { rows: [page("/a", 2)], at: 3 })
      yield* load(directory, "four", { rows: [page("/c")], at: 4, write: "append" })
      yield* load(directory, "five", { rows: [{ page_url: "/a", at: 1, href: "#" }], table: links, write: "append" })

      const { files, filesAt, metadata, version } = yield* icebergIn(directory)
      expect(version).toBe(3)
      expect(files).toEqual(yield* inManifest(directory))
      expect(filesAt(1)).toHaveLength(1)
      expect(metadata.location).toBe(`file://${directory}/lake/pages`)
      expect(metadata["snapshot-log"]).toEqual(
        [1, 2, 4].map((id) => ({ "snapshot-id": id, "timestamp-ms": id * 60_000 }))
      )
      expect(metadata["metadata-log"].map((entry) => entry["metadata-file"].split("/").at(-1))).toEqual([
        "v1.metadata.json",
        "v2.metadata.json"
      ])
      expect(metadata.snapshots.map(({ summary }) => summary["operation"])).toEqual(["append", "overwrite", "append"])
      expect(metadata.snapshots[1]?.summary).toMatchObject({
        "added-records": "2",
        "deleted-records": "2",
        "total-records": "2",
        "millrace.run_id": "two"
      })
      expect(metadata.schemas[0]?.fields.map(({ id, name, type }) => [id, name, type])).toEqual([
        [1, "url", "string"],
        [2, "title", "string"],
        [3, "version", "long"]
      ])
      expect((yield* icebergIn(directory, "links")).metadata["current-snapshot-id"]).toBe(5)
    })
)

it.effect("what a kill left out is the same, byte for byte, when the next open writes it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const runs = ["one", "two", "three"]
    for (const run of runs) yield* load(directory, run, { rows: [page("/a", run.length), page(`/${run}`)] })
    const read = Effect.gen(function* () {
      const names = yield* namesIn(directory)
      return yield* Effect.promise(() =>
        Promise.all(names.map(async (name) => [name, await Fs.readFile(join(metadataOf(directory), name), "base64")]))
      )
    })
    const before = yield* read
    const three = (yield* namesIn(directory)).filter((name) => /^(snap-3|3)-/.test(name))
    expect(three).toHaveLength(3)

    const kills = [["v3.metadata.json"], ["v3.metadata.json", ...three], ["v2.metadata.json", "v3.metadata.json"]]
    for (const gone of [...kills, ["version-hint.text"]]) {
      yield* Effect.promise(async () => {
        for (const name of gone) await Fs.rm(join(metadataOf(directory), name))
        if (gone.length > 1) await Fs.writeFile(join(metadataOf(directory), "version-hint.text"), "1")
      })
      yield* reopen(directory)
      expect(yield* read).toEqual(before)
    }
  })
)

it.effect("a lake that exists gets all of its files with the next run, later runs follow, and false ends it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loadPlain(directory, "one", { rows: [page("/a")], write: "append" })
    yield* loadPlain(directory, "two", { rows: [page("/b")], write: "append" })

    yield* load(directory, "three", { rows: [page("/b", 1)], write: "merge" })
    const first = yield* icebergIn(directory)
    expect([first.version, first.metadata["current-snapshot-id"]]).toEqual([1, 3])
    expect(first.files).toEqual(yield* inManifest(directory))
    expect(first.files).toHaveLength(2)

    yield* loadPlain(directory, "four", { rows: [page("/c")], write: "append" })
    expect((yield* icebergIn(directory)).files).toEqual(yield* inManifest(directory))

    yield* load(directory, "five", { rows: [page("/d")], write: "append", options: { iceberg: false } })
    expect((yield* icebergIn(directory)).metadata["current-snapshot-id"]).toBe(4)
    yield* load(directory, "six", { rows: [page("/e")], write: "append" })
    expect((yield* icebergIn(directory)).files).toEqual(yield* inManifest(directory))
    expect((yield* inManifest(directory)).length).toBe(5)
  })
)

it.effect("a lake that was moved gets metadata for where it is now, in which names keep their numbers", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a")], write: "append" })
    yield* load(directory, "two", { rows: [page("/b")], write: "append" })
    const old = (yield* icebergIn(directory)).metadata
    const moved = yield* folder
    yield* Effect.promise(() => Fs.rename(join(directory, "lake"), join(moved, "lake")))

    yield* reopen(moved)

    const { files, metadata } = yield* icebergIn(moved)
    expect(metadata.location).toBe(`file://${moved}/lake/pages`)
    expect(files).toEqual(yield* inManifest(moved))
    expect(metadata.snapshots.map((snapshot) => snapshot["snapshot-id"])).toEqual([2])
    expect([metadata.schemas, metadata["table-uuid"]]).toEqual([old.schemas, old["table-uuid"]])
    yield* load(moved, "three", { rows: [page("/c")], write: "append" })
    expect((yield* icebergIn(moved)).files).toEqual(yield* inManifest(moved))

    // What names the old place is removed.
    yield* Effect.promise(() => Fs.writeFile(join(metadataOf(moved), "mine.avro"), "of somebody else"))
    yield* vacuum(moved, { retain: 60_000, dryRun: false })
    expect((yield* namesIn(moved)).map((name) => name.replace(/-[0-9a-f]{16}/, ""))).toEqual([
      "2-files.avro",
      "3-files.avro",
      "mine.avro",
      "snap-2.avro",
      "snap-3.avro",
      "v3.metadata.json",
      "v4.metadata.json",
      "version-hint.text"
    ])
  })
)

it.effect("a column that was away comes back with its number, and a partition of another type begins anew", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const both = Table.make({ name: "t", description: "", schema: Schema.Struct({ a: Schema.Int, b: Schema.String }) })
    const one = Table.make({ name: "t", description: "", schema: Schema.Struct({ c: Schema.Int, a: Schema.Int }) })
    const replace = (run: string, table: Table.Table, row: Table.Row, partition: ReadonlyArray<string> = []) =>
      load(directory, run, { table, rows: [row], write: "replace", options: { partition } })
    const idsIn = Effect.map(icebergIn(directory, "t"), ({ metadata }) => {
      const schema = metadata.schemas.find((known) => known["schema-id"] === metadata["current-schema-id"])
      return schema?.fields.map(({ id, name }) => [name, id])
    })
    yield* replace("one", both, { a: 1, b: "x" })
    yield* replace("two", one, { a: 1, c: 2 })
    expect(yield* idsIn).toEqual([
      ["c", 3],
      ["a", 1]
    ])
    yield* replace("three", both, { a: 1, b: "x" })
    expect(yield* idsIn).toEqual([
      ["a", 1],
      ["b", 2]
    ])
    const { metadata } = yield* icebergIn(directory, "t")
    expect([metadata.schemas.length, metadata["current-schema-id"], metadata.snapshots.length]).toEqual([2, 0, 3])
    expect(JSON.parse(metadata.properties["schema.name-mapping.default"] ?? "")).toContainEqual({
      "field-id": 3,
      names: ["c"]
    })

    yield* replace("four", both, { a: 1, b: "x" }, ["b"])
    expect((yield* icebergIn(directory, "t")).metadata["partition-specs"]).toHaveLength(2)
    const other = Table.make({ name: "t", description: "", schema: Schema.Struct({ a: Schema.Int, b: Schema.Int }) })
    yield* replace("five", other, { a: 1, b: 5 }, ["b"])
    const last = yield* icebergIn(directory, "t")
    expect(last.metadata.snapshots).toHaveLength(1)
    expect(last.files).toEqual(yield* inManifest(directory, "t"))
    expect(yield* idsIn).toEqual([
      ["a", 1],
      ["b", 2]
    ])
  })
)

for (const [what, which] of [
  ["lists of files that are cut off are", /\.avro$/],
  ["metadata that is cut off is", /^v2\.metadata\.json$/],
  ["what names the last metadata, and is cut off, is", /^version-hint/]
] as const) {
  it.effect(`${what} written again by the next run, with the snapshots that were there`, () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "one", { rows: [page("/a")], write: "append", at: 1 })
      yield* load(directory, "two", { rows: [page("/b")], write: "append", at: 2 })
      const metadata = metadataOf(directory)
      const names = (yield* namesIn(directory)).filter((name) => which.test(name))
      expect(names).not.toEqual([])
      const before = yield* icebergIn(directory)
      for (const name of names)
        yield* Effect.promise(() => Fs.truncate(join(metadata, name), which.test("a.avro") ? 200 : 0))

      yield* load(directory, "three", { rows: [page("/a")], write: "merge", at: 3, plan: { pipeline: "p" } })

      const after = yield* icebergIn(directory)
      expect(after.files).toEqual(yield* inManifest(directory))
      expect(after.filesAt(2)).toEqual(before.files)
    })
  )
}

it.effect("of files that no manifest can tell again, the newest snapshot alone is written", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a")], write: "append", at: 1 })
    yield* load(directory, "two", { rows: [page("/b")], write: "append", at: 2 })
    yield* Effect.promise(() => Fs.truncate(join(metadataOf(directory), "v2.metadata.json"), 0))
    yield* Effect.promise(() => Fs.truncate(join(metadataOf(directory), "v1.metadata.json"), 0))
    yield* Effect.promise(() => Fs.truncate(join(directory, "lake/_manifest/000000000001.json"), 0))

    yield* load(directory, "three", { rows: [page("/c")], write: "append", at: 3 })

    expect((yield* icebergIn(directory)).files).toEqual(yield* inManifest(directory))
  })
)

it.effect("metadata that somebody else wrote is reported, and written anew where it was removed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a")], write: "append" })
    yield* Effect.promise(() => Fs.writeFile(join(metadataOf(directory), "v2.metadata.json"), '{"format-version":2}'))

    const error = yield* Effect.flip(load(directory, "two", { rows: [page("/b")], write: "append" }))
    expect(error.message).toContain("something else writes to the Iceberg table; remove pages/metadata/")

    yield* Effect.promise(() => Fs.rm(metadataOf(directory), { recursive: true }))
    yield* load(directory, "two", { rows: [page("/b")], write: "append" })
    expect((yield* icebergIn(directory)).files).toEqual(yield* inManifest(directory))
  })
)

it.effect("no more than twenty metadata files stay before the last one, and each snapshot does", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (let run = 1; run <= 23; run++) {
      yield* load(directory, `run${run}`, { rows: [page(`/${run}`)], write: "append", at: run })
    }
    const { files, filesAt, metadata, version } = yield* icebergIn(directory)
    expect([version, files.length, filesAt(1).length, metadata.snapshots.length]).toEqual([23, 23, 1, 23])
    const forms = (yield* namesIn(directory)).filter((name) => name.endsWith(".metadata.json"))
    expect(forms).toHaveLength(21)
    const logged = metadata["metadata-log"].map((entry) => entry["metadata-file"].split("/").at(-1) ?? "")
    expect([...logged, "v23.metadata.json"].sort()).toEqual(forms)
  })
)

for (const kind of sampleOf(["before", "after", "interrupt"] as const, 1, (one) => one)) {
  it.effect(
    `where the nth call of a commit fails (${kind}), the next open says what the manifest says, for every n`,
    () =>
      Effect.gen(function* () {
        for (let at = 1, isPast = false; !isPast; at++) {
          const directory = yield* folder
          yield* load(directory, "one", { rows: [page("/a"), page("/b")], at: 1 })
          const fault = faults.failing(yield* fileStore.open(join(directory, "lake")), at, kind)
          const two = loadInto(directory, "two", { rows: [page("/a", 2)], at: 2, options: { iceberg: true } })
          yield* Effect.exit(
            Effect.provideService(two, ObjectStore.ObjectStores, { open: () => Effect.succeed(fault.store) })
          )

          yield* reopen(directory)

          const { files, metadata } = yield* icebergIn(directory)
          const state = Option.getOrThrow(yield* manifestOf(join(directory, "lake"))).tables["pages"]
          expect(files).toEqual(state?.files.map(({ path }) => path).sort())
          const ids = metadata.snapshots.map((snapshot) => snapshot["snapshot-id"])
          expect(ids).toEqual(state?.iceberg?.snapshot === 1 ? [1] : [1, 2])
          isPast = fault.calls() < at
          if (isPast) expect(at).toBeGreaterThan(10)
        }
      })
  )
}

it.effect("a run follows metadata that came after it looked", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const at of [1, 2]) yield* load(directory, `run${at}`, { rows: [page("/a")], write: "replace", at })
    yield* TestClock.setTime(3 * 60_000)
    yield* vacuum(directory, { retain: 0, dryRun: false })
    expect((yield* icebergIn(directory)).version).toBe(3)
    const before = storeOf(directory, (store) => ({
      list: (prefix) =>
        Effect.map(store.list(prefix), (all) => all.filter(({ path }) => !path.endsWith("v3.metadata.json")))
    }))

    const three = loadInto(directory, "three", { rows: [page("/b")], write: "append", at: 4 })
    yield* Effect.provide(three, before)

    const { files, metadata, version } = yield* icebergIn(directory)
    expect([version, metadata.snapshots.map((snapshot) => snapshot["snapshot-id"])]).toEqual([4, [2, 3]])
    expect(files).toEqual(yield* inManifest(directory))
  })
)
