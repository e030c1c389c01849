/**
 * The blocks of labelled pages as the trees see them, for training: node bench/mainContent/dump.ts FOLDER OUT
 *
 * FOLDER holds html/NAME.html.gz and ground-truth/NAME.json (url, main_content, page_type). OUT gets `rows.f64` (the
 * features of every block), `pages.f64` (those of every page) and `blocks.jsonl` (a line a page: url, kind, the truth, and
 * the text of each block).
 */
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { article } from "../../src/extract/article/article.ts"
import * as Charset from "../../src/page/Charset.ts"
import { measureBlocks, names } from "../../src/page/content/blockFeatures.ts"
import { factsOf } from "../../src/page/content/factsOf.ts"
import { measurePage, pageFeatures } from "../../src/page/content/pageFeatures.ts"
import { readDom } from "../../src/page/content/readDom.ts"
import * as Dom from "../../src/page/Dom.ts"

const [folder, out, withArticle] = process.argv.slice(2)
if (folder === undefined || out === undefined) throw new Error("usage: node bench/mainContent/dump.ts FOLDER OUT")
mkdirSync(out, { recursive: true })
const rows = createWriteStream(join(out, "rows.f64"))
const pages = createWriteStream(join(out, "pages.f64"))
const blocks = createWriteStream(join(out, "blocks.jsonl"))
let cpu = 0
for (const file of readdirSync(join(folder, "ground-truth")).sort()) {
  const name = file.replace(".json", "")
  const truth = JSON.parse(readFileSync(join(folder, "ground-truth", file), "utf8"))
  const bytes = gunzipSync(readFileSync(join(folder, "html", `${name}.html.gz`)))
  const html = Charset.decode(bytes, undefined, "html")
  const before = process.cpuUsage()
  const root = Dom.parse(html)
  const read = readDom(root)
  const facts = factsOf(root, truth.url ?? "")
  const page = measurePage(read.outline, facts)
  const features = measureBlocks(read.outline, facts)
  const used = process.cpuUsage(before)
  cpu += used.user + used.system
  rows.write(Buffer.from(features.buffer))
  pages.write(Buffer.from(page.buffer))
  const spans = withArticle === undefined ? [] : article(html, truth.url ?? "").blocks.map(({ span }) => span)
  blocks.write(
    `${JSON.stringify({
      name,
      url: truth.url ?? "",
      kind: truth._internal?.page_type?.primary ?? "",
      truth: truth.ground_truth.main_content ?? "",
      title: truth.ground_truth.title ?? "",
      blocks: read.blocks.map(({ text }) => text),
      ways: read.outline.blocks.map(({ part }) => part.way),
      inArticle: read.blocks.map(({ from, to }) => (spans.some(([start, end]) => from >= start && to <= end) ? 1 : 0))
    })}\n`
  )
}
writeFileSync(join(out, "names.json"), JSON.stringify({ blocks: names, pages: pageFeatures.map(({ name }) => name) }))
console.log(`${(cpu / 1000).toFixed(0)} CPU ms`)
