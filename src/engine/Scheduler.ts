/**
 * The scheduler: runs tasks at their times, one run of a task at a time, and at most `maxRuns` runs at the same time.
 *
 * Guarantee: a run is in the ledger before it begins, so a scheduler that dies loses nothing and repeats nothing;
 * unfinished runs are continued first. A due time becomes a run, or is reported as skipped or missed. When the scheduler
 * is asked to stop, it begins nothing more and waits for the runs in progress.
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqliteRepair from "#base/SqliteRepair"
import * as DueTimes from "./DueTimes.ts"
import { decideDue } from "./DueTimes.ts"
import type { ScheduleEvent } from "./ScheduleEvent.ts"
import * as ScheduleMetrics from "./ScheduleMetrics.ts"
import * as ScheduleStore from "./ScheduleStore.ts"
import { beginOf, ruleOf, type Task } from "./ScheduleTask.ts"
import * as Attempts from "./schedule/Attempts.ts"
import * as Notifications from "./schedule/Notifications.ts"

interface Options {
  /** The maximum number of runs at the same time, of all tasks. */
  readonly maxRuns: number
  /** How old a due time may be to count as on time. */
  readonly latenessMillis: number
  readonly tell: (news: ScheduleEvent) => Effect.Effect<void>
}

export interface Scheduler {
  /** Sets all tasks to run from now on. */
  readonly set: (tasks: ReadonlyArray<Task>) => Effect.Effect<void, ScheduleStore.LedgerError>
  /** Works until it is stopped. */
  readonly work: Effect.Effect<void, ScheduleStore.LedgerError>
  /** Works until all runs that are due now are over. */
  readonly once: Effect.Effect<void, ScheduleStore.LedgerError>
  /**
   * Runs one task now, whatever its times, and leaves the others as they are; if a run of it was left unfinished, that run
   * is continued.
   */
  readonly runNow: (task: Task, jitters: boolean) => Effect.Effect<void, ScheduleStore.LedgerError>
  /** Begins no more runs: `work` and `once` end when all runs under way have ended. */
  readonly stop: Effect.Effect<void>
  /** What it knows without its database: as of its last look, and which runs are under way now. */
  readonly view: Effect.Effect<View>
}

interface View {
  readonly tasks: ReadonlyArray<{ readonly task: Task; readonly next: number | undefined }>
  /** Runs that are not over. */
  readonly open: ReadonlyArray<ScheduleStore.Run>
  readonly isStopping: boolean
  /** When it last looked for due times. */
  readonly lookedAt: number
}

interface Known {
  readonly task: Task
  readonly times: DueTimes.DueTimes
  decidedTo: number
  next: number | undefined
}

/** The maximum wait, however late the next time is, because clocks are set and machines sleep. */
const longestWait = 60_000
/** The maximum number of waiting runs of a task; a longer queue would never be finished. */
const longestQueue = 100

export const create = Effect.fnUntraced(function* ({ maxRuns, latenessMillis, tell }: Options) {
  const ledger = yield* ScheduleStore.Ledger
  const known = new Map<string, Known>()
  /** The task of `runNow`: other processes run the other tasks of the ledger. */
  let only: string | undefined
  const announcer = yield* Notifications.open({
    taskOf: (name) => known.get(name)?.task,
    isOurs: (name) => only === undefined || name === only,
    tell
  })
  const fibers = yield* FiberSet.make()
  /** The tasks that have a run under way, each with the id of the run. */
  const underWay = new Map<string, number>()
  const more = Latch.makeUnsafe(false)
  let isStopping = false
  const attempts = yield* Attempts.create({ announcer, tell, isStopping: () => isStopping })
  let lookedAt = yield* Clock.currentTimeMillis
  /** The ids of runs that an earlier scheduler left under way. */
  let notOver = yield* ledger.open
  const orphanedRuns = new Set(notOver.filter(({ state }) => state === "running").map(({ id }) => id))
  let failure: ScheduleStore.LedgerError | undefined

  const set = Effect.fnUntraced(function* (tasks: ReadonlyArray<Task>) {
    const now = yield* Clock.currentTimeMillis
    const before = [...(yield* ledger.tasks).map(({ name }) => name), ...(yield* ledger.open).map(({ task }) => task)]
    for (const name of new Set(before)) {
      if (tasks.some((task) => task.name === name)) continue
      // A run under way ends by itself, and its end is recorded.
      yield* ledger.drop(name, now, underWay.has(name))
      known.delete(name)
    }
    for (const task of tasks) {
      const decidedTo = yield* ledger.adopt(task, now)
      const before = known.get(task.name)
      const times =
        before !== undefined && ruleOf(before.task.timing) === ruleOf(task.timing)
          ? before.times
          : DueTimes.of(task.timing)
      known.set(task.name, { task, times, decidedTo, next: times.next(decidedTo) })
    }
    yield* more.open
  })

  /** Says what was lost of a damaged ledger. Runs that may have waited, or were under way, end as failed. */
  const tellLost = Effect.gen(function* () {
    const all = yield* ledger.lost
    const lost = all.filter(({ cells }) => only === undefined || (cells["task"] ?? cells["name"] ?? only) === only)
    for (const one of lost) yield* tell({ _tag: "Lost", message: SqliteRepair.inWords(one) })
    const open = lost.filter(({ cells, table }) => table === "runs" && !isOver(cells["state"]))
    for (const name of new Set(open.map(({ cells }) => String(cells["task"])))) {
      const task = known.get(name)?.task
      const dues = open.filter(({ cells }) => cells["task"] === name).map(({ cells }) => timeOf(cells["due"]))
      if (task !== undefined)
        yield* attempts.lose(task, `the schedule's database was damaged, and lost ${lostRuns(dues)}`)
    }
    yield* ledger.forgetLost(lost)
  })

  /** Decides on all due times up to now. */
  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    lookedAt = now
    for (const each of known.values()) {
      if (each.decidedTo > now) {
        each.decidedTo = yield* ledger.adopt(each.task, now)
        each.next = each.times.next(each.decidedTo)
      }
      if (each.next === undefined || each.next > now) continue
      const { task } = each
      const dues = DueTimes.between(each.times, each.decidedTo, now)
      const { missed, run } = decideDue(task.timing.catch_up, dues, now, latenessMillis)
      const open = (yield* ledger.open).filter((one) => one.task === task.name).length
      const queues = task.timing.overlap === "queue" || run.some(({ makesUp }) => makesUp)
      const room = (queues ? longestQueue : 1) - open
      const decided = [
        ...missed.map((due) => decidedAs(task, due, "missed", null)),
        ...run.map(({ due, makesUp }, at): ScheduleStore.Decided => {
          if (makesUp || at < room) return { ...decidedAs(task, due, "waiting", null), makesUp }
          return decidedAs(
            task,
            due,
            "skipped",
            queues ? "too many runs are waiting" : "the previous run had not finished"
          )
        })
      ]
      yield* ledger.decide(task.name, decided)
      each.decidedTo = dues.at(-1) ?? now
      each.next = each.times.next(each.decidedTo)
      for (const { due, message, state } of decided) {
        if (state !== "skipped") continue
        yield* ScheduleMetrics.skipped(task.name, "overlap", 1)
        yield* tell({ _tag: "Skipped", task: task.name, due, message: message ?? "" })
      }
      const last = missed.at(-1)
      if (last !== undefined) {
        yield* ScheduleMetrics.skipped(task.name, "missed", missed.length)
        yield* tell({ _tag: "Missed", task: task.name, count: missed.length, last })
      }
    }
  })

  /** Begins runs that can begin, the earliest first, one of each task at a time. */
  const dispatch = Effect.gen(function* () {
    if (isStopping) return
    const now = yield* Clock.currentTimeMillis
    for (const run of yield* ledger.open) {
      if (underWay.size >= maxRuns) return
      const task = known.get(run.task)?.task
      if (task === undefined || run.begin_at > now || underWay.has(run.task)) continue
      if (run.state === "running" && !orphanedRuns.has(run.id)) continue
      underWay.set(run.task, run.id)
      yield* FiberSet.run(fibers, begin(task, run))
    }
  })

  const begin = (task: Task, run: ScheduleStore.Run) =>
    (orphanedRuns.delete(run.id) ? attempts.resume(task, run) : attempts.begin(task, run)).pipe(
      Effect.catch((error) => Effect.sync(() => void (failure ??= error))),
      Effect.ensuring(
        Effect.suspend(() => {
          underWay.delete(run.task)
          return more.open
        })
      )
    )

  /** Waits until a time is due, a run ends, or the tasks change. */
  const rest = Effect.fnUntraced(function* (open: ReadonlyArray<ScheduleStore.Run>, isLooking: boolean) {
    const now = yield* Clock.currentTimeMillis
    const begins = open.flatMap((run) => (run.state === "waiting" && run.begin_at > now ? [run.begin_at] : []))
    const nexts = isLooking ? Array.from(known.values(), ({ next }) => next ?? Number.POSITIVE_INFINITY) : []
    const until = Math.min(now + longestWait, ...begins, ...nexts)
    yield* Effect.raceFirst(Effect.sleep(Duration.millis(Math.max(1, until - now))), more.await)
  })

  const workUntil = (isDone: (open: ReadonlyArray<ScheduleStore.Run>) => boolean, looks: boolean) =>
    Effect.gen(function* () {
      yield* tellLost
      yield* announcer.takeUp
      for (;;) {
        more.closeUnsafe()
        const isLooking = looks && !isStopping
        if (isLooking) yield* look
        yield* dispatch
        if (failure !== undefined) return yield* failure
        notOver = yield* ledger.open
        const open = notOver.filter(({ task }) => known.has(task))
        if (underWay.size === 0 && (isStopping || isDone(open))) break
        yield* rest(open, isLooking)
      }
      yield* announcer.settled
    })

  const scheduler: Scheduler = {
    set,
    work: workUntil(() => false, true),
    once: Effect.andThen(
      look,
      workUntil((open) => open.length === 0, false)
    ),
    runNow: Effect.fnUntraced(function* (task, jitters) {
      const now = yield* Clock.currentTimeMillis
      only = task.name
      known.set(task.name, { task, times: DueTimes.of(task.timing), decidedTo: now, next: undefined })
      const open = (yield* ledger.open).some((run) => run.task === task.name)
      if (!open) yield* ledger.add(task.name, now, jitters ? beginOf(task, now) : now)
      yield* workUntil((open) => open.length === 0, false)
    }),
    stop: Effect.suspend(() => {
      isStopping = true
      return Effect.asVoid(more.open)
    }),
    view: Effect.sync(() => ({
      tasks: Array.from(known.values(), ({ next, task }) => ({ task, next })),
      open: notOver.map((run) => (underWay.get(run.task) === run.id ? { ...run, state: "running" } : run)),
      isStopping,
      lookedAt
    }))
  }
  return scheduler
})

const isOver = (state: unknown): boolean =>
  Option.exists(Schema.decodeUnknownOption(ScheduleStore.State)(state), (one) => one !== "waiting" && one !== "running")

/** A time in a row that may be damaged. */
const timeOf = (millis: unknown): string =>
  Option.match(DateTime.make(Number(millis)), { onNone: () => "at an unknown time", onSome: DateTime.formatIso })

const lostRuns = (dues: ReadonlyArray<string>): string =>
  dues.length === 1 ? `the run due ${dues[0]}` : `${dues.length} runs, the last due ${dues.at(-1)}`

const decidedAs = (
  task: Task,
  due: number,
  state: ScheduleStore.Decided["state"],
  message: string | null
): ScheduleStore.Decided => ({ due, state, makesUp: false, beginAt: beginOf(task, due), message })
