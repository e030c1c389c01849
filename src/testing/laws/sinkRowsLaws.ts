/** The laws of a sink about what it reports of itself: the rows that readers see, and the columns that it has. */
import * as Fs from "node:fs/promises"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, needing, page, typed } from "../SinkBench.ts"
import { canonical, everything, pages, special } from "../specimens.ts"

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
