/**
 * Pages that answer words: those that the team's jobs have read of late, and those of a web search where one is
 * configured.
 *
 * The law: a web search is asked only by who says so; what it answers is data, and its addresses go the same guarded
 * way as any other.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ServiceConfig } from "../ServiceConfig.ts"
import * as Relevance from "./Relevance.ts"
import { searxng, type WebSearchFailed } from "./searxng.ts"

export interface Hit {
  readonly url: string
  readonly title: string
  readonly description: string
}

export class Search extends Context.Service<
  Search,
  {
    /** Pages that jobs of the team have read and that are still kept, best first. */
    readonly local: (teamId: string, words: string, limit: number) => Effect.Effect<ReadonlyArray<Hit>, SqlError>
    /** Nothing where no web search is configured. */
    readonly web: (words: string, limit: number) => Effect.Effect<ReadonlyArray<Hit>, WebSearchFailed>
  }
>()("millrace/service/search/Search") {
  static readonly layer = (config: Pick<ServiceConfig, "webSearch">) => Layer.effect(Search, make(config))
}

const make = Effect.fnUntraced(function* ({ webSearch }: Pick<ServiceConfig, "webSearch">) {
  const sql = yield* SqlClient.SqlClient

  const local = Effect.fnUntraced(function* (teamId: string, words: string, limit: number) {
    const ranking = Relevance.make(words, limit)
    let after = ""
    for (let read = 0; read < mostRead; read += together) {
      const rows = yield* sql<{ place: string; document: string }>`
        SELECT p.job_id || '/' || p.seq AS place, p.document FROM crawl_page p JOIN job j ON j.id = p.job_id
        WHERE j.team_id = ${teamId} AND j.kind IN ('crawl', 'batch') AND p.job_id || '/' || p.seq > ${after}
          AND p.bytes < ${mostBytes}
        ORDER BY p.job_id || '/' || p.seq LIMIT ${together}`
      for (const { document } of rows) ranking.add(document)
      after = rows.at(-1)?.place ?? after
      if (rows.length < together) break
      yield* Effect.yieldNow
    }
    return ranking.best()
  })

  return Search.of({
    local,
    web: (words, limit) => (webSearch === undefined ? Effect.succeed([]) : searxng(webSearch, words, limit))
  })
})

/** Pages that one search reads at most, and how many at a time. */
const mostRead = 10_000
const together = 200
const mostBytes = 1024 * 1024
