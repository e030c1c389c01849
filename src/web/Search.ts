/**
 * Searches the pages that the team has read, and the web, if a web search is configured.
 *
 * A web search is used only if the request allows it. Its answers are data, and the URLs in them are fetched through the
 * same address guard as all others.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type DataProvider, DataProviders } from "./DataProviders.ts"
import { PageIndex } from "./PageIndex.ts"
import type { Hit, WebHit } from "./SearchHit.ts"
import * as Query from "./SearchQuery.ts"
import type { StoreError } from "./StoreError.ts"
import { type Options, searxng, type WebSearchFailed } from "./search/searxng.ts"

export interface Config {
  /** The server that searches the web, with SearXNG's JSON. Default: searches find only pages that the team has read. */
  readonly webSearch?: URL
}

export class Search extends Context.Service<
  Search,
  {
    /** Searches the pages that the team has read. Returns the best first. */
    readonly local: (teamId: string, words: string, limit: number) => Effect.Effect<ReadonlyArray<Hit>, StoreError>
    /** Searches the web. Returns nothing if no web search is configured. */
    readonly web: (
      words: string,
      limit: number,
      options?: Options
    ) => Effect.Effect<ReadonlyArray<WebHit>, WebSearchFailed>
    /** Whether a web search is configured. */
    readonly hasWeb: boolean
    /** The data providers that may have data for these words. */
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
    const indexedPages = yield* index.find(teamId, Query.ofWords(words), { limit })
    return indexedPages.map(({ description, title, url }): Hit => ({ url, title, description }))
  })

  return Search.of({
    local,
    hasWeb: webSearch !== undefined,
    web: (words, limit, options) =>
      webSearch === undefined ? Effect.succeed([]) : searxng(webSearch, words, limit, options),
    providers: (words) => all.filter(({ helps }) => helps(words))
  })
})
