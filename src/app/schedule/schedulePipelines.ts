/**
 * The work behind `millrace schedule`: runs the pipeline files of a folder at their times, until a signal stops it.
 *
 * A folder has one scheduler. The first signal lets runs finish. The second one stops them now, and the next scheduler
 * continues them.
 */
import { stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Lock from "#base/Lock"
import { makePrivateFolder } from "#base/privateFolder"
import { isPostgres } from "#base/sqlClient"
import type { ScheduleEvent } from "#engine/ScheduleEvent"
import { Ledger } from "#engine/ScheduleLedger"
import * as Scheduler from "#engine/Scheduler"
import * as ScheduleStore from "#engine/ScheduleStore"
import type { NetworkFlags } from "#library/services"
import { failed, runFailed, wrong } from "#see/CliFailure"
import { notifyRun } from "../notify/notifyRun.ts"
import { say } from "../notify/scheduleNews.ts"
import { releaseMemory, thisProcess } from "../releaseMemory.ts"
import { type FolderNews, notAFolder, scheduleFolder } from "../scheduleFolder.ts"
import * as ScheduleRunner from "./scheduleRunner.ts"
import { scheduleSignals } from "./scheduleSignals.ts"

interface Options extends NetworkFlags {
  readonly folder: string
  readonly vars: Readonly<Record<string, string>>
  readonly once: boolean
  readonly maxRuns: number
  readonly host: string
  /** The port of /health and /metrics. */
  readonly port: Option.Option<number>
  readonly json: boolean
  /** The database of a schedule that machines share. */
  readonly database: Option.Option<Redacted.Redacted>
}

export const ledgerOf = (folder: string): string => join(folder, ".millrace/schedule.sqlite")

/** How often the folder is read. */
const lookMillis = "2 seconds"
/** A run that was due while no scheduler worked still counts as on time for this long; with `--once` for longer. */
const latenessMillis = 60_000
const onceLatenessMillis = 900_000

export const schedulePipelines = Effect.fn("schedulePipelines")(function* (options: Options) {
  if (options.maxRuns < 1) return yield* wrong("--at-once must be at least 1")
  const shared = yield* sharedOf(options)
  if (shared === undefined) yield* lock(options.folder)
  const ledger =
    shared === undefined
      ? ScheduleStore.layer(ledgerOf(options.folder))
      : ScheduleStore.layerShared(shared, { standingBy: standingBy(options.json), lost: lostLead(options.folder) })
  const runner = ScheduleRunner.layer({ ...options, isShared: shared !== undefined })
  yield* Effect.provide(inFolder(options), Layer.mergeAll(ledger, runner, notifyRun)).pipe(
    Effect.catchTag("LedgerError", (error) => failed(`${options.folder}: ${error.message}`))
  )
}, Effect.scoped)

/** The database and the name of a shared schedule: it has the name of its folder. */
export const sharedOf = Effect.fnUntraced(function* ({ database, folder }: Pick<Options, "database" | "folder">) {
  if (Option.isNone(database)) return undefined
  const name = basename(resolve(folder))
  if (isPostgres(database.value)) return { url: database.value, name }
  return yield* wrong("--database must be a postgres:// URL")
})

const standingBy = (json: boolean) => (holder: string) =>
  Effect.map(Clock.currentTimeMillis, (now) => say({ _tag: "StandingBy", holder }, now, json))

/** Ends the process with its runs: nobody waits for a database that says nothing, and another machine may begin the runs. */
const lostLead = (folder: string) => (message: string) =>
  Effect.sync(() => {
    process.stderr.write(`millrace: ${folder}: ${message}\n`)
    ScheduleRunner.killAll()
    process.exit(runFailed)
  })

const inFolder = Effect.fnUntraced(function* ({ maxRuns, folder, host, json, once, port, vars }: Options) {
  const tell = (news: ScheduleEvent | FolderNews) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      bad ||= news._tag === "Lost" || (news._tag === "Ended" && news.state !== "done")
      say(news, now, json)
    })
  let bad = false
  const problems = new Map<string, string>()
  const look = scheduleFolder(folder, vars, yield* (yield* Ledger).tasks)
  const scheduler = yield* Scheduler.create({
    maxRuns,
    latenessMillis: once ? onceLatenessMillis : latenessMillis,
    tell
  })
  const follow = Effect.gen(function* () {
    const { news, problems: found, tasks } = yield* look
    problems.clear()
    for (const [path, problem] of found) problems.set(path, problem)
    for (const one of news) yield* tell(one)
    return { tasks, isNew: news.length > 0 }
  })
  const first = yield* follow
  yield* scheduler.set(first.tasks)
  yield* scheduleSignals({
    first: Effect.andThen(
      Effect.sync(() => process.stderr.write("millrace: waiting for the runs in progress; signal again to stop now\n")),
      scheduler.stop
    ),
    isIdle: ScheduleRunner.isIdle,
    second: ScheduleRunner.killAll
  })
  if (once) {
    if (first.tasks.length === 0 && !json) process.stderr.write(`no pipeline file in ${folder} has a schedule\n`)
    yield* scheduler.once
    if (bad) return yield* failed(`${folder}: not every run succeeded`)
    return
  }
  if (Option.isSome(port)) {
    const { scheduleHealth } = yield* Effect.promise(() => import("./scheduleHealth.ts"))
    yield* scheduleHealth({ host, port: port.value, scheduler, problems })
  }
  if (!json) process.stdout.write(`millrace schedules ${pipelines(first.tasks.length)} of ${folder}\n`)
  yield* Effect.forkScoped(releaseMemory(thisProcess))
  // If the folder cannot be read, as on a network drive for a moment, the schedule stays as it is.
  const followed = Effect.flatMap(follow, ({ isNew, tasks }) => (isNew ? scheduler.set(tasks) : Effect.void)).pipe(
    Effect.catchTag("CliFailure", ({ message }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (problems.get(folder) === message) return
        problems.set(folder, message)
        say({ _tag: "Broken", path: folder, task: undefined, message }, now, json)
      })
    )
  )
  yield* Effect.raceFirst(scheduler.work, Effect.forever(Effect.andThen(Effect.sleep(lookMillis), followed)))
})

const pipelines = (count: number): string => (count === 1 ? "1 pipeline" : `${count} pipelines`)

/** Locks the folder for one scheduler, until the scope closes. */
export const lock = Effect.fnUntraced(function* (folder: string) {
  const info = yield* Effect.promise(() => stat(folder).catch(() => undefined))
  if (info?.isFile() === true) return yield* wrong(`${folder}: ${notAFolder}`)
  if (info?.isDirectory() !== true)
    return yield* wrong(`${folder}: there is no such folder; name one with pipeline files`)
  const taken = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        await makePrivateFolder(join(folder, ".millrace"))
        return Lock.take(join(folder, ".millrace/schedule.lock"))
      },
      catch: (cause) => failed(`${folder}: cannot be locked: ${cause instanceof Error ? cause.message : String(cause)}`)
    }),
    (held) => Effect.sync(() => ("release" in held ? held.release() : undefined))
  )
  if ("release" in taken) return
  const who = taken.owner === "" ? "" : ` (${taken.owner})`
  return yield* failed(`${folder} is already scheduled by another process${who}; stop that one first`)
})
