/** The endpoints of /v2 for the usage of a team. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ConcurrencyCheck, CreditHistory, CreditUsage, QueueStatus, TokenHistory, TokenUsage } from "../api/Team.ts"
import * as Errors from "../Errors.ts"

/** Accepted and ignored: public clients send it, but usage is counted per team, not per key. */
const historyQuery = { byApiKey: Schema.optional(Schema.Literals(["true", "false"])) }

/**
 * The endpoints of a team: credits, tokens, queued pages, pages in flight.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const usage = Effect.flatMap(WebData, ({ team }) => team.queueStatus({}))
 * console.log((await Effect.runPromise(Effect.provide(usage, service))).jobsInQueue) // 0
 * ```
 */
export class TeamGroup extends HttpApiGroup.make("team").add(
  HttpApiEndpoint.get("creditUsage", "/team/credit-usage", { success: CreditUsage, error: Errors.common }),
  HttpApiEndpoint.get("creditHistory", "/team/credit-usage/historical", {
    query: historyQuery,
    success: CreditHistory,
    error: Errors.common
  }),
  HttpApiEndpoint.get("tokenUsage", "/team/token-usage", { success: TokenUsage, error: Errors.common }),
  HttpApiEndpoint.get("tokenHistory", "/team/token-usage/historical", {
    query: historyQuery,
    success: TokenHistory,
    error: Errors.common
  }),
  HttpApiEndpoint.get("queueStatus", "/team/queue-status", { success: QueueStatus, error: Errors.common }),
  HttpApiEndpoint.get("concurrency", "/concurrency-check", { success: ConcurrencyCheck, error: Errors.common })
) {}
