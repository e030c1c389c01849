/** The laws of what a commit answers: what a destination counts is there. received = written + unchanged + superseded. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, commitOf, type Law, law, link, page } from "../SinkBench.ts"
import { runLinks, runPages, seenPages, tablesOf, visit, write } from "../visits.ts"
import { commitAt, fingerprint, product, products, visit as see } from "./history.ts"

const twice = ["/a", "/b", "/a", "/c", "/a"].map((url, at) => page(url, at))

const counts = (written: number, more: Partial<Sink.TableResult> = {}): Sink.TableResult => {
  const { kept = 0, superseded = 0, unchanged = 0 } = more
  return { received: written + unchanged + superseded, written, unchanged, superseded, kept }
}

/** Two batches of pages with their links, of which the second writes a page again. */
const versions = <R>(bench: Bench<R>, run: string) =>
  bench.session(run, tablesOf({ write: "merge" }), (writer) =>
    Effect.gen(function* () {
      for (const [version, urls] of [
        [1, ["/a", "/b"]],
        [2, ["/a", "/c"]]
      ] as const) {
        const pages = urls.map((url) => ({ ...page(url, version), _run_id: run }))
        const links = urls.flatMap((url) => [version, version + 10].map((at) => ({ ...link(url, at), _run_id: run })))
        yield* writer.write(Table.batch(runPages, pages))
        yield* writer.write(Table.batch(runLinks, links))
      }
      return yield* writer.commit(commitOf(run, run))
    })
  )

/** Nothing is counted that is not there. */
export const sinkCommitResultLaws: ReadonlyArray<Law> = [
  law("append counts every row as written, also of one key, and a table without rows with nothing", (bench) =>
    Effect.gen(function* () {
      const result = yield* visit(bench, { run: "run-1", write: "append", pages: twice })

      expect(result.tables).toEqual({ pages: counts(5), links: counts(0) })
      expect(result.rows).toEqual({ pages: 5, links: 0 })
      expect(yield* seenPages(bench)).toHaveLength(5)
    })
  ),

  law("the result of a commit is of that commit alone, and not of those before it", (bench) =>
    Effect.gen(function* () {
      const of = { run: "run-1", write: "append" } as const
      const results = yield* bench.session("run-1", tablesOf(of), (writer) =>
        Effect.gen(function* () {
          const first = yield* write(writer, { ...of, pages: { "/a": 1, "/b": 1 }, links: { "/a": [1] } })
          const none = yield* write(writer, { ...of, pages: {} })
          return [first, none, yield* write(writer, { ...of, pages: { "/c": 1 } })]
        })
      )

      expect(results.map(({ tables }) => tables)).toEqual([
        { pages: counts(2), links: counts(1) },
        { pages: counts(0), links: counts(0) },
        { pages: counts(1), links: counts(0) }
      ])
    })
  ),

  law(
    "replace counts every row as written, also of one key, and what it left as kept",
    (bench) =>
      Effect.gen(function* () {
        const first = yield* visit(bench, { run: "run-1", write: "replace", pages: twice })
        expect(first.tables).toEqual({ pages: counts(5), links: counts(0) })
        expect(yield* seenPages(bench)).toHaveLength(5)

        const of = { run: "run-2", write: "replace", pages: { "/a": 7, "/d": 7 } } as const
        const broken = yield* visit(bench, { ...of, complete: false })
        expect(broken.tables).toEqual({ pages: counts(2, { kept: 2 }), links: counts(0) })
        expect(yield* seenPages(bench)).toHaveLength(4)

        const whole = yield* visit(bench, { ...of, run: "run-3", kept: ["/b"] })
        expect(whole.tables).toEqual({ pages: counts(2, { kept: 1 }), links: counts(0) })
        expect(yield* seenPages(bench)).toEqual(["/a 7 run-3", "/b 1 run-1", "/d 7 run-3"])
      }),
    "replace"
  ),

  law(
    "merge counts rows that a later one of their key, or of their parent, took the place of as superseded",
    (bench) =>
      Effect.gen(function* () {
        const first = yield* versions(bench, "run-1")
        expect(first.tables).toEqual({ pages: counts(3, { superseded: 1 }), links: counts(6, { superseded: 2 }) })
        expect(first.rows).toEqual({ pages: 3, links: 6 })
        expect(yield* seenPages(bench)).toEqual(["/a 2 run-1", "/b 1 run-1", "/c 2 run-1"])

        const same = yield* versions(bench, "run-2")
        expect(same.tables).toEqual({
          pages: counts(0, { unchanged: 3, superseded: 1 }),
          links: counts(0, { unchanged: 6, superseded: 2 })
        })
        expect(same.rows).toEqual({ pages: 0, links: 0 })
        expect(yield* seenPages(bench)).toEqual(["/a 2 run-1", "/b 1 run-1", "/c 2 run-1"])
      }),
    "merge"
  ),

  law(
    "children with a key of their own: of two with one key the last counts, and the other is superseded",
    (bench) =>
      Effect.gen(function* () {
        const links = { ...runLinks, key: ["page_url", "at"] }
        const tables = [
          [runPages, "merge"],
          [links, "merge"]
        ] as const
        const merge = (run: string, hrefs: ReadonlyArray<string>) =>
          bench.session(run, tables, (writer) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(runPages, [{ ...page("/a", 1), _run_id: run }]))
              const rows = hrefs.map((href, at) => ({ ...link("/a", at % 2), href, _run_id: run }))
              yield* writer.write(Table.batch(links, rows))
              return (yield* writer.commit(commitOf(run, run))).tables["links"]
            })
          )

        expect(yield* merge("run-1", ["x", "y", "z"])).toEqual(counts(2, { superseded: 1 }))
        expect(yield* merge("run-2", ["x", "n", "z"])).toEqual(counts(1, { unchanged: 1, superseded: 1 }))
        const rows = yield* bench.rows(links)
        expect(rows.map((row) => `${row["href"]} ${row["_run_id"]}`).toSorted()).toEqual(["n run-2", "z run-1"])
      }),
    "merge"
  ),

  law(
    "scd2 counts versions as written, rows that say the same as unchanged, and earlier ones of a key as superseded",
    (bench) =>
      Effect.gen(function* () {
        const first = yield* see(bench, 1, [product("a", 1), product("a", 2), product("b", 1)])
        expect(first.tables).toEqual({ products: counts(2, { superseded: 1 }) })

        const second = yield* see(bench, 2, [product("a", 2), product("b", 7), product("b", 2), product("c", 1)])
        expect(second.tables).toEqual({ products: counts(2, { unchanged: 1, superseded: 1 }) })
        expect(second.rows).toEqual({ products: 2 })

        const none = yield* see(bench, 3, [], { kept: ["a"] })
        expect(none.tables).toEqual({ products: counts(0) })
      }),
    "scd2"
  ),

  law(
    "a run of scd2 that commits twice counts what each commit did",
    (bench) =>
      Effect.gen(function* () {
        const results = yield* bench.session("run-1", [[products, "scd2", fingerprint]], (writer) =>
          Effect.forEach([1, 1, 2], (price) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(products, [{ ...product("a", price), _run_id: "run-1" }]))
              return (yield* writer.commit(commitAt(1))).tables
            })
          )
        )

        expect(results).toEqual([
          { products: counts(1) },
          { products: counts(0, { unchanged: 1 }) },
          { products: counts(1) }
        ])
      }),
    "scd2"
  )
]
