/**
 * The laws of replace about rows that a run did not write: what a whole run removes, and what a broken one must not.
 */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Table from "#engine/Table"
import { commitOf, type Law, law } from "../SinkBench.ts"
import { runPages, seenLinks, seenPages, tablesOf, visit, write } from "../visits.ts"

/** An incomplete run removes nothing. */
export const sinkKeepingLaws: ReadonlyArray<Law> = [
  law(
    "replace removes what a complete run did not write, except the keys that it was told to keep, with their children",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, {
          run: "run-1",
          write: "replace",
          pages: { "/a": 1, "/b": 1, "/c": 1 },
          links: { "/a": [1], "/b": [1, 2], "/c": [1] }
        })
        const result = yield* visit(bench, {
          run: "run-2",
          write: "replace",
          pages: { "/a": 2 },
          links: { "/a": [2] },
          kept: ["/b", "/never-seen"]
        })

        expect(yield* seenPages(bench)).toEqual(["/a 2 run-2", "/b 1 run-1"])
        expect(yield* seenLinks(bench)).toEqual(["/a 2 run-2", "/b 1 run-1", "/b 2 run-1"])
        expect(result.tables).toMatchObject({ pages: { written: 1, kept: 1 }, links: { written: 1, kept: 2 } })

        yield* visit(bench, { run: "run-3", write: "replace", pages: { "/d": 3 } })
        expect(yield* seenPages(bench)).toEqual(["/d 3 run-3"])
        expect(yield* seenLinks(bench)).toEqual([])
      }),
    "replace"
  ),

  law(
    "replace by a run that is not complete removes nothing: it writes over rows by their key, and over their children",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, {
          run: "run-1",
          write: "replace",
          pages: { "/a": 1, "/b": 1, "/c": 1 },
          links: { "/a": [1], "/b": [1, 2], "/c": [1] }
        })
        const result = yield* visit(bench, {
          run: "run-2",
          write: "replace",
          pages: { "/a": 2, "/b": 2, "/d": 2 },
          links: { "/a": [7] },
          complete: false
        })

        expect(yield* seenPages(bench)).toEqual(["/a 2 run-2", "/b 2 run-2", "/c 1 run-1", "/d 2 run-2"])
        expect(yield* seenLinks(bench)).toEqual(["/a 7 run-2", "/c 1 run-1"])
        expect(result.tables).toMatchObject({ pages: { written: 3, kept: 1 }, links: { written: 1, kept: 1 } })

        yield* visit(bench, { run: "run-3", write: "replace", pages: {}, complete: false })
        expect(yield* seenPages(bench)).toHaveLength(4)
        expect(yield* seenLinks(bench)).toHaveLength(2)
      }),
    "replace"
  ),

  law(
    "the keys that are stored are those of the rows of earlier runs, alone",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", write: "replace", pages: { "/a": 1, "/b": 1 } })
        const stored = yield* bench.session("run-2", tablesOf({ write: "replace" }), (writer) =>
          Effect.andThen(
            write(writer, { run: "run-2", write: "replace", pages: { "/a": 2 }, kept: ["/c"], complete: false }),
            writer.storedKeys?.("pages") ?? Effect.undefined
          )
        )

        // A sink without the ability gets no rows of what was not read.
        if (stored === undefined) return
        expect(stored.map((row) => JSON.stringify(row)).toSorted()).toEqual(['{"url":"/a"}', '{"url":"/b"}'])
      }),
    "replace"
  ),

  law(
    "a key that was kept and then written is as it was written",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", write: "replace", pages: { "/a": 1, "/b": 1 }, links: { "/a": [1] } })
        yield* visit(bench, { run: "run-2", write: "replace", pages: { "/a": 2 }, kept: ["/a", "/b"] })

        expect(yield* seenPages(bench)).toEqual(["/a 2 run-2", "/b 1 run-1"])
        expect(yield* seenLinks(bench)).toEqual([])
      }),
    "replace"
  ),

  law(
    "a complete commit of replace removes what none of the commits of its run wrote or kept",
    (bench) =>
      Effect.gen(function* () {
        const pages = { "/a": 1, "/b": 1, "/c": 1, "/d": 1 }
        yield* visit(bench, { run: "run-1", write: "replace", pages, links: { "/b": [1], "/c": [1], "/d": [1] } })
        yield* bench.session("run-2", tablesOf({ write: "replace" }), (writer) =>
          Effect.gen(function* () {
            const of = { run: "run-2", write: "replace" } as const
            yield* write(writer, { ...of, pages: { "/a": 2 }, links: { "/a": [2] }, kept: ["/b"], complete: false })
            yield* write(writer, { ...of, pages: { "/c": 2 }, links: { "/c": [2] } })
            yield* write(writer, { ...of, pages: { "/e": 2 } })
          })
        )

        expect(yield* seenPages(bench)).toEqual(["/a 2 run-2", "/b 1 run-1", "/c 2 run-2", "/e 2 run-2"])
        expect(yield* seenLinks(bench)).toEqual(["/a 2 run-2", "/b 1 run-1", "/c 2 run-2"])
      }),
    "replace"
  ),

  law(
    "a run that is not complete and is written again leaves its rows once, and the others as they are",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", write: "replace", pages: { "/a": 1, "/b": 1 }, links: { "/b": [1] } })
        const broken = { run: "run-2", write: "replace", complete: false } as const
        yield* visit(bench, { ...broken, pages: { "/c": 2, "/d": 2 }, links: { "/c": [1] } })
        yield* visit(bench, { ...broken, pages: { "/d": 3 }, links: { "/d": [1] }, again: true })

        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 1 run-1", "/d 3 run-2"])
        expect(yield* seenLinks(bench)).toEqual(["/b 1 run-1", "/d 1 run-2"])
      }),
    "replace"
  ),

  law(
    "what replace leaves has null in columns that are new, keeps its own, and is as wide as the new rows need it",
    (bench) =>
      Effect.gen(function* () {
        const before = Table.make({
          name: "pages",
          description: "pages as they were",
          schema: Schema.Struct({ url: Schema.String, version: Schema.Int, old: Schema.NullOr(Schema.String) }),
          key: ["url"]
        })
        const after = Table.make({
          name: "pages",
          description: "pages as they are",
          schema: Schema.Struct({ url: Schema.String, version: Schema.String, fresh: Schema.NullOr(Schema.Int) }),
          key: ["url"]
        })
        const both = Table.extend(after, [{ name: "old", type: { _tag: "VARCHAR" }, nullable: true }])
        const load = (run: string, table: Table.Table, rows: ReadonlyArray<Table.Row>) =>
          bench.session(run, [[table, "replace"]], (writer) =>
            Effect.andThen(
              writer.write(Table.batch(table, rows)),
              writer.commit({ ...commitOf(run, run), complete: false })
            )
          )
        const sorted = (table: Table.Table) =>
          Effect.map(bench.seen(table), (rows) =>
            rows.toSorted((a, b) => String(a["url"]).localeCompare(String(b["url"])))
          )
        yield* load("run-1", before, [{ url: "/a", version: 1, old: "x" }])
        yield* load("run-2", after, [{ url: "/b", version: "two", fresh: 2 }])

        const wide = [
          { url: "/a", version: "1", fresh: null, old: "x" },
          { url: "/b", version: "two", fresh: 2n, old: null }
        ]
        expect(yield* sorted(both)).toEqual(wide)
        expect(yield* bench.rows(both)).toEqual(expect.arrayContaining(wide))

        yield* load("run-3", before, [{ url: "/c", version: 3, old: "z" }])
        expect(yield* sorted(both)).toEqual([...wide, { url: "/c", version: "3", fresh: null, old: "z" }])
      }),
    "replace"
  ),

  law(
    "replace of an empty place by a run that is not complete is its rows",
    (bench) =>
      Effect.gen(function* () {
        const of = { run: "run-1", write: "replace", complete: false } as const
        yield* visit(bench, { ...of, pages: { "/a": 1 }, links: { "/a": [1] }, kept: ["/b"] })

        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1"])
        expect(yield* seenLinks(bench)).toEqual(["/a 1 run-1"])
      }),
    "replace"
  ),

  law(
    "rows that replace leaves are not doubled by more of them: many, in several commits",
    (bench) =>
      Effect.gen(function* () {
        const many = (from: number, count: number, version: number) =>
          Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${from + at}`, version]))
        yield* visit(bench, { run: "run-1", write: "replace", pages: many(0, 3000, 1) })
        yield* visit(bench, { run: "run-2", write: "replace", pages: many(1000, 1500, 2), complete: false })
        yield* visit(bench, { run: "run-3", write: "replace", pages: many(2400, 900, 3), complete: false })

        const versions = (yield* bench.rows(runPages)).map((row) => Number(row["version"]))
        const count = (version: number) => versions.filter((each) => each === version).length
        expect([count(1), count(2), count(3)]).toEqual([1000, 1400, 900])
      }),
    "replace"
  ),

  law(
    "merge removes nothing, whether the run was complete or not",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", write: "merge", pages: { "/a": 1, "/b": 1 }, links: { "/b": [1] } })
        for (const complete of [true, false]) {
          yield* visit(bench, { run: "run-2", write: "merge", pages: {}, kept: ["/a"], complete })

          expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 1 run-1"])
          expect(yield* seenLinks(bench)).toEqual(["/b 1 run-1"])
        }
      }),
    "merge"
  )
]
