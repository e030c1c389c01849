/**
 * One query to the government search, with the text of its answer.
 *
 * An answer is passed on before it is interpreted. If the service refuses a question as invalid (400), the refusal is
 * the answer: repeating it would change nothing, and other questions continue. A question changes nothing at the
 * service, so it is a GET, which is repeated if the service cannot answer; only a question that is too long for a URL is
 * a POST.
 */
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "./Api.ts"
import type { GovSearchRequest } from "./GovSearch.ts"
import { cameNow, textOf } from "./jobRequests.ts"
import { WebData } from "./WebData.ts"

export const govAnswer = Effect.fnUntraced(function* ({ k, query }: Pick<GovSearchRequest, "query" | "k">) {
  const { govSearch } = yield* WebData
  const request = { query, ...(k === undefined ? {} : { k }) }
  const response =
    encodeURIComponent(query).length <= longestInUrl
      ? yield* govSearch.ask({ query: request, responseMode: "response-only" })
      : yield* govSearch.search({ payload: request, responseMode: "response-only" })
  if (response.status === 400) return yield* cameNow({ kind: "refused" as const, text: yield* response.text })
  return yield* cameNow({ kind: "hits" as const, text: yield* textOf(response, decode) })
})

const longestInUrl = 4000

const decode = HttpApiClient.decodeResponse(Api, { group: "govSearch", endpoint: "ask" })
