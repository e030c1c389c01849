import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { parquet } from "#connectors/parquet/index"
import { folder } from "#testing/folder"
import { filesOf, stores } from "../lake.ts"
import { type Load, load as loadInto } from "../load.ts"
import { icebergIn as icebergInLake } from "./icebergIn.ts"

const load = (directory: string, run: string, of: Load) =>
  Effect.provide(loadInto(directory, run, { ...of, options: { iceberg: true, ...of.options } }), stores)
const page = (url: string, version = 1) => ({ url, title: "t", version })
const icebergIn = (directory: string, table = "pages") => icebergInLake(join(directory, "lake"), table)
const inManifest = (directory: string, table = "pages") =>
  Effect.map(filesOf(join(directory, "lake"), table), (files) => files.map(({ path }) => path).sort())
const metadataOf = (directory: string, table = "pages") => join(directory, "lake", table, "metadata")
const namesIn = (directory: string) => Effect.promise(async () => (await Fs.readdir(metadataOf(directory))).sort())
const vacuum = (directory: string, how: { readonly retain: number; readonly dryRun: boolean }) =>
  Effect.provide(parquet.with({ path: "lake" }).vacuum?.(directory, how) ?? Effect.die("none"), stores)

it.effect("snapshots whose files vacuum removes are not in the metadata any more, and nothing of them stays", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const at of [1, 2, 3, 4]) yield* load(directory, `run${at}`, { rows: [page("/a")], write: "replace", at })
    yield* TestClock.setTime(5 * 60_000)
    const before = yield* namesIn(directory)
    yield* vacuum(directory, { retain: 2 * 60_000 - 1, dryRun: true })
    expect(yield* namesIn(directory)).toEqual(before)

    yield* vacuum(directory, { retain: 2 * 60_000 - 1, dryRun: false })

    const { filesAt, metadata, version } = yield* icebergIn(directory)
    const kept = metadata.snapshots.map((snapshot) => snapshot["snapshot-id"])
    expect([version, kept]).toEqual([5, [3, 4]])
    for (const id of kept) {
      for (const path of filesAt(id)) yield* Effect.promise(() => Fs.access(join(directory, "lake", path)))
    }
    expect((yield* namesIn(directory)).map((name) => name.replace(/-[0-9a-f]{16}/, ""))).toEqual([
      "3-files.avro",
      "3-removed.avro",
      "4-files.avro",
      "4-removed.avro",
      "snap-3.avro",
      "snap-4.avro",
      "v4.metadata.json",
      "v5.metadata.json",
      "version-hint.text"
    ])
    yield* load(directory, "run5", { rows: [page("/b")], write: "append", at: 6 })
    expect((yield* icebergIn(directory)).files).toEqual(yield* inManifest(directory))
  })
)
