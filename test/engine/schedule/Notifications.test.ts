import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { ScheduleEvent } from "#engine/ScheduleEvent"
import { Notifier, NotifyError } from "#engine/ScheduleNotifier"
import * as ScheduleStore from "#engine/ScheduleStore"
import * as Notifications from "#engine/schedule/Notifications"
import { outcome, task } from "./simulated.ts"

const one = task("a", "0 2 * * *", {}, [
  { type: "command", run: ["true"] },
  { type: "command", run: ["false"], on: ["failed"] }
])

/** A run of the task that has failed, with its notices. */
const failedRun = Effect.gen(function* () {
  const ledger = yield* ScheduleStore.Ledger
  yield* ledger.adopt(one, 0)
  yield* ledger.add("a", 1000, 1000)
  const [run] = yield* ledger.open
  if (run === undefined) throw new Error("there is no run")
  yield* ledger.settle(
    run,
    { state: "failed", outcome: outcome("failed"), now: 2000 },
    Notifications.noticesOf(one, ["failed"])
  )
})

const inMemory = <A, E>(
  use: (at: {
    readonly sent: Array<string>
    readonly news: Array<ScheduleEvent>
    readonly made: Notifications.Notifications
    /** How often the next ones cannot be told for now. */
    readonly away: { times: number }
  }) => Effect.Effect<A, E, ScheduleStore.Ledger>,
  before: Effect.Effect<void, ScheduleStore.LedgerError, ScheduleStore.Ledger> = Effect.void,
  /** The task as its file is when notices are sent. */
  now = one
) =>
  Effect.gen(function* () {
    const [sent, news]: [Array<string>, Array<ScheduleEvent>] = [[], []]
    const away = { times: 0 }
    const notifier = Notifier.of({
      send: (to, { event }) =>
        Effect.suspend(() => {
          const name = to.type === "command" ? to.run[0] : to.type
          sent.push(`${event} ${name}`)
          if (away.times-- > 0) return Effect.fail(new NotifyError({ message: "it is away", retryable: true }))
          return name === "false"
            ? Effect.fail(new NotifyError({ message: "false ended with 1", retryable: false }))
            : Effect.void
        })
    })
    yield* failedRun
    yield* before
    const made = yield* Notifications.open({
      taskOf: () => now,
      isOurs: (name) => name === now.name,
      tell: (told) => Effect.sync(() => void news.push(told))
    }).pipe(Effect.provideService(Notifier, notifier))
    return yield* use({ sent, news, made, away })
  }).pipe(Effect.provide(Layer.orDie(ScheduleStore.layer(":memory:"))), Effect.scoped)

it.effect("tells what is due, once however often it is asked, and says what could not be told", () =>
  inMemory(({ made, news, sent }) =>
    Effect.gen(function* () {
      yield* made.takeUp
      yield* made.announce
      yield* made.settled
      yield* made.announce
      yield* made.takeUp
      yield* made.settled

      expect(sent).toEqual(["failed true", "failed false"])
      expect(news).toEqual([
        { _tag: "Notified", task: "a", event: "failed", to: "command 1", failure: undefined },
        { _tag: "Notified", task: "a", event: "failed", to: "command 2", failure: "false ended with 1" }
      ])
    })
  )
)

it.effect("does not send again what a scheduler that died was sending, and says so", () =>
  inMemory(
    ({ made, news, sent }) =>
      Effect.gen(function* () {
        yield* made.takeUp
        yield* made.settled
        yield* made.takeUp

        expect(sent).toEqual(["failed false"])
        expect(news[0]).toMatchObject({
          _tag: "Notified",
          failure: "the scheduler died while it sent this notice: it may have arrived, and is not sent again"
        })
        expect(news).toHaveLength(2)
      }),
    Effect.gen(function* () {
      const ledger = yield* ScheduleStore.Ledger
      const [first] = yield* ledger.notices("due")
      expect(yield* ledger.claim(first?.id ?? "")).toBe(true)
      expect(yield* ledger.claim(first?.id ?? "")).toBe(false)
    })
  )
)

it.effect("tries again what surely did not arrive, later each time, and tells of it once", () =>
  inMemory(({ away, made, news, sent }) =>
    Effect.gen(function* () {
      const quiet = (times: number) => Effect.forEach(Array.from({ length: times }), () => Effect.yieldNow)
      away.times = 4
      yield* made.takeUp
      yield* quiet(20)
      expect(sent).toEqual(["failed true", "failed false"])
      yield* made.announce
      yield* TestClock.adjust("9 seconds")
      yield* quiet(20)
      expect(sent).toHaveLength(2)
      yield* TestClock.adjust("1 second")
      yield* quiet(20)
      expect(sent).toHaveLength(4)
      expect(news).toEqual([])
      yield* TestClock.adjust("1 minute")
      yield* made.settled

      expect(sent).toHaveLength(6)
      expect(news.map((told) => (told._tag === "Notified" ? told.failure : told._tag))).toEqual([
        undefined,
        "false ended with 1"
      ])
    })
  )
)

it.effect("gives up after the last attempt, and says why", () =>
  inMemory(({ away, made, news, sent }) =>
    Effect.gen(function* () {
      away.times = Number.POSITIVE_INFINITY
      yield* made.takeUp
      for (const time of ["10 seconds", "1 minute", "5 minutes", "15 minutes"] as const) {
        yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)
        yield* TestClock.adjust(time)
      }
      yield* made.settled

      expect(sent).toHaveLength(2 * 5)
      expect(news.map((told) => (told._tag === "Notified" ? told.failure : told._tag))).toEqual([
        "it is away",
        "it is away"
      ])
    })
  )
)

it.effect("leaves the notices of other tasks to the processes that run them", () =>
  inMemory(
    ({ made, news, sent }) =>
      Effect.gen(function* () {
        const ledger = yield* ScheduleStore.Ledger
        yield* made.takeUp
        yield* made.announce
        yield* made.settled

        expect([sent, news]).toEqual([[], []])
        expect(yield* ledger.notices("sending")).toHaveLength(1)
        expect(yield* ledger.notices("due")).toHaveLength(1)
      }),
    Effect.gen(function* () {
      const ledger = yield* ScheduleStore.Ledger
      const [first] = yield* ledger.notices("due")
      yield* ledger.claim(first?.id ?? "")
    }),
    task("b", "0 2 * * *", {}, one.notify)
  )
)

it.effect("sends nobody a notice who does not want it any more", () =>
  inMemory(
    ({ made, news, sent }) =>
      Effect.gen(function* () {
        yield* made.takeUp
        yield* made.settled

        expect(sent).toEqual(["failed true"])
        expect(news.map((told) => (told._tag === "Notified" ? told.failure : told._tag))).toEqual([
          undefined,
          "the pipeline file no longer names it"
        ])
      }),
    Effect.void,
    task("a", "0 2 * * *", {}, [
      { type: "command", run: ["true"] },
      { type: "command", run: ["other"], on: ["changed"] }
    ])
  )
)

it.effect("reports at the end what waits for the next start", () =>
  inMemory(({ away, made, news }) =>
    Effect.gen(function* () {
      away.times = 1
      yield* made.takeUp
      yield* made.settled

      expect(news.map((told) => (told._tag === "Notified" ? told.failure : told._tag))).toEqual([
        "false ended with 1",
        "it is away; the next start tries again"
      ])
    })
  )
)

it.effect("is due again at the next start where a scheduler stopped between two attempts", () =>
  inMemory(({ away, made, sent }) =>
    Effect.gen(function* () {
      const ledger = yield* ScheduleStore.Ledger
      away.times = 2
      yield* made.takeUp
      yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)

      expect(sent).toHaveLength(2)
      expect(yield* ledger.notices("sending")).toEqual([])
      expect(yield* ledger.notices("due")).toHaveLength(2)
    })
  )
)
