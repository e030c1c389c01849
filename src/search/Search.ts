/**
 * Pages that answer words: those that the team has read, and those of a web search where one is configured.
 *
 * The law: a web search is asked only by who says so; what it answers is data, and its addresses go the same guarded
 * way as any other.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql/SqlError"
import type { ServiceConfig } from "../service/ServiceConfig.ts"
import type { Hit, WebHit } from "./Hit.ts"
import { PageIndex } from "./PageIndex.ts"
import * as Query from "./Query.ts"
import { type Options, searxng, type WebSearchFailed } from "./searxng.ts"

export interface Tool {
  readonly provider: string
  readonly capability: string
  readonly description: string
}

export class Search extends Context.Service<
  Search,
  {
    /** Pages that the team has read, best first. */
    readonly local: (teamId: string, words: string, limit: number) => Effect.Effect<ReadonlyArray<Hit>, SqlError>
    /** Nothing where no web search is configured. */
    readonly web: (
      words: string,
      limit: number,
      options?: Options
    ) => Effect.Effect<ReadonlyArray<WebHit>, WebSearchFailed>
    /** Whether the operator has a web search. */
    readonly hasWeb: boolean
    /** Providers of data that have what the words ask for. */
    readonly tools: (words: string) => ReadonlyArray<Tool>
  }
>()("millrace/service/search/Search") {
  static readonly layer = (config: Pick<ServiceConfig, "webSearch" | "providers">) =>
    Layer.effect(Search, make(config)).pipe(Layer.provideMerge(PageIndex.layer))
}

const make = Effect.fnUntraced(function* ({
  providers = [],
  webSearch
}: Pick<ServiceConfig, "webSearch" | "providers">) {
  const index = yield* PageIndex

  const local = Effect.fnUntraced(function* (teamId: string, words: string, limit: number) {
    yield* index.catchUp(teamId)
    const found = yield* index.find(teamId, Query.ofWords(words), { limit })
    return found.map(({ description, title, url }): Hit => ({ url, title, description }))
  })

  return Search.of({
    local,
    hasWeb: webSearch !== undefined,
    tools: (words) =>
      providers
        .filter(({ helps }) => helps(words))
        .map(({ adds, capability, id }) => ({ provider: id, capability, description: adds })),
    web: (words, limit, options) =>
      webSearch === undefined ? Effect.succeed([]) : searxng(webSearch, words, limit, options)
  })
})
