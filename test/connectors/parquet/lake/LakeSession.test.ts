import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parquet } from "#connectors/parquet/index"
import { retrying } from "#connectors/parquet/lake/LakeSession"
import * as Database from "#engine/Duckdb"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf } from "#testing/SinkBench"
import { pages } from "#testing/specimens"
import { runLinks, runPages } from "#testing/visits"
import { isEveryCase } from "../../../thoroughness.ts"
import { filesOf, readLake, stores } from "../lake.ts"
import { load } from "../load.ts"

it.effect(
  "a statement for which the memory does not suffice is tried once more, and reads the rows of its feed anew",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const database = yield* Database.open({ threads: 1, memory: "16MB", spill: join(directory, "spill") })
      const column = { name: "text", type: { _tag: "VARCHAR" }, nullable: false } as const
      const feed = yield* database.feed([column])
      feed.load(Array.from({ length: 5000 }, (_, at) => ({ text: `${at} ${"x".repeat(10_000)}` })))
      // An aggregate that is a list does not spill.
      const statement = `CREATE OR REPLACE TEMP TABLE all_of_it AS SELECT list(text) AS texts FROM ${feed.call}`
      expect((yield* Effect.flip(database.run(statement))).message).toMatch(/Out of Memory/)

      yield* retrying(database).run(statement)

      const [counted] = yield* retrying(database).values("SELECT len(texts), len(texts[5000]) FROM all_of_it")
      expect(counted).toEqual([5000n, 10_005n])
    })
)

// In a sample DuckDB merges such pages (`duckdb/merge.test.ts`).
it.effect.runIf(isEveryCase)(
  "pages of fifteen thousand links are merged, and merged again without a byte where nothing is new",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const [pagesEach, linksEach] = [8, 15_000]
      const merge = (run: string, version: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* parquet.with({ path: "lake" }).open({
              pipeline: "p",
              runId: run,
              directory,
              evolve: true,
              tables: [runPages, runLinks].map((table) => ({ table, write: "merge" }))
            })
            for (let at = 0; at < pagesEach; at++) {
              const url = `https://example.com/javadoc/${at}`
              yield* writer.write(Table.batch(runPages, [{ url, title: "t".repeat(100_000), version, _run_id: run }]))
              yield* writer.write(
                Table.batch(
                  runLinks,
                  Array.from({ length: linksEach }, (_, link) => ({
                    page_url: url,
                    at: link,
                    // One link of each page changes with its version.
                    href: `${url}/Class${link}.html#${link === 7 ? version : 0}`,
                    _run_id: run
                  }))
                )
              )
            }
            return yield* writer.commit(commitOf(run, run))
          })
        ).pipe(Effect.provide(stores))
      yield* merge("one", 1)
      const same = yield* merge("two", 1)
      const changed = yield* merge("three", 2)

      const [pages, links] = [pagesEach, pagesEach * linksEach]
      expect(same).toMatchObject({ rows: { pages: 0, links: 0 }, bytes: 0 })
      expect(same.tables).toMatchObject({ pages: { unchanged: pages }, links: { unchanged: links } })
      expect(changed.tables).toMatchObject({
        pages: { written: pages },
        links: { written: pages, unchanged: links - pages }
      })
      const read = yield* readLake(join(directory, "lake"), runLinks)
      expect(read).toHaveLength(links)
      expect(read.filter((row) => row["_run_id"] === "three").map((row) => row["at"])).toEqual(
        Array.from({ length: pages }, () => 7n)
      )
    })
)

it.effect("a file of the lake that somebody has cut or removed is named, and not its copy here", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const merge = (run: string) => load(directory, run, { rows: [{ url: "/a", title: run, version: 1 }] })
    yield* merge("one")
    const [file] = yield* filesOf(join(directory, "lake"), pages.name)
    const path = join(directory, "lake", file?.path ?? "")
    const { size } = yield* Effect.promise(() => Fs.stat(path))
    const said = `${file?.path} is in the manifest of ${join(directory, "lake")} and`

    yield* Effect.promise(() => Fs.truncate(path, size - 50))
    expect((yield* Effect.flip(merge("two"))).message).toContain(
      `${said} has ${size - 50} bytes instead of ${size}: put it`
    )

    yield* Effect.promise(() => Fs.rm(path))
    expect((yield* Effect.flip(merge("three"))).message).toContain(`${said} is gone: put it back from a backup`)
  }).pipe(Effect.provide(stores))
)

it.effect("a file whose bytes have changed is written into no other: a merge and a compaction name it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const of = (run: string) => ({ rows: [{ url: "/a", title: run, version: 1 }], write: "append" as const })
    yield* load(directory, "one", of("one"))
    yield* load(directory, "two", of("two"))
    const files = yield* filesOf(join(directory, "lake"), pages.name)
    const path = join(directory, "lake", files[0]?.path ?? "")
    const bytes = yield* Effect.promise(() => Fs.readFile(path))
    bytes[10] = (bytes[10] ?? 0) ^ 1
    yield* Effect.promise(() => Fs.writeFile(path, bytes))

    const compacted = parquet.with({ path: "lake" }).compact?.(directory, { below: 1e6 }) ?? Effect.die("none")
    const merged = load(directory, "three", { ...of("three"), write: "merge" })
    for (const work of [Effect.asVoid(compacted), Effect.asVoid(merged)]) {
      expect((yield* Effect.flip(work)).message).toBe(
        `${files[0]?.path} is in the manifest of ${join(directory, "lake")} and has other bytes than were written: put it back from a backup, or \`millrace verify FILE --repair\` goes on without it, and says which runs to load again`
      )
    }
    expect(yield* filesOf(join(directory, "lake"), pages.name)).toEqual(files)
  }).pipe(Effect.provide(stores))
)
