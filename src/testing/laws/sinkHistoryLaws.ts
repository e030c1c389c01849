/** The laws of scd2 about versions: one for each change of a key's fingerprint, one of them current at most. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Law, law, link, page } from "../SinkBench.ts"
import { everything, links, pages } from "../specimens.ts"
import { cellSteps, cells, commitAt, fingerprint, history, moment, product, products, visit } from "./history.ts"

/** A version is made by a change, and by nothing else. */
export const sinkHistoryLaws: ReadonlyArray<Law> = [
  law(
    "a new key makes a version that is current, from the beginning of its run",
    (bench) =>
      Effect.gen(function* () {
        const row = product("a", 1, {
          specs: { weight: 5n, tags: ["x"] },
          offers: [{ shop: "s" }],
          extra: { b: [null] }
        })
        yield* visit(bench, 1, [row, product("b", 2)])

        expect(yield* history(bench)).toEqual(["a 1 from 1", "b 2 from 1"])
        const [first] = (yield* bench.seen(Table.extend(products, Sink.historyColumns))).filter(
          ({ sku }) => sku === "a"
        )
        expect(first).toEqual({ ...row, _run_id: "run-1", valid_from: moment(1), valid_to: null, is_current: true })
        expect(yield* bench.rows(Table.extend(products, Sink.historyColumns))).toContainEqual(first)
      }),
    "scd2"
  ),

  law(
    "an unchanged fingerprint makes no version, whatever other columns say",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1, { seen_at: 1n }), product("b", null)])
        yield* visit(bench, 2, [product("a", 1, { seen_at: 2n }), product("b", null, { seen_at: 2n })])

        expect(yield* history(bench)).toEqual(["a 1 from 1", "b null from 1"])
      }),
    "scd2"
  ),

  law(
    "a changed fingerprint makes a version, and closes the one before at that moment",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("b", 1), product("c", 1)])
        yield* visit(bench, 2, [product("a", 2), product("b", 1)])
        yield* visit(bench, 3, [product("a", 1), product("b", 1), product("d", 1)])

        expect(yield* history(bench)).toEqual([
          "a 1 from 1 to 2",
          "a 2 from 2 to 3",
          "a 1 from 3",
          "b 1 from 1",
          "c 1 from 1",
          "d 1 from 3"
        ])
      }),
    "scd2"
  ),

  law(
    "of several rows with one key in one commit the last counts",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("a", 2), product("b", 1)])
        yield* visit(bench, 2, [product("a", 3), product("b", 2), product("a", 2), product("b", 3)])

        expect(yield* history(bench)).toEqual(["a 2 from 1", "b 1 from 1 to 2", "b 3 from 2"])
      }),
    "scd2"
  ),

  law(
    "a key that changes from commit to commit of one run has one version of it",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1)])
        yield* bench.session("run-2", [[products, "scd2", fingerprint]], (writer) =>
          Effect.gen(function* () {
            for (const price of [2, 3, 3]) {
              yield* writer.write(Table.batch(products, [{ ...product("a", price), _run_id: "run-2" }]))
              yield* writer.commit(commitAt(2))
            }
          })
        )

        expect(yield* history(bench)).toEqual(["a 1 from 1 to 2", "a 3 from 2"])
      }),
    "scd2"
  ),

  law(
    "null is a value like any other, and what is inside a struct, a list or JSON counts",
    (bench) =>
      Effect.gen(function* () {
        const steps = cellSteps(cells)
        // One key for each step to the next: the first of each column is all null, as the last of the column before was not.
        const changes = steps.length - 1
        const rows = (from: number, seenAt: bigint) =>
          steps
            .slice(from, from + changes)
            .map((step, at) => ({ ...product(`key ${at}`, null), ...step, seen_at: seenAt }))
        yield* visit(bench, 1, rows(0, 1n))
        yield* visit(bench, 2, rows(0, 2n))
        expect(yield* history(bench)).toHaveLength(changes)
        yield* visit(bench, 3, rows(1, 2n))
        yield* visit(bench, 4, rows(1, 3n))

        const versions = yield* history(bench)
        expect(versions).toHaveLength(2 * changes)
        expect(versions.filter((version) => version.includes(" from 3"))).toHaveLength(changes)
      }),
    "scd2"
  ),

  law(
    "a history that is not committed is as it was",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1)])
        yield* bench.session("run-2", [[products, "scd2", fingerprint]], (writer) =>
          writer.write(Table.batch(products, [{ ...product("a", 2), _run_id: "run-2" }]))
        )

        expect(yield* history(bench)).toEqual(["a 1 from 1"])
      }),
    "scd2"
  ),

  law(
    "a column that is added is null in old versions, and a change where it is of the fingerprint",
    (bench) =>
      Effect.gen(function* () {
        const colored = Table.extend(products, [{ name: "color", type: { _tag: "VARCHAR" }, nullable: true }])
        const rows = [product("a", 1, { color: "red" }), product("b", 1, { color: null })]
        yield* visit(bench, 1, [product("a", 1), product("b", 1)])
        yield* visit(bench, 2, rows, { table: colored })
        expect(yield* history(bench)).toEqual(["a 1 from 1", "b 1 from 1"])

        yield* visit(bench, 3, rows, { table: colored, fingerprint: [...fingerprint, "color"] })

        expect(yield* history(bench)).toEqual(["a 1 from 1 to 3", "a 1 from 3", "b 1 from 1"])
        const seen = yield* bench.seen(Table.extend(colored, Sink.historyColumns))
        expect(seen.map((row) => `${row["sku"]} ${row["color"]}`).toSorted()).toEqual(["a null", "a red", "b null"])
      }),
    "scd2"
  ),

  law(
    "a column of the fingerprint that is widened makes no version of what is the same",
    (bench) =>
      Effect.gen(function* () {
        const priced = (price: Schema.Schema<unknown>) =>
          Table.make({
            name: "products",
            description: "products",
            schema: Schema.Struct({ sku: Schema.String, price, _run_id: Schema.String }),
            key: ["sku"]
          })
        const [whole, real] = [priced(Schema.NullOr(Schema.BigInt)), priced(Schema.NullOr(Schema.Finite))]
        const load = (at: number, table: Table.Table, prices: Readonly<Record<string, unknown>>) =>
          visit(
            bench,
            at,
            Object.entries(prices).map(([sku, price]) => ({ sku, price })),
            { table, fingerprint: ["price"] }
          )
        yield* load(1, whole, { a: 1n, b: 1n, c: null })
        yield* load(2, real, { a: 1, b: 1.5, c: null })
        yield* load(3, whole, { a: 1n, b: 1n, c: null })

        expect(yield* history(bench)).toEqual([
          "a 1 from 1",
          "b 1 from 1 to 2",
          "b 1.5 from 2 to 3",
          "b 1 from 3",
          "c null from 1"
        ])
      }),
    "scd2"
  ),

  law(
    "children of a parent with a history are replaced with every row of it that comes, changed or not",
    (bench) =>
      Effect.gen(function* () {
        const load = (at: number, parents: ReadonlyArray<Table.Row>, children: ReadonlyArray<Table.Row>) =>
          bench.session(
            `run-${at}`,
            [
              [pages, "scd2", ["version"]],
              [links, "merge"]
            ],
            (writer) =>
              Effect.gen(function* () {
                yield* writer.write(Table.batch(pages, parents))
                if (children.length > 0) yield* writer.write(Table.batch(links, children))
                yield* writer.retainKeys("pages", [{ url: "/d" }])
                yield* writer.commit(commitAt(at))
              })
          )
        yield* load(
          1,
          ["/a", "/b", "/c", "/d"].map((url) => page(url, 1)),
          ["/a", "/b", "/c", "/d"].map((url) => link(url, 1))
        )

        yield* load(2, [page("/a", 2), page("/b", 1), page("/a", 3)], [link("/a", 2), link("/b", 2)])

        const seen = (yield* bench.seen(links)).map((row) => `${row["page_url"]} ${row["at"]}`)
        expect(seen.toSorted()).toEqual(["/a 2", "/b 2", "/c 1", "/d 1"])
        const versions = (yield* bench.seen(pages)).map((row) => `${row["url"]} ${row["version"]}`)
        expect(versions.toSorted()).toEqual(["/a 1", "/a 3", "/b 1", "/c 1", "/d 1"])
      }),
    "scd2"
  ),

  law(
    "scd2 refuses a table without a key, a row without its key, and a column of its own in the table",
    (bench) =>
      Effect.gen(function* () {
        const keyless = yield* Effect.flip(Effect.scoped(bench.open("run-1", [[everything, "scd2", ["text"]]])))
        expect(keyless.message).toContain("everything")
        const row = yield* Effect.flip(visit(bench, 1, [{ ...product("a", 1), sku: null }]))
        expect(row.message).toContain("sku")
        const named = Table.extend(products, Sink.historyColumns.slice(0, 1))
        const taken = yield* Effect.flip(Effect.scoped(bench.open("run-1", [[named, "scd2", fingerprint]])))
        expect(taken.message).toContain("valid_from")
        expect(yield* bench.seen(products)).toEqual([])
      }),
    "scd2"
  )
]
