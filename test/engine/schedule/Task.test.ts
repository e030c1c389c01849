import { expect, it } from "@effect/vitest"
import { backoffOf, beginOf } from "#engine/ScheduleTask"
import { task } from "./simulated.ts"

it("jitter spreads tasks and times over its width, and gives the same moment each time", () => {
  const begins = Array.from({ length: 200 }, (_, at) => {
    const one = task(`t${at % 20}`, "* * * * *", { jitterMillis: 60_000 })
    const due = at * 60_000
    expect(beginOf(one, due)).toBe(beginOf(one, due))
    return beginOf(one, due) - due
  })

  expect(Math.min(...begins)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...begins)).toBeLessThan(60_000)
  for (const third of [0, 20_000, 40_000]) {
    expect(begins.filter((begin) => begin >= third && begin < third + 20_000).length).toBeGreaterThan(40)
  }
  expect(beginOf(task("t", "* * * * *"), 120_000)).toBe(120_000)
})

it("the wait before another attempt doubles, up to an hour or what the file says where that is longer", () => {
  const waits = (backoffMillis: number) =>
    [1, 2, 3, 10].map((attempts) => backoffOf(task("t", "* * * * *", { backoffMillis }).timing, attempts))

  expect(waits(60_000)).toEqual([60_000, 120_000, 240_000, 3_600_000])
  expect(waits(7_200_000)).toEqual([7_200_000, 7_200_000, 7_200_000, 7_200_000])
})
