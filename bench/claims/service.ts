/**
 * How many requests the service answers, and how soon, while it has nothing else to do and while it crawls.
 */
import { join, resolve } from "node:path"
import type { Claim, Contestant, Work } from "../Claim.ts"
import { startSite } from "../startSite.ts"

const root = resolve(import.meta.dirname, "../..")
const requests = 12_000

const contestant = (
  name: string,
  how: string,
  server: "millrace" | "bare",
  state: "idle" | "crawling"
): Contestant => ({
  name,
  how: `${how}; 500 requests, one every 10 ms, for latency, then ${requests} over 16 connections for requests/s; one process sends them, and its CPU and memory are included`,
  words: ({ port }) => [
    process.execPath,
    join(root, "bench/contestants/statusRequests.ts"),
    server,
    state,
    String(requests),
    `http://127.0.0.1:${port}/`
  ]
})

const work = (name: string, state: "idle" | "crawling", ours: string): Work => ({
  name,
  units: "requests",
  count: requests,
  rounds: 9,
  shown: "requests/s",
  prepare: () => startSite(join(root, "bench/generatedSite.ts"), "100000"),
  contestants: [
    contestant("millrace", ours, "millrace", state),
    contestant(
      "node:http alone",
      state === "idle"
        ? "an object of that size as JSON, from memory, without any other work: the upper limit"
        : "an object of that size as JSON, from memory; the same crawl runs at the same time in our service",
      "bare",
      state
    )
  ],
  targets: []
})

export const claim: Claim = {
  name: "service",
  title: "status requests to the service, idle and while it crawls",
  works: [
    work(
      "status requests, idle",
      "idle",
      "`millrace serve`: the status of a crawl that has ended, with one page, from SQLite"
    ),
    work(
      "status requests, while it crawls",
      "crawling",
      "`millrace serve`: the status of a running crawl, with one page, from SQLite; 8 pages in flight"
    )
  ]
}
