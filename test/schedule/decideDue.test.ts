import { describe, expect, it } from "@effect/vitest"
import { decideDue } from "../../src/schedule/decideDue.ts"

const hour = 3_600_000
const dues = [1, 2, 3, 4].map((nth) => nth * hour)
const decided = (catchUp: "none" | "last" | "all", now: number) => {
  const { missed, run } = decideDue(catchUp, dues, now, 60_000)
  return {
    run: run.map(({ due, makesUp }) => `${due / hour}${makesUp ? " made up" : ""}`),
    missed: missed.map((due) => due / hour)
  }
}

describe("times that came while nobody was there", () => {
  it("are left out, and counted, with none", () => {
    expect(decided("none", 4.5 * hour)).toEqual({ run: [], missed: [1, 2, 3, 4] })
  })
  it("are made up for by one run with last", () => {
    expect(decided("last", 4.5 * hour)).toEqual({ run: ["4 made up"], missed: [1, 2, 3] })
  })
  it("are made up for one by one with all", () => {
    expect(decided("all", 4.5 * hour)).toEqual({
      run: ["1 made up", "2 made up", "3 made up", "4 made up"],
      missed: []
    })
  })
})

describe("a time that is on time", () => {
  it("runs whatever is said of others, and makes up for those before it with last", () => {
    expect(decided("none", 4 * hour + 60_000)).toEqual({ run: ["4"], missed: [1, 2, 3] })
    expect(decided("last", 4 * hour + 60_000)).toEqual({ run: ["4"], missed: [1, 2, 3] })
    expect(decided("all", 4 * hour)).toEqual({ run: ["1 made up", "2 made up", "3 made up", "4"], missed: [] })
  })
})
