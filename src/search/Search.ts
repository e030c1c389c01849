/**
 * Pages that answer words: those that the team has read, and those of a web search where one is configured.
 *
 * A web search is used only if the request allows it; its answers are data, and its addresses are fetched through
 * the same address guard as all others.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoreError } from "../crawler/StoreError.ts"
import { type DataProvider, DataProviders } from "./DataProviders.ts"
import type { Hit, WebHit } from "./Hit.ts"
import { PageIndex } from "./PageIndex.ts"
import * as Query from "./Query.ts"
import { type Options, searxng, type WebSearchFailed } from "./searxng.ts"

export interface Config {
  /** Where the web is searched: a server that speaks SearXNG's JSON. None: only pages that the team has read are found. */
  readonly webSearch?: URL
}

export class Search extends Context.Service<
  Search,
  {
    /** Pages that the team has read, best first. */
    readonly local: (teamId: string, words: string, limit: number) => Effect.Effect<ReadonlyArray<Hit>, StoreError>
    /** Nothing where no web search is configured. */
    readonly web: (
      words: string,
      limit: number,
      options?: Options
    ) => Effect.Effect<ReadonlyArray<WebHit>, WebSearchFailed>
    /** Whether the operator has a web search. */
    readonly hasWeb: boolean
    /** Data providers that have what the words ask for. */
    readonly providers: (words: string) => ReadonlyArray<DataProvider>
  }
>()("millrace/service/search/Search") {
  static readonly layer = (config: Config) => Layer.effect(Search, make(config))
}

const make = Effect.fnUntraced(function* ({ webSearch }: Config) {
  const index = yield* PageIndex
  const { all } = yield* DataProviders

  const local = Effect.fnUntraced(function* (teamId: string, words: string, limit: number) {
    yield* index.catchUp(teamId)
    const found = yield* index.find(teamId, Query.ofWords(words), { limit })
    return found.map(({ description, title, url }): Hit => ({ url, title, description }))
  })

  return Search.of({
    local,
    hasWeb: webSearch !== undefined,
    web: (words, limit, options) =>
      webSearch === undefined ? Effect.succeed([]) : searxng(webSearch, words, limit, options),
    providers: (words) => all.filter(({ helps }) => helps(words))
  })
})
