/**
 * A site to Markdown, metadata and links, into Parquet: whole, by `millrace run` as a user runs it, beside crawlers that do
 * less. The sites are documentation as Debian has it: PostgreSQL's has small pages, Python's large ones.
 */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Claim, Contestant, Target, Work } from "../Claim.ts"
import { pagesOf } from "../contestants/staticSite.ts"
import { millraceCrawl } from "../millraceCrawl.ts"
import { often } from "../often.ts"
import { startSite } from "../startSite.ts"

const root = resolve(import.meta.dirname, "../..")
const script = (name: string) => join(root, "bench/contestants", name)
const isPeerMissing = (name: string) =>
  existsSync(join(root, "bench/node_modules", name)) ? undefined : `${name} is not installed (npm ci --prefix bench)`

const startOf = (values: Readonly<Record<string, string>>) => `http://127.0.0.1:${values["port"]}/index.html`

/** Left out where the site is large: it takes a fifth of all the time and no target names it. */
const cheerio = "Crawlee CheerioCrawler, text"

const contestants: ReadonlyArray<Contestant> = [
  millraceCrawl({
    name: "millrace",
    how: "`millrace run` of a pipeline file: embedded service, Markdown of the main content, metadata and links, into Parquet; `maxConcurrency: 16` (8 exchanges with one host at a time), no sitemap, robots.txt is read and obeyed. As in every run, the journal keeps the answers, and every URL is counted",
    url: startOf,
    sink: "parquet"
  }),
  millraceCrawl({
    name: "millrace, one core",
    how: "the same, limited to one core",
    url: startOf,
    sink: "parquet",
    cores: 1
  }),
  millraceCrawl({
    name: "millrace into DuckDB",
    how: "the same, into a DuckDB file, merged by key",
    url: startOf,
    sink: "duckdb"
  }),
  {
    name: "bare loop, text",
    how: "undici `Pool` of 16 connections, gzip, one htmlparser2 SAX pass for title, metadata, links and text; nothing is kept",
    words: (values) => [process.execPath, script("bareLoop.ts"), startOf(values), "text"]
  },
  {
    name: "bare loop, our Markdown",
    how: "the same loop with Millrace's own conversion in place of the SAX pass; nothing is kept",
    words: (values) => [process.execPath, script("bareLoop.ts"), startOf(values), "markdown"]
  },
  {
    name: "Scrapy, text",
    how: 'Scrapy with the settings of its page "Broad Crawls" (no cookies, retries, redirects; log level above INFO; 16 requests at a time with the host), text of the body by one XPath, each link once for each page; nothing is kept',
    words: (values) => [
      "/usr/bin/python3",
      "-m",
      "scrapy",
      "runspider",
      script("scrapy_spider.py"),
      "-a",
      `start=${startOf(values)}`
    ],
    missing: () => canRun("/usr/bin/python3", "-c", "import scrapy") ?? undefined
  },
  {
    name: "Crawlee HttpCrawler, our Markdown",
    how: "Crawlee's HttpCrawler, the quickest one in its documentation, with Millrace's own conversion; `minConcurrency` and `maxConcurrency` 16, storage in memory, no sessions, no retries, without the limits that slow its pool down on a busy machine; nothing is kept",
    words: (values) => [process.execPath, script("crawleeCrawl.ts"), startOf(values), "markdown"],
    missing: () => isPeerMissing("crawlee")
  },
  {
    name: cheerio,
    how: "the same settings, CheerioCrawler and the text of the body; nothing is kept",
    words: (values) => [process.execPath, script("crawleeCrawl.ts"), startOf(values), "text"],
    missing: () => isPeerMissing("crawlee")
  }
]

/** The floor. */
const wget: Contestant = {
  name: "wget",
  inMemory: true,
  how: "`wget --recursive --level=inf --no-parent --follow-tags=a,area -e robots=off`: fetches and finds links, and converts nothing: the least possible work. By default it uses no gzip and one connection; its files are in memory (`/dev/shm`)",
  words: (values) => [
    "sh",
    "-c",
    // 8: some answer was an error, as a link that leads nowhere is.
    'wget --quiet --recursive --level=inf --no-parent --no-host-directories --follow-tags=a,area -e robots=off --directory-prefix=site "$1" || [ $? -eq 8 ]',
    "wget",
    startOf(values)
  ],
  read: (_, folder) => ({ count: pagesOf(join(folder, "site")).length }),
  missing: () => canRun("wget", "--version")
}

/** Undefined if it can. */
const canRun = (command: string, ...words: ReadonlyArray<string>): string | undefined => {
  try {
    execFileSync(command, words, { stdio: "ignore" })
    return undefined
  } catch {
    return `"${command} ${words.join(" ")}" does not work here`
  }
}

interface Site {
  readonly name: string
  readonly folder: string
  /** The Debian package that has it. */
  readonly from: string
  /** It stands so many times below a page of its own. */
  readonly copies?: number
  readonly rounds: number
  /** How often contestants crawl it in a round, by name: default: once. */
  readonly times: Readonly<Record<string, number>>
  readonly targets: ReadonlyArray<Target>
}

const site = ({ folder, from, copies, name, rounds, targets, times }: Site): Work => {
  const pages = (existsSync(folder) ? pagesOf(folder).length : 0) * (copies ?? 1)
  return {
    name,
    units: "pages",
    count: pages,
    // Some pages are linked from nowhere.
    slack: 8 * (copies ?? 1),
    rounds,
    isLong: copies !== undefined,
    missing: () => (existsSync(folder) ? undefined : `${folder} is not there (apt-get install ${from})`),
    prepare: () => startSite(script("staticSite.ts"), folder, ...(copies === undefined ? [] : [String(copies)])),
    contestants: often([...contestants.filter(({ name }) => copies === undefined || name !== cheerio), wget], times),
    targets: [
      ...targets,
      {
        says: "two cores take at most 0.62 of the time of one",
        of: "wall",
        against: { contestant: "millrace, one core" },
        ratio: { atMost: 0.62 }
      }
    ]
  }
}

const cpu = (says: string, contestant: string, atMost: number): Target => ({
  says,
  of: "cpu",
  against: { contestant },
  ratio: { atMost }
})

/** What of ours is more than the bare loop with our own conversion: the price of all that is not reading pages. */
const bar = cpu("at most 1.25 times the bare loop with our Markdown", "bare loop, our Markdown", 1.25)
const crawlee = (atMost: number) =>
  cpu(`at most ${atMost} of Crawlee's CPU, with the same conversion`, "Crawlee HttpCrawler, our Markdown", atMost)

const postgresql = "/usr/share/doc/postgresql-doc-15/html"

export const claim: Claim = {
  name: "crawl",
  title: "a site to Markdown, metadata and links, into Parquet",
  works: [
    site({
      name: "small pages",
      folder: postgresql,
      from: "postgresql-doc-15",
      rounds: 7,
      times: { millrace: 3, "millrace into DuckDB": 2, "bare loop, text": 3, "bare loop, our Markdown": 2, wget: 5 },
      targets: []
    }),
    // What a process costs before it is warm is a large part of a thousand pages, and of those of a night's crawl nothing.
    site({
      name: "five times the small pages",
      folder: postgresql,
      from: "postgresql-doc-15",
      copies: 5,
      rounds: 5,
      times: { millrace: 2 },
      targets: [bar, crawlee(0.4)]
    }),
    site({
      name: "large pages",
      folder: "/usr/share/doc/python3.11/html",
      from: "python3.11-doc",
      rounds: 6,
      times: { millrace: 2, "millrace, one core": 2, wget: 4 },
      targets: [bar, crawlee(0.68)]
    })
  ]
}
