/** The laws of a sink about names: a column keeps the values of the name that it got, whatever names come beside it. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { commitOf, type Law, law } from "../SinkBench.ts"

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
