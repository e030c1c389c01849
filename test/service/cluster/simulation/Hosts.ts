/** Hosts whose sizes follow Zipf's law, each with a delay and a speed of its own, placed as the cluster places them. */
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Hash from "effect/Hash"
import * as HashRing from "effect/HashRing"
import { shards } from "#service/runner"

export interface Hosts {
  readonly count: number
  readonly name: (host: number) => string
  /** The lock by which it is placed. */
  readonly lock: (host: number) => number
  /** Pages; the host 0 has most. */
  readonly pages: (host: number) => number
  readonly delayMillis: (host: number) => number
  /** How long it takes to answer. */
  readonly millis: (host: number) => number
  readonly team: (host: number) => number
}

/** `pages`: of all hosts together, about: each has one at least. */
export const make = (count: number, pages: number, teams: number): Hosts => {
  let harmonic = 0
  for (let at = 1; at <= count; at++) harmonic += 1 / at
  const name = (host: number) => `host-${host}.example.com:443`
  return {
    count,
    name,
    lock: (host) => Math.abs(Hash.string(name(host)) % shards),
    pages: (host) => Math.max(1, Math.round(pages / harmonic / (host + 1))),
    delayMillis: (host) => delays[spread(host, 1) % delays.length] ?? 0,
    millis: (host) => 100 + (spread(host, 2) % 400),
    team: (host) => spread(host, 3) % teams
  }
}

/** The process of each lock, of those that are there. */
export const placed = (addresses: ReadonlyArray<string>): ReadonlyArray<string> => {
  const ring = HashRing.make<RunnerAddress.RunnerAddress>()
  for (const address of addresses) HashRing.add(ring, RunnerAddress.make(address, 3100))
  return (HashRing.getShards(ring, shards) ?? []).map(({ host }) => host)
}

/** Half of the hosts ask for no delay. */
const delays = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 1000, 1000, 1000, 2000, 2000, 2000, 5000, 5000, 10_000]

/** A number that looks random, and is the same each time. */
const spread = (host: number, salt: number): number => {
  let bits = Math.imul(host + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
