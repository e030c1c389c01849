/**
 * Schedulers on a clock of the test: what they run, when, and for how long. Their ledger is a real file, so one that is
 * stopped at any moment is followed by another, as after a kill.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { Timing } from "#engine/FileSchedule"
import type { Notify } from "#engine/Notify"
import type { ScheduleEvent } from "#engine/ScheduleEvent"
import * as Notifier from "#engine/ScheduleNotifier"
import { type Outcome, Runner } from "#engine/ScheduleRunner"
import * as Scheduler from "#engine/Scheduler"
import * as ScheduleStore from "#engine/ScheduleStore"
import type { Task } from "#engine/ScheduleTask"

export const task = (
  name: string,
  expression: string,
  timing: Partial<Timing> = {},
  notify: ReadonlyArray<Notify> = []
): Task => ({
  name,
  path: `/pipelines/${name}.yaml`,
  text: `# ${name}`,
  notify,
  timing: {
    expression,
    timezone: "UTC",
    overlap: "skip",
    catch_up: "last",
    jitterMillis: 0,
    retries: 0,
    backoffMillis: 60_000,
    timeoutMillis: undefined,
    report: undefined,
    ...timing
  }
})

export const outcome = (status: Outcome["status"], more: Partial<Outcome> = {}): Outcome => ({
  status,
  run_id: null,
  rows: {},
  changed: null,
  message: status === "done" ? null : status,
  ...more
})

export interface Simulation {
  /** `name 10-25 02:00` for each run that began, and ` (...)` where it did not end well, in the order they began. */
  readonly ran: Array<string>
  readonly news: Array<ScheduleEvent>
  readonly sent: Array<string>
  /** How long runs of a task take, and how they end. */
  readonly plan: Map<string, { minutes: number; outcome: (nth: number) => Outcome }>
  /** The most runs that were under way at once. */
  readonly peak: () => number
  /** A scheduler that lives until `until`; at each moment of `edits` it is told of other tasks, or to stop. It is killed then. */
  readonly live: (
    until: string,
    tasks: ReadonlyArray<Task>,
    edits?: Readonly<Record<string, ReadonlyArray<Task> | "stop">>
  ) => Effect.Effect<void>
  readonly down: (until: string) => Effect.Effect<void>
  readonly close: Effect.Effect<void>
  readonly file: string
}

/** "2026-10-25 02:00" in UTC. */
export const at = (text: string): number => Date.parse(`${text.replace(" ", "T")}:00Z`)
export const stamp = (millis: number): string => new Date(millis).toISOString().slice(5, 16).replace("T", " ")

/** Starts the clock of the test at this moment. */
export const simulate = Effect.fnUntraced(function* (
  from: string,
  { maxRuns = 2, latenessMillis = 60_000 }: { maxRuns?: number; latenessMillis?: number } = {}
) {
  yield* TestClock.setTime(at(from))
  const folder = mkdtempSync(join(tmpdir(), "millrace-schedule-"))
  const file = join(folder, "schedule.sqlite")
  const [ran, news, sent]: [Array<string>, Array<ScheduleEvent>, Array<string>] = [[], [], []]
  const plan: Simulation["plan"] = new Map()
  const counts = new Map<string, number>()
  let [now, peak] = [0, 0]
  const runner = Runner.of({
    run: (one) =>
      Effect.gen(function* () {
        const nth = (counts.get(one.name) ?? 0) + 1
        counts.set(one.name, nth)
        const planned = plan.get(one.name) ?? { minutes: 1, outcome: () => outcome("done") }
        const place = ran.push(`${one.name} ${stamp(yield* Clock.currentTimeMillis)} (killed)`) - 1
        peak = Math.max(peak, ++now)
        yield* Effect.sleep(Duration.minutes(planned.minutes))
        const end = planned.outcome(nth)
        ran[place] = (ran[place] ?? "").replace(" (killed)", end.status === "done" ? "" : ` (${end.status})`)
        return end
      }).pipe(Effect.ensuring(Effect.sync(() => void (now -= 1)))),
    ended: () => Effect.succeed(undefined)
  })
  const notifier = Notifier.Notifier.of({
    send: (to, { event, run, task: one }) =>
      Effect.sync(() => void sent.push(`${to.type} ${event} ${one.name} ${stamp(run.due)}`))
  })
  const live: Simulation["live"] = Effect.fnUntraced(function* (until, tasks, edits = {}) {
    const scope = Scope.makeUnsafe()
    const services = Layer.mergeAll(
      Layer.orDie(ScheduleStore.layer(file)),
      Layer.succeed(Runner, runner),
      Layer.succeed(Notifier.Notifier, notifier)
    )
    yield* Effect.gen(function* () {
      const made = yield* Scheduler.create({
        maxRuns,
        latenessMillis,
        tell: (one) => Effect.sync(() => void news.push(one))
      })
      yield* made.set(tasks)
      yield* Effect.forkScoped(made.work)
      for (const [moment, edited] of Object.entries(edits)) {
        yield* TestClock.setTime(at(moment))
        yield* edited === "stop" ? made.stop : made.set(edited)
      }
      yield* TestClock.setTime(at(until))
    }).pipe(Effect.provide(services), Scope.provide(scope), Effect.orDie)
    yield* Scope.close(scope, Exit.void)
  })
  const simulation: Simulation = {
    ran,
    news,
    sent,
    plan,
    peak: () => peak,
    live,
    down: (until) => TestClock.setTime(at(until)),
    close: Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
    file
  }
  return simulation
})
