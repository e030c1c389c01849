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
    const jobs = yield* sql<{ id: string }>`SELECT id FROM job
      WHERE team_id = ${teamId} AND kind IN ('crawl', 'batch') ORDER BY created_at DESC, id DESC LIMIT ${mostJobs}`
    let [pages, bytes] = [0, 0]
    for (const { id } of jobs) {
      for (let after = -1; pages < mostRead && bytes < mostBytesInAll; ) {
        const rows = yield* sql<{ seq: number; bytes: number; document: string }>`
          SELECT seq, bytes, document FROM crawl_page
          WHERE job_id = ${id} AND seq > ${after} AND bytes < ${mostBytes} ORDER BY seq LIMIT ${together}`
        for (const row of rows) {
          ranking.add(row.document)
          bytes += row.bytes
        }
        pages += rows.length
        yield* Effect.yieldNow
        if (rows.length < together) break
        after = rows.at(-1)?.seq ?? after
      }
    }
    return ranking.best()
  })

  return Search.of({
    local,
    web: (words, limit) => (webSearch === undefined ? Effect.succeed([]) : searxng(webSearch, words, limit))
  })
})

/** Jobs that one search looks at, the newest first; pages that it reads of them, and how many at a time. */
const mostJobs = 200
const mostRead = 10_000
const together = 50
/** Of one page, and of all. */
const mostBytes = 1024 * 1024
const mostBytesInAll = 64 * 1024 * 1024
