import { describe, expect, it } from "vitest"
import * as Hosts from "./simulation/Hosts.ts"
import * as SimulatedCluster from "./simulation/SimulatedCluster.ts"
import * as VirtualTime from "./simulation/VirtualTime.ts"
import * as Watch from "./simulation/Watch.ts"

const teams = [
  { permits: 24, jobs: 60 },
  { permits: 8, jobs: 6 },
  { permits: 3, jobs: 10 }
]
const perHost = 2

/** Three processes, which a fourth joins after five minutes, and of which one leaves after ten. */
const simulated = () => {
  const hosts = Hosts.make(5000, 400_000, teams.length)
  const time = VirtualTime.make()
  const watch = Watch.make(hosts, teams.length)
  const cluster = SimulatedCluster.make({ hosts, perHost, teams }, time, watch)
  for (const one of ["10.0.0.1", "10.0.0.2", "10.0.0.3"]) cluster.join(one)
  time.pass(300_000)
  cluster.join("10.0.0.4")
  time.pass(300_000)
  cluster.leave("10.0.0.2")
  time.pass(300_000)
  const fairnessOf = () => Array.from(teams, ({ permits }, team) => watch.fairness(team, permits, time.now()))
  fairnessOf()
  time.pass(300_000)
  const fairness = fairnessOf()
  return { cluster, fairness, hosts, seen: watch.seen() }
}

describe("a simulated cluster", () => {
  const { cluster, fairness, hosts, seen } = simulated()

  it("asks no host sooner than its delay, or more at a time than allowed, also where it moves", () => {
    expect(seen.requests).toBeGreaterThan(5000)
    expect(seen.leastBeyondDelay).toBeGreaterThanOrEqual(0)
    expect(seen.mostDelayed).toBe(1)
    expect(seen.mostFree).toBe(perHost)
  })

  it("moves hosts to a process that joins and from one that leaves, and asks each again", () => {
    const [, , joined, left] = seen.moves
    for (const move of [joined, left]) {
      expect(move?.hosts).toBeGreaterThan(0.1 * hosts.count)
      expect(move?.hosts).toBeLessThan(0.6 * hosts.count)
      expect(move?.reading).toBeGreaterThan(0)
      expect(Math.max(...(move?.silences ?? [Number.NaN]))).toBeLessThan(60_000)
    }
  })

  it("has no more pages of a team in flight than its plan allows, and all of them where there is work", () => {
    expect(seen.mostOfTeams).toEqual(teams.map(({ permits }) => permits))
  })

  it("gives the jobs of a team turns about as often as each other, where they wait for permits", () => {
    for (const team of [0, 2]) {
      expect(fairness[team]?.jobs).toBeGreaterThan(3)
      expect(fairness[team]?.ofPages).toBeGreaterThan(0.8)
    }
    expect(cluster.sites().read).toBeGreaterThan(500)
  })
})
