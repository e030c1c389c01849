/**
 * Main content by script, beside the peers: node bench/articleScripts.ts FOLDER ... [--python PATH] [--ours] [--pages]
 *
 * A FOLDER is one of labelled pages (`mainContent/labelledPages.ts`). F1, precision and recall are the means over the pages of a
 * script and kind; what is counted are words, and in scripts without spaces pairs of neighbouring characters. The peers are
 * Readability and Defuddle (`npm ci` in this folder), and trafilatura with a PATH of a Python that has it.
 */
import { spawnSync } from "node:child_process"
import { parseArgs } from "node:util"
import { article } from "../src/extract/article/article.ts"
import { plainText } from "./articlePages.ts"
import { defuddle, type Extractor, readability } from "./articlePeers.ts"
import { type LabelledPage, labelledPages, pairsOf, scriptOf } from "./mainContent/labelledPages.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { python: { type: "string" }, ours: { type: "boolean" }, pages: { type: "boolean" } }
})

type Reader = (pages: ReadonlyArray<LabelledPage>) => Promise<ReadonlyArray<string>>

/** What peers print about pages that they cannot read well is not of interest here. */
const each =
  (read: (page: LabelledPage) => Promise<string>): Reader =>
  async (pages) => {
    const { error, log, warn } = console
    console.error = console.log = console.warn = () => undefined
    const texts: Array<string> = []
    for (const page of pages) texts.push(await read(page).catch(() => ""))
    Object.assign(console, { error, log, warn })
    return texts
  }

const peer = (extract: Extractor): Reader =>
  each(async ({ html, url }) => {
    const found = await extract(html, url || "http://page.test/")
    return "text" in found ? found.text : plainText(found.html)
  })

const trafilatura =
  (python: string): Reader =>
  async (pages) => {
    const code =
      "import json, sys, trafilatura as t; print(json.dumps([t.extract(*p, include_comments=False) or '' for p in json.load(sys.stdin)]))"
    const input = JSON.stringify(pages.map(({ html, url }) => [html, url || null]))
    return JSON.parse(spawnSync(python, ["-c", code], { input, encoding: "utf8", maxBuffer: 1 << 28 }).stdout)
  }

const readers: Array<readonly [name: string, read: Reader]> = [
  ["ours", each(async ({ html, url }) => article(html, url).text)]
]
if (values.ours !== true) readers.push(["readability", peer(await readability())], ["defuddle", peer(await defuddle())])
if (values.python !== undefined) readers.push(["trafilatura", trafilatura(values.python)])

interface Score {
  readonly f1: number
  readonly precision: number
  readonly recall: number
}

const scoreOf = (truth: string, text: string): Score => {
  const [wanted, got] = [pairsOf(truth), pairsOf(text)]
  const left = new Map<string, number>()
  for (const token of wanted) left.set(token, (left.get(token) ?? 0) + 1)
  let both = 0
  for (const token of got) {
    const count = left.get(token) ?? 0
    if (count > 0) both++
    left.set(token, count - 1)
  }
  const [precision, recall] = [both / Math.max(1, got.length), both / Math.max(1, wanted.length)]
  return { precision, recall, f1: both === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

const pages = positionals.flatMap((folder) => Array.from(labelledPages(folder)))
const rows = pages.map(({ kind, truth }) => `${scriptOf(truth)}, ${kind}`)
const scores: Array<readonly [name: string, scores: ReadonlyArray<Score>]> = []
for (const [name, read] of readers) {
  const texts = await read(pages)
  scores.push([name, pages.map(({ truth }, i) => scoreOf(truth, texts[i] ?? ""))])
}
if (values.pages === true) {
  pages.forEach(({ name: page }, i) => {
    const of = scores.map(
      ([name, { [i]: score }]) =>
        `${name} ${score?.f1.toFixed(3)} (${score?.precision.toFixed(2)}, ${score?.recall.toFixed(2)})`
    )
    console.log(`${page}: ${of.join("  ")}`)
  })
}
const mean = (scores: ReadonlyArray<Score>, of: keyof Score): string =>
  (scores.reduce((all, score) => all + score[of], 0) / scores.length).toFixed(3)
for (const row of new Set(rows.toSorted())) {
  for (const [name, ofPages] of scores) {
    const all = ofPages.filter((_, i) => rows[i] === row)
    console.log(
      `${row.padEnd(25)} ${String(all.length).padStart(4)} pages  ${name.padEnd(12)} F1 ${mean(all, "f1")}  P ${mean(all, "precision")}  R ${mean(all, "recall")}`
    )
  }
}
