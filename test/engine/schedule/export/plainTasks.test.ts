import { expect, it } from "@effect/vitest"
import * as DueTimes from "#engine/DueTimes"
import { plainTasks } from "#engine/plainTasks"
import { task } from "../simulated.ts"

const plain = (expression: string, timezone = "UTC") => plainTasks([task("a", expression, { timezone })])
const expressionOf = (expression: string) => plain(expression).tasks[0]?.timing.expression ?? ""
const zoneOf = (timezone: string) => plain("0 2 * * *", timezone).tasks[0]?.timing.timezone

const five = (expression: string): ReadonlyArray<number> => {
  const times = DueTimes.of({ expression, timezone: "UTC" })
  const dues: Array<number> = []
  for (let due = times.next(0); dues.length < 5 && due !== undefined; due = times.next(due)) dues.push(due)
  return dues
}

it.each([
  ["30 2 * * 1-5", "30 2 * * 1-5"],
  ["*/5 0-6 1,15 jan mon", "*/5 0-6 1,15 jan mon"],
  ["5/15 2 * * *", "5,20,35,50 2 * * *"],
  ["0 2 * * 7", "0 2 * * 0"],
  ["0 2 * * 5-7", "0 2 * * 0,5,6"],
  ["0 2 * * 0-7", "0 2 * * 0,1,2,3,4,5,6"],
  ["0 2 * * mon/2", "0 2 * * 0,1,3,5"],
  ["7 0 2 */2 * 1", "7 0 2 */2 * 1"],
  ["0 30/10 7 * * *", "0 30,40,50 7 * * *"],
  ["0 2 13 * */7", "0 2 13 * */7"]
])("%s is %s where others read it, and due at the same times", (expression, expected) => {
  expect(expressionOf(expression)).toBe(expected)
  expect(five(expected)).toEqual(five(expression))
})

it("names time zones as others do, and says which have no name", () => {
  expect(["Europe/Berlin", "europe/berlin", "+02:00", "-05:00", "UTC"].map(zoneOf)).toEqual([
    "Europe/Berlin",
    "Europe/Berlin",
    "Etc/GMT-2",
    "Etc/GMT+5",
    "UTC"
  ])
  expect(plain("0 2 * * *", "+05:30")).toEqual({
    tasks: [],
    losses: ["a: other schedulers have no time zone +05:30: it is left out; use one such as Europe/Berlin"]
  })
})
