import { expect, it } from "vitest"
import { recordsOf } from "#connectors/file/format/csv"

const text = 'a,b\n,""\n"one, ""two""","line\nbreak"\n"",x\n𝄞,"y"\n'
const expected = [
  ["a", "b"],
  [null, ""],
  ['one, "two"', "line\nbreak"],
  ["", "x"],
  ["𝄞", "y"]
]

const read = async (chunks: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string | null>>> => {
  const all: Array<ReadonlyArray<string | null>> = []
  const stream = (async function* () {
    for (const chunk of chunks) yield chunk
  })()
  for await (const records of recordsOf(stream, ",")) all.push(...records)
  return all
}

it("records are the same wherever a chunk ends", async () => {
  for (let at = 0; at <= text.length; at++) {
    expect(await read([text.slice(0, at), text.slice(at)])).toEqual(expected)
  }
  expect(await read([...text])).toEqual(expected)
})

it("a last record without a line feed counts, and an empty text has none", async () => {
  expect(await read(['a,"b"'])).toEqual([["a", "b"]])
  expect(await read(["a,"])).toEqual([["a", null]])
  expect(await read([""])).toEqual([])
})

it("a line of nothing is one null", async () => {
  expect(await read(["a\n\nb\n"])).toEqual([["a"], [null], ["b"]])
})
