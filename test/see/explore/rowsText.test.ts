import { describe, expect, it } from "vitest"
import type { RowsAnswer } from "#see/explore/ExploreApi"
import { readRowsText, rowsText } from "#see/explore/rowsText"

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

const columns = [{ name: "größe\n", type: "VARCHAR" }]
const answers: ReadonlyArray<RowsAnswer> = [
  { columns, rows: [] },
  { columns, rows: [[]] },
  {
    columns,
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
    await readRowsText(streamOf(rowsText({ columns, rows }), 65_536), () => {
      pauses += 1
      return Promise.resolve()
    })
    expect(pauses).toBeGreaterThanOrEqual(20)
  })
})
