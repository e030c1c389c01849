import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Bounds from "#engine/ColumnBounds"
import * as Database from "#engine/Duckdb"
import { folder } from "#testing/folder"
import { randomFrom, seed } from "#testing/specimens"
import { columnTypes } from "../../connectors/columnTypes.ts"
import { encode, fromBytes, toBytes } from "./blockFile.ts"

const shown = columnTypes.filter(({ type }) => /^(VARCHAR|BOOLEAN|BIGINT|DECIMAL.*|DATE|TIMESTAMP|JSON)$/.test(type))

it.effect.each(shown)(
  `the bounds of $type are those that SQL finds, as it shows them (MILLRACE_SEED=${seed})`,
  ({ table, rowsFrom }) =>
    Effect.gen(function* () {
      const directory = yield* folder
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: join(directory, "spill") })
      const feed = yield* database.feed(table.columns)
      const all = rowsFrom(seed, 600)
      for (let at = 0; at < all.length; at += 20) {
        // What a footer holds is short; what the manifest says is not cut.
        const rows = all.slice(at, at + 20)
        feed.load(rows)
        const [theirs] = yield* database.values(
          `SELECT min(cell)::VARCHAR, max(cell)::VARCHAR FROM (SELECT CASE WHEN starts_with(cell::VARCHAR, chr(65279)) THEN NULL ELSE cell END AS cell FROM ${feed.call})`
        )
        const kept = rows.map(({ cell }) => ({
          cell: typeof cell === "string" && cell.startsWith("\ufeff") ? null : cell
        }))
        const [chunk] = encode(table.columns.slice(1), kept).chunks
        const bounds = chunk?.bounds
        const ours =
          chunk === undefined || bounds === undefined
            ? [null, null]
            : [Bounds.textOf(chunk.leaf.type, bounds.min), Bounds.textOf(chunk.leaf.type, bounds.max)]
        expect(ours).toEqual(theirs)
      }
    })
)

it("texts are in the order of their UTF-8", () => {
  const random = randomFrom(seed)
  const texts = Array.from({ length: 300 }, () =>
    String.fromCodePoint(
      ...Array.from(
        { length: random(4) },
        () => [97 + random(3), 0xe000 + random(3), 0xd7ff, 0x10000 + random(3)][random(4)] ?? 0
      )
    )
  )
  for (const a of texts) {
    for (const b of texts) expect(Bounds.isTextLess(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0)
  }
})

it("NaN leaves no bounds, zero has both signs, and a text that is too long for a footer is in none", () => {
  const of = (sql: "DOUBLE" | "VARCHAR", cells: ReadonlyArray<unknown>) => {
    const columns: ReadonlyArray<Column.Column> = [{ name: "cell", type: { _tag: sql }, nullable: true }]
    const block = encode(
      columns,
      cells.map((cell) => ({ cell }))
    )
    return [block, fromBytes(toBytes(block))].map(({ chunks }) => chunks[0]?.bounds)
  }
  expect(of("DOUBLE", [1, Number.NaN])).toEqual([undefined, undefined])
  expect(of("DOUBLE", [0, 0])).toEqual([
    { min: -0, max: 0 },
    { min: -0, max: 0 }
  ])
  const long = "x".repeat(600)
  expect(of("VARCHAR", [long, "a"])).toEqual([{ min: "a", max: long }, undefined])
  expect(of("VARCHAR", [null])).toEqual([undefined, undefined])
})
