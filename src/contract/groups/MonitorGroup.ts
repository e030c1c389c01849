/** The endpoints of /v2 for monitors. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Bounds from "../api/Bounds.ts"
import * as Limits from "../Limits.ts"
import { Monitor, MonitorAnswer, MonitorRequest, MonitorUpdate, Pagination } from "../Monitor.ts"
import * as Check from "../MonitorCheck.ts"
import { jobErrors } from "./jobEndpoint.ts"

const monitorParams = { id: Schema.String }
const natural = Bounds.whole(0)
const pageSize = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxPageSize }))
const listQuery = { limit: Schema.optional(pageSize), offset: Schema.optional(natural) }

/**
 * The endpoints of monitors: create, change, list, run and delete them, and read their checks.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const target = { type: "scrape" as const, urls: ["https://your.site/council/"] }
 * const payload = { name: "council", schedule: { text: "every day" }, targets: [target] }
 * const made = Effect.flatMap(WebData, ({ monitor }) => monitor.create({ payload }))
 * console.log((await Effect.runPromise(Effect.provide(made, service))).data.name) // "council"
 * ```
 */
export class MonitorGroup extends HttpApiGroup.make("monitor").add(
  HttpApiEndpoint.post("create", "/monitor", { payload: MonitorRequest, success: MonitorAnswer, error: jobErrors }),
  HttpApiEndpoint.get("list", "/monitor", {
    query: listQuery,
    success: Schema.Struct({
      success: Schema.Literal(true),
      data: Schema.Array(Monitor),
      pagination: Pagination
    }),
    error: jobErrors
  }),
  HttpApiEndpoint.get("get", "/monitor/:id", { params: monitorParams, success: MonitorAnswer, error: jobErrors }),
  HttpApiEndpoint.patch("update", "/monitor/:id", {
    params: monitorParams,
    payload: MonitorUpdate,
    success: MonitorAnswer,
    error: jobErrors
  }),
  HttpApiEndpoint.delete("delete", "/monitor/:id", {
    params: monitorParams,
    success: Schema.Struct({ success: Schema.Literal(true), id: Schema.String }),
    error: jobErrors
  }),
  // No payload schema: clients send an empty object or no body, and either is ignored.
  HttpApiEndpoint.post("run", "/monitor/:id/run", {
    params: monitorParams,
    success: Schema.Struct({ success: Schema.Literal(true), id: Schema.String, data: Check.MonitorCheck }),
    error: jobErrors
  }),
  HttpApiEndpoint.get("checks", "/monitor/:id/checks", {
    params: monitorParams,
    query: { ...listQuery, status: Schema.optional(Check.CheckStatus) },
    success: Schema.Struct({
      success: Schema.Literal(true),
      data: Schema.Array(Check.MonitorCheck),
      pagination: Pagination
    }),
    error: jobErrors
  }),
  HttpApiEndpoint.get("check", "/monitor/:id/checks/:checkId", {
    params: { id: Schema.String, checkId: Schema.String },
    query: {
      limit: Schema.optional(pageSize),
      skip: Schema.optional(natural),
      status: Schema.optional(Check.PageStatus)
    },
    success: Schema.Struct({
      success: Schema.Literal(true),
      id: Schema.String,
      data: Check.MonitorCheckDetail,
      next: Schema.optionalKey(Schema.String)
    }),
    error: jobErrors
  })
) {}
