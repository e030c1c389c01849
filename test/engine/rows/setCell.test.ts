import { expect, it } from "vitest"
import { setCell } from "#engine/setCell"

it("a cell is set under any name, also one that an assignment would not make a member of", () => {
  const row: Record<string, unknown> = {}
  setCell(row, "id", 1)
  setCell(row, "__proto__", { id: 2 })

  expect(Object.entries(row)).toEqual([
    ["id", 1],
    ["__proto__", { id: 2 }]
  ])
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
})
