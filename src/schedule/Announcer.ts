/**
 * Tells what is due to be told, beside the runs.
 *
 * The laws: a run does not wait for it; a notice is taken in the ledger before it is sent, so it is sent at most once
 * over all restarts; one that failed, or of which nobody knows, is told to who watches.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Notify from "../pipeline/Notify.ts"
import * as Ledger from "./Ledger.ts"
import type { News } from "./News.ts"
import { Notifier } from "./Notifier.ts"
import type { Task } from "./Task.ts"

export interface Announcer {
  /** Sees to what previous schedulers left: tells what is due, and of what nobody knows whether it was told. */
  readonly takeUp: Effect.Effect<void, Ledger.LedgerError>
  /** Begins to tell what is due. Returns at once. */
  readonly announce: Effect.Effect<void>
  /** When all of it is told. */
  readonly settled: Effect.Effect<void>
}

/** What a file wants to be told of these events: which of its `notify`, for each. */
export const noticesOf = (
  { notify }: Task,
  events: ReadonlyArray<Notify.Event>
): ReadonlyArray<{ readonly event: Notify.Event; readonly target: number }> =>
  events.flatMap((event) => notify.flatMap((one, target) => (Notify.wants(one, event) ? [{ event, target }] : [])))

/** The longest a stop waits for it. */
const patience = "30 seconds"

export const make = Effect.fnUntraced(function* (
  taskOf: (name: string) => Task | undefined,
  tell: (news: News) => Effect.Effect<void>
) {
  const ledger = yield* Ledger.Ledger
  const notifier = yield* Notifier
  const fibers = yield* FiberSet.make()

  const one = Effect.fnUntraced(function* (notice: Ledger.Notice) {
    if (!(yield* ledger.claim(notice.id))) return
    const run = yield* ledger.run(notice.run)
    const task = run === undefined ? undefined : taskOf(run.task)
    const to = task?.notify[notice.target]
    const answer =
      run === undefined || task === undefined || to === undefined
        ? { _tag: "Failure" as const, failure: { message: "the pipeline file does not name it any more" } }
        : yield* Effect.result(notifier.send(to, { id: notice.id, event: notice.event, task, run }))
    const failure = answer._tag === "Failure" ? answer.failure.message : undefined
    const now = yield* Clock.currentTimeMillis
    yield* ledger.told(notice.id, failure === undefined ? "sent" : "failed", failure ?? null, now)
    yield* tell({ _tag: "Told", task: run?.task ?? "", event: notice.event, to: to?.type ?? "nobody", failure })
  })

  const announce = Effect.gen(function* () {
    for (const notice of yield* ledger.notices("due")) yield* FiberSet.run(fibers, Effect.ignore(one(notice)))
  }).pipe(Effect.ignore)

  const takeUp = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const { event, id, run: runId, target } of yield* ledger.notices("sending")) {
      const failure = "the scheduler died while it told: it may have arrived, and is not sent again"
      yield* ledger.told(id, "failed", failure, now)
      const name = (yield* ledger.run(runId))?.task ?? ""
      yield* tell({ _tag: "Told", task: name, event, to: taskOf(name)?.notify[target]?.type ?? "nobody", failure })
    }
    yield* announce
  })

  const announcer: Announcer = {
    takeUp,
    announce,
    settled: Effect.ignore(Effect.timeoutOption(FiberSet.awaitEmpty(fibers), patience))
  }
  return announcer
})
