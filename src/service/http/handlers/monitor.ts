/**
 * The handlers of the monitor group.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import * as Limits from "#contract/Limits"
import type { MonitorRequest, MonitorUpdate } from "#contract/Monitor"
import type { CheckStatus, PageStatus } from "#contract/MonitorCheck"
import { Monitors } from "../../jobs/Monitors.ts"
import { CheckLists, CheckStore } from "../../monitor/CheckStore.ts"
import type { Monitor } from "../../monitor/Monitor.ts"
import { MonitorRunner } from "../../monitor/MonitorRunner.ts"
import { MonitorStore } from "../../monitor/MonitorStore.ts"
import { checkView, monitorView } from "../../monitor/monitorViews.ts"
import { ignored } from "../../retention.ts"
import { storeFailed } from "../failures.ts"
import { requestOrigin } from "../requestHeaders.ts"

interface Services {
  readonly monitors: Monitors["Service"]
  readonly runner: MonitorRunner["Service"]
  readonly store: MonitorStore["Service"]
  readonly checks: CheckStore["Service"]
  readonly lists: CheckLists["Service"]
}

export const layer = HttpApiBuilder.group(
  Api,
  "monitor",
  Effect.fnUntraced(function* (handlers) {
    const services: Services = {
      monitors: yield* Monitors,
      runner: yield* MonitorRunner,
      store: yield* MonitorStore,
      checks: yield* CheckStore,
      lists: yield* CheckLists
    }
    return handlers
      .handle("create", ({ payload }) => create(services, payload))
      .handle("list", ({ query }) => list(services, query))
      .handle("get", ({ params }) => get(services, params.id))
      .handle("update", ({ params, payload }) => update(services, params.id, payload))
      .handle("delete", ({ params }) => remove(services, params.id))
      .handle("run", ({ params }) => run(services, params.id))
      .handle("checks", ({ params, query }) => checks(services, params.id, query))
      .handle("check", ({ params, query, request }) => check(services, params, query, requestOrigin(request)))
  })
)

const create = Effect.fnUntraced(
  function* (services: Services, payload: MonitorRequest) {
    const { teamId } = yield* Caller
    return yield* answer(services, yield* services.monitors.create(teamId, payload), payload)
  },
  Effect.catchTag("StoreError", storeFailed)
)

/** The part of a list that a request is for. */
interface ListQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

const list = Effect.fnUntraced(
  function* (services: Services, query: ListQuery) {
    const { teamId } = yield* Caller
    const { limit = Limits.defaultMonitorList, offset = 0 } = query
    const monitorList = yield* services.store.list(teamId, offset, limit)
    const data = yield* Effect.forEach(monitorList.monitors, (monitor) => view(services, monitor))
    return { success: true as const, data, pagination: { limit, offset, total: monitorList.total } }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const get = Effect.fnUntraced(
  function* (services: Services, id: string) {
    const { teamId } = yield* Caller
    return yield* answer(services, yield* services.monitors.get(teamId, id))
  },
  Effect.catchTag("StoreError", storeFailed)
)

const update = Effect.fnUntraced(
  function* (services: Services, id: string, payload: MonitorUpdate) {
    const { teamId } = yield* Caller
    return yield* answer(services, yield* services.monitors.update(teamId, id, payload), payload)
  },
  Effect.catchTag("StoreError", storeFailed)
)

const remove = Effect.fnUntraced(
  function* ({ monitors }: Services, id: string) {
    const { teamId } = yield* Caller
    yield* monitors.remove(teamId, id)
    return { success: true as const, id }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const run = Effect.fnUntraced(
  function* ({ monitors }: Services, id: string) {
    const { teamId } = yield* Caller
    const check = yield* monitors.run(teamId, id)
    return { success: true as const, id: check.id, data: checkView(check) }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const checks = Effect.fnUntraced(
  function* (
    { lists, monitors }: Services,
    id: string,
    query: ListQuery & { readonly status?: CheckStatus | undefined }
  ) {
    const { teamId } = yield* Caller
    yield* monitors.get(teamId, id)
    const { limit = Limits.defaultMonitorList, offset = 0, status } = query
    const checkList = yield* lists.list(id, { limit, offset, status })
    const pagination = { limit, offset, total: checkList.total }
    return { success: true as const, data: checkList.checks.map(checkView), pagination }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const check = Effect.fnUntraced(
  function* (
    { lists, monitors }: Services,
    { checkId, id }: { readonly checkId: string; readonly id: string },
    query: {
      readonly limit?: number | undefined
      readonly skip?: number | undefined
      readonly status?: PageStatus | undefined
    },
    origin: string
  ) {
    const { teamId } = yield* Caller
    const monitorCheck = yield* monitors.check(teamId, id, checkId)
    const { limit = Limits.defaultPageSize, skip = 0, status } = query
    const { pages, remaining } = yield* lists.pages(monitorCheck.id, { skip, limit, status })
    const next = new URL(`${origin}/v2/monitor/${id}/checks/${monitorCheck.id}`)
    next.searchParams.set("skip", String(skip + pages.length))
    next.searchParams.set("limit", String(limit))
    if (status !== undefined) next.searchParams.set("status", status)
    const onward = remaining > 0 && pages.length > 0 ? { next: next.href } : {}
    return {
      success: true as const,
      id: monitorCheck.id,
      data: { ...checkView(monitorCheck), pages, ...onward },
      ...onward
    }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const answer = Effect.fnUntraced(function* (
  services: Services,
  monitor: Monitor,
  request: Parameters<typeof ignored>[0] = {}
) {
  const [warning] = ignored(request, "monitors")
  const data = yield* view(services, monitor)
  return { success: true as const, id: monitor.id, data, ...(warning === undefined ? {} : { warning }) }
})

const view = Effect.fnUntraced(function* ({ checks, runner }: Services, monitor: Monitor) {
  const last = monitor.lastCheckId === null ? Option.none() : yield* checks.get(monitor.lastCheckId)
  const credits = yield* runner.estimate(monitor)
  return monitorView(monitor, { credits, last: Option.getOrUndefined(last), now: yield* Clock.currentTimeMillis })
})
