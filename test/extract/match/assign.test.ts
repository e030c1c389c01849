import { describe, expect, it } from "vitest"
import { assign } from "#extract/match/assign"
import { representatives } from "#extract/match/CandidateValue"
import { thing } from "../offered.ts"

describe("assign", () => {
  it("gives the greatest sum, not the best first", () => {
    const pairs = [
      { row: 0, column: 0, score: 0.9 },
      { row: 0, column: 1, score: 0.8 },
      { row: 1, column: 0, score: 0.85 },
      { row: 1, column: 1, score: 0.1 }
    ]

    expect(assign(2, 2, pairs)).toEqual([1, 0])
  })

  it("leaves a row without a column where there is none for it", () => {
    expect(assign(3, 1, [{ row: 1, column: 0, score: 0.5 }])).toEqual([undefined, 0, undefined])
    expect(assign(1, 0, [])).toEqual([undefined])
  })

  it("agrees with trying every order", () => {
    const score = (row: number, column: number) => ((row * 7 + column * 13 + row * column * 5) % 10) / 10 + 0.05
    const pairs = [0, 1, 2, 3].flatMap((row) =>
      [0, 1, 2, 3].map((column) => ({ row, column, score: score(row, column) }))
    )
    const orders = (left: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> =>
      left.length === 0
        ? [[]]
        : left.flatMap((one) => orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]))
    const sum = (order: ReadonlyArray<number | undefined>) =>
      order.reduce<number>((all, column, row) => all + (column === undefined ? 0 : score(row, column)), 0)

    expect(sum(assign(4, 4, pairs))).toBeCloseTo(Math.max(...orders([0, 1, 2, 3]).map(sum)))
  })

  it("ends soon with very many rows", () => {
    const pairs = Array.from({ length: 5000 }, (_, i) => ({
      row: i % 500,
      column: i % 700,
      score: (i % 97) / 97 + 0.01
    }))

    expect(assign(500, 700, pairs).filter((column) => column !== undefined).length).toBeGreaterThan(400)
  })
})

it("a part is represented by its name and its address, a value by its value", () => {
  const of = (named: Parameters<typeof thing>[0]) =>
    representatives(thing(named)).map(({ name, value }) => [name, value.data])

  expect(of({ "@type": "Brand", url: "/lumo", name: "Lumo" })).toEqual([
    ["name", "Lumo"],
    ["url", "/lumo"]
  ])
  expect(of({ "@type": "PropertyValue", name: "Weight", value: "5 kg" })).toEqual([["value", "5 kg"]])
  expect(of({ "@type": "Thing" })).toEqual([])
})
