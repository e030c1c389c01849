/**
 * Whether cost grows with size: CPU for each page, and memory, of ever larger crawls; the same of rows into sinks.
 */
import { join, resolve } from "node:path"
import type { Claim, Contestant, Prepared, Target, Work } from "../Claim.ts"
import * as Launcher from "../Launcher.ts"
import { millraceCrawl } from "../millraceCrawl.ts"
import { startSite } from "../startSite.ts"

const root = resolve(import.meta.dirname, "../..")
const named = (count: number) => count.toLocaleString("en")

const flat = (of: "cpu" | "rss", says: string, large: number, small: number, atMost: number): Target => ({
  says,
  of,
  ours: named(large),
  against: { contestant: named(small) },
  ratio: { atMost }
})

const within = (says: string, count: number, megabytes: number): Target => ({
  says,
  of: "rss",
  ours: named(count),
  against: { value: megabytes },
  ratio: { atMost: 1 }
})

/** The fewer there are, the sooner a run is over, and the less one says: `often` of them make a round. */
const pages = [
  { count: 1000, often: 4 },
  { count: 10_000, often: 4 },
  { count: 100_000, often: 1 }
]
const rows = [
  { count: 10_000, often: 6 },
  { count: 100_000, often: 3 },
  { count: 1_000_000, often: 1 }
]

/** A generated site for each count. */
const sites = async (): Promise<Prepared> => {
  const all = await Promise.all(
    pages.map(({ count }) => startSite(join(root, "bench/generatedSite.ts"), String(count)))
  )
  return {
    values: Object.fromEntries(all.map(({ values }, at) => [`port${pages[at]?.count}`, values["port"] ?? ""])),
    stop: async () => void (await Promise.all(all.map(({ stop }) => stop())))
  }
}

const crawls: Work = {
  name: "pages of one crawl",
  units: "pages",
  count: 1000,
  rounds: 4,
  isLong: true,
  plot: "growth",
  prepare: sites,
  contestants: pages.map(({ count, often }) =>
    millraceCrawl({
      name: named(count),
      how: "`millrace run` of a crawl of this number of generated pages of 5 KB, into Parquet",
      url: (values) => `http://127.0.0.1:${values[`port${count}`]}/`,
      sink: "parquet",
      count,
      often,
      slow: count > 10_000
    })
  ),
  targets: [
    flat(
      "cpu",
      "a page costs at most 1.2 times as much in a crawl of 100,000 pages as in one of 1,000",
      100_000,
      1000,
      1.2
    ),
    // Start-up is a large part of a thousand pages: against ten thousand growth has nowhere to hide.
    flat("cpu", "a page costs at most 1.2 times as much as in a crawl of 10,000 pages", 100_000, 10_000, 1.2),
    flat("rss", "ten times the pages take 1.2 times the memory, or less", 100_000, 10_000, 1.2),
    within("a hundred thousand pages take 550 MB or less", 100_000, 550)
  ]
}

const loads = (sink: "parquet" | "duckdb append", title: string): Work => ({
  name: `rows into ${title}`,
  units: "rows",
  count: rows[0]?.count ?? 0,
  rounds: 3,
  isLong: true,
  plot: "growth",
  contestants: rows.map(
    ({ count, often }): Contestant => ({
      name: named(count),
      how: `this number of pages of 4 KB with nested columns, made in the same process, into ${title} in one load`,
      words: (_, folder) => [
        process.execPath,
        ...Launcher.flags(),
        join(root, "bench/contestants/rows/sink.ts"),
        sink,
        String(count),
        folder
      ],
      env: Launcher.env(),
      count,
      often,
      slow: count > 100_000
    })
  ),
  targets: [
    flat(
      "cpu",
      "a row costs at most 1.2 times as much in a load of 1,000,000 rows as in one of 10,000",
      1_000_000,
      10_000,
      1.2
    ),
    flat("cpu", "a row costs at most 1.2 times as much as in a load of 100,000 rows", 1_000_000, 100_000, 1.2),
    flat("rss", "ten times the rows take 1.2 times the memory, or less", 1_000_000, 100_000, 1.2),
    within("a million rows take 400 MB or less", 1_000_000, 400)
  ]
})

export const claim: Claim = {
  name: "growth",
  title: "what a page and a row cost in CPU and memory, if there are more of them",
  works: [crawls, loads("parquet", "Parquet"), loads("duckdb append", "DuckDB")]
}
