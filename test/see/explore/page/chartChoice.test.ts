import { expect, it } from "vitest"
import type { CellValue } from "#see/explore/ExploreApi"
import { proposedChart } from "#see/explore/page/chartTools"

const answer = (types: Readonly<Record<string, string>>, rows: ReadonlyArray<ReadonlyArray<CellValue>>) => ({
  columns: Object.entries(types).map(([name, type]) => ({ name, type })),
  rows
})
const many = (row: (at: number) => ReadonlyArray<CellValue>) => Array.from({ length: 100 }, (_, at) => row(at))
const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString()

it("proposes a line of a number over times, and one for each of a few names", () => {
  const one = answer(
    { day: "DATE", n: "BIGINT" },
    many((at) => [day(at), (at * 7) % 11])
  )
  const three = answer(
    { day: "TIMESTAMP", kind: "VARCHAR", n: "BIGINT" },
    many((at) => [day(Math.floor(at / 2)), at % 2 === 0 ? "a" : "b", (at * 7) % 11])
  )

  expect(proposedChart(one)).toEqual({ kind: "line", value: "n", by: "day", color: "" })
  expect(proposedChart(three)).toEqual({ kind: "line", value: "n", by: "day", color: "kind" })
})

it("takes a column that measures, and not one of a few numbers that return", () => {
  const found = answer(
    { day: "DATE", kind: "VARCHAR", code: "BIGINT", mean: "DOUBLE" },
    many((at) => [day(Math.floor(at / 2)), at % 2 === 0 ? "a" : "b", at % 2, at * 1.7])
  )

  expect(proposedChart(found)).toEqual({ kind: "line", value: "mean", by: "day", color: "kind" })
})

it("proposes bars of a number by names that are there once", () => {
  const rows = [
    ["en", 12],
    ["de", 5],
    [null, 1]
  ] as const
  expect(proposedChart(answer({ language: "VARCHAR", rows: "BIGINT" }, rows))).toEqual({
    kind: "bars",
    value: "rows",
    by: "language",
    color: ""
  })
})

it("proposes dots of two numbers, and a histogram of one", () => {
  const two = answer(
    { a: "DOUBLE", b: "DECIMAL(9,2)" },
    many((at) => [(at * 3) % 17, `${(at * 5) % 13}.50`])
  )
  const one = answer(
    { id: "BIGINT", a: "DOUBLE" },
    many((at) => [at, (at * 3) % 17])
  )

  expect(proposedChart(two)).toMatchObject({ kind: "dots", by: "a", value: "b" })
  // A number that counts the rows measures nothing.
  expect(proposedChart(one)).toMatchObject({ kind: "histogram", value: "a" })
})

it.each([
  ["one row", answer({ name: "VARCHAR", n: "BIGINT" }, [["a", 1]])],
  ["no number", answer({ name: "VARCHAR" }, [["a"], ["b"]])],
  [
    "a number that is everywhere the same",
    answer({ name: "VARCHAR", n: "BIGINT" }, [
      ["a", 200],
      ["b", 200]
    ])
  ],
  [
    "a few rows of two numbers",
    answer({ a: "BIGINT", b: "BIGINT" }, [
      [1, 5],
      [7, 2]
    ])
  ],
  [
    "numbers of which a few return all the time",
    answer(
      { url: "VARCHAR", depth: "BIGINT", depth_before: "BIGINT" },
      many((at) => [`https://northmere.example/${at}`, at % 2, (at >> 1) % 2])
    )
  ],
  [
    "lists of numbers",
    answer({ name: "VARCHAR", n: "BIGINT[]" }, [
      ["a", "[1]"],
      ["b", "[2]"]
    ])
  ]
])("proposes no chart of %s", (_, found) => {
  expect(proposedChart(found).kind).toBe("none")
})
