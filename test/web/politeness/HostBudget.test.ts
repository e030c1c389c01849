import { describe, expect, it } from "vitest"
import * as HostBudget from "#web/politeness/HostBudget"

const host = "site.test"
const times = (count: number, work: () => void) => {
  for (let index = 0; index < count; index++) work()
}
/** A host that answered so often, in so many milliseconds each. */
const answering = (count: number, millis: number) => {
  const budget = HostBudget.create()
  times(count, () => budget.gave(host, millis, 10_000))
  return budget
}

describe("the budget of a host", () => {
  it("gives a page more time at each try", () => {
    const budget = answering(1, 100)

    expect([0, 1, 2].map((tries) => budget.windowOf(host, tries))).toEqual([3000, 15_000, Number.MAX_SAFE_INTEGER])
  })

  it("is not touched by a few pages that never arrive", () => {
    const budget = answering(100, 200)
    times(4, () => budget.trickled(host, 30_000))

    expect(budget.isInHaste(host)).toBe(false)
    expect(budget.spent(host)).toBeUndefined()
  })

  it("is in haste where many pages trickle: a page is left as soon as it does", () => {
    const budget = answering(50, 400)
    times(8, () => budget.trickled(host, 4000))

    expect(budget.isInHaste(host)).toBe(true)
    expect(budget.windowOf(host, 0)).toBe(100)
    expect(budget.isInHaste("other.test")).toBe(false)
  })

  it("is not in haste where pages are only late, or pause", () => {
    const budget = answering(1, 100)
    times(8, () => budget.waitedInVain(host, 30_000))

    expect(budget.isInHaste(host)).toBe(false)
  })

  it("ends the haste of a host that gives again", () => {
    const budget = answering(50, 400)
    times(8, () => budget.trickled(host, 4000))
    times(500, () => budget.gave(host, 400, 10_000))

    expect(budget.isInHaste(host)).toBe(false)
  })

  it("is spent after five minutes more than the host gave, with what to do", () => {
    const budget = answering(10, 1000)
    times(31, () => budget.trickled(host, 10_000))

    expect(budget.spent(host)).toBeUndefined()
    budget.trickled(host, 1)
    expect(budget.spent(host)).toBe(
      "left: host too slow: 310 s were spent on answers of site.test that did not arrive; run again when the host is faster, " +
        "or leave such pages out with excludePaths"
    )
  })

  it("is spent after a gigabyte that gave no page", () => {
    const budget = answering(1, 100)
    times(52, () => budget.sentInVain(host, 20 * 1024 * 1024))

    expect(budget.spent(host)).toContain("site.test sent 1040 MB that gave no page")
  })

  it("is spent after a thousand tries in vain, and three more for each page", () => {
    const budget = answering(10, 100)
    times(1030, () => budget.triedInVain(host))

    expect(budget.spent(host)).toBeUndefined()
    budget.triedInVain(host)
    expect(budget.spent(host)).toContain("site.test was asked 1031 times in vain")
  })

  it("forgives a host that was down", () => {
    const budget = answering(1, 100)
    times(40, () => budget.trickled(host, 30_000))
    budget.forgive(host)

    expect(budget.spent(host)).toBeUndefined()
    expect(budget.isInHaste(host)).toBe(false)
  })
})
