/** The laws of a sink about what it reports of itself: the rows that readers see, and the columns that it has. */
import * as Fs from "node:fs/promises"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, link, needing, page, typed } from "../SinkBench.ts"
import { canonical, draw, everything, links, pages, seed, special } from "../specimens.ts"

/** A sink reports exactly the rows and columns that are there. */
export const sinkRowsLaws: ReadonlyArray<Law> = [
  ...needing("read", [
    law("rows are those that any other reader sees, in their order", ({ load, rows, seen }) =>
      Effect.gen(function* () {
        yield* load("run-1", everything, "append", special, 1)
        yield* load("run-2", everything, "append", special, 2)

        expect(yield* seen(everything)).toEqual([...special, ...special].map((row) => canonical(everything, row)))
        expect(yield* seen(everything)).toEqual(yield* rows(everything))
      })
    ),

    law(
      "there are no rows where nothing was committed, and looking leaves no trace",
      ({ load, seen, session, folder }) =>
        Effect.gen(function* () {
          expect(yield* seen(pages)).toEqual([])
          expect(yield* Effect.promise(() => Fs.readdir(folder))).toEqual([])

          yield* session("run-1", [[pages, "append"]], (writer) => writer.write(Table.batch(pages, [page("/a", 1)])))
          expect(yield* seen(pages)).toEqual([])

          yield* load("run-2", pages, "append", [page("/a", 1)], 1)
          expect(yield* seen(everything)).toEqual([])
        })
    ),

    law(
      "a column that the destination lacks is null in its rows, and one that was not asked for is left out",
      ({ load, seen }) =>
        Effect.gen(function* () {
          yield* load("run-1", pages, "append", [page("/a", 1)], 1)
          const changed = { ...pages, columns: [...pages.columns.filter(({ name }) => name !== "title"), color] }

          expect(yield* seen(changed)).toEqual([{ url: "/a", version: 1n, color: null }])
        })
    )
  ]),
  ...needing("columns", [
    law(
      "a writer tells the columns that were there before it, and none of a table that is new or replaced",
      ({ session }) =>
        Effect.gen(function* () {
          const typesBefore = (run: string, table: Table.Table, write: Sink.WriteDisposition) =>
            session(run, [[table, write]], (writer) =>
              Effect.gen(function* () {
                const before = Option.map(writer.columns(table.name), typed)
                yield* writer.write(Table.batch(table, [page("/a", 1)]))
                yield* writer.commit(commitOf(run, run))
                // The columns that this run adds were not there before.
                expect(Option.map(writer.columns(table.name), typed)).toEqual(before)
                return before
              })
            )
          const wider = Table.extend(pages, [color])

          expect(yield* typesBefore("run-1", pages, "append")).toEqual(Option.none())
          expect(yield* typesBefore("run-2", wider, "append")).toEqual(Option.some(typed(pages.columns)))
          expect(yield* typesBefore("run-3", pages, "append")).toEqual(Option.some(typed(wider.columns)))
        })
    ),

    law("a writer tells every type as it is, nested ones too", ({ load, session }) =>
      Effect.gen(function* () {
        yield* load("run-1", everything, "append", special, 1)

        const columns = yield* session("run-2", [[everything, "append"]], (writer) =>
          Effect.succeed(writer.columns(everything.name))
        )
        expect(Option.map(columns, typed)).toEqual(Option.some(typed(everything.columns)))
      })
    ),

    law(
      "a table that is replaced has no columns before",
      ({ load, session }) =>
        Effect.gen(function* () {
          yield* load("run-1", pages, "replace", [page("/a", 1)], 1)

          const columns = yield* session("run-2", [[pages, "replace"]], (writer) =>
            Effect.succeed(writer.columns(pages.name))
          )
          expect(columns).toEqual(Option.none())
        }),
      "replace"
    ),

    law(
      "the columns of a history are told without those that scd2 adds",
      ({ session, seen }) =>
        Effect.gen(function* () {
          const visit = (run: string) =>
            session(run, [[pages, "scd2", ["title"]]], (writer) =>
              Effect.gen(function* () {
                yield* writer.write(Table.batch(pages, [page("/a", 1)]))
                yield* writer.commit(commitOf(run, run))
                return Option.map(writer.columns(pages.name), typed)
              })
            )
          yield* visit("run-1")

          expect(yield* visit("run-2")).toEqual(Option.some(typed(pages.columns)))
          expect(yield* seen(Table.extend(pages, Sink.historyColumns))).toHaveLength(1)
        }),
      "scd2"
    )
  ])
]

const color: Column.Column = { name: "color", type: { _tag: "VARCHAR" }, nullable: true }

const number = (name: string, from?: string): Column.Column => ({
  name,
  type: { _tag: "BIGINT" },
  nullable: true,
  ...(from === undefined ? {} : { from })
})

const prices = (...columns: ReadonlyArray<Column.Column>): Table.Table => ({
  name: "prices",
  description: "what things cost",
  key: ["id"],
  columns: [{ ...number("id"), nullable: false }, ...columns]
})

/** Writes rows under the names that the destination has for the columns of the table. */
const write = (writer: Sink.Writer, table: Table.Table, rows: ReadonlyArray<Table.Row>) => {
  const [named = table] = writer.tables ?? []
  const renamed = rows.map((row) =>
    Object.fromEntries(table.columns.map(({ name }, at) => [named.columns[at]?.name ?? name, row[name]]))
  )
  return writer.write(Table.batch(named, renamed))
}

/**
 * The laws of a sink about names: a column keeps the values of the name that it got, whatever names come beside it.
 */
export const sinkNameLaws: ReadonlyArray<Law> = (["append", "replace", "merge"] as const).map((how) =>
  law(
    `under ${how}, a column has the values of one name, whatever names lead to its own, in whatever order they come`,
    ({ seen, session }) =>
      Effect.gen(function* () {
        const load = (run: string, table: Table.Table, row: Table.Row) =>
          session(run, [[table, how]], (writer) =>
            Effect.andThen(write(writer, table, [row]), writer.commit({ ...commitOf(run, run), complete: false }))
          )
        const only = number("net_price", "Net Price")
        const both = [number("net_price_b", "net-price"), number("net_price_a", "Net Price")]
        const all = prices(number("net_price"), number("net_price_b"))

        yield* load("run-1", prices(only), { id: 1n, net_price: 10n })
        yield* load("run-2", prices(...both), { id: 2n, net_price_a: 11n, net_price_b: 21n })
        yield* load("run-3", prices({ ...only, from: "net-price" }), { id: 3n, net_price: 31n })
        // A name that is a column name as it is goes on in the column of that name.
        yield* load("run-4", prices(number("net_price")), { id: 4n, net_price: 14n })

        const rows = yield* seen(all)
        expect(rows.slice(-1)).toEqual([{ id: 4n, net_price: 14n, net_price_b: null }])
        if (how !== "replace") {
          expect(rows.map((row) => [row["id"], row["net_price"]])).toEqual([
            [1n, 10n],
            [2n, 11n],
            [3n, null],
            [4n, 14n]
          ])
        }
      }),
    how
  )
)

/** The laws of a sink about values: every cell comes back as it went in. */
export const sinkValueLaws: ReadonlyArray<Law> = [
  law("null, empty text, unicode, 2^53+1, far dates and nested values come back equal", ({ rows, load }) =>
    Effect.gen(function* () {
      yield* load("run-1", everything, "append", special, 1)

      expect(yield* rows(everything)).toEqual(special.map((row) => canonical(everything, row)))
    })
  ),

  law(`random rows come back equal (MILLRACE_SEED=${seed})`, ({ rows, load }) =>
    Effect.gen(function* () {
      const drawn = draw(seed, 3000)

      yield* load("run-1", everything, "append", drawn, 1)

      expect(yield* rows(everything)).toEqual(drawn.map((row) => canonical(everything, row)))
    })
  ),

  law("a column that a row does not hold is null", ({ rows, load }) =>
    Effect.gen(function* () {
      yield* load("run-1", pages, "append", [{ url: "/a", version: 1 }], 1)

      expect(yield* rows(pages)).toEqual([{ url: "/a", title: null, version: 1n }])
    })
  ),

  law("a batch of a table that was not planned is refused", ({ rows, session }) =>
    Effect.gen(function* () {
      const write = yield* Effect.exit(
        session("run-1", [[pages, "append"]], (writer) => writer.write(Table.batch(links, [link("/a", 0)])))
      )

      expect(Exit.isFailure(write)).toBe(true)
      expect(yield* rows(links)).toEqual([])
    })
  )
]
