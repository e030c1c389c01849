/**
 * How a million hosts of very different size are spread over processes, and what moves when one joins or leaves:
 * `node bench/placement.ts [--hosts 1000000] [--pages 100000000]`.
 *
 * Hosts have sizes by Zipf's law: the n-th has 1/n of the pages of the first. They are placed as the cluster places them: a
 * hash of the name gives one of its locks, and a ring of hashes gives the locks to processes. It computes only: no process
 * is started.
 */
import { parseArgs } from "node:util"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Hash from "effect/Hash"
import * as HashRing from "effect/HashRing"
import { shards } from "../src/service/runner.ts"

const { values } = parseArgs({
  options: { hosts: { type: "string", default: "1000000" }, pages: { type: "string", default: "100000000" } }
})
const hosts = Number(values.hosts)
const pages = Number(values.pages)

/** Of each host: its lock and its pages. */
const lockOf = new Uint16Array(hosts)
const sizeOf = new Float64Array(hosts)
let harmonic = 0
for (let at = 0; at < hosts; at++) harmonic += 1 / (at + 1)
for (let at = 0; at < hosts; at++) {
  lockOf[at] = Math.abs(Hash.string(`host-${at}.example.com:443`) % shards)
  sizeOf[at] = pages / harmonic / (at + 1)
}

/** The process of each lock. */
const placed = (processes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const ring = HashRing.make<RunnerAddress.RunnerAddress>()
  for (const one of processes) HashRing.add(ring, RunnerAddress.make(`10.0.0.${one}`, 3100))
  return (HashRing.getShards(ring, shards) ?? []).map(({ host }) => host)
}

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, at) => at + 1)
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

console.log(
  "| processes | hosts, most of one to the mean | pages, most of one to the mean | moved when one joins | when one leaves |"
)
console.log("|---|---|---|---|---|")
for (const count of [3, 10, 30]) {
  const now = placed(upTo(count))
  const hostsOf = new Map<string, number>()
  const pagesOf = new Map<string, number>()
  for (let at = 0; at < hosts; at++) {
    const process = now[lockOf[at] ?? 0] ?? ""
    hostsOf.set(process, (hostsOf.get(process) ?? 0) + 1)
    pagesOf.set(process, (pagesOf.get(process) ?? 0) + (sizeOf[at] ?? 0))
  }
  const moved = (other: ReadonlyArray<string>): number => {
    let sum = 0
    for (let at = 0; at < hosts; at++) if (now[lockOf[at] ?? 0] !== other[lockOf[at] ?? 0]) sum += 1
    return sum / hosts
  }
  const most = (of: ReadonlyMap<string, number>, all: number) => ((Math.max(...of.values()) / all) * count).toFixed(2)
  console.log(
    `| ${count} | ${most(hostsOf, hosts)} | ${most(pagesOf, pages)} | ${percent(moved(placed(upTo(count + 1))))} | ${percent(moved(placed(upTo(count - 1))))} |`
  )
}
const largest = sizeOf[0] ?? 0
console.log(
  `\nThe largest host has ${percent(largest / pages)} of all pages: ${Math.round(largest).toLocaleString("en-US")}.`
)
