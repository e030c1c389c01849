/**
 * Creates, changes, reads and removes monitors, and runs them by hand. `MonitorRunner` says when they check, `CheckRun` how.
 *
 * A monitor belongs to its team. A monitor that is paused, or whose check is running, cannot be run by hand (409). A
 * change applies to the checks that start after it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type BadRequest,
  Conflict,
  type Forbidden,
  NotFound,
  PaymentRequired,
  type Unprocessable
} from "#contract/Errors"
import type { MonitorRequest, MonitorUpdate } from "#contract/Monitor"
import { isUuid, uuid7 } from "#contract/uuid7"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import * as Cadence from "../monitor/Cadence.ts"
import { CheckStore } from "../monitor/CheckStore.ts"
import * as Definition from "../monitor/Definition.ts"
import type { Check, Monitor } from "../monitor/Monitor.ts"
import { TargetJobs } from "../monitor/MonitorPorts.ts"
import { MonitorRunner } from "../monitor/MonitorRunner.ts"
import { MonitorStore } from "../monitor/MonitorStore.ts"
import { refuse } from "../retention.ts"

type Refused = BadRequest | Forbidden | Unprocessable | StoreError

export class Monitors extends Context.Service<
  Monitors,
  {
    readonly create: (teamId: string, request: MonitorRequest) => Effect.Effect<Monitor, Refused>
    readonly get: (teamId: string, id: string) => Effect.Effect<Monitor, NotFound | StoreError>
    readonly update: (teamId: string, id: string, change: MonitorUpdate) => Effect.Effect<Monitor, Refused | NotFound>
    readonly remove: (teamId: string, id: string) => Effect.Effect<void, NotFound | StoreError>
    readonly run: (
      teamId: string,
      id: string
    ) => Effect.Effect<Check, NotFound | Conflict | PaymentRequired | StoreError>
    readonly check: (teamId: string, id: string, checkId: string) => Effect.Effect<Check, NotFound | StoreError>
  }
>()("millrace/service/Monitors") {
  static readonly layer = Layer.effect(
    Monitors,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* MonitorStore
  const checks = yield* CheckStore
  const runner = yield* MonitorRunner
  const accounts = yield* Accounts
  const jobs = yield* TargetJobs

  const get = Effect.fn("Monitors.get")(function* (teamId: string, id: string) {
    const monitor = Option.getOrUndefined(isUuid(id) ? yield* store.get(id) : Option.none())
    if (monitor === undefined || monitor.teamId !== teamId) {
      return yield* new NotFound({ message: `no monitor has the id ${id}` })
    }
    return monitor
  })

  /** A monitor keeps pages to compare them. */
  const refusing = (teamId: string) => refuse(accounts.of(teamId).plan, "monitors, which keep pages to compare them")

  const create = Effect.fn("Monitors.create")(function* (teamId: string, request: MonitorRequest) {
    yield* refusing(teamId)
    const now = yield* Clock.currentTimeMillis
    const definition = yield* Definition.ofRequest(request, now, (target) => jobs.validate(teamId, target))
    const monitor = newMonitor({ teamId, name: request.name.trim(), definition }, now)
    yield* store.create(monitor)
    yield* runner.wake
    return monitor
  })

  const update = Effect.fn("Monitors.update")(function* (teamId: string, id: string, change: MonitorUpdate) {
    const before = yield* get(teamId, id)
    yield* refusing(teamId)
    const now = yield* Clock.currentTimeMillis
    const request = requestAfter(before.definition, change)
    const definition = yield* Definition.ofRequest(request, now, (target) => jobs.validate(teamId, target))
    const status = change.status ?? before.status
    const isAsBefore = status === before.status && change.schedule === undefined && before.nextRunAt !== null
    const next = isAsBefore ? before.nextRunAt : (Cadence.nextAfter(definition.schedule, now) ?? null)
    const nextRunAt = status === "active" ? next : null
    yield* store.update(id, { name: change.name?.trim() ?? before.name, status, definition, nextRunAt })
    yield* runner.wake
    return yield* get(teamId, id)
  })

  const remove = Effect.fn("Monitors.remove")(function* (teamId: string, id: string) {
    yield* get(teamId, id)
    const open = yield* store.remove(id)
    if (Option.isSome(open)) yield* runner.stop(open.value)
  })

  const run = Effect.fn("Monitors.run")(function* (teamId: string, id: string) {
    const monitor = yield* get(teamId, id)
    if (monitor.status === "paused") {
      return yield* new Conflict({ message: "the monitor is paused: set its status to active to run it" })
    }
    if (monitor.currentCheckId !== null) return yield* underWay(monitor.currentCheckId)
    yield* accounts.cover(teamId, yield* runner.estimate(monitor))
    const entered = yield* runner.runNow(monitor)
    if (Option.isSome(entered)) return entered.value
    const { currentCheckId } = yield* get(teamId, id)
    return yield* underWay(currentCheckId ?? "")
  })

  const check = Effect.fn("Monitors.check")(function* (teamId: string, id: string, checkId: string) {
    yield* get(teamId, id)
    const storedCheck = Option.getOrUndefined(isUuid(checkId) ? yield* checks.get(checkId) : Option.none())
    if (storedCheck === undefined || storedCheck.monitorId !== id) {
      return yield* new NotFound({ message: `the monitor has no check with the id ${checkId}` })
    }
    return storedCheck
  })

  return Monitors.of({ create, get, update, remove, run, check })
})

const newMonitor = (own: Pick<Monitor, "definition" | "name" | "teamId">, now: number): Monitor => ({
  ...own,
  id: uuid7(),
  status: "active",
  nextRunAt: Cadence.nextAfter(own.definition.schedule, now) ?? null,
  lastRunAt: null,
  currentCheckId: null,
  lastCheckId: null,
  createdAt: now,
  updatedAt: now
})

/** What a monitor is to be after a change of it. */
const requestAfter = (old: Monitor["definition"], change: MonitorUpdate) => ({
  schedule:
    change.schedule === undefined
      ? "text" in old.schedule
        ? { text: old.schedule.text, timezone: old.schedule.timezone }
        : old.schedule
      : // A change of the times does not change the time zone.
        { ...change.schedule, timezone: change.schedule.timezone ?? old.schedule.timezone },
  targets: change.targets === undefined ? old.targets : keptIds(change.targets, old.targets),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoded when it was made
  webhook: change.webhook === undefined ? (old.webhook as MonitorRequest["webhook"]) : change.webhook,
  notification: change.notification === undefined ? old.notification : change.notification,
  goal: change.goal === undefined ? old.goal : change.goal,
  judgeEnabled: change.judgeEnabled ?? (change.goal === undefined ? old.judgeEnabled : undefined),
  retentionDays: change.retentionDays ?? old.retentionDays
})

const underWay = (checkId: string) =>
  new Conflict({ message: `a check of the monitor is running: ${checkId}; wait for its end` })

type Targets = MonitorRequest["targets"]

/** A target that is sent again without its id keeps its id, so that its pages are compared with the last ones. */
const keptIds = (targets: Targets, before: Targets): Targets => {
  const taken = new Set(targets.flatMap(({ id }) => id ?? []))
  return targets.map((target) => {
    if (target.id !== undefined) return target
    const known = before.find((old) => old.id !== undefined && !taken.has(old.id) && placeOf(old) === placeOf(target))
    if (known?.id !== undefined) taken.add(known.id)
    return { ...target, id: known?.id }
  })
}

const placeOf = (target: Targets[number]): string =>
  target.type === "crawl"
    ? `crawl ${target.url}`
    : target.type === "scrape"
      ? "scrape"
      : `search ${target.queries.join("\n")}`
