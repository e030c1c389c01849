/**
 * Makes the attempts at a run, one after the other, until the run is over.
 *
 * An attempt is in the ledger before it begins, and its end before anyone is notified. A failed attempt is repeated as
 * often as the task allows; an attempt that another process blocks waits for it, up to a limit.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Event } from "../Notify.ts"
import type { ScheduleEvent } from "../ScheduleEvent.ts"
import * as ScheduleMetrics from "../ScheduleMetrics.ts"
import { type Outcome, Runner, without } from "../ScheduleRunner.ts"
import * as ScheduleStore from "../ScheduleStore.ts"
import { backoffOf, type Task } from "../ScheduleTask.ts"
import * as Notifications from "./Notifications.ts"

interface Options {
  readonly announcer: Notifications.Notifications
  readonly tell: (news: ScheduleEvent) => Effect.Effect<void>
  /** Whether the scheduler is stopping, so that nothing new may begin. */
  readonly isStopping: () => boolean
}

interface Attempts {
  readonly begin: (task: Task, run: ScheduleStore.Run) => Effect.Effect<void, ScheduleStore.LedgerError>
  /** Handles a run that an earlier scheduler began: records its end if it has ended, otherwise continues it. */
  readonly resume: (task: Task, run: ScheduleStore.Run) => Effect.Effect<void, ScheduleStore.LedgerError>
  /** Puts a failed run in the place of runs whose rows are lost, so that notices and lists say it. */
  readonly lose: (task: Task, message: string) => Effect.Effect<void, ScheduleStore.LedgerError>
}

/** How often to try again while another process runs the pipeline, and for how long if the schedule does not queue runs. */
const busyMillis = 5000
const busyAtMost = 300_000
/** How long to wait for a destination that another process uses, because pipelines may share one. Then the attempt fails. */
const blockedAtMost = 3_600_000

export const create = Effect.fnUntraced(function* (options: Options) {
  const { isStopping, tell } = options
  const ledger = yield* ScheduleStore.Ledger
  const over = ending(options, ledger)
  const runner = yield* Runner

  const resume = Effect.fnUntraced(function* (task: Task, run: ScheduleStore.Run) {
    const ended = yield* runner.ended(task, run.attempt_at ?? run.begin_at)
    if (ended === undefined) {
      yield* ledger.again(run.id, run.begin_at, run.message, false)
      return yield* attempt(task, { ...run, attempts: run.attempts - 1 }, true)
    }
    yield* settle(task, run, ended, 0)
  })

  const attempt = Effect.fnUntraced(function* (task: Task, waiting: ScheduleStore.Run, resumed: boolean) {
    const startedAt = yield* Clock.currentTimeMillis
    yield* ledger.start(waiting.id, startedAt)
    const run: ScheduleStore.Run = {
      ...waiting,
      state: "running",
      attempts: waiting.attempts + 1,
      attempt_at: startedAt
    }
    yield* ScheduleMetrics.began(task.name, startedAt - run.due)
    yield* tell({ _tag: "Began", run, resumed })
    const outcome = yield* free(task, run)
    const now = yield* Clock.currentTimeMillis
    if (outcome === "stopped") return yield* ledger.again(run.id, run.begin_at, run.message, false)
    if (outcome.status === "busy") {
      yield* ledger.settle(run, { state: "skipped", outcome, now }, [])
      yield* ScheduleMetrics.skipped(task.name, "overlap", 1)
      return yield* tell({ _tag: "Skipped", task: task.name, due: run.due, message: outcome.message ?? "" })
    }
    yield* settle(task, run, outcome, now - startedAt)
  })

  /** After an attempt: plans the next attempt, or ends the run. */
  const settle = Effect.fnUntraced(function* (task: Task, run: ScheduleStore.Run, outcome: Outcome, millis: number) {
    const isGood = outcome.status === "done" || outcome.status === "held"
    yield* ScheduleMetrics.attempted(task.name, isGood, millis)
    if (outcome.status !== "failed" || run.attempts > task.timing.retries) {
      return yield* over(task, run, outcome, millis)
    }
    const at = (yield* Clock.currentTimeMillis) + backoffOf(task.timing, run.attempts)
    yield* ledger.again(run.id, at, outcome.message, true)
    yield* tell({ _tag: "Retrying", run, at, message: outcome.message })
  })

  /** Runs the pipeline when no other process does, such as a run by hand or a run that a dead scheduler has left. */
  const free = Effect.fnUntraced(function* (task: Task, run: ScheduleStore.Run) {
    const since = yield* Clock.currentTimeMillis
    for (let isReported = false; ; isReported = true) {
      const outcome = yield* limited(task, runner.run(task, run.due)).pipe(
        Effect.tap(({ run_id, status }) => Effect.annotateCurrentSpan({ status, run_id })),
        Effect.withSpan("schedule.run", {
          attributes: { pipeline: task.name, due: new Date(run.due).toISOString(), attempt: run.attempts }
        })
      )
      const waited = (yield* Clock.currentTimeMillis) - since
      if (outcome.status !== "busy" && outcome.status !== "blocked") return outcome
      if (outcome.status === "blocked" && waited >= blockedAtMost) return { ...outcome, status: "failed" } as const
      if (outcome.status === "busy" && task.timing.overlap === "skip" && waited >= busyAtMost) return outcome
      if (!isReported) yield* tell({ _tag: "Busy", run, message: outcome.message })
      yield* Effect.sleep(Duration.millis(busyMillis))
      if (isStopping()) return "stopped"
    }
  })

  const lose = Effect.fnUntraced(function* (task: Task, message: string) {
    const now = yield* Clock.currentTimeMillis
    yield* ledger.add(task.name, now, now, message)
    const run = yield* ledger.last(task.name)
    if (run !== undefined) yield* over(task, run, without("failed", message), 0)
  })

  const attempts: Attempts = { begin: (task, run) => attempt(task, run, false), resume, lose }
  return attempts
})

/** Ends a run, and announces it. */
const ending = ({ announcer, tell }: Options, ledger: ScheduleStore.Ledger["Service"]) =>
  Effect.fnUntraced(function* (task: Task, run: ScheduleStore.Run, outcome: Outcome, millis: number) {
    const state = outcome.status === "busy" || outcome.status === "blocked" ? "failed" : outcome.status
    const now = yield* Clock.currentTimeMillis
    const events = eventsOf(state, outcome, yield* ledger.before(task.name, run.id))
    yield* ledger.settle(run, { state, outcome, now }, Notifications.noticesOf(task, events))
    yield* ScheduleMetrics.ended(task.name, state, outcome)
    yield* tell({ _tag: "Ended", run, state, outcome, millis })
    yield* announcer.announce
  })

const limited = ({ timing: { timeoutMillis } }: Task, run: ReturnType<Runner["Service"]["run"]>) =>
  timeoutMillis === undefined
    ? run
    : Effect.timeoutOrElse(run, {
        duration: Duration.millis(timeoutMillis),
        orElse: () =>
          Effect.succeed(without("failed", `it took longer than ${timeoutMillis / 1000} s, and was stopped`))
      })

/**
 * The events of a run that is over.
 *
 * A run is compared with the previous run that was made, whenever that was. The first run has nothing to compare with,
 * so it is not `recovered`, and `changed` only if its outcome counts changes.
 */
export const eventsOf = (
  state: ScheduleStore.State,
  outcome: Outcome,
  before: Pick<ScheduleStore.Run, "state" | "rows"> | undefined
): ReadonlyArray<Event> => {
  if (state === "held") return ["held"]
  if (state !== "done") return ["failed"]
  const recovered = before !== undefined && before.state !== "done"
  return [...(recovered ? ["recovered" as const] : []), ...(isChanged(outcome, before) ? ["changed" as const] : [])]
}

/** Whether a run has changed rows: by its count of changes, otherwise by the numbers of rows of the run before. */
const isChanged = (
  { changed, rows }: Outcome,
  before: Pick<ScheduleStore.Run, "state" | "rows"> | undefined
): boolean => {
  if (changed !== null) return changed > 0
  if (before === undefined || before.state !== "done") return false
  return [...new Set([...Object.keys(rows), ...Object.keys(before.rows)])].some(
    (table) => (rows[table] ?? 0) !== (before.rows[table] ?? 0)
  )
}
