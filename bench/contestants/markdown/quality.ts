/**
 * How much of each page its Markdown keeps, and on which pages Turndown's keeps more:
 * `node quality.ts <contestant> <every> [--list]`.
 *
 * A page's quality is the mean over what the page has (words, links, headings, rows of tables, lines of code) of how
 * like the rendered Markdown is to the page, F1; what the Markdown makes up counts against it.
 */
import type { Convert } from "./Convert.ts"
import * as Facts from "./Facts.ts"
import { list, read } from "./pages.ts"
import { convert as turndown } from "./turndown.ts"

const [name = "", every = "1", ...flags] = process.argv.slice(2)
const { convert }: { readonly convert: Convert } = await import(`./${name}.ts`)
const isListing = flags.includes("--list")

type Judged = Partial<Record<Facts.Part, number>> & { readonly quality: number }

/** Against the reading of the page that suits it better. */
const judge = (readings: ReadonlyArray<Facts.Facts>, markdown: string, url: string): Judged => {
  const found = Facts.ofMarkdown(markdown, url)
  const all = readings.map((page) => judgeOne(page, found))
  return all.reduce((best, each) => (each.quality > best.quality ? each : best))
}

const judgeOne = (page: Facts.Facts, found: Facts.Facts): Judged => {
  const scores = Facts.parts.flatMap((part) => {
    const score = Facts.likeness(page[part], found[part])
    return score === undefined ? [] : [[part, score] as const]
  })
  return {
    ...Object.fromEntries(scores),
    quality: scores.reduce((sum, [, score]) => sum + score, 0) / Math.max(1, scores.length)
  }
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const rounded = (value: number) => Math.round(value * 10_000) / 10_000

const all: Array<Judged> = []
let worse = 0
const listed = list(Number(every))
for (const [at, { body, url }] of read(listed).entries()) {
  const page = Facts.ofHtml(Buffer.from(body).toString(), url)
  const own = judge(page, convert(body, url), url)
  const other = judge(page, turndown(body, url), url)
  all.push(own)
  if (own.quality >= other.quality) continue
  worse += 1
  if (isListing) {
    const parts = Facts.parts.filter((part) => (own[part] ?? 1) < (other[part] ?? 1))
    const said = parts.map((part) => `${part} ${own[part]?.toFixed(4)} of ${other[part]?.toFixed(4)}`)
    console.log(`${listed[at]?.file}: ${own.quality.toFixed(4)} of ${other.quality.toFixed(4)}: ${said.join(", ")}`)
  }
}
const figures: Record<string, number> = {
  quality: rounded(median(all.map(({ quality }) => quality))),
  "worse than Turndown": worse
}
for (const part of Facts.parts) {
  figures[part] = rounded(median(all.flatMap((judged) => (judged[part] === undefined ? [] : [judged[part]]))))
}
console.log(JSON.stringify({ count: all.length, figures }))
