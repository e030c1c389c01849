/**
 * How long it takes until something happens: `--help`, `check`, the run of a pipeline of one page; and what an installation
 * takes. Peers start as their own commands do.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Claim, Contestant, Target, Work } from "../Claim.ts"
import { millrace } from "../installed.ts"
import { startSite } from "../startSite.ts"

const root = resolve(import.meta.dirname, "../..")
const script = (name: string) => join(root, "bench/contestants/startup", name)

const once = () => ({ count: 1 })

const seconds = (says: string, value: number): Target => ({
  says,
  of: "wall",
  against: { value },
  ratio: { atMost: 1 }
})

const command = (
  name: string,
  words: ReadonlyArray<string>,
  how: string,
  more: Partial<Contestant> = {}
): Contestant => ({
  name,
  how,
  words: () => words,
  read: once,
  ...more
})

const scrapy: Partial<Contestant> = {
  missing: () =>
    spawnSync("/usr/bin/python3", ["-c", "import scrapy"]).status === 0 ? undefined : "python3-scrapy is not installed"
}
const crawlee: Partial<Contestant> = {
  missing: () =>
    existsSync(join(root, "bench/node_modules/crawlee"))
      ? undefined
      : "crawlee is not installed (npm ci --prefix bench)"
}

const nothing = command(
  "node alone",
  [process.execPath, "--eval", "0"],
  "`node -e 0`: Node without a program: the least possible work"
)

const work = (name: string, contestants: ReadonlyArray<Contestant>, targets: ReadonlyArray<Target>): Work => ({
  name,
  units: "starts",
  count: 1,
  per: 1,
  rounds: 16,
  contestants,
  targets
})

/** A page and the pipeline that loads it. */
const onePage = (port = ""): string => `source:
  type: crawl
  url: http://127.0.0.1:${port}/index.html
  limit: 1
  sitemap: skip
  scrapeOptions: { formats: [markdown, links] }
table: { name: pages, key: url }
sinks: { out: { type: duckdb, path: ./site.duckdb } }
network: { allow_private: true }
`

export const claim: Claim = {
  name: "startup",
  title: "it starts quickly, and takes little space",
  works: [
    work(
      "help",
      [
        command(
          "millrace --help",
          [millrace, "--help"],
          "`bin/millrace --help`, with the code that Node has compiled before, as the launcher starts it"
        ),
        command(
          "scrapy version",
          ["/usr/bin/python3", "-m", "scrapy", "version"],
          "`scrapy version`: it loads no spider",
          scrapy
        ),
        command(
          "import crawlee",
          [process.execPath, script("importCrawlee.ts")],
          "the import that each of its scripts begins with; nothing is crawled",
          crawlee
        ),
        nothing
      ],
      [seconds("`millrace --help` in less than 0.6 s", 0.6)]
    ),
    work(
      "check",
      [
        command(
          "millrace check",
          [millrace, "check", join(root, "pipelines/quickstart.yaml")],
          "`bin/millrace check pipelines/quickstart.yaml`"
        )
      ],
      [seconds("`millrace check` in less than 0.6 s", 0.6)]
    ),
    {
      ...work(
        "a pipeline of one page",
        [
          {
            name: "millrace run",
            how: "`bin/millrace run` with the embedded service, a page on loopback, into DuckDB; its folder is new",
            files: ({ port }) => ({ "one.yaml": onePage(port) }),
            words: () => [millrace, "run", "one.yaml", "--json"],
            read: (stdout) => ({ count: JSON.parse(stdout).rows.pages })
          },
          {
            name: "crawlee",
            how: "CheerioCrawler with one request, storage in memory; the title is not stored",
            words: ({ port = "" }) => [
              process.execPath,
              script("crawleePage.ts"),
              `http://127.0.0.1:${port}/index.html`
            ],
            ...crawlee
          },
          nothing
        ],
        [
          seconds("a pipeline of one page in less than 1.5 s", 1.5),
          {
            says: "at most 15 times the CPU of a Node that runs nothing",
            of: "cpu",
            against: { contestant: nothing.name },
            ratio: { atMost: 15 }
          }
        ]
      ),
      units: "pages",
      prepare: () => startSite(join(root, "bench/contestants/staticSite.ts"), script("site"))
    },
    {
      ...work(
        "room",
        [
          command(
            "millrace",
            [process.execPath, script("room.ts")],
            "the package from `npm pack`: alone, and installed with all packages that it needs, without packages for development",
            { read: (stdout) => JSON.parse(stdout), slow: true }
          )
        ],
        []
      ),
      rounds: 1,
      units: "installations"
    }
  ]
}
