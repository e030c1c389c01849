/**
 * A million hosts of very different size, read by a cluster of ten processes for three minutes that no clock waits for:
 * `node bench/simulation.ts [--hosts 1000000] [--pages 3000000] [--processes 10] [--minutes 3]`.
 *
 * The classes of the service decide when and where each page is asked for; nothing is asked
 * (`test/service/cluster/simulation/SimulatedCluster.ts`). A process joins after a third of the time, and one leaves after two.
 */
import { parseArgs } from "node:util"
import * as Hosts from "../test/service/cluster/simulation/Hosts.ts"
import * as SimulatedCluster from "../test/service/cluster/simulation/SimulatedCluster.ts"
import * as VirtualTime from "../test/service/cluster/simulation/VirtualTime.ts"
import * as Watch from "../test/service/cluster/simulation/Watch.ts"
import { hostMemory } from "./hostMemory.ts"

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "1000000" },
    pages: { type: "string", default: "3000000" },
    processes: { type: "string", default: "10" },
    minutes: { type: "string", default: "3" }
  }
})
const count = Number(values.hosts)
const thirdMillis = (Number(values.minutes) * 60_000) / 3
const address = (one: number) => `10.0.0.${one}`

/** Two teams with more jobs than permits, one with some more, and one with enough for all. */
const teams = [
  { permits: 800, jobs: 2000 },
  { permits: 400, jobs: 1000 },
  { permits: 200, jobs: 120 },
  { permits: 1000, jobs: 200 }
]
const hosts = Hosts.make(count, Number(values.pages), teams.length)
const time = VirtualTime.make()
const watch = Watch.make(hosts, teams.length)
const began = process.cpuUsage()
const cluster = SimulatedCluster.make({ hosts, perHost: 2, teams }, time, watch)
for (let one = 1; one <= Number(values.processes); one++) cluster.join(address(one))

/** Of each team: Jain's indices of each minute. */
const fairness: ReadonlyArray<Array<Watch.Fairness>> = teams.map(() => [])
const pass = (millis: number) => {
  for (let passed = 0; passed < millis; passed += 60_000) {
    time.pass(60_000)
    for (const [team, { permits }] of teams.entries()) fairness[team]?.push(watch.fairness(team, permits, time.now()))
    const { hosts, requests } = watch.seen()
    console.error(`minute ${Math.round(time.now() / 60_000)}: ${requests} pages of ${hosts} hosts`)
  }
}
pass(thirdMillis)
cluster.join(address(Number(values.processes) + 1))
pass(thirdMillis)
cluster.leave(address(1))
pass(thirdMillis)

const seen = watch.seen()
const { user, system } = process.cpuUsage(began)
const at = (sorted: ReadonlyArray<number>, share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
const seconds = (millis: number) => (millis / 1000).toFixed(1)
const number = (value: number) => value.toLocaleString("en-US")
console.log(
  `${number(seen.requests)} pages of ${number(seen.hosts)} hosts; ${((user + system) / 1e6).toFixed(0)} CPU s\n`
)
console.log("Turns")
console.log(`  nearest two requests of a host with a delay: its delay and ${seen.leastBeyondDelay} ms`)
console.log(
  `  most requests at a time: ${seen.mostDelayed} of hosts with a delay, ${seen.mostFree} of the others (allowed: 1, 2)\n`
)
console.log("| moves | hosts | of these read just then | asked again after, median | worst |\n|---|---|---|---|---|")
for (const [index, { hosts, reading, silences }] of seen.moves.slice(-2).entries()) {
  const sorted = silences.toSorted((one, other) => one - other)
  const which = index === 0 ? "a process joins" : "one leaves"
  const cells = [which, number(hosts), `${number(reading)}, ${number(silences.length)} asked again`]
  console.log(`| ${[...cells, `${seconds(at(sorted, 0.5))} s`, `${seconds(at(sorted, 1))} s`].join(" | ")} |`)
}
console.log(
  "\n| team | permits | jobs at a time | most in flight | pages | Jain's index, pages | permits |\n|---|---|---|---|---|---|---|"
)
for (const [team, { jobs, permits }] of teams.entries()) {
  const minutes = (fairness[team] ?? []).filter(({ jobs }) => jobs > 1)
  const middle = (of: (one: Watch.Fairness) => number) => {
    const sorted = minutes.map(of).toSorted((one, other) => one - other)
    // No job of it took a minute.
    return sorted.length === 0 ? "-" : at(sorted, 0.5).toFixed(2)
  }
  const cells = [team + 1, permits, jobs, seen.mostOfTeams[team], number(seen.pagesOfTeams[team] ?? 0)]
  console.log(`| ${[...cells, middle(({ ofPages }) => ofPages), middle(({ ofPermits }) => ofPermits)].join(" | ")} |`)
}

console.log(`\nMemory of a host in the process where it lives: ${((await hostMemory(20_000)) / 1000).toFixed(1)} kB`)
