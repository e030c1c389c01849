import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { compare, rowNumber } from "#engine/duckdbCompare"
import { folder } from "#testing/folder"

const columnOf = (name: string, tag: "BIGINT" | "VARCHAR"): Column.Column => {
  return { name, type: { _tag: tag }, nullable: true }
}

it.effect("tables of more columns than the database may hold blocks of are compared, and their changes told", () =>
  Effect.gen(function* () {
    const database = yield* Database.open({ threads: 1, memory: "64MB", spill: yield* folder })
    const compared = Array.from({ length: 250 }, (_, at) => columnOf(`c${at}`, "VARCHAR"))
    const side = (add: number) =>
      `(SELECT i AS id, i AS ${rowNumber}, ${compared.map(({ name }) => `'${name} ' || (i + ${add}) AS ${name}`).join(", ")} FROM range(100) AS r(i))`

    const found = yield* compare(database, {
      old: side(0),
      new: side(1),
      key: [columnOf("id", "BIGINT")],
      compared,
      unique: true,
      limit: 1
    })
    const [change] = yield* Stream.runCollect(found.changes)

    expect(found.counts).toEqual({ added: 0, removed: 0, changed: 100 })
    expect([change?.old["c249"], change?.new["c249"]]).toEqual(["c249 0", "c249 1"])
  })
)

it.effect("rows in which a number moved in one direction are found among all changes, the furthest first", () =>
  Effect.gen(function* () {
    const database = yield* Database.open({ threads: 1, memory: "64MB", spill: yield* folder })
    const price = columnOf("price", "BIGINT")
    const side = (values: string) =>
      `(SELECT id, price, title, row_number() OVER () AS ${rowNumber} FROM (VALUES ${values}) AS v(id, price, title))`
    const moved = (isDown: boolean) =>
      compare(database, {
        old: side("(1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4, NULL, 'd'), (5, 50, 'e'), (6, 60, 'f')"),
        new: side("(1, 9, 'a'), (2, 5, 'b'), (3, 31, 'c'), (4, 4, 'd'), (5, 50, 'other'), (7, 1, 'g')"),
        key: [columnOf("id", "BIGINT")],
        compared: [price, columnOf("title", "VARCHAR")],
        unique: true,
        by: { column: "price", isDown }
      })

    const smaller = yield* moved(true)
    const fallen = yield* Stream.runCollect(smaller.changes)
    const larger = yield* moved(false)
    const risen = yield* Stream.runCollect(larger.changes)

    // What was nothing before, came or went has not moved.
    expect(smaller).toMatchObject({ moved: 2, counts: { added: 1, removed: 1, changed: 5 } })
    expect(fallen.map(({ key }) => key["id"])).toEqual([2, 1])
    expect(larger).toMatchObject({ moved: 1, counts: { added: 1, removed: 1, changed: 5 } })
    expect(risen.map(({ key, new: now, old }) => [key["id"], old["price"], now["price"]])).toEqual([[3, 30, 31]])
  })
)
