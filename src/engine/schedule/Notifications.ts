/**
 * Sends notices while runs continue.
 *
 * A run does not wait for its notices. A notice is marked in the ledger before it is sent, so it arrives at most once, even
 * after restarts. A notice that certainly did not arrive is tried again after 10 seconds, 1, 5 and 15 minutes, and at the
 * next start. A notice is reported if it failed finally, has to wait for the next start, or may or may not have arrived.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Notify from "../Notify.ts"
import type { ScheduleEvent } from "../ScheduleEvent.ts"
import { Notifier } from "../ScheduleNotifier.ts"
import * as ScheduleStore from "../ScheduleStore.ts"
import type { Task } from "../ScheduleTask.ts"

export interface Notifications {
  /** Handles what previous schedulers left: delivers what is due, and reports events whose delivery is uncertain. */
  readonly takeUp: Effect.Effect<void, ScheduleStore.LedgerError>
  /** Begins to send the notices that are due. Returns at once. */
  readonly announce: Effect.Effect<void>
  /** Waits until every notice that can be sent now is sent, and reports those that wait for another try. */
  readonly settled: Effect.Effect<void>
}

/** The notices for these events: one for each `notify` of the file that wants the event. */
export const noticesOf = (
  { notify }: Task,
  events: ReadonlyArray<Notify.Event>
): ReadonlyArray<{ readonly event: Notify.Event; readonly target: number }> =>
  events.flatMap((event) => notify.flatMap((one, target) => (Notify.wants(one, event) ? [{ event, target }] : [])))

/** The maximum time that a stop waits for notices. */
const patience = "30 seconds"

/** The wait after each failed attempt. */
const waits = ["10 seconds", "1 minute", "5 minutes", "15 minutes"] as const

interface Options {
  readonly taskOf: (name: string) => Task | undefined
  /** Whether this process sends the notices of a task: `schedule run` shares a ledger with the other files of its folder. */
  readonly isOurs: (name: string) => boolean
  readonly tell: (news: ScheduleEvent) => Effect.Effect<void>
}

export const open = Effect.fnUntraced(function* ({ isOurs, taskOf, tell }: Options) {
  const ledger = yield* ScheduleStore.Ledger
  const notifier = yield* Notifier
  /** Fibers that send notices, and fibers that wait for another try. A stop waits only for the first. */
  const fibers = yield* FiberSet.make()
  const waiting = yield* FiberSet.make()

  /** The ids of notices that a fiber handles. */
  const inHand = new Set<string>()
  /** The reports of waiting notices, for a scheduler that stops before they are tried again. */
  const unsent = new Map<string, ScheduleEvent>()

  const ours = Effect.fnUntraced(function* (state: "due" | "sending") {
    const all = yield* Effect.forEach(yield* ledger.notices(state), (notice) =>
      Effect.map(ledger.run(notice.run), (run) => ({ notice, task: run?.task ?? "" }))
    )
    return all.filter(({ task }) => isOurs(task))
  })

  const attempt = (notice: ScheduleStore.Notice, number: number): Effect.Effect<void, ScheduleStore.LedgerError> =>
    Effect.gen(function* () {
      unsent.delete(notice.id)
      if (!(yield* ledger.claim(notice.id))) return yield* letGo(notice)
      const { failure, news } = yield* send(notice, yield* ledger.run(notice.run), taskOf, notifier)
      const now = yield* Clock.currentTimeMillis
      const wait = failure?.retryable === true ? waits[number] : undefined
      if (failure !== undefined && wait !== undefined) {
        yield* ledger.settleNotice(notice.id, "due", failure.message, now)
        unsent.set(notice.id, { _tag: "Notified", ...news, failure: `${failure.message}; the next start tries again` })
        yield* FiberSet.run(waiting, Effect.andThen(Effect.sleep(wait), begin(notice, number + 1)))
        return
      }
      yield* ledger.settleNotice(notice.id, failure === undefined ? "sent" : "failed", failure?.message ?? null, now)
      yield* letGo(notice)
      yield* tell({ _tag: "Notified", ...news, failure: failure?.message })
    })

  const letGo = ({ id }: ScheduleStore.Notice) => Effect.sync(() => void inHand.delete(id))

  const begin = (notice: ScheduleStore.Notice, number: number) =>
    FiberSet.run(fibers, Effect.ignore(Effect.tapError(attempt(notice, number), () => letGo(notice))))

  const announce = Effect.gen(function* () {
    for (const { notice } of yield* ours("due")) {
      if (inHand.has(notice.id)) continue
      inHand.add(notice.id)
      yield* begin(notice, 0)
    }
  }).pipe(Effect.ignore)

  const takeUp = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { notice, task: name } of yield* ours("sending")) {
      const { event, id, target } = notice
      const failure = "the scheduler died while it sent this notice: it may have arrived, and is not sent again"
      yield* ledger.settleNotice(id, "failed", failure, now)
      yield* tell({ _tag: "Notified", task: name, event, to: nameOf(taskOf(name), target), failure })
    }
    yield* announce
  })

  const announcer: Notifications = {
    takeUp,
    announce,
    settled: Effect.timeoutOption(FiberSet.awaitEmpty(fibers), patience).pipe(
      Effect.ignore,
      Effect.andThen(Effect.suspend(() => Effect.forEach(unsent.values(), tell, { discard: true })))
    )
  }
  return announcer
})

/** Sends a notice. Returns the news about it, and why it did not arrive. */
const send = Effect.fnUntraced(function* (
  notice: ScheduleStore.Notice,
  run: ScheduleStore.Run | undefined,
  taskOf: Options["taskOf"],
  notifier: Notifier["Service"]
) {
  const task = run === undefined ? undefined : taskOf(run.task)
  const to = task?.notify[notice.target]
  const news = { task: run?.task ?? "", event: notice.event, to: nameOf(task, notice.target) }
  if (run === undefined || task === undefined || to === undefined || !Notify.wants(to, notice.event)) {
    return { news, failure: { message: "the pipeline file no longer names it", retryable: false } }
  }
  const answer = yield* Effect.result(notifier.send(to, { id: notice.id, event: notice.event, task, run }))
  return { news, failure: answer._tag === "Failure" ? answer.failure : undefined }
})

/** The name of a receiver: its type, with a number if the file has several of that type: "webhook 2". */
const nameOf = (task: Task | undefined, target: number): string => {
  const to = task?.notify[target]
  if (to === undefined) return "nobody"
  const same = task?.notify.filter(({ type }) => type === to.type) ?? []
  return same.length === 1 ? to.type : `${to.type} ${same.indexOf(to) + 1}`
}
