import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type * as Column from "#engine/Column"
import type { RowsAnswer } from "#see/explore/ExploreApi"
import { gridRows } from "#see/explore/exploreRows"
import { readRowsText, rowsText } from "#see/explore/rowsText"

const columns: ReadonlyArray<Column.Column> = [
  { name: "n", type: { _tag: "BIGINT" }, nullable: true },
  { name: "t", type: { _tag: "VARCHAR" }, nullable: true }
]
const ofTexts = (texts: ReadonlyArray<string | null>, limits: Partial<Parameters<typeof gridRows>[1]>) => {
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

/** A stream of a text in parts of so many bytes, which cut letters in two. */
const streamOf = (text: string, size: number): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start: (to) => {
      for (let at = 0; at < bytes.length; at += size) to.enqueue(bytes.slice(at, at + size))
      to.close()
    }
  })
}

const typed = [{ name: "größe\n", type: "VARCHAR" }]
const answers: ReadonlyArray<RowsAnswer> = [
  { columns: typed, rows: [] },
  { columns: typed, rows: [[]] },
  {
    columns: typed,
    rows: [
      [null, 1.5, true],
      ["\n],[", ",\r\n", "\\n"],
      ["日本語 𝒳 é", "\u2028", "]}"]
    ],
    cut: "The first\n3 of 4."
  }
]

describe("rowsText", () => {
  it("is JSON of the answer, and the same answer when it is read in parts of any size", async () => {
    for (const answer of answers) {
      const text = rowsText(answer)
      expect(JSON.parse(text)).toEqual(answer)
      for (let size = 1; size < 40; size++)
        expect(await readRowsText(streamOf(text, size), () => Promise.resolve())).toEqual(answer)
    }
  })

  it("pauses after each row", async () => {
    const rows = Array.from({ length: 20 }, (_, at) => [at, "a text"])
    let pauses = 0
    await readRowsText(streamOf(rowsText({ columns: typed, rows }), 65_536), () => {
      pauses += 1
      return Promise.resolve()
    })
    expect(pauses).toBeGreaterThanOrEqual(20)
  })
})
