/**
 * The article of a page beside Readability and Defuddle: main content, title, author, date, and what it costs.
 *
 * node bench/article.ts DIR [--half even|odd] [--rounds 3] [--ours]: DIR holds readability-test-pages and
 * article-extraction-benchmark, a half is every other page by name, --ours leaves the peers out. The peers are installed
 * by `npm ci` in this folder.
 *
 * The metric of main content is the second set's own (`Shingles.ts`); the truth of the first set is what its authors'
 * Readability gives, so nothing can be ahead of a perfect copy of it there. A title and an author are right where they
 * are the same but for white space, a date where it is the same day, of the pages that have one; CPU time is user and
 * system time of this process from HTML text to result, the median of the rounds, which take turns.
 */
import { setImmediate } from "node:timers/promises"
import { parseArgs } from "node:util"
import { article } from "../src/extract/article/article.ts"
import { type ArticlePage, type ArticleSet, articleSets, plainText } from "./articlePages.ts"
import { defuddle, type Extractor, type Found, readability } from "./articlePeers.ts"
import * as Shingles from "./Shingles.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string", default: "all" },
    rounds: { type: "string", default: "3" },
    ours: { type: "boolean", default: false }
  }
})
const [folder] = positionals
const half = values.half === "even" || values.half === "odd" ? values.half : "all"
if (folder === undefined) throw new Error("name the folder that holds the two sets")

const ours: Extractor = async (html, url) => {
  const { title, byline, published, text } = article(html, url)
  return { title: title ?? "", author: byline ?? "", date: published ?? "", text }
}

/** What peers print about pages that they cannot read well is not of interest here. */
const quietly =
  (extract: Extractor): Extractor =>
  async (html, url) => {
    const { error, warn } = console
    console.error = console.warn = () => undefined
    try {
      return await extract(html, url)
    } finally {
      Object.assign(console, { error, warn })
    }
  }

const extractors: Array<readonly [name: string, extract: Extractor]> = [["ours", ours]]
if (!values.ours) {
  extractors.push(["readability", quietly(await readability())], ["defuddle", quietly(await defuddle())])
}

/** What an extractor finds; nothing if it fails, which is reported. */
const find = async (name: string, extract: Extractor, { name: page, html, url }: ArticlePage): Promise<Found> => {
  try {
    return await extract(html, url)
  } catch (cause) {
    console.log(`${name} fails on ${page}: ${cause}`)
    return { title: "", author: "", date: "", text: "" }
  } finally {
    // jsdom lets go of a page only when its own events have run.
    await setImmediate()
  }
}

const measure = async (set: ArticleSet): Promise<void> => {
  const found = new Map<string, ReadonlyArray<Found>>()
  for (const [name, extract] of extractors) {
    const all: Array<Found> = []
    for (const page of set.pages) all.push(await find(name, extract, page))
    found.set(name, all)
  }
  const costs = await costsOf(set)
  const own = costs.get("ours") ?? 0
  console.log(`\n${set.name}, ${set.pages.length} pages (${half})`)
  console.log("              precision  recall  F1      title    author   date     ms/page  ours is faster")
  for (const [name] of extractors) {
    const all = found.get(name) ?? []
    const { precision, recall, f1 } = Shingles.summary(set.pages.map((page, i) => scoreOf(page, all[i])))
    const right = (["title", "author", "date"] as const).map((field) => rightOf(set.pages, all, field).padEnd(8))
    const cost = costs.get(name) ?? 0
    const scores = [precision, recall, f1].map((value) => value.toFixed(4))
    console.log(
      `${name.padEnd(13)} ${scores[0]}     ${scores[1]}  ${scores[2]}  ${right.join(" ")} ${cost.toFixed(2).padStart(7)}  ${(cost / own).toFixed(1)}x`
    )
  }
  if (extractors.length > 1) tellLosses(set.pages, found)
}

const scoreOf = ({ text }: ArticlePage, found: Found | undefined): Shingles.Score => Shingles.score(text, textOf(found))

/** Peers give HTML, which is read as the truth of the first set is. */
const textOf = (found: Found | undefined): string =>
  found === undefined ? "" : "text" in found ? found.text : plainText(found.html)

const rightOf = (
  pages: ReadonlyArray<ArticlePage>,
  found: ReadonlyArray<Found>,
  field: "title" | "author" | "date"
): string => {
  const told = pages.flatMap((page, i) => {
    const truth = page[field]
    return truth === undefined ? [] : [same(field, truth, found[i]?.[field] ?? "")]
  })
  return told.length === 0 ? "-" : `${told.filter(Boolean).length}/${told.length}`
}

const same = (field: string, truth: string, told: string): boolean => {
  const [a, b] = [truth, told].map((text) => text.replaceAll(/\s+/g, " ").trim())
  return field === "date" ? a?.slice(0, 10) === b?.slice(0, 10) : a === b
}

const costsOf = async (set: ArticleSet): Promise<ReadonlyMap<string, number>> => {
  const rounds = new Map<string, Array<number>>(extractors.map(([name]) => [name, []]))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (let turn = 0; turn < extractors.length; turn++) {
      const next = extractors[(round + turn) % extractors.length]
      if (next === undefined) continue
      const [name, extract] = next
      const before = process.cpuUsage()
      for (const page of set.pages) await find(name, extract, page)
      const { user, system } = process.cpuUsage(before)
      rounds.get(name)?.push((user + system) / 1000 / set.pages.length)
    }
  }
  return new Map(Array.from(rounds, ([name, all]) => [name, median(all)]))
}

const median = (all: ReadonlyArray<number>): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

const tellLosses = (pages: ReadonlyArray<ArticlePage>, found: ReadonlyMap<string, ReadonlyArray<Found>>): void => {
  const f1 = (page: ArticlePage, told: Found | undefined) => {
    const score = scoreOf(page, told)
    return Shingles.f1(Shingles.precision(score), Shingles.recall(score))
  }
  const losses = pages.map((page, i) => {
    const [own = 0, ...others] = extractors.map(([name]) => f1(page, found.get(name)?.[i]))
    return { page, own, best: Math.max(...others) }
  })
  console.log("where ours loses most against the better peer (F1 of the page, ours and the peer's):")
  for (const { page, own, best } of losses.toSorted((a, b) => a.own - a.best - (b.own - b.best)).slice(0, 10)) {
    if (best > own) console.log(`  ${own.toFixed(3)} ${best.toFixed(3)}  ${page.name}  ${page.url}`)
  }
}

for (const set of articleSets(folder, half)) await measure(set)
