/**
 * Runs checks in this process: when a monitor is due, when a user requests it, and when another process has left a check
 * unfinished. It also sends the e-mails of checks.
 *
 * A due time gives one check, whichever process sees it first. If times were missed while no process ran, one check runs at
 * once. If a process stops, its checks stay as they are, and another process continues them.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { type Letter, Mail } from "#base/Mail"
import type { MonitorPage } from "#contract/MonitorCheck"
import type { AgentModel } from "#web/AgentModel"
import type { CrawlStore } from "#web/CrawlStore"
import type { PageIndex } from "#web/PageIndex"
import type { Search } from "#web/Search"
import { StoreError } from "#web/StoreError"
import * as Cadence from "./Cadence.ts"
import * as CheckRun from "./CheckRun.ts"
import { CheckLease, CheckLists, CheckStore, type PageStates } from "./CheckStore.ts"
import * as Definition from "./Definition.ts"
import type { Check, Monitor, Trigger } from "./Monitor.ts"
import { CheckWebhooks, TargetJobs, TeamCredits } from "./MonitorPorts.ts"
import { MonitorStore } from "./MonitorStore.ts"

export class MonitorRunner extends Context.Service<
  MonitorRunner,
  {
    /** Enters a check of a monitor now and runs it; none: one is running, or the monitor is paused or gone. */
    readonly runNow: (monitor: Monitor) => Effect.Effect<Option.Option<Check>, StoreError>
    /** Stops a check, and its jobs. */
    readonly stop: (check: Check) => Effect.Effect<void, StoreError>
    /** Looks for due monitors at once, after a monitor was created or changed. */
    readonly wake: Effect.Effect<void>
    /** The maximum credits of a check of a monitor, estimated from its last check. */
    readonly estimate: (monitor: Pick<Monitor, "definition" | "lastCheckId">) => Effect.Effect<number, StoreError>
  }
>()("millrace/MonitorRunner") {
  static readonly layer = Layer.effect(
    MonitorRunner,
    Effect.suspend(() => make)
  )
}

/** The services that checks need. */
type Services =
  | AgentModel
  | CheckLists
  | CheckStore
  | CheckWebhooks
  | CrawlStore
  | Mail
  | MonitorStore
  | PageIndex
  | PageStates
  | Search
  | TargetJobs
  | TeamCredits

/** The maximum time between two looks for due monitors and e-mails. */
const idleMillis = 30_000

/** The same, if other processes may change monitors. */
const sharedIdleMillis = 2000

/** How long after each failed attempt an e-mail is sent again. */
const mailRetryMinutes = [1, 5, 15]

/** Messages of a database may contain its address and its user, which only the operator may see. */
const storeFailed = "the service could not read or write its store"

const make = Effect.gen(function* () {
  const monitors = yield* MonitorStore
  const checks = yield* CheckStore
  const lease = yield* CheckLease
  const lookAgainMillis = lease.isShared ? sharedIdleMillis : idleMillis
  /** Wake the loop of due monitors, and the loop of e-mails. Each loop closes its latch. */
  const more = Latch.makeUnsafe(false)
  const moreMail = Latch.makeUnsafe(false)
  const wake = Effect.asVoid(Effect.andThen(more.open, moreMail.open))
  const runs = yield* makeRuns(wake)
  const entries = yield* makeEntries(runs.launch)
  const { writeLetters } = yield* makeLetters(moreMail)

  /** Enters the checks that are due, and waits until the next is due, `wake` is called, or it is time to look again. */
  const turn = Effect.gen(function* () {
    more.closeUnsafe()
    yield* entries.enterDue
    const first = yield* monitors.firstDue
    const now = yield* Clock.currentTimeMillis
    const wait = Math.max(0, Math.min((first ?? Number.POSITIVE_INFINITY) - now, lookAgainMillis))
    yield* Effect.raceFirst(Effect.sleep(Duration.millis(wait)), more.await)
  })
  const forever = <E>(effect: Effect.Effect<void, E>) =>
    Effect.forkScoped(Effect.forever(Effect.catchCause(effect, (cause) => afterFailure(cause))))

  yield* runs.takeUp
  yield* forever(turn)
  yield* forever(
    Effect.andThen(writeLetters, Effect.raceFirst(Effect.sleep(Duration.millis(lookAgainMillis)), moreMail.await))
  )
  yield* lease.lookingAgain(runs.look, runs.takeUp)
  const sweep = Effect.flatMap(Clock.currentTimeMillis, checks.expire)
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(sweep), Schedule.spaced("10 minutes")))

  return MonitorRunner.of({
    runNow: (monitor) => entries.enter(monitor, "manual", undefined),
    stop: runs.stop,
    wake,
    estimate: entries.estimate
  })
})

/** The checks that run in this process. `wake` runs after each. */
const makeRuns = Effect.fnUntraced(function* (wake: Effect.Effect<void>) {
  const checks = yield* CheckStore
  const lease = yield* CheckLease
  const webhooks = yield* CheckWebhooks
  const jobs = yield* TargetJobs
  const services = yield* Effect.context<Services>()
  const running = yield* FiberMap.make<string>()

  const isLost = (cause: Cause.Cause<unknown>): boolean => {
    const error = Cause.squash(cause)
    return Cause.hasInterruptsOnly(cause) || (lease.isShared && error instanceof StoreError && error.isRetryable)
  }

  const launch = (check: Check) =>
    FiberMap.run(
      running,
      check.id,
      CheckRun.run(check).pipe(
        Effect.catchCause((cause) => {
          if (isLost(cause)) return Effect.void
          const error = Cause.squash(cause)
          const message =
            error instanceof StoreError ? storeFailed : error instanceof Error ? error.message : String(error)
          return Effect.andThen(
            Effect.logError("a check ended unexpectedly", cause),
            checks.finish(check, { status: "failed", error: message, mail: null })
          )
        }),
        Effect.ensuring(Effect.andThen(webhooks.send(check.id), wake)),
        Effect.provideContext(services)
      )
    )

  const takeUp = Effect.gen(function* () {
    for (const check of yield* lease.take) yield* launch(check)
  })

  /** Stops checks that other processes have taken. */
  const look = Effect.gen(function* () {
    for (const id of yield* lease.keep(Array.from(running, ([id]) => id))) yield* FiberMap.remove(running, id)
  })

  const stop = Effect.fnUntraced(function* (check: Check) {
    yield* FiberMap.remove(running, check.id)
    const ids = check.targets.flatMap(({ crawlId, expectedJobs = [] }) => [
      ...(crawlId === undefined ? [] : [crawlId]),
      ...expectedJobs
    ])
    for (const id of ids) yield* jobs.stop(id)
  })

  return { launch, takeUp, look, stop }
})

/** Enters checks in the store, and launches those that may run. */
const makeEntries = Effect.fnUntraced(function* (launch: (check: Check) => Effect.Effect<unknown>) {
  const monitors = yield* MonitorStore
  const checks = yield* CheckStore
  const credits = yield* TeamCredits
  const webhooks = yield* CheckWebhooks

  const estimate = Effect.fnUntraced(function* ({
    definition,
    lastCheckId
  }: Pick<Monitor, "definition" | "lastCheckId">) {
    const last = lastCheckId === null ? Option.none() : yield* checks.get(lastCheckId)
    const pages = Option.map(last, ({ counts }) => counts.same + counts.changed + counts.new + counts.error)
    return Definition.creditsOf(definition, Option.getOrUndefined(pages))
  })

  const enter = Effect.fnUntraced(function* (monitor: Monitor, trigger: Trigger, next: number | null | undefined) {
    const estimatedCredits = yield* estimate(monitor)
    const remaining = yield* credits.remaining(monitor.teamId)
    const entering = monitors.enter(monitor, {
      trigger,
      scheduledFor: trigger === "scheduled" ? monitor.nextRunAt : null,
      estimatedCredits,
      status: remaining >= estimatedCredits ? "queued" : "skipped_no_credits",
      ...(next === undefined ? {} : { next }),
      also: (check) =>
        check.definition.webhook === null ? Effect.void : webhooks.subscribe(check, check.definition.webhook)
    })
    // An interruption in between would leave a check that no process runs.
    return yield* Effect.uninterruptible(
      Effect.tap(entering, (entered) =>
        Option.isSome(entered) && entered.value.status === "queued" ? launch(entered.value) : Effect.void
      )
    )
  })

  const enterDue = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const monitor of yield* monitors.due(now)) {
      yield* enter(monitor, "scheduled", Cadence.nextAfter(monitor.definition.schedule, now) ?? null)
    }
  })

  return { estimate, enter, enterDue }
})

/** Sends the e-mails that are due. `more` opens when there may be more. */
const makeLetters = Effect.fnUntraced(function* (more: Latch.Latch) {
  const lists = yield* CheckLists
  const mail = yield* Mail

  const writeLetters = Effect.gen(function* () {
    more.closeUnsafe()
    if (!mail.isConfigured) return
    for (;;) {
      const due = Option.getOrUndefined(yield* lists.takeMail)
      if (due === undefined) return
      const { attempt, check, monitorName } = due
      const pages = yield* lists.reported(check.id, 1000)
      const sent = yield* Effect.result(mail.send(letterOf(monitorName, check, pages)))
      if (sent._tag === "Success") {
        yield* lists.mailed(check.id, "sent", null)
        continue
      }
      const minutes = sent.failure.retryable ? mailRetryMinutes[attempt - 1] : undefined
      const now = yield* Clock.currentTimeMillis
      if (minutes === undefined) yield* lists.mailed(check.id, "failed", null)
      else yield* lists.mailed(check.id, "pending", now + minutes * 60_000)
      yield* Effect.logWarning(`the e-mail of check ${check.id} was not sent: ${sent.failure.message}`)
    }
  })

  return { writeLetters }
})

/** After an error, the loop continues in five seconds. An interruption ends it. */
const afterFailure = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.interrupt
    : Effect.andThen(Effect.logError("the due monitors could not be processed", cause), Effect.sleep("5 seconds"))

/**
 * The e-mail of a check: the changed pages, with their diffs if the monitor includes them.
 */

/** The maximum number of pages in one e-mail, and of characters of each diff. */
const maxPages = 50
const maxOfDiff = 4000

export const letterOf = (name: string, check: Check, pages: ReadonlyArray<MonitorPage>): Letter => {
  const { definition, id } = check
  const counts = (["changed", "new", "removed", "error"] as const).flatMap((status) => {
    const count = pages.filter((page) => page.status === status).length
    return count === 0 ? [] : [`${count} ${status === "error" ? "not readable" : status}`]
  })
  const withDiffs = definition.notification?.email?.includeDiffs === true
  const shown = pages.slice(0, maxPages).map((page) => entry(page, withDiffs))
  const more = pages.length > maxPages ? [`and ${pages.length - maxPages} more pages`] : []
  const goal = definition.goal === null ? [] : [`Goal: ${definition.goal}`]
  return {
    id,
    to: definition.notification?.email?.recipients ?? [],
    subject: `${name}: ${counts.join(", ")}`,
    text: [`${name}: ${counts.join(", ")}`, ...goal, ...shown, ...more, `Monitor ${check.monitorId}, check ${id}`].join(
      "\n\n"
    )
  }
}

const entry = ({ diff, error, judgment, status, url }: MonitorPage, withDiff: boolean): string => {
  const why = judgment === null ? [] : [judgment.reason]
  const text = diff?.text ?? (diff?.json === undefined ? undefined : JSON.stringify(diff.json, undefined, 2))
  const change = withDiff && text !== undefined ? [text.slice(0, maxOfDiff)] : []
  return [`${status}: ${url}`, ...(error === null ? [] : [error]), ...why, ...change].join("\n")
}
