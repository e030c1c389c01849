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
import { Monitors } from "../../jobs/Monitors.ts"
import { CheckLists } from "../../monitor/CheckLists.ts"
import { CheckStore } from "../../monitor/CheckStore.ts"
import type { Monitor } from "../../monitor/Monitor.ts"
import { MonitorRunner } from "../../monitor/MonitorRunner.ts"
import { MonitorStore } from "../../monitor/MonitorStore.ts"
import { checkView, monitorView } from "../../monitor/monitorViews.ts"
import { ignored } from "../../retention.ts"
import { storeFailed } from "../failures.ts"
import { requestOrigin } from "../requestOrigin.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "monitor",
  Effect.fnUntraced(function* (handlers) {
    const monitors = yield* Monitors
    const runner = yield* MonitorRunner
    const store = yield* MonitorStore
    const checks = yield* CheckStore
    const lists = yield* CheckLists

    const view = Effect.fnUntraced(function* (monitor: Monitor) {
      const last = monitor.lastCheckId === null ? Option.none() : yield* checks.get(monitor.lastCheckId)
      const credits = yield* runner.estimate(monitor)
      return monitorView(monitor, { credits, last: Option.getOrUndefined(last), now: yield* Clock.currentTimeMillis })
    })
    const answer = Effect.fnUntraced(function* (monitor: Monitor, request: Parameters<typeof ignored>[0] = {}) {
      const [warning] = ignored(request, "monitors")
      const data = yield* view(monitor)
      return { success: true as const, id: monitor.id, data, ...(warning === undefined ? {} : { warning }) }
    })

    return handlers
      .handle(
        "create",
        Effect.fnUntraced(
          function* ({ payload }) {
            const { teamId } = yield* Caller
            return yield* answer(yield* monitors.create(teamId, payload), payload)
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "list",
        Effect.fnUntraced(
          function* ({ query }) {
            const { teamId } = yield* Caller
            const { limit = Limits.defaultMonitorList, offset = 0 } = query
            const found = yield* store.list(teamId, offset, limit)
            const data = yield* Effect.forEach(found.monitors, view)
            return { success: true as const, data, pagination: { limit, offset, total: found.total } }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "get",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            return yield* answer(yield* monitors.get(teamId, params.id))
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "update",
        Effect.fnUntraced(
          function* ({ params, payload }) {
            const { teamId } = yield* Caller
            return yield* answer(yield* monitors.update(teamId, params.id, payload), payload)
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "delete",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            yield* monitors.remove(teamId, params.id)
            return { success: true as const, id: params.id }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "run",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            const check = yield* monitors.run(teamId, params.id)
            return { success: true as const, id: check.id, data: checkView(check) }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "checks",
        Effect.fnUntraced(
          function* ({ params, query }) {
            const { teamId } = yield* Caller
            yield* monitors.get(teamId, params.id)
            const { limit = Limits.defaultMonitorList, offset = 0, status } = query
            const found = yield* lists.list(params.id, { limit, offset, status })
            const pagination = { limit, offset, total: found.total }
            return { success: true as const, data: found.checks.map(checkView), pagination }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "check",
        Effect.fnUntraced(
          function* ({ params, query, request }) {
            const { teamId } = yield* Caller
            const found = yield* monitors.check(teamId, params.id, params.checkId)
            const { limit = Limits.defaultPageSize, skip = 0, status } = query
            const { pages, remaining } = yield* lists.pages(found.id, { skip, limit, status })
            const next = new URL(`${requestOrigin(request)}/v2/monitor/${params.id}/checks/${found.id}`)
            next.searchParams.set("skip", String(skip + pages.length))
            next.searchParams.set("limit", String(limit))
            if (status !== undefined) next.searchParams.set("status", status)
            const onward = remaining > 0 && pages.length > 0 ? { next: next.href } : {}
            return { success: true as const, id: found.id, data: { ...checkView(found), pages, ...onward }, ...onward }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
  })
)
