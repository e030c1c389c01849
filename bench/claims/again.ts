/**
 * What a crawl costs that finds nothing new, beside the first one; and what a run leaves on the disk beside its lake. The
 * sites are those of the claim `crawl`; they say with each page which version of it this is (ETag).
 */
import { existsSync, lstatSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Claim, Contestant, Told, Work } from "../Claim.ts"
import { pagesOf } from "../contestants/staticSite.ts"
import { millrace } from "../installed.ts"
import { millraceCrawl, type Options, pagesIn } from "../millraceCrawl.ts"
import { often } from "../often.ts"
import { startSite } from "../startSite.ts"

const root = resolve(import.meta.dirname, "../..")

/** What all files of a folder take, of a disk that has no blocks. */
const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)

const read = async (_: string, folder: string): Promise<Told> => ({
  count: await pagesIn("parquet", folder),
  figures: { "kept/lake": bytesOf(join(folder, ".millrace")) / bytesOf(join(folder, "lake")) }
})

const crawl = (name: string, how: string, more: Partial<Options> = {}): Contestant =>
  millraceCrawl({
    name,
    how,
    url: ({ port }) => `http://127.0.0.1:${port}/index.html`,
    sink: "parquet",
    write: "merge",
    read,
    ...more
  })

const first = "the first crawl"
const keepingNothing = "the first crawl, keep: 0 days"

const contestants: ReadonlyArray<Contestant> = [
  crawl("a crawl of unchanged pages", "`millrace run` after a run of the same file, which is not measured", {
    before: [millrace, "run", "site.yaml", "--json"]
  }),
  crawl(first, "`millrace run` in an empty folder, into a lake of Parquet files, merged by key"),
  crawl(keepingNothing, "the same, with `journal: { keep: 0 days }`", { more: "journal: { keep: 0 days }\n" })
]

interface Site {
  readonly name: string
  readonly folder: string
  /** The Debian package that has it. */
  readonly from: string
  readonly often: number
  /** What a crawl of unchanged pages takes of the first one's CPU, at most. */
  readonly atMost: number
}

const site = ({ atMost, folder, from, name, often: times }: Site): Work => ({
  name,
  units: "pages",
  count: existsSync(folder) ? pagesOf(folder).length : 0,
  // Some pages are linked from nowhere.
  slack: 8,
  rounds: 3,
  missing: () => (existsSync(folder) ? undefined : `${folder} is not there (apt-get install ${from})`),
  prepare: () => startSite(join(root, "bench/contestants/staticSite.ts"), folder),
  contestants: often(contestants, { "a crawl of unchanged pages": times, [first]: times }),
  targets: [
    {
      says: `unchanged pages cost ${atMost} of their first crawl's CPU, or less`,
      of: "cpu",
      against: { contestant: first },
      ratio: { atMost }
    },
    {
      says: "a run keeps 1.2 times the bytes of its lake, or less",
      of: "kept/lake",
      ours: first,
      against: { value: 1 },
      ratio: { atMost: 1.2 }
    },
    {
      says: "a run with `keep: 0 days` keeps a tenth of the bytes of its lake, or less",
      of: "kept/lake",
      ours: keepingNothing,
      against: { value: 1 },
      ratio: { atMost: 0.1 }
    }
  ]
})

export const claim: Claim = {
  name: "again",
  title: "the cost grows with the changes, and a run leaves little behind",
  works: [
    site({
      name: "small pages again",
      folder: "/usr/share/doc/postgresql-doc-15/html",
      from: "postgresql-doc-15",
      often: 2,
      atMost: 0.25
    }),
    site({
      name: "large pages again",
      folder: "/usr/share/doc/python3.11/html",
      from: "python3.11-doc",
      often: 1,
      atMost: 0.12
    })
  ]
}
