import { expect, it } from "vitest"
import { datesIn } from "#extract/read/shown/datesIn"

it.each([
  ["on 2024-05-01.", ["2024-05-01"]],
  ["2024-05-01T10:30:00+02:00", ["2024-05-01T10:30:00+02:00"]],
  ["May 1, 2024 and 2nd June 2024", ["May 1, 2024", "2nd June 2024"]],
  ["1. März 2024", ["1. März 2024"]],
  ["1 de mayo de 2024", ["1 de mayo de 2024"]],
  ["le 1er février 2024", ["1er février 2024"]],
  ["1 января 2024", ["1 января 2024"]],
  ["September 2023", ["September 2023"]],
  ["01.05.2024 or 5/1/2024", ["01.05.2024", "5/1/2024"]],
  ["2024年5月1日", ["2024年5月1日"]],
  ["version 1.2.2024.5", []],
  ["12.–14. September 2025", []],
  ["2025年9月12日～14日", []],
  ["19:30 - 14.09.2025", ["14.09.2025"]],
  ["about 12 apples 2024", []],
  ["10:30", []]
])("%j has the dates %j", (text, dates) => {
  expect(datesIn(text).map((date) => date.text)).toEqual(dates)
})

it("a text of digits or letters ends soon", () => {
  expect(datesIn("1".repeat(100_000))).toEqual([])
  expect(datesIn("a".repeat(100_000))).toEqual([])
})
