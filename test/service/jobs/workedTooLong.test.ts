import { describe, expect, it } from "vitest"
import * as WorkedTooLong from "../../../src/service/jobs/workedTooLong.ts"

/** What it says after each of these times, in seconds: how long each was, and how much of it was work. */
const said = (...times: ReadonlyArray<readonly [passed: number, worked: number]>): ReadonlyArray<boolean> => {
  const now = { at: 0, worked: 0 }
  const ask = WorkedTooLong.make(() => ({ ...now }))
  return times.map(([passed, worked]) => {
    now.at += passed * 1000
    now.worked += worked * 1000
    return ask()
  })
}

describe("a process that comes back to jobs that it has lost", () => {
  it("is to blame where it worked until its leases had ended, and for as long after as losses come to light", () => {
    expect(said([2, 2], [20, 19], [2, 0], [10, 0], [10, 0])).toEqual([false, true, true, true, false])
  })

  it("is not to blame where it was stopped, slept, or waited for its database", () => {
    expect(said([2, 1], [20, 0.1], [600, 2], [2, 2], [14, 14])).toEqual([false, false, false, false, false])
  })
})
