import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Sink from "#engine/Sink"
import { namedLoad } from "#see/diff/namedLoad"

const run = (runId: string, committed: string): Sink.RunRecord => {
  const at = BigInt(Date.parse(committed)) * 1000n
  return { runId, pipeline: "p", startedAt: at, committedAt: at, facts: {}, rows: {} }
}
const runs = [
  run("20261119T020000000Z-aaaaaa", "2026-11-19T02:01:00Z"),
  run("20261120T020000000Z-bbbbbb", "2026-11-20T02:01:00Z"),
  run("20261121T020000000Z-cccccc", "2026-11-21T02:01:00Z")
]
const named = (name: string, among = runs) =>
  Effect.map(namedLoad(name, among, "p: sink db"), ({ runId }) => runId.slice(-6))
const refused = (name: string, among = runs) =>
  Effect.map(Effect.flip(namedLoad(name, among, "p: sink db")), ({ message }) => message)

describe("a load", () => {
  it.effect("is the latest, the one before it, or the one whose id begins so", () =>
    Effect.gen(function* () {
      expect(yield* named("latest")).toBe("cccccc")
      expect(yield* named("previous")).toBe("bbbbbb")
      expect(yield* named("20261119")).toBe("aaaaaa")
    })
  )

  it.effect("is the last that was committed by a time; a day alone is its end", () =>
    Effect.gen(function* () {
      expect(yield* named("2026-11-20")).toBe("bbbbbb")
      expect(yield* named("2026-11-20T02:00")).toBe("aaaaaa")
      expect(yield* named("2026-11-20 02:01:00")).toBe("bbbbbb")
      expect(yield* named("2026-11-20T03:01:00+01:00")).toBe("bbbbbb")
      expect(yield* named("2030-01-01")).toBe("cccccc")
    })
  )

  it.effect("that does not exist is refused, with the loads that exist", () =>
    Effect.gen(function* () {
      expect(yield* refused("2026-11-18")).toBe(
        "p: sink db has no load at 2026-11-18 or earlier; its first is 20261119T020000000Z-aaaaaa, of 2026-11-19 02:01:00"
      )
      expect(yield* refused("202611")).toBe("3 loads begin with 202611: give more characters of the id")
      expect(yield* refused("2027")).toContain("has no load 2027: give a run id")
      expect(yield* refused("previous", runs.slice(0, 1))).toContain("so there is no earlier one")
      expect(yield* refused("latest", [])).toBe("p: sink db has no load yet: see millrace runs")
    })
  )
})
