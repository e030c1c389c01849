import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type * as Column from "#engine/Column"
import { gridRows, type Limits } from "#see/explore/exploreRows"

const columns: ReadonlyArray<Column.Column> = [
  { name: "n", type: { _tag: "BIGINT" }, nullable: true },
  { name: "t", type: { _tag: "VARCHAR" }, nullable: true }
]
const ofTexts = (texts: ReadonlyArray<string | null>, limits: Partial<Limits>) => {
  const rows = texts.map((t, at) => ({ n: BigInt(at), t }))
  const chunks = Stream.fromIterable([rows.slice(0, 2), rows.slice(2)])
  return Effect.runPromise(gridRows({ columns, rows: chunks }, { rows: 100, cell: 100, characters: 1000, ...limits }))
}

describe("rows for a grid", () => {
  it("are all rows of a small answer, with the types of their columns", async () => {
    expect(await ofTexts(["a", null, "c"], {})).toEqual({
      columns: [
        { name: "n", type: "BIGINT" },
        { name: "t", type: "VARCHAR" }
      ],
      rows: [
        [0, "a"],
        [1, null],
        [2, "c"]
      ]
    })
  })

  it("are as many as the limit, which is said only where there are more", async () => {
    expect((await ofTexts(["a", "b", "c"], { rows: 3 })).cut).toBeUndefined()
    expect(await ofTexts(["a", "b", "c"], { rows: 2 })).toMatchObject({
      rows: [
        [0, "a"],
        [1, "b"]
      ],
      cut: "Only the first 2 rows are shown."
    })
  })

  it("end early where texts are long, and cut each of them, never through a character", async () => {
    const { cut, rows } = await ofTexts(["x".repeat(99) + "😀", "y", "z"], { cell: 100, characters: 50 })

    expect(rows).toEqual([[0, `${"x".repeat(99)}\uFFFD…`]])
    expect(cut).toContain("their texts are long")
  })
})
