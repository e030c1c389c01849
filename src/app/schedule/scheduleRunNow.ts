/**
 * The work behind `millrace schedule run FILE`: one run now, with the retries, time limit and notices of the file's schedule.
 * Cron, systemd and Kubernetes start it at the times that they keep.
 *
 * If a run of the file is still in progress, this run is skipped or waits, as the file's `overlap` says. If `millrace
 * schedule` already works in this folder, nothing is run.
 */
import { dirname, join, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Lock from "#base/Lock"
import { makePrivateFolder } from "#base/privateFolder"
import * as Journals from "#engine/Journals"
import type { ScheduleEvent } from "#engine/ScheduleEvent"
import { Ledger } from "#engine/ScheduleLedger"
import * as Scheduler from "#engine/Scheduler"
import * as ScheduleStore from "#engine/ScheduleStore"
import type { Task } from "#engine/ScheduleTask"
import type { NetworkFlags } from "#library/services"
import { type CliFailure, failed, heldCommit, wrong } from "#see/CliFailure"
import { loadText, textOf } from "#see/loadPipeline"
import { notifyRun } from "../notify/notifyRun.ts"
import { say } from "../notify/scheduleNews.ts"
import { ledgerOf, lock } from "./schedulePipelines.ts"
import * as ScheduleRunner from "./scheduleRunner.ts"
import { scheduleSignals } from "./scheduleSignals.ts"

interface Options extends NetworkFlags {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly jitter: boolean
  readonly json: boolean
}

export const scheduleRunNow = Effect.fn("scheduleRunNow")(function* (options: Options) {
  const task = yield* taskOf(options)
  const folder = dirname(task.path)
  yield* noScheduler(folder)
  const services = Layer.mergeAll(ScheduleStore.layer(ledgerOf(folder)), ScheduleRunner.layer(options), notifyRun)
  yield* Effect.provide(runTask(task, options), services).pipe(
    Effect.catchTag("LedgerError", (error) => failed(`${folder}: ${error.message}`))
  )
}, Effect.scoped)

const runTask = Effect.fnUntraced(function* (task: Task, { jitter, json }: Options) {
  if (!(yield* lockPipeline(task))) {
    const now = yield* Clock.currentTimeMillis
    const message = "the previous run has not finished"
    yield* (yield* Ledger).add(task.name, now, now, message)
    return say({ _tag: "Skipped", task: task.name, due: now, message }, now, json)
  }
  let end: CliFailure | undefined
  const tell = (news: ScheduleEvent) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (news._tag === "Ended") end ??= endOf(news.state)
      if (news._tag === "Lost") end ??= failed("")
      say(news, now, json)
    })
  const scheduler = yield* Scheduler.create({ maxRuns: 1, latenessMillis: 0, tell })
  yield* scheduleSignals({ first: scheduler.stop, isIdle: ScheduleRunner.isIdle, second: ScheduleRunner.killAll })
  yield* scheduler.runNow(task, jitter)
  if (end !== undefined) return yield* end
})

/** A failure with the exit code of `millrace run`. Its message is empty, because the problem is already reported. */
const endOf = (state: string): CliFailure | undefined => {
  if (state === "done") return undefined
  return state === "held" ? heldCommit("") : state === "wrong" ? wrong("") : failed("")
}

/** A file without a schedule is run once, without retries. */
const taskOf = Effect.fnUntraced(function* ({ file: path, vars }: Options) {
  const text = yield* textOf(path)
  const { file } = yield* loadText(path, text, vars, "none")
  const { cron: _, ...timing } = file.schedule ?? { cron: undefined, ...unscheduled }
  const task: Task = { name: file.name, path: resolve(path), text, timing, notify: file.notify }
  return task
})

const unscheduled: Task["timing"] = {
  expression: "0 0 * * *",
  timezone: "UTC",
  overlap: "skip",
  catch_up: "none",
  jitterMillis: 0,
  retries: 0,
  backoffMillis: 60_000,
  timeoutMillis: undefined,
  report: undefined
}

/** Fails if a scheduler holds the lock of the folder. Other commands like this one hold the lock only for a moment. */
const noScheduler = (folder: string) =>
  Effect.scoped(lock(folder)).pipe(Effect.retry({ times: 20, schedule: Schedule.spaced("100 millis") }))

/** Locks the pipeline for this run, until the scope closes; false: another run has the lock and this one is skipped. */
const lockPipeline = Effect.fnUntraced(function* (task: Task) {
  const pipelineFolder = Journals.folderOf(task.name, dirname(task.path))
  for (;;) {
    const taken = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          await makePrivateFolder(pipelineFolder)
          return Lock.take(join(pipelineFolder, "schedule.lock"))
        },
        catch: (cause) =>
          failed(`${pipelineFolder}: cannot be locked: ${cause instanceof Error ? cause.message : String(cause)}`)
      }),
      (taken) => Effect.sync(() => ("release" in taken ? taken.release() : undefined))
    )
    if ("release" in taken) return true
    if (task.timing.overlap === "skip") return false
    yield* Effect.sleep("5 seconds")
  }
})
