import { expect, it } from "vitest"
import { endedLine, listing, totalOf } from "#app/backfill/backfillPipeline"
import type * as Backfill from "#engine/Backfill"

const interval = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 0, 2) }
const done: Backfill.Ended = {
  interval,
  status: "done",
  runId: "r1",
  rows: { pages: 1234, crawl_errors: 0 },
  message: undefined,
  durationMillis: 1200
}

it("says of each interval what came of it", () => {
  expect(endedLine(done)).toBe("  2026-01-01 .. 2026-01-02  done    pages 1,234 in 1.2 s (run r1)\n")
  expect(endedLine({ ...done, rows: {} })).toBe("  2026-01-01 .. 2026-01-02  done    no rows in 1.2 s (run r1)\n")
  expect(endedLine({ ...done, status: "failed", runId: undefined, rows: {}, message: "no line" })).toBe(
    "  2026-01-01 .. 2026-01-02  FAILED  no line\n"
  )
})

it("says how many ended how, and leaves out what did not happen", () => {
  const held = { ...done, status: "held" as const }

  expect(totalOf("p", [done, held, held], 1500).line).toBe("p: 1 interval done, 1,500 were done before, 2 held")
  expect(totalOf("p", [done, done], 0).line).toBe("p: 2 intervals done, 0 were done before")
})

it("lists how each stands, in one line each", () => {
  const state: Backfill.State = {
    interval,
    status: "failed",
    loaded: undefined,
    runId: "r1",
    message: "one\ntwo",
    endedAt: undefined
  }

  expect(listing([state]).split("\n")).toEqual([
    "INTERVAL                  STATE   RUN  LOADED  ROWS  MESSAGE",
    "2026-01-01 .. 2026-01-02  failed  r1                 one two",
    ""
  ])
})
