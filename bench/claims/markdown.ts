/**
 * HTML to Markdown: how fast, and how much of a page is kept. The pages are the manuals of PostgreSQL and Python as Debian
 * installs them, and built sites of other makers where the folder with them is there.
 */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Claim, Contestant } from "../Claim.ts"
import { folders, list } from "../contestants/markdown/pages.ts"

const root = resolve(import.meta.dirname, "../..")
const script = (name: string) => join(root, "bench/contestants/markdown", `${name}.ts`)

const converters = [
  {
    name: "millrace",
    file: "ours",
    often: 5,
    how: "the reader of pages of the service, asked for the Markdown of the whole page"
  },
  {
    name: "turndown",
    file: "turndown",
    needs: ["turndown", "@joplin/turndown-plugin-gfm"],
    how: "a string of HTML, as in its README (it parses with domino, its own choice for Node and the quickest of the three); GFM plugin, `#` headings, fenced code, `remove` for scripts and styles; one service for all pages"
  },
  {
    name: "mdream",
    file: "mdream",
    needs: ["mdream", "@mdream/rust-linux-x64-gnu"],
    often: 5,
    how: "its engine in Rust, with its defaults and the origin of the page"
  },
  {
    name: "kreuzberg html-to-markdown",
    file: "kreuzberg",
    needs: ["@kreuzberg/html-to-markdown-node"],
    often: 5,
    how: "its engine in Rust, with its defaults, without metadata"
  },
  {
    name: "turndown over linkedom",
    file: "turndownLinkedom",
    needs: ["turndown", "@joplin/turndown-plugin-gfm", "linkedom"],
    how: "the same, given a document of linkedom",
    slow: true
  },
  {
    name: "turndown over jsdom",
    file: "turndownJsdom",
    needs: ["turndown", "@joplin/turndown-plugin-gfm", "jsdom"],
    how: "the same, given a document of jsdom",
    slow: true
  },
  {
    name: "node-html-markdown",
    file: "nodeHtmlMarkdown",
    needs: ["node-html-markdown"],
    how: "one instance for all pages, as its README advises",
    slow: true
  }
]

const missing = (names: ReadonlyArray<string>): string | undefined => {
  const absent = names.find((name) => !existsSync(join(root, "bench/node_modules", name)))
  return absent === undefined ? undefined : `${absent} is not installed (npm ci --prefix bench)`
}

/** Every second page counts for speed, and every tenth for who takes minutes. */
const every = { usual: 2, slow: 10 }
/** For quality every page; but every fifth of a peer that no target names and that takes six minutes for all. */
const qualities: ReadonlyArray<readonly [name: string, each: number]> = [
  ["millrace", 1],
  ["turndown", 1],
  ["mdream", 1],
  ["kreuzberg html-to-markdown", 1],
  ["node-html-markdown", 5]
]

const speed = converters.map(({ file, how, name, needs = [], often, slow = false }): Contestant => {
  const each = slow ? every.slow : every.usual
  return {
    name,
    how: slow ? `${how}; every tenth page` : how,
    slow,
    ...(often === undefined ? {} : { often }),
    count: list(each).length,
    words: () => [process.execPath, script("speed"), file, String(each)],
    cores: 1,
    missing: () => missing(needs)
  }
})

const judges = ["markdown-it", "parse5", "turndown", "@joplin/turndown-plugin-gfm"]
const quality = qualities.flatMap(([wanted, each]) =>
  converters
    .filter(({ name }) => name === wanted)
    .map(
      ({ file, how, name, needs = [] }): Contestant => ({
        name,
        how: each === 1 ? how : `${how}; every fifth page`,
        count: list(each).length,
        words: () => [process.execPath, script("quality"), file, String(each)],
        missing: () => missing([...judges, ...needs])
      })
    )
)

const noPages = () =>
  folders.some(existsSync) ? undefined : "no pages are here (apt-get install postgresql-doc-15 python3.11-doc)"

export const claim: Claim = {
  name: "markdown",
  title: "HTML to Markdown: ten times as fast as Turndown, and no page worse",
  works: [
    {
      name: "speed",
      units: "pages",
      count: list(every.usual).length,
      rounds: 5,
      missing: noPages,
      contestants: speed,
      targets: [
        {
          says: "at least 10 times the pages of Turndown in each CPU second",
          of: "pages/CPU s",
          against: { contestant: "turndown" },
          ratio: { atLeast: 10 }
        },
        {
          says: "at least 1 / 2.5 of the pages of mdream in each CPU second",
          of: "pages/CPU s",
          against: { contestant: "mdream" },
          ratio: { atLeast: 0.4 }
        }
      ]
    },
    {
      // Each contestant is judged in its own process.
      name: "quality",
      isUntimed: true,
      shown: "quality",
      units: "pages",
      count: list(1).length,
      rounds: 1,
      isLong: true,
      missing: noPages,
      contestants: quality,
      targets: [
        {
          says: "no page worse than Turndown's",
          of: "worse than Turndown",
          against: { value: 1 },
          ratio: { atMost: 0 }
        },
        {
          says: "median quality not below Turndown's",
          of: "quality",
          against: { contestant: "turndown" },
          ratio: { atLeast: 1 }
        },
        {
          says: "median quality not below mdream's",
          of: "quality",
          against: { contestant: "mdream" },
          ratio: { atLeast: 1 }
        }
      ]
    }
  ]
}
