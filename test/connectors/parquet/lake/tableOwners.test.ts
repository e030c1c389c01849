import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parquet } from "#connectors/parquet/index"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { readLake, stores } from "../lake.ts"
import { load as loadInto } from "../load.ts"

const others: Table.Table = { ...pages, name: "others" }

const load = (
  directory: string,
  pipeline: string,
  run: string,
  table: Table.Table,
  of: { readonly schema?: string; readonly write?: Sink.WriteDisposition } = {}
) =>
  Effect.provide(
    loadInto(directory, run, {
      table,
      write: of.write ?? "append",
      rows: [{ url: `/${run}`, title: pipeline, version: 1 }],
      plan: { pipeline },
      ...(of.schema === undefined ? {} : { options: { schema: of.schema } })
    }),
    stores
  )

const ownersIn = (directory: string, schema?: string) => {
  const { owners } = parquet.with({ path: "lake", ...(schema === undefined ? {} : { schema }) })
  return Effect.provide(owners?.(directory) ?? Effect.die("it tells none"), stores).pipe(Effect.map(Object.fromEntries))
}

/** Makes the manifests of a lake those of a version that knew of no owners. */
const forgetOwners = (directory: string) =>
  Effect.promise(async () => {
    const manifests = join(directory, "lake/_manifest")
    for (const name of await Fs.readdir(manifests)) {
      const { digest, owners, ...manifest } = JSON.parse(await Fs.readFile(join(manifests, name), "utf8"))
      expect([digest, owners]).not.toContain(undefined)
      await Fs.writeFile(join(manifests, name), JSON.stringify(manifest))
    }
  })

it.effect("tables of an older lake belong to the pipelines whose commits they came with", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "first", "one", pages)
    yield* load(directory, "second", "two", others)
    yield* load(directory, "first", "three", pages)
    yield* forgetOwners(directory)

    expect(yield* ownersIn(directory)).toEqual({ pages: "first", others: "second" })
    const refused = yield* Effect.flip(load(directory, "second", "four", pages, { write: "replace" }))
    expect(refused.message).toContain(`table pages of ${join(directory, "lake")} belongs to the pipeline first`)

    yield* load(directory, "second", "five", others)
    const manifest = yield* Effect.promise(() =>
      Fs.readFile(join(directory, "lake/_manifest/000000000004.json"), "utf8")
    )
    expect(JSON.parse(manifest).owners).toEqual({ pages: "first", others: "second" })
  })
)

it.effect(
  "tables of an older lake that one pipeline and its backfills wrote belong to it, without reading every manifest",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "first@20260101T000000Z..20260102T000000Z", "one", pages)
      yield* load(directory, "first", "two", others)
      yield* forgetOwners(directory)
      yield* Effect.promise(() => Fs.writeFile(join(directory, "lake/_manifest/000000000001.json"), "broken"))

      expect(yield* ownersIn(directory)).toEqual({ pages: "first", others: "first" })
    })
)

it.effect("two pipelines have a table of one name, each in its schema, and a lake above them", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rowsIn = (place: string) =>
      Effect.map(readLake(join(directory, place), pages), (rows) => rows.map((row) => row["url"]))
    yield* load(directory, "root", "zero", pages, { write: "replace" })
    yield* load(directory, "first", "one", pages, { schema: "a", write: "replace" })
    // A schema may be called as a table above it.
    yield* load(directory, "second", "two", pages, { schema: "pages", write: "replace" })

    expect(yield* rowsIn("lake")).toEqual(["/zero"])
    expect(yield* rowsIn("lake/a")).toEqual(["/one"])
    expect(yield* rowsIn("lake/pages")).toEqual(["/two"])
    expect(yield* ownersIn(directory)).toEqual({ pages: "root" })
    expect(yield* ownersIn(directory, "a")).toEqual({ pages: "first" })
    const runs = yield* Effect.provide(parquet.with({ path: "lake", schema: "a" }).runs(directory), stores)
    expect(runs.map(({ runId }) => runId)).toEqual(["one"])
  })
)

it.effect("a writer that tidies up leaves files of lakes above and below it, however old", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const lake = join(directory, "lake")
    const places = [undefined, "a", "pages"] as const
    const write = (run: string) =>
      Effect.forEach(places, (schema, at) =>
        load(directory, `p${at}`, `${run}${at}`, pages, schema === undefined ? {} : { schema })
      )
    yield* write("one")
    // Another lake, of a folder below, that nobody calls a schema.
    yield* Effect.promise(() => Fs.cp(join(lake, "a"), join(lake, "other"), { recursive: true }))
    const age = Effect.promise(async () => {
      for (const entry of await Fs.readdir(lake, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) await Fs.utimes(join(entry.parentPath, entry.name), 1, 1)
      }
    })
    yield* age
    const before = yield* Effect.promise(() => Fs.readdir(lake, { recursive: true }))
    yield* write("two")

    const after = yield* Effect.promise(() => Fs.readdir(lake, { recursive: true }))
    expect(before.filter((path) => !after.includes(path))).toEqual([])
    expect(yield* readLake(join(lake, "other"), pages)).toHaveLength(1)
    expect(yield* readLake(join(lake, "pages"), pages)).toHaveLength(2)
  })
)
