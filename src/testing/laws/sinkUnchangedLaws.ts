/** The laws of merge about rows that say what is there already: they are left as they are. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Table from "#engine/Table"
import { type Bench, commitOf, type Law, law, page } from "../SinkBench.ts"
import { visited } from "../specimens.ts"
import { runPages, seenLinks, seenPages, visit } from "../visits.ts"
import { cellSteps, cells, product, products } from "./history.ts"

const load = <R>(bench: Bench<R>, at: number, rows: ReadonlyArray<Table.Row>, again = false) => {
  const run = `run-${at}`
  return bench.session(
    run,
    [[visited, "merge"]],
    (writer) =>
      Effect.gen(function* () {
        const complete = rows.map((row) => ({
          title: "t",
          metadata: null,
          elapsed_ms: at,
          ...row,
          _run_id: run,
          _fetched_at: BigInt(at)
        }))
        if (rows.length > 0) yield* writer.write(Table.batch(visited, complete))
        const { tables } = yield* writer.commit(commitOf(run, at))
        return tables?.["visited"]
      }),
    again ? { again } : {}
  )
}

/** "/a run-1" for each row. */
const runs = <R>(bench: Bench<R>) =>
  Effect.map(bench.rows(visited), (rows) =>
    rows.map((row) => `${row["url"]} ${row["_run_id"]} ${row["_fetched_at"]} ${row["elapsed_ms"]}`).toSorted()
  )

/** Merge writes what differs. */
export const sinkUnchangedLaws: ReadonlyArray<Law> = [
  law(
    "merge leaves a row untouched that differs in nothing but its run and its visit",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ url: "/a" }, { url: "/b" }, { url: "/c", title: null }])
        const result = yield* load(bench, 2, [
          { url: "/a" },
          { url: "/b", title: "new" },
          { url: "/c", title: null },
          { url: "/d" }
        ])

        expect(yield* runs(bench)).toEqual(["/a run-1 1 1", "/b run-2 2 2", "/c run-1 1 1", "/d run-2 2 2"])
        expect(result).toEqual({ received: 4, written: 2, unchanged: 2, superseded: 0, kept: 0 })

        expect(yield* load(bench, 3, [{ url: "/a" }, { url: "/b", title: "new" }])).toMatchObject({ unchanged: 2 })
        expect(yield* runs(bench)).toEqual(["/a run-1 1 1", "/b run-2 2 2", "/c run-1 1 1", "/d run-2 2 2"])
      }),
    "merge"
  ),

  law(
    "a column that begins with _ and is not Millrace's own counts as any other",
    (bench) =>
      Effect.gen(function* () {
        const table = Table.extend(products, [{ name: "_2024", type: { _tag: "BIGINT" }, nullable: true }])
        const results = yield* Effect.forEach([10, 11, 11], (sold, at) =>
          bench.load(`run-${at}`, table, "merge", [{ ...product("a", 1), _2024: sold, _run_id: `run-${at}` }], at)
        )
        expect(results.map(({ tables }) => tables?.["products"]?.written)).toEqual([1, 1, 0])
      }),
    "merge"
  ),

  law(
    "the members of a JSON column that describe the visit do not count, and all else in it does",
    (bench) =>
      Effect.gen(function* () {
        const before: ReadonlyArray<unknown> = [
          { etag: "1", lang: "en" },
          { etag: "1", lang: "en" },
          { lang: "en" },
          { deep: { etag: "1" } },
          { etag: "1" },
          ["etag", "1"],
          "etag",
          null,
          { a: [null, { b: null }], nothing: null, elapsed: 1 },
          { a: [null, { b: null }], nothing: null }
        ]
        const after: ReadonlyArray<unknown> = [
          { etag: "2", lang: "en" },
          { etag: "1", lang: "de" },
          { etag: "1", elapsed: 5, lang: "en" },
          { deep: { etag: "2" } },
          {},
          ["etag", "2"],
          "etag",
          {},
          { a: [null, { b: null }], nothing: null, elapsed: 2 },
          { a: [null, { b: null }] }
        ]
        const rows = (cells: ReadonlyArray<unknown>) => cells.map((metadata, at) => ({ url: `/${at}`, metadata }))
        yield* load(bench, 1, rows(before))
        yield* load(bench, 2, rows(after))

        const written = (yield* runs(bench)).filter((row) => row.includes("run-2"))
        expect(written.map((row) => row.split(" ")[0])).toEqual(["/1", "/3", "/5", "/7", "/9"])
      }),
    "merge"
  ),

  law(
    "null is a value like any other, and what is inside a struct, a list or JSON counts, for merge too",
    (bench) =>
      Effect.gen(function* () {
        const steps = cellSteps({
          ...cells,
          price: [null, 0, 1.5, Number.MAX_VALUE, 5e-324, 0.1, 0.1 + 2 ** -56],
          seen_at: [null, 0n, 1n]
        })
        const changes = steps.length - 1
        const rows = (run: number, from: number) =>
          steps
            .slice(from, from + changes)
            .map((step, at) => ({ ...product(`key ${at}`, null), ...step, _run_id: `run-${run}` }))
        const merge = (run: number, from: number) => bench.load(`run-${run}`, products, "merge", rows(run, from), run)
        yield* merge(1, 0)
        const same = yield* merge(2, 0)
        const other = yield* merge(3, 1)

        const counts = { received: changes, superseded: 0, kept: 0 }
        expect(same.tables?.["products"]).toEqual({ ...counts, written: 0, unchanged: changes })
        expect(other.tables?.["products"]).toEqual({ ...counts, written: changes, unchanged: 0 })
        const found = (yield* bench.rows(products)).map((row) => row["_run_id"])
        expect(found).toEqual(Array.from({ length: changes }, () => "run-3"))
      }),
    "merge"
  ),

  law(
    "children that say the same are left as they are, those that do not are replaced, and none is doubled",
    (bench) =>
      Effect.gen(function* () {
        const links = { "/a": [1, 2, 2], "/b": [1, 1], "/c": [1] }
        yield* visit(bench, { run: "run-1", write: "merge", pages: { "/a": 1, "/b": 1, "/c": 1 }, links })
        const result = yield* visit(bench, {
          run: "run-2",
          write: "merge",
          pages: { "/a": 1, "/b": 2, "/c": 1 },
          links: { "/a": [2, 2, 1], "/b": [1, 1, 1, 3], "/c": [] }
        })

        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 2 run-2", "/c 1 run-1"])
        expect(yield* seenLinks(bench)).toEqual([
          "/a 1 run-1",
          "/a 2 run-1",
          "/a 2 run-1",
          "/b 1 run-1",
          "/b 1 run-1",
          "/b 1 run-2",
          "/b 3 run-2"
        ])
        expect(result.tables).toEqual({
          pages: { received: 3, written: 1, unchanged: 2, superseded: 0, kept: 0 },
          links: { received: 7, written: 2, unchanged: 5, superseded: 0, kept: 0 }
        })
      }),
    "merge"
  ),

  law(
    "several stored rows of one key become one, even where they say what comes",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", write: "append", pages: [page("/a", 1), page("/a", 1), page("/b", 1)] })
        yield* visit(bench, { run: "run-2", write: "merge", pages: { "/a": 1, "/b": 1 } })

        expect(yield* seenPages(bench)).toEqual(["/a 1 run-2", "/b 1 run-1"])
      }),
    "merge"
  ),

  law(
    "a column that the run lacks is null in its rows, so a stored value there is a difference; one that is new and null is none",
    (bench) =>
      Effect.gen(function* () {
        const color = { name: "color", type: { _tag: "VARCHAR" }, nullable: true } as const
        const [plain, wide] = [runPages, Table.extend(runPages, [color])]
        const merge = (run: string, table: Table.Table, rows: ReadonlyArray<Table.Row>) =>
          bench.load(
            run,
            table,
            "merge",
            rows.map((row) => ({ ...row, _run_id: run })),
            run
          )
        yield* merge("run-1", plain, [page("/a", 1), page("/b", 1)])
        yield* merge("run-2", wide, [
          { ...page("/a", 1), color: null },
          { ...page("/b", 1), color: "red" }
        ])
        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 1 run-2"])

        yield* merge("run-3", plain, [page("/a", 1), page("/b", 1)])
        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 1 run-3"])
      }),
    "merge"
  ),

  law(
    "a merging run that is written again leaves what others wrote and it only confirmed",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ url: "/a" }, { url: "/b" }])
        yield* load(bench, 2, [{ url: "/a" }, { url: "/b", title: "new" }, { url: "/c" }])
        const once = yield* runs(bench)

        const rows = [{ url: "/a" }, { url: "/b", title: "new" }, { url: "/c" }]
        expect(yield* load(bench, 2, rows, true)).toMatchObject({ written: 2, unchanged: 1 })
        expect(yield* runs(bench)).toEqual(once)
      }),
    "merge"
  ),

  law(
    "what one commit of a run wrote, the next finds unchanged",
    (bench) =>
      Effect.gen(function* () {
        const results = yield* bench.session("run-1", [[runPages, "merge"]], (writer) =>
          Effect.forEach([1, 1, 2], (version, at) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(runPages, [{ ...page("/a", version), _run_id: "run-1" }]))
              return (yield* writer.commit(commitOf("run-1", at))).tables?.["pages"]
            })
          )
        )

        expect(results.map((result) => [result?.written, result?.unchanged])).toEqual([
          [1, 0],
          [0, 1],
          [1, 0]
        ])
        expect(yield* seenPages(bench)).toEqual(["/a 2 run-1"])
      }),
    "merge"
  )
]
