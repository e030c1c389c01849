/**
 * The handlers of the extract group.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import * as ExtractPlan from "#extract/ExtractPlan"
import { ExtractJobs } from "../../jobs/ExtractJobs.ts"
import { ignored } from "../../retention.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey } from "../requestHeaders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "extract",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* ExtractJobs

    return handlers
      .handle(
        "start",
        Effect.fnUntraced(
          function* ({ payload, request }) {
            const { teamId } = yield* Caller
            const invalidURLs = ExtractPlan.invalidOf(payload)
            const given = payload.urls?.length ?? 0
            const isHopeless = given > 0 && invalidURLs.length === given
            if (isHopeless || (invalidURLs.length > 0 && payload.ignoreInvalidURLs === false)) {
              return yield* ExtractPlan.invalidUrls(payload)
            }
            const { id } = yield* jobs.start(teamId, payload, yield* idempotencyKey(request))
            return {
              success: true as const,
              id,
              ...(invalidURLs.length === 0 ? {} : { invalidURLs }),
              warnings: [superseded, ...ExtractPlan.notesOn(payload), ...ignored(payload, "extract")],
              replacement: "/v2/agent"
            }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "status",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            return yield* jobs.status(teamId, params.id)
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "cancel",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            yield* jobs.cancel(teamId, params.id)
            return { success: true as const, status: "cancelled" as const }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
  })
)

const superseded = "extract is superseded by the agent: POST /v2/agent takes the same prompt, urls and schema"
