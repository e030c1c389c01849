/**
 * The blocks of labelled pages as the trees see them, for training: node bench/mainContent/dump.ts FOLDER ... OUT
 *
 * A FOLDER is one of labelled pages (`labelledPages.ts`); FOLDER:Latin are those in this script, where others judge. OUT gets `rows.f64` (the features of every block), `pages.f64` (those of
 * every page) and `blocks.jsonl` (a line a page: its set, url, kind, and the words of the truth and of each block).
 */
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { measureBlocks, names } from "../../src/page/content/blockFeatures.ts"
import { factsOf } from "../../src/page/content/factsOf.ts"
import { measurePage, pageFeatures } from "../../src/page/content/pageFeatures.ts"
import { readDom } from "../../src/page/content/readDom.ts"
import * as Dom from "../../src/page/Dom.ts"
import { labelledPages, scriptOf, tokensOf } from "./labelledPages.ts"

const folders = process.argv.slice(2)
const out = folders.pop()
if (out === undefined || folders.length === 0) throw new Error("usage: node bench/mainContent/dump.ts FOLDER ... OUT")
mkdirSync(out, { recursive: true })
const rows = createWriteStream(join(out, "rows.f64"))
const pages = createWriteStream(join(out, "pages.f64"))
const blocks = createWriteStream(join(out, "blocks.jsonl"))
let cpu = 0
for (const given of folders) {
  const [folder = "", script] = given.split(":")
  for (const { html, kind, name, truth, url } of labelledPages(folder)) {
    if (script !== undefined && scriptOf(truth) !== script) continue
    const before = process.cpuUsage()
    const root = Dom.parse(html)
    const read = readDom(root)
    const facts = factsOf(root, url)
    const page = measurePage(read.outline, facts)
    const features = measureBlocks(read.outline, facts)
    const used = process.cpuUsage(before)
    cpu += used.user + used.system
    rows.write(Buffer.from(features.buffer))
    pages.write(Buffer.from(page.buffer))
    blocks.write(
      `${JSON.stringify({
        set: basename(folder),
        name,
        url,
        kind,
        truth: tokensOf(truth),
        blocks: read.blocks.map(({ text }) => tokensOf(text)),
        ways: read.outline.blocks.map(({ part }) => part.way)
      })}\n`
    )
  }
}
writeFileSync(join(out, "names.json"), JSON.stringify({ blocks: names, pages: pageFeatures.map(({ name }) => name) }))
console.log(`${(cpu / 1000).toFixed(0)} CPU ms`)
