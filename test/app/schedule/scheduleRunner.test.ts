import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ScheduleRunner from "#app/schedule/scheduleRunner"
import * as Journal from "#engine/Journal"
import * as JournalFiles from "#engine/Journals"
import { Runner } from "#engine/ScheduleRunner"
import { task } from "../../engine/schedule/simulated.ts"

/** How a run that was under way at 1000 has ended, where the journal has these, the oldest first. */
const ended = (...runs: ReadonlyArray<Pick<Journal.RunState, "status" | "started_at" | "ended_at" | "message">>) =>
  Effect.suspend(() => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-runner-"))
    return Effect.gen(function* () {
      const home = yield* (yield* Journal.Journals).take("site", folder)
      for (const [at, run] of runs.entries()) {
        yield* home.begin({
          run_id: `r${at}`,
          pipeline: "site",
          source: "crawl",
          options: "{}",
          key: "k",
          start: null,
          checkpoint: null,
          facts: {},
          rows: { pages: 3 },
          sinks: null,
          committed: [],
          ...run
        })
      }
      const runner = yield* Runner
      return yield* runner.ended({ ...task("site", "0 2 * * *"), path: join(folder, "site.yaml") }, 1000)
    }).pipe(
      Effect.scoped,
      Effect.provide([JournalFiles.layer, ScheduleRunner.layer({ vars: {}, allowPrivate: false, resolve: [] })]),
      Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    )
  })

const run = (status: Journal.RunStatus, endedAt: number | null, message: string | null = null) => ({
  status,
  started_at: 900,
  ended_at: endedAt,
  message
})

it.effect("a run has ended where the newest of its journal has ended since it began", () =>
  Effect.gen(function* () {
    expect(yield* ended()).toBe(undefined)
    expect(yield* ended(run("done", 999))).toBe(undefined)
    expect(yield* ended(run("done", 999), run("done", 1500))).toEqual({
      status: "done",
      run_id: "r1",
      rows: { pages: 3 },
      changed: null,
      message: null
    })
    expect(yield* ended(run("behind", 1500, "sink db: gone"))).toMatchObject({
      status: "behind",
      message: "sink db: gone"
    })
    expect(yield* ended(run("held", 1500))).toMatchObject({ status: "held" })
  })
)

it.effect("a run that is not finished has not ended, also where one before it was given up for it", () =>
  Effect.gen(function* () {
    expect(yield* ended(run("failed", 1100, "given up"), run("reading", null))).toBe(undefined)
    expect(yield* ended(run("done", 999), run("read", null))).toBe(undefined)
  })
)
