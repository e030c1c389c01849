import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Notifier } from "#engine/ScheduleNotifier"
import { Runner } from "#engine/ScheduleRunner"
import * as Scheduler from "#engine/Scheduler"
import * as ScheduleStore from "#engine/ScheduleStore"
import { noticesOf } from "#engine/schedule/Notifications"
import { outcome, task } from "./simulated.ts"

it.effect("a run now sends its own notices, and leaves those of other files to their runs", () => {
  const sent: Array<string> = []
  const notifier = Notifier.of({
    send: (_, { event, run }) => Effect.sync(() => void sent.push(`${run.task} ${event}`))
  })
  const runner = Runner.of({
    run: () => Effect.succeed(outcome("failed")),
    ended: () => Effect.succeed(undefined)
  })
  const [other, own] = ["other", "own"].map((name) =>
    task(name, "0 2 * * *", {}, [{ type: "command", run: ["true"] }])
  ) as [ReturnType<typeof task>, ReturnType<typeof task>]
  return Effect.gen(function* () {
    const ledger = yield* ScheduleStore.Ledger
    yield* ledger.add("other", 1000, 1000)
    const [run] = yield* ledger.open
    if (run === undefined) throw new Error("there is no run")
    const end = { state: "failed", outcome: outcome("failed"), now: 2000 } as const
    yield* ledger.settle(run, end, noticesOf(other, ["failed"]))

    const made = yield* Scheduler.create({ maxRuns: 1, latenessMillis: 0, tell: () => Effect.void })
    yield* made.runNow(own, false)

    expect(sent).toEqual(["own failed"])
    expect((yield* ledger.notices("due")).map((notice) => notice.run)).toEqual([run.id])
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        Layer.orDie(ScheduleStore.layer(":memory:")),
        Layer.succeed(Runner, runner),
        Layer.succeed(Notifier, notifier)
      )
    ),
    Effect.scoped
  )
})
