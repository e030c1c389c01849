/**
 * The handlers of the government search group.
 *
 * An index that cannot be searched is 502, one that does not answer in time 504; an index without texts answers an empty
 * list and says why.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "#contract/Api"
import { BadGateway, GatewayTimeout } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import { GovIndex } from "#law/GovIndex"

export const layer = HttpApiBuilder.group(
  Api,
  "govSearch",
  Effect.fnUntraced(function* (handlers) {
    const index = yield* GovIndex

    const answer = Effect.fnUntraced(
      function* (query: string, k: number = Limits.defaultGovResults) {
        const { hits, warning } = yield* index.search(query, k)
        const web = hits.map((hit, at) => ({ ...hit, position: at + 1 }))
        const isEmpty = web.length === 0 && (yield* index.sections) === 0
        const note = isEmpty ? nothingLoaded : warning
        return { success: true as const, data: { web }, ...(note === undefined ? {} : { warning: note }) }
      },
      Effect.catchTag("GovIndexFailed", ({ message }) => new BadGateway({ message: `Bad Gateway: ${message}` })),
      Effect.timeoutOrElse({
        duration: "30 seconds",
        orElse: () => new GatewayTimeout({ message: "Gateway Timeout: the search takes longer than 30 s" })
      })
    )

    return handlers
      .handle("ask", ({ query }) => answer(query.query, query.k))
      .handle("search", ({ payload }) => answer(payload.query, payload.k))
  })
)

const nothingLoaded = "no government texts are loaded here; load some with `millrace gov load PATH`"
