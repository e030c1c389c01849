/** The endpoints of /v2 for agent runs. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { AgentList, AgentRequest, AgentSnapshot, AgentStarted, AgentStatus, AgentThread } from "../Agent.ts"
import { Trace } from "../Trace.ts"
import { jobErrors } from "./jobEndpoint.ts"

const flag = Schema.optional(Schema.Literals(["true", "false"]))

/**
 * The endpoints of agent runs: start and list runs, read the status, trace, snapshots and thread of a run, cancel it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const list = Effect.flatMap(WebData, ({ agent }) => agent.list({ query: {} }))
 * console.log((await Effect.runPromise(Effect.provide(list, service))).agents) // []
 * ```
 */
export class AgentGroup extends HttpApiGroup.make("agent").add(
  HttpApiEndpoint.post("start", "/agent", { payload: AgentRequest, success: AgentStarted, error: jobErrors }),
  HttpApiEndpoint.get("list", "/agent", {
    query: { before: Schema.optional(Schema.Finite) },
    success: AgentList,
    error: jobErrors
  }),
  HttpApiEndpoint.get("thread", "/agent/threads/:id", {
    params: { id: Schema.String },
    query: { includeData: flag },
    success: AgentThread,
    error: jobErrors
  }),
  HttpApiEndpoint.get("status", "/agent/:jobId", {
    params: { jobId: Schema.String },
    success: AgentStatus,
    error: jobErrors
  }),
  HttpApiEndpoint.delete("cancel", "/agent/:jobId", {
    params: { jobId: Schema.String },
    success: Schema.Struct({ success: Schema.Literal(true) }),
    error: jobErrors
  }),
  HttpApiEndpoint.get("trace", "/agent/:jobId/trace", {
    params: { jobId: Schema.String },
    query: { liveView: flag },
    success: Trace,
    error: jobErrors
  }),
  HttpApiEndpoint.get("snapshot", "/agent/:jobId/snapshots/:snapshotId", {
    params: { jobId: Schema.String, snapshotId: Schema.String },
    success: AgentSnapshot,
    error: jobErrors
  })
) {}
