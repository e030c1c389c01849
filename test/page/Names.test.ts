import { expect, test } from "vitest"
import { Names } from "#page/Tokenizer"

const readAll = (names: Names, written: ReadonlyArray<string>): ReadonlyArray<string> =>
  written.map((name) => names.at(`<${name}>`, 1, 1 + name.length))

test("a name is read in lower case as far as ASCII goes, however often and in whatever case it comes", () => {
  const names = new Names()
  const written = ["div", "DIV", "dIv", "div", "x-Y_1", "x-Y_1", "B\u0001", "b!", "[", "{"]
  expect(readAll(names, written)).toEqual(["div", "div", "div", "div", "x-y_1", "x-y_1", "b\u0001", "b!", "[", "{"])
})

test("names that take each other's place are all read right, and so are long ones", () => {
  const names = new Names()
  const written = Array.from({ length: 20_000 }, (_, i) => `data-${i.toString(36)}`)
  const long = `data-${"x".repeat(100)}`
  expect(readAll(names, [...written, long.toUpperCase()])).toEqual([...written, long])
  expect(readAll(names, written)).toEqual(written)
})
