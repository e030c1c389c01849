/** The laws of the write dispositions beyond append; a sink keeps those that it offers. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, link, page } from "../SinkBench.ts"
import { everything, links, pages } from "../specimens.ts"
import { commitAt } from "./history.ts"

const columns = { id: Schema.BigInt, v: Schema.NullOr(Schema.BigInt) }
const description = "things whose key became shorter"
const longKey = Table.make({
  name: "things",
  description,
  key: ["id", "k"],
  schema: Schema.Struct({ ...columns, k: Schema.String })
})
const shortKey = Table.make({ name: "things", description, key: ["id"], schema: Schema.Struct(columns) })

/** Replace makes the new rows the table. */
export const sinkReplaceLaws: ReadonlyArray<Law> = [
  law(
    "replace makes the new rows the table, also where there are none",
    ({ rows, load }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "replace", [page("/a", 1), page("/b", 1)], 1)
        yield* load("run-2", pages, "replace", [page("/c", 2)], 2)
        expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/c"])

        yield* load("run-3", pages, "replace", [], 3)
        expect(yield* rows(pages)).toEqual([])
      }),
    "replace"
  ),

  law(
    "replace that is not committed replaces nothing",
    ({ rows, load, session }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "replace", [page("/a", 1)], 1)
        yield* session("run-2", [[pages, "replace"]], (writer) => writer.write(Table.batch(pages, [page("/b", 2)])))

        expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/a"])
      }),
    "replace"
  )
]

const both = [
  [pages, "merge"],
  [links, "merge"]
] as const

/** Merge replaces rows by their key, and children by their parent. */
export const sinkMergeLaws: ReadonlyArray<Law> = [
  law(
    "merge twice with one key leaves one row: the last",
    ({ rows, load }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "merge", [page("/a", 1), page("/b", 1), page("/a", 2)], 1)
        yield* load("run-2", pages, "merge", [page("/c", 3), page("/b", 3), page("/b", 4)], 2)

        const seen = (yield* rows(pages)).map((row) => `${row["url"]} ${row["version"]}`)
        expect(seen.sort()).toEqual(["/a 2", "/b 4", "/c 3"])
      }),
    "merge"
  ),

  law(
    "merging a parent replaces its children, also by none, and leaves those of others",
    ({ rows, session }) =>
      Effect.gen(function* () {
        const load = (run: string, parents: ReadonlyArray<Table.Row>, children: ReadonlyArray<Table.Row>) =>
          session(run, both, (writer) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(pages, parents))
              if (children.length > 0) yield* writer.write(Table.batch(links, children))
              yield* writer.commit(commitOf(run, run))
            })
          )
        yield* load(
          "run-1",
          [page("/a", 1), page("/b", 1), page("/c", 1)],
          [link("/a", 0), link("/a", 1), link("/b", 0), link("/c", 0)]
        )

        yield* load("run-2", [page("/a", 2), page("/b", 2)], [link("/a", 7)])

        const seen = (yield* rows(links)).map((row) => `${row["page_url"]} ${row["at"]}`)
        expect(seen.sort()).toEqual(["/a 7", "/c 0"])
      }),
    "merge"
  ),

  law(
    "of a parent that is written twice in one commit, the last version stays, with the children that came after it",
    ({ rows, session }) =>
      Effect.gen(function* () {
        yield* session("run-1", both, (writer) =>
          Effect.gen(function* () {
            for (const [version, urls] of [
              [1, ["/a", "/b"]],
              [2, ["/c"]],
              [3, ["/a"]]
            ] as const) {
              yield* writer.write(
                Table.batch(
                  pages,
                  urls.map((url) => page(url, version))
                )
              )
              yield* writer.write(
                Table.batch(
                  links,
                  urls.flatMap((url) => [link(url, version), link(url, version + 10)])
                )
              )
            }
            yield* writer.commit(commitOf("run-1", 1))
          })
        )

        expect((yield* rows(pages)).map((row) => `${row["url"]} ${row["version"]}`).sort()).toEqual([
          "/a 3",
          "/b 1",
          "/c 2"
        ])
        const seen = (yield* rows(links)).map((row) => `${row["page_url"]} ${row["at"]}`)
        expect(seen.sort()).toEqual(["/a 13", "/a 3", "/b 1", "/b 11", "/c 12", "/c 2"])
      }),
    "merge"
  ),

  law(
    "merge refuses a table that has neither a key nor a parent merged with it",
    ({ open }) =>
      Effect.gen(function* () {
        for (const table of [everything, links]) {
          const error = yield* Effect.flip(Effect.scoped(open("run-1", [[table, "merge"]])))
          expect(error.message).toContain(table.name)
        }
      }),
    "merge"
  ),

  ...(["merge", "scd2"] as const).map((write) =>
    law(
      `${write} refuses a key by which several stored rows that differ would become one, and nothing changes`,
      ({ session, seen }) =>
        Effect.gen(function* () {
          const load = (run: string, table: Table.Table, coming: ReadonlyArray<Table.Row>) =>
            session(run, [[table, write, ["v"]]], (writer) =>
              Effect.andThen(writer.write(Table.batch(table, coming)), writer.commit(commitAt(Number(run.at(-1)))))
            )
          const stored = [
            { id: 1n, k: "a", v: 1n },
            { id: 1n, k: "b", v: 2n },
            { id: 2n, k: "a", v: 1n }
          ]
          yield* load("run-1", longKey, stored)

          const error = yield* Effect.flip(load("run-2", shortKey, [{ id: 1n, v: 3n }]))

          expect(error.message).toContain("table things has several rows of one id, which would become one row")
          const found = yield* seen(longKey)
          expect(found.filter(({ id }) => id === 1n)).toEqual(stored.slice(0, 2))
        }),
      write
    )
  ),

  law(
    "merge refuses a row without its key, and says which column",
    ({ rows, load }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(load("run-1", pages, "merge", [{ url: null, title: "x", version: 1 }], 1))

        expect(error.message).toContain("url")
        expect(yield* rows(pages)).toEqual([])
      }),
    "merge"
  )
]
