import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { outcome, simulate, stamp, task } from "./simulated.ts"

describe("a week in which Berlin and New York set their clocks back", () => {
  const nightly = task("nightly", "30 2 * * *", { timezone: "Europe/Berlin" })
  const york = task("york", "30 1 * * *", { timezone: "America/New_York", catch_up: "all" })
  const slow = task("slow", "0 */8 * * *", { timezone: "Europe/Berlin", catch_up: "none" })
  const queue = task("queue", "0 20,21 * * *", { timezone: "America/New_York", overlap: "queue" })

  it.effect("has exactly these runs: over downtime, overlaps and edits", () =>
    Effect.gen(function* () {
      const week = yield* simulate("2026-10-24 12:00", { maxRuns: 4 })
      week.plan.set("nightly", { minutes: 20, outcome: () => outcome("done") })
      week.plan.set("slow", { minutes: 490, outcome: () => outcome("done") })
      week.plan.set("queue", { minutes: 100, outcome: () => outcome("done") })
      const tasks = [nightly, york, slow, queue]

      // Killed in the middle of a run of nightly, and down for a night and a half.
      yield* week.live("2026-10-27 01:40", tasks)
      yield* week.down("2026-10-29 10:00")
      const moved = [task("nightly", "0 5 * * *", { timezone: "Europe/Berlin" }), york, slow, queue]
      const fewer = [moved[0] ?? nightly, york, task("fresh", "0 12 * * 6,7")]
      yield* week.live("2026-11-02 12:00", tasks, { "2026-10-30 12:00": moved, "2026-10-31 09:00": fewer })

      expect(week.ran).toEqual([
        "slow 10-24 14:00",
        "queue 10-25 00:00",
        // 02:30 comes twice in Berlin: this is the first.
        "nightly 10-25 00:30",
        // Due at 01:00, while the one before it went on.
        "queue 10-25 01:40",
        "york 10-25 05:30",
        // 22:00 and later 15:00 are skipped: a run takes ten minutes longer than the time between two.
        "slow 10-25 07:00",
        "slow 10-25 23:00",
        "queue 10-26 00:00",
        "nightly 10-26 01:30",
        "queue 10-26 01:40",
        "york 10-26 05:30",
        "slow 10-26 15:00",
        "queue 10-27 00:00",
        "nightly 10-27 01:30 (killed)",
        "queue 10-27 01:40 (killed)",
        // What was killed goes on first; then the last that was missed, or all of them, or none.
        "queue 10-29 10:00",
        "nightly 10-29 10:00",
        "york 10-29 10:00",
        "york 10-29 10:01",
        "york 10-29 10:02",
        "nightly 10-29 10:20",
        "queue 10-29 11:40",
        "slow 10-29 15:00",
        "queue 10-30 00:00",
        "nightly 10-30 01:30",
        "queue 10-30 01:40",
        "york 10-30 05:30",
        "slow 10-30 07:00",
        "slow 10-30 23:00",
        "queue 10-31 00:00",
        "queue 10-31 01:40",
        // Moved from 02:30 to 05:00.
        "nightly 10-31 04:00",
        "york 10-31 05:30",
        "fresh 10-31 12:00",
        "nightly 11-01 04:00",
        // 01:30 comes twice in New York: this is the first.
        "york 11-01 05:30",
        "fresh 11-01 12:00",
        "nightly 11-02 04:00",
        "york 11-02 06:30"
      ])
      expect(
        week.news.flatMap((news) =>
          news._tag === "Skipped"
            ? [`${news.task} ${stamp(news.due)}`]
            : news._tag === "Missed"
              ? [`${news.task} ${news.count} missed until ${stamp(news.last)}`]
              : []
        )
      ).toEqual([
        "slow 10-24 22:00",
        "slow 10-25 15:00",
        "slow 10-26 07:00",
        "slow 10-26 23:00",
        "nightly 1 missed until 10-28 01:30",
        "slow 7 missed until 10-29 07:00",
        "queue 3 missed until 10-29 00:00",
        "slow 10-29 23:00",
        "slow 10-30 15:00",
        "slow 10-31 07:00"
      ])
      yield* week.close
    })
  )
})

describe("clocks that go forward", () => {
  it.effect("move a run to the first moment that there is, and not to another day", () =>
    Effect.gen(function* () {
      const spring = yield* simulate("2026-03-28 12:00")
      yield* spring.live("2026-03-30 12:00", [
        task("nightly", "30 2 * * *", { timezone: "Europe/Berlin" }),
        task("hourly", "0 */3 * * *", { timezone: "Europe/Berlin" })
      ])

      expect(spring.ran.filter((run) => run.startsWith("nightly"))).toEqual([
        "nightly 03-29 01:00",
        "nightly 03-30 00:30"
      ])
      expect(spring.ran.slice(0, 5)).toEqual([
        "hourly 03-28 14:00",
        "hourly 03-28 17:00",
        "hourly 03-28 20:00",
        "hourly 03-28 23:00",
        "nightly 03-29 01:00"
      ])
      yield* spring.close
    })
  )
})

describe("a run that fails", () => {
  it.effect("is tried again after waits that double, and no more often than the file says", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00")
      day.plan.set("flaky", { minutes: 1, outcome: () => outcome("failed") })
      day.plan.set("mended", { minutes: 1, outcome: (nth) => outcome(nth < 3 ? "failed" : "done") })
      day.plan.set("wrong", { minutes: 1, outcome: () => outcome("wrong") })
      const tries = { retries: 3, backoffMillis: 300_000 }
      yield* day.live("2026-06-01 04:00", [
        task("flaky", "0 2 * * *", tries),
        task("mended", "0 2 * * *", tries),
        task("wrong", "30 3 * * *", tries)
      ])

      expect(day.ran.filter((run) => run.startsWith("flaky"))).toEqual([
        "flaky 06-01 02:00 (failed)",
        "flaky 06-01 02:06 (failed)",
        "flaky 06-01 02:17 (failed)",
        "flaky 06-01 02:38 (failed)"
      ])
      expect(day.ran.filter((run) => run.startsWith("mended"))).toEqual([
        "mended 06-01 02:00 (failed)",
        "mended 06-01 02:06 (failed)",
        "mended 06-01 02:17"
      ])
      expect(day.ran.filter((run) => run.startsWith("wrong"))).toEqual(["wrong 06-01 03:30 (wrong)"])
      yield* day.close
    })
  )

  it.effect("waits for its next attempt over a restart, and has as many as before", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00")
      day.plan.set("flaky", { minutes: 1, outcome: () => outcome("failed") })
      const tasks = [task("flaky", "0 2 * * *", { retries: 2, backoffMillis: 600_000 })]
      yield* day.live("2026-06-01 02:05", tasks)
      yield* day.down("2026-06-01 02:08")
      // Killed in the middle of the second attempt, which is made again and counts once.
      yield* day.live("2026-06-01 02:11", tasks)
      yield* day.live("2026-06-01 04:00", tasks)

      expect(day.ran).toEqual([
        "flaky 06-01 02:00 (failed)",
        "flaky 06-01 02:11 (killed)",
        "flaky 06-01 02:11 (failed)",
        "flaky 06-01 02:32 (failed)"
      ])
      yield* day.close
    })
  )

  it.effect("is stopped where it takes longer than it may, and that is a failure", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00")
      day.plan.set("endless", { minutes: 600, outcome: () => outcome("done") })
      yield* day.live("2026-06-01 03:00", [task("endless", "0 2 * * *", { timeoutMillis: 600_000 })])

      expect(day.news.at(-1)).toMatchObject({
        _tag: "Ended",
        state: "failed",
        outcome: { message: "it took longer than 600 s, and was stopped" }
      })
      yield* day.close
    })
  )
})

describe("many pipelines", () => {
  it.effect("are run some at a time, those first that were due first, and none is left out", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00", { maxRuns: 3 })
      const tasks = Array.from({ length: 10 }, (_, nth) => task(`t${nth}`, `${nth} 2 * * *`))
      for (const { name } of tasks) day.plan.set(name, { minutes: 20, outcome: () => outcome("done") })
      yield* day.live("2026-06-01 06:00", tasks)

      expect(day.peak()).toBe(3)
      expect(day.ran).toEqual([
        "t0 06-01 02:00",
        "t1 06-01 02:01",
        "t2 06-01 02:02",
        "t3 06-01 02:20",
        "t4 06-01 02:21",
        "t5 06-01 02:22",
        "t6 06-01 02:40",
        "t7 06-01 02:41",
        "t8 06-01 02:42",
        "t9 06-01 03:00"
      ])
      yield* day.close
    })
  )

  it.effect("that jitter begin later than they are due, and the same after a restart", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00")
      const tasks = [
        task("a", "0 2 * * *", { jitterMillis: 3_600_000 }),
        task("b", "0 2 * * *", { jitterMillis: 3_600_000 })
      ]
      yield* day.live("2026-06-01 02:01", tasks)
      yield* day.live("2026-06-01 04:00", tasks)

      expect(day.ran).toHaveLength(2)
      for (const run of day.ran) expect(run).toMatch(/ 06-01 02:(0[1-9]|[1-5]\d)$/)
      yield* day.close
    })
  )
})

describe("a pipeline that another process runs", () => {
  it.effect("is waited for, and left out after five minutes where it does not queue", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00")
      day.plan.set("short", { minutes: 0, outcome: (nth) => outcome(nth < 10 ? "busy" : "done") })
      day.plan.set("long", { minutes: 0, outcome: () => outcome("busy") })
      yield* day.live("2026-06-01 04:00", [task("short", "0 2 * * *"), task("long", "0 3 * * *")])

      expect(day.news.map(({ _tag }) => _tag)).toEqual(["Began", "Busy", "Ended", "Began", "Busy", "Skipped"])
      expect(day.ran.filter((run) => run === "short 06-01 02:00")).toHaveLength(1)
      yield* day.close
    })
  )
})

describe("a pipeline whose destination is in use", () => {
  it.effect("is waited for, and has failed after an hour", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00")
      day.plan.set("short", { minutes: 0, outcome: (nth) => outcome(nth < 100 ? "blocked" : "done") })
      day.plan.set("long", { minutes: 0, outcome: () => outcome("blocked") })
      yield* day.live("2026-06-01 06:00", [task("short", "0 2 * * *"), task("long", "0 3 * * *", { retries: 1 })])

      expect(day.news.map((news) => (news._tag === "Ended" ? news.state : news._tag))).toEqual([
        "Began",
        "Busy",
        "done",
        "Began",
        "Busy",
        "Retrying",
        "Began",
        "Busy",
        "failed"
      ])
      yield* day.close
    })
  )
})

describe("a scheduler that is asked to stop", () => {
  it.effect("lets what is under way end, begins nothing more, and keeps what waits for the next one", () =>
    Effect.gen(function* () {
      const day = yield* simulate("2026-06-01 00:00", { maxRuns: 1 })
      day.plan.set("a", { minutes: 30, outcome: () => outcome("done") })
      const tasks = [task("a", "0 2 * * *"), task("b", "1 2 * * *")]
      yield* day.live("2026-06-01 06:00", tasks, { "2026-06-01 02:10": "stop" })
      expect(day.ran).toEqual(["a 06-01 02:00"])

      yield* day.live("2026-06-01 07:00", tasks)
      expect(day.ran).toEqual(["a 06-01 02:00", "b 06-01 06:00"])
      yield* day.close
    })
  )
})

describe("what is to be told", () => {
  const notify = [
    { type: "command", run: ["true"] },
    { type: "command", run: ["false"], on: ["changed"] }
  ] as const

  it.effect("is told once: failed at the last attempt, held, and recovered", () =>
    Effect.gen(function* () {
      const week = yield* simulate("2026-06-01 00:00")
      const ends = ["done", "failed", "failed", "failed", "failed", "held", "done", "done"] as const
      week.plan.set("a", { minutes: 1, outcome: (nth) => outcome(ends[nth - 1] ?? "done", { rows: { pages: nth } }) })
      const tasks = [task("a", "0 2 * * *", { retries: 1 }, notify)]
      yield* week.live("2026-06-02 12:00", tasks)
      yield* week.live("2026-06-08 00:00", tasks)

      expect(week.sent).toEqual([
        "command failed a 06-02 02:00",
        "command failed a 06-03 02:00",
        "command held a 06-04 02:00",
        "command recovered a 06-05 02:00",
        "command changed a 06-06 02:00",
        "command changed a 06-07 02:00"
      ])
      expect(week.news.filter((news) => news._tag === "Notified").map((news) => news.failure)).toEqual(
        week.sent.map(() => undefined)
      )
      yield* week.close
    })
  )
})
