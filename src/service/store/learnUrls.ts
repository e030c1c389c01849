/**
 * What is learned of URLs between their discovery and their turn, written down.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Change } from "../../crawler/frontier/CrawlUrl.ts"
import { withoutNul } from "../../sql/withoutNul.ts"

/** After the URLs that the changes speak of are entered. */
export const learnUrls = Effect.fnUntraced(function* (sql: SqlClient, jobId: string, changes: ReadonlyArray<Change>) {
  for (const change of changes) {
    const own = sql`WHERE job_id = ${jobId} AND seq = ${change.seq}`
    if (change._tag === "From") yield* sql`UPDATE crawl_url SET discovered_from = ${change.from} ${own}`
    else if (change._tag === "Spelling") {
      yield* sql`INSERT INTO crawl_spelling (job_id, seq, url) VALUES (${jobId}, ${change.seq}, ${withoutNul(change.url)})
        ON CONFLICT DO NOTHING`
    } else {
      const { depth, kind, url } = change
      if (url !== undefined) {
        yield* sql`INSERT INTO crawl_spelling (job_id, seq, url) SELECT job_id, seq, url FROM crawl_url ${own}
          ON CONFLICT DO NOTHING`
      }
      yield* sql`UPDATE crawl_url SET depth = ${depth}, kind = ${kind}, discovered_from = NULL,
        url = coalesce(${url ?? null}, url) ${own}`
    }
  }
})
