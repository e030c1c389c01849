/**
 * The handler of the support group: it answers a question from the documentation, a job, and the call in the question.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import type { SupportAnswer } from "#contract/Support"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { ScrapeStore } from "#web/ScrapeStore"
import { answer } from "../../support/answer.ts"
import { diagnose } from "../../support/Diagnosis.ts"
import { storeFailed } from "../failures.ts"
import { requestOrigin } from "../requestHeaders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "support",
  Effect.fnUntraced(function* (handlers) {
    const services = yield* Effect.context<JobStore | CrawlStore | ScrapeStore>()

    return handlers.handle(
      "ask",
      Effect.fnUntraced(
        function* ({ payload: { jobId, question } }) {
          const { teamId } = yield* Caller
          const origin = requestOrigin(yield* HttpServerRequest.HttpServerRequest)
          const diagnosis = jobId == null ? undefined : yield* Effect.provideContext(diagnose(teamId, jobId), services)
          const supportAnswer = answer(question, diagnosis, jobId ?? undefined)
          const body: SupportAnswer = {
            success: true,
            answer: supportAnswer.text,
            sources: supportAnswer.topics.map(({ pointer, title }) => ({
              title,
              url: `${origin}/openapi.json${pointer}`
            })),
            ...(supportAnswer.corrections.length === 0 ? {} : { corrections: supportAnswer.corrections }),
            ...(supportAnswer.corrections[0] === undefined
              ? {}
              : { fixParameters: supportAnswer.corrections[0].parameters })
          }
          return body
        },
        Effect.catchTag("StoreError", storeFailed)
      )
    )
  })
)
