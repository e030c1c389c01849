import { expect, test } from "vitest"
import { JsonParser } from "#extract/read/declared/JsonParser"

const parse = (text: string, mends: boolean) => {
  const parser = new JsonParser(text, 0, mends)
  return { found: parser.all(), failed: parser.failed }
}

test("a strict parser fails where a mending one goes on", () => {
  const text = '{"a": "b" "c": 1}'

  expect(parse(text, false)).toEqual({ found: [], failed: true })
  expect(parse(text, true)).toMatchObject({
    found: [
      {
        entries: [
          ["a", { data: "b" }],
          ["c", { data: 1 }]
        ]
      }
    ],
    failed: false
  })
})

test("a strict parser lets comments and commas stand, since no value can mean them", () => {
  expect(parse('// one\n{"a": 1,}', false)).toMatchObject({ found: [{ entries: [["a", { data: 1 }]] }], failed: false })
})

test("a document that is deeper than pages are is a failure", () => {
  expect(parse("[".repeat(100) + "]".repeat(100), false).failed).toBe(true)
  expect(parse("[".repeat(60) + "]".repeat(60), false).failed).toBe(false)
})
