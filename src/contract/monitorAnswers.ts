/**
 * Requests of a reader of monitors: find or create a monitor, run a check, list checks in order, and read the pages of a
 * check as answers.
 *
 * A check is read when it has ended, and never before one that started earlier. Checks are in the order of their ids.
 */
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "./Api.ts"
import { cameNow, textOf } from "./jobRequests.ts"
import * as Limits from "./Limits.ts"
import type { Monitor, MonitorRequest } from "./Monitor.ts"
import type { MonitorCheck } from "./MonitorCheck.ts"
import { WebData } from "./WebData.ts"

/** The monitor with this id, or else the newest with this name. */
export const findMonitor = Effect.fnUntraced(function* (idOrName: string) {
  const { monitor } = yield* WebData
  for (let offset = 0; ; offset += Limits.maxPageSize) {
    const { data } = yield* monitor.list({ query: { limit: Limits.maxPageSize, offset } })
    const namedMonitor = data.find(({ id }) => id === idOrName) ?? data.find(({ name }) => name === idOrName)
    if (namedMonitor !== undefined || data.length < Limits.maxPageSize) return namedMonitor
  }
})

export const makeMonitor = Effect.fnUntraced(function* (request: MonitorRequest) {
  const { monitor } = yield* WebData
  const { data } = yield* monitor.create({ payload: request })
  return data
})

/** Runs a check of a monitor and waits for its end. If one is running already, waits for that one. */
export const runCheck = Effect.fnUntraced(function* ({ id }: Monitor) {
  const { monitor } = yield* WebData
  const begun = monitor.run({ params: { id } }).pipe(
    Effect.map(({ data }): string | null => data.id),
    Effect.catchTag("Conflict", (conflict) =>
      Effect.flatMap(monitor.get({ params: { id } }), ({ data }) =>
        data.currentCheckId === null && data.status === "paused"
          ? Effect.fail(conflict)
          : Effect.succeed(data.currentCheckId)
      )
    )
  )
  const checkId = yield* begun
  if (checkId === null) return
  for (;;) {
    const { data } = yield* monitor.check({ params: { id, checkId }, query: { limit: 1 } })
    if (isOver(data)) return
    yield* Effect.sleep("1 second")
  }
})

/** The ended checks after the one with this id, oldest first, up to the first that still runs. */
export const checksAfter = Effect.fnUntraced(function* (id: string, after: string) {
  const { monitor } = yield* WebData
  const newer: Array<MonitorCheck> = []
  for (let offset = 0; ; offset += Limits.defaultPageSize) {
    const { data } = yield* monitor.checks({ params: { id }, query: { limit: Limits.defaultPageSize, offset } })
    newer.push(...data.filter((check) => check.id > after))
    if (data.length < Limits.defaultPageSize || data.some((check) => check.id <= after)) break
  }
  const inOrder = [...new Map(newer.map((check) => [check.id, check])).values()].toSorted((a, b) =>
    a.id < b.id ? -1 : 1
  )
  const open = inOrder.findIndex((check) => !isOver(check))
  return open === -1 ? inOrder : inOrder.slice(0, open)
})

/** The answer with some pages of a check. */
export const checkAnswer = Effect.fnUntraced(function* (id: string, checkId: string, skip: number) {
  const { monitor } = yield* WebData
  const query = { limit: Limits.defaultPageSize, skip }
  const response = yield* monitor.check({ params: { id, checkId }, query, responseMode: "response-only" })
  return yield* cameNow({ kind: "check" as const, text: yield* textOf(response, decode) })
})

const isOver = ({ status }: MonitorCheck): boolean => status !== "queued" && status !== "running"

const decode = HttpApiClient.decodeResponse(Api, { group: "monitor", endpoint: "check" })
