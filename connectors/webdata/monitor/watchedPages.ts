/**
 * The table `pages` of a site that is watched: as a crawl has it, with what each page means.
 *
 * A row is another version if its `meaning` differs; noise makes no version. The table is made once for a target.
 */
import type { CrawlRequest } from "../../../src/api/Crawl.ts"
import type { Target } from "../../../src/api/MonitorTarget.ts"
import * as Watching from "../../../src/api/Watching.ts"
import type * as Column from "../../../src/pipeline/Column.ts"
import { type PagesTable, pagesTable } from "../crawl/pagesTable.ts"

export type CrawlTarget = Extract<Target, { readonly type: "crawl" }>

export interface WatchedPages extends PagesTable {
  readonly targetId: string
  /** The crawl that reads them. */
  readonly request: CrawlRequest
  readonly watched: Watching.Watched
}

export const watchedPages = (target: CrawlTarget): WatchedPages => {
  const request = Watching.crawlOf(target)
  const { reader, table } = pagesTable(request.scrapeOptions ?? undefined)
  return {
    targetId: target.id ?? "crawl",
    request,
    watched: Watching.watchedOf(Watching.askedOf(target)),
    reader,
    table: {
      ...table,
      description: "one row per page that is watched, with its text, its metadata and the hash of what it means",
      columns: table.columns.flatMap((column) => (column.name === "metadata" ? [meaning, column] : [column])),
      fingerprint: [meaning.name]
    }
  }
}

const meaning: Column.Column = { name: "meaning", type: { _tag: "VARCHAR" }, nullable: true }
