/**
 * An extract as the answers of the service: started, ended with its data. It is cancelled when the reader stops.
 */
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Api } from "./Api.ts"
import { IdempotencyKey } from "./client/jobHeaders.ts"
import { type ExtractRequest, ExtractStatus } from "./Extract.ts"
import { type JobFrom, jobAnswers } from "./jobAnswers.ts"
import { startedJob, textOf } from "./jobRequests.ts"
import { WebData } from "./WebData.ts"

export const extractAnswers = (request: ExtractRequest, from: JobFrom = {}) =>
  Stream.unwrap(
    Effect.map(WebData, ({ extract }) =>
      jobAnswers(
        {
          start: extract.start({ payload: request, responseMode: "response-only" }).pipe(
            Effect.provideService(IdempotencyKey, from.key),
            Effect.flatMap((response) => startedJob(response, decodeStart))
          ),
          status: (id) =>
            Effect.flatMap(extract.status({ params: { id }, responseMode: "response-only" }), (response) =>
              textOf(response, decodeStatus)
            ),
          cancel: (id) => extract.cancel({ params: { id } }),
          ended: (jobId) => Effect.succeed({ jobId, next: "nothing" }),
          behind: () => Effect.succeed(Option.none())
        },
        from
      )
    )
  )

/** Decodes the text of a status answer. */
export const readExtract = Schema.decodeUnknownEffect(Schema.fromJsonString(ExtractStatus))

const decodeStart = HttpApiClient.decodeResponse(Api, { group: "extract", endpoint: "start" })
const decodeStatus = HttpApiClient.decodeResponse(Api, { group: "extract", endpoint: "status" })
