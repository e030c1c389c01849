/**
 * What a query costs as the index grows: `node bench/gov/cost.ts PATH [--sizes 3000,10000,60000] [--keep FOLDER]`.
 *
 * A smaller size has a part of the sections of PATH. A larger one has all of them and changed copies, in which every fourth
 * word is another word of the corpus and every number is another. Queries are headings, twelve words of a body, five words of
 * a body, citations, and questions, the same for all sizes. The figure is CPU (user and system) for each query; SQLite's
 * FTS5 with bm25 over the same sections answers the same queries in the same process.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as Stream from "effect/Stream"
import type { CorpusFile } from "../../src/law/Corpus.ts"
import type { GovSection, GovText } from "../../src/law/GovText.ts"
import * as Dice from "../../src/site/Dice.ts"
import type { Engine, Files } from "./Engine.ts"
import { makers } from "./makers.ts"
import { asked } from "./questions.ts"
import * as Texts from "./Texts.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "3000,10000,60000" },
    keep: { type: "string" }
  }
})
const [path] = positionals
if (path === undefined) {
  console.error("name the folder of a corpus of government texts")
  process.exit(2)
}

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "millrace-bench-cost-"))
if (values.keep === undefined) process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
else mkdirSync(folder, { recursive: true })

const texts = await Texts.read(resolve(path), {
  folders: { "spanish-fork-ut": { jurisdiction: "Spanish Fork, Utah" } }
})
const words = [...new Set(texts.sections.flatMap(({ section }) => section.text.match(/\p{Ll}{4,}/gu) ?? []))]

/** The sections of the first `size` of an even part of the corpus, or all and copies. */
const corpusOf = (size: number): Files => {
  const all = texts.sections.map(({ section }) => section)
  const isPart = size < all.length
  const own = isPart ? all.filter((_, at) => (at * size) % all.length < size) : all
  const documents = texts.all.filter((text) => text._tag === "Document")
  const copies = Array.from({ length: Math.ceil(size / all.length) - 1 }, (_, at) =>
    all.slice(0, size - (at + 1) * all.length).map((section) => changed(section, at + 1))
  )
  return Stream.fromIterable([
    fileOf("own", [...documents, ...own]),
    ...copies.map((copy, at) => fileOf(`copy ${at + 1}`, [...documents, ...copy]))
  ])
}

const fileOf = (name: string, some: ReadonlyArray<GovText>): CorpusFile => ({
  path: name,
  bytes: 0,
  sha256: name,
  format: "html",
  texts: Stream.fromIterable(some)
})

const changed = (section: GovSection, copy: number): GovSection => {
  const dice = Dice.make("copy", copy, section.url)
  const other = (text: string): string =>
    text.replace(/\d+|\p{L}{4,}/gu, (word) => {
      if (/^\d/.test(word)) return String(Number(word) + 1000 * copy)
      return dice.chance(0.25) ? (words[dice.int(0, words.length - 1)] ?? word) : word
    })
  return {
    ...section,
    identity: `${section.identity}/copy-${copy}`,
    url: `${section.url}#copy-${copy}`,
    number: other(section.number),
    citation: other(section.citation),
    alsoCited: [],
    heading: other(section.heading),
    text: other(section.text),
    notes: other(section.notes)
  }
}

const each = 40
const queries = [
  ...kind("heading", ({ heading }) => heading),
  ...kind("twelve words", ({ text }) => run(text, 12)),
  ...kind("five words", ({ text }) => run(text, 5)),
  ...kind("citation", ({ citation }) => citation),
  ...asked.map(([query]) => ({ name: "question", query }))
]

function kind(name: string, say: (section: GovSection) => string) {
  return Texts.sampled(texts.sections, each * 2, 1, name)
    .map(({ section }) => ({ name, query: say(section) }))
    .filter(({ query }) => query !== "")
    .slice(0, each)
}

function run(text: string, length: number): string {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const from = Math.max(0, Math.floor((all.length - length) / 2))
  return all.length < length ? "" : all.slice(from, from + length).join(" ")
}

const ask = async (engine: Engine): Promise<ReadonlyMap<string, number>> => {
  const spent = new Map<string, Array<number>>()
  for (const round of [0, 1]) {
    for (const { name, query } of queries) {
      const before = process.cpuUsage()
      await engine.search(query, 10)
      const { system, user } = process.cpuUsage(before)
      if (round === 1) spent.set(name, [...(spent.get(name) ?? []), (user + system) / 1000])
    }
  }
  const mean = (list: ReadonlyArray<number>) => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length)
  return new Map([
    ["all", mean([...spent.values()].flat())],
    ...[...spent].map(([name, list]) => [name, mean(list)] as const)
  ])
}

for (const size of values.sizes.split(",").map(Number)) {
  for (const { load, name, open } of makers) {
    const file = join(folder, `${name}-${size}.sqlite`)
    const began = performance.now()
    if (!existsSync(file)) await load(corpusOf(size), file)
    const loaded = ((performance.now() - began) / 1000).toFixed(0)
    const engine = await open(file)
    const figures = await ask(engine)
    await engine.close()
    const told = [...figures].map(([what, millis]) => `${what} ${millis.toFixed(1)}`).join(", ")
    console.log(`${size} sections, ${name}: CPU ms a query: ${told} (loaded in ${loaded} s)`)
  }
}
