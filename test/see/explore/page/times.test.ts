import { expect, it } from "vitest"
import { tickText } from "#see/explore/page/times"

const texts = (...times: ReadonlyArray<string>) => {
  const ticks = times.map((time) => new Date(`${time}Z`))
  return ticks.map((at, index) => tickText("UTC")(at, index, ticks).replace("\n", " | "))
}

it("writes the times of an axis as a day has them, and the day where it is a new one", () => {
  expect(texts("2026-11-29T21:45", "2026-11-29T22:00", "2026-11-30T00:00")).toEqual([
    "21:45 | 29 Nov",
    "22:00",
    "00:00 | 30 Nov"
  ])
  expect(texts("2026-11-29T13:45:10", "2026-11-29T13:45:15")).toEqual(["13:45:10 | 29 Nov", "13:45:15"])
  expect(texts("2026-11-29T13:45")).toEqual(["13:45 | 29 Nov"])
})

it("writes days, months and years where ticks are such, and the year where it is a new one", () => {
  expect(texts("2026-12-30T00:00", "2026-12-31T00:00", "2027-01-01T00:00")).toEqual([
    "30 Dec | 2026",
    "31 Dec",
    "1 Jan | 2027"
  ])
  expect(texts("2026-02-01T00:00", "2026-03-01T00:00")).toEqual(["Feb | 2026", "Mar"])
  expect(texts("2025-01-01T00:00", "2026-01-01T00:00")).toEqual(["2025", "2026"])
})
