/**
 * `millrace run` of a crawl as a contestant: a pipeline file as a user writes it, run by the command line as it is shipped.
 *
 * What it did is what its destination holds, pages that answered with 200; not what it says of itself.
 */
import { DuckDBInstance } from "@duckdb/node-api"
import type { Contestant } from "./Claim.ts"
import { millrace } from "./installed.ts"

export interface Options extends Partial<Contestant> {
  readonly name: string
  readonly how: string
  readonly url: (values: Readonly<Record<string, string>>) => string
  readonly sink: "parquet" | "duckdb"
  /** How rows are written; default: as that sink writes where nothing is said. */
  readonly write?: "merge"
  /** What else the pipeline file says, in lines of YAML. */
  readonly more?: string
}

export const millraceCrawl = ({ more = "", sink, url, write, ...contestant }: Options): Contestant => ({
  files: (values) => ({ "site.yaml": pipeline(url(values), sink, write) + more }),
  words: () => [millrace, "run", "site.yaml", "--json"],
  read: async (_, folder) => ({ count: await pagesIn(sink, folder) }),
  ...contestant
})

/** The demands on the site are as those of other contestants; of one host the service has 8 pages in flight at most. */
const pipeline = (url: string, sink: Options["sink"], write: Options["write"]): string => `source:
  type: crawl
  url: ${url}
  limit: 2000000
  maxConcurrency: 16
  crawlEntireDomain: true
  sitemap: skip
  scrapeOptions: { formats: [markdown, links] }
table: { name: pages, key: url }
sinks: { out: { type: ${sink}, path: ${sink === "parquet" ? "./lake" : "./site.duckdb"}${write === undefined ? "" : `, write: ${write}`} } }
network: { allow_private: true }
`

/** How many pages a destination in this folder has. */
export const pagesIn = async (sink: Options["sink"], folder: string): Promise<number> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    if (sink === "duckdb") await connection.run(`ATTACH '${folder}/site.duckdb' AS site (READ_ONLY)`)
    const pages = sink === "duckdb" ? "site.pages" : `read_parquet('${folder}/lake/pages/**/*.parquet')`
    const answer = await connection.runAndReadAll(`SELECT count(*) FROM ${pages} WHERE status_code = 200`)
    return Number(answer.getRows()[0]?.[0])
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
