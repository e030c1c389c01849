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
