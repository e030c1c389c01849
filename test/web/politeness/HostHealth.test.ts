import { describe, expect, it } from "vitest"
import * as Patience from "#web/Patience"
import * as HostHealth from "#web/politeness/HostHealth"

const home = "site.test"
const good = new URL("http://site.test/good")
const why = { why: "it answers 503" }
const make = () => HostHealth.create(Patience.defaults, home)

/** A host that gave a page and then refuses so many. */
const refusing = (times: number) => {
  const health = make()
  health.answered(good)
  const standings = Array.from({ length: times }, () => health.refused(home, 1000, why))
  return { health, standings }
}

describe("a host", () => {
  it("that is not known may be asked", () => {
    expect(make().enter("other.test", 0)).toEqual({ _tag: "Free" })
  })

  it("is suspect after three refusals in a row, and only one finds out", () => {
    const { health, standings } = refusing(4)

    expect(standings).toEqual([
      { _tag: "Up" },
      { _tag: "Up" },
      { _tag: "Suspect", last: good },
      { _tag: "Down", until: 2000 }
    ])
    expect(health.enter(home, 1000)).toEqual({ _tag: "Free" })
  })

  it("that answers between refusals is never suspect", () => {
    const health = make()
    for (let round = 0; round < 50; round++) {
      health.answered(good)
      expect(health.refused(home, round, why)._tag).toBe("Up")
      expect(health.refused(home, round, why)._tag).toBe("Up")
    }
  })

  it("that works while its pages fail is doubted less and less", () => {
    const { health } = refusing(3)
    health.answered(good)
    const next = Array.from({ length: 6 }, () => health.refused(home, 2000, why)._tag)

    expect(next).toEqual(["Up", "Up", "Up", "Up", "Up", "Suspect"])
  })

  it("that is down is left alone longer each time, asked for one page after that, and given up in the end", () => {
    const { health } = refusing(3)
    let now = 1000
    const waits: Array<number> = []
    for (let standing = health.isDown(home, now, why); standing._tag === "Down"; ) {
      waits.push(standing.until - now)
      expect(health.enter(home, standing.until - 1)._tag).toBe("Down")
      now = standing.until
      expect(health.enter(home, now)).toEqual({ _tag: "Probe", last: good })
      expect(health.enter(home, now)).toEqual({ _tag: "Down", until: now + 1000 })
      standing = health.refused(home, now, why)
    }

    expect(waits).toEqual([5000, 15_000, 45_000, 120_000])
    expect(health.enter(home, now)).toEqual({
      _tag: "GivenUp",
      message: "it answers 503; site.test has not answered for 185 s, even after 4 pauses: run again when it works"
    })
  })

  it("that answers again is as it was", () => {
    const { health } = refusing(3)
    health.isDown(home, 1000, why)
    health.enter(home, 6000)
    health.answered(good)

    expect(health.enter(home, 6000)).toEqual({ _tag: "Free" })
    expect(health.refused(home, 6000, why)).toEqual({ _tag: "Up" })
  })

  it("is left alone as long as it asks", () => {
    const { health } = refusing(3)

    expect(health.isDown(home, 1000, { ...why, askedMillis: 60_000 })).toEqual({ _tag: "Down", until: 61_000 })
  })

  it("of the start that never answered is waited for from its first refusal on, a minute in all", () => {
    const health = make()
    const first = health.refused(home, 0, why)
    health.enter(home, 5000)
    const second = health.refused(home, 5000, why)
    health.enter(home, 20_000)
    const third = health.refused(home, 20_000, why)
    health.enter(home, 65_000)

    expect([first, second, third]).toEqual([5000, 20_000, 65_000].map((until) => ({ _tag: "Down", until })))
    expect(health.refused(home, 65_000, why)._tag).toBe("GivenUp")
  })

  it("that only a link names and that never answered is waited for once", () => {
    const health = make()
    const refusals = [1, 2, 3].map((now) => health.refused("dead.test", now, why)._tag)
    health.enter("dead.test", 5003)

    expect(refusals).toEqual(["Up", "Up", "Down"])
    expect(health.refused("dead.test", 5003, why)._tag).toBe("GivenUp")
  })

  it("is not waited for by who tries once", () => {
    const health = HostHealth.create(Patience.withTries(1), home)

    expect([1, 2, 3, 4].map((now) => health.refused(home, now, why)._tag)).toEqual(["Up", "Up", "Up", "Up"])
  })

  it("whose probe was not made after all is probed by the next", () => {
    const { health } = refusing(3)
    health.isDown(home, 1000, why)
    health.enter(home, 6000)
    health.release(home)

    expect(health.enter(home, 6000)).toEqual({ _tag: "Probe", last: good })
  })
})
