import { expect, it } from "@effect/vitest"
import { eventsOf } from "#engine/schedule/Attempts"
import { outcome } from "./simulated.ts"

const good = { state: "done", rows: { pages: 10 } } as const

it("a run that is not done is failed or held, however", () => {
  expect(eventsOf("held", outcome("held"), good)).toEqual(["held"])
  for (const state of ["failed", "behind", "wrong"] as const) {
    expect(eventsOf(state, outcome(state), undefined)).toEqual(["failed"])
  }
})

it("a run that is done after one that was not has recovered; the first run has nothing to recover from", () => {
  expect(eventsOf("done", outcome("done"), { state: "behind", rows: {} })).toEqual(["recovered"])
  expect(eventsOf("done", outcome("done"), undefined)).toEqual([])
  expect(eventsOf("done", outcome("done", { rows: { pages: 10 } }), good)).toEqual([])
})

it("changes are what is counted, else another number of rows in some table", () => {
  expect(eventsOf("done", outcome("done", { rows: { pages: 11 } }), good)).toEqual(["changed"])
  expect(eventsOf("done", outcome("done", { rows: { pages: 10, links: 1 } }), good)).toEqual(["changed"])
  expect(eventsOf("done", outcome("done", { rows: { pages: 11 }, changed: 0 }), good)).toEqual([])
  expect(eventsOf("done", outcome("done", { rows: { pages: 10 }, changed: 2 }), good)).toEqual(["changed"])
  expect(eventsOf("done", outcome("done", { changed: 3 }), { state: "failed", rows: {} })).toEqual([
    "recovered",
    "changed"
  ])
})
