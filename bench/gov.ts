/**
 * How well the index of government texts finds what is known to be in it, beside plain FTS5 over the same texts.
 *
 *     npm run bench:gov -- PATH [--json FILE] [--seed 1] [--most 300] [--only a,b,c,d,e,f,g,h] [--misses]
 *         [--place FOLDER=JURISDICTION]... [--service URL]
 *
 * PATH is a corpus, as `millrace gov load` takes it; `--place` says whose law a folder of it is, where its files do not. (a) Citations in their usual forms; (b) headings, over bodies that do not
 * hold them; (c) sentences that cite another section; (d) versions; (e) jurisdictions and agencies; (f) questions in plain
 * words; (g) words copied from a body; (h) typing errors, synonyms and words of notes. Of each form at most `--most` trials are drawn by `--seed`. `--service` asks a service too, which must have loaded
 * the same corpus. The peers ask and answer in this process; loading is measured in a process of its own for each.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type * as Settings from "../src/law/CorpusSettings.ts"
import * as Figures from "./Figures.ts"
import { citations } from "./gov/citations.ts"
import { copied } from "./gov/copied.ts"
import * as Engine from "./gov/Engine.ts"
import { headings } from "./gov/headings.ts"
import { jurisdictions } from "./gov/jurisdictions.ts"
import { makers } from "./gov/makers.ts"
import { otherwise } from "./gov/otherwise.ts"
import { lacking, questions } from "./gov/questions.ts"
import { references } from "./gov/references.ts"
import { served } from "./gov/Served.ts"
import * as Texts from "./gov/Texts.ts"
import type * as Trial from "./gov/Trial.ts"
import { versions } from "./gov/versions.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "string" },
    seed: { type: "string", default: "1" },
    most: { type: "string", default: "300" },
    only: { type: "string", default: "a,b,c,d,e,f,g,h" },
    misses: { type: "boolean", default: false },
    place: { type: "string", multiple: true, default: [] },
    service: { type: "string" }
  }
})
const [path] = positionals
if (path === undefined) {
  console.error("name the folder of a corpus of government texts")
  process.exit(2)
}
const how = { seed: Number(values.seed), most: Number(values.most) }
const settings: Settings.Options = {
  folders: Object.fromEntries(
    values.place.map((said) => {
      const at = said.indexOf("=")
      return [said.slice(0, at), { jurisdiction: said.slice(at + 1) }]
    })
  )
}
const parts = new Set(values.only.split(","))

const folder = mkdtempSync(join(tmpdir(), "millrace-bench-gov-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

type Variant = "whole" | "bodies" | "headless"
const fileOf = (engine: string, variant: Variant) => join(folder, `${engine}-${variant}.sqlite`)

const load = (engine: string, variant: Variant): Figures.Figures =>
  Figures.of(
    join(import.meta.dirname, "gov/load.ts"),
    engine,
    resolve(path),
    fileOf(engine, variant),
    variant,
    JSON.stringify(settings)
  )

const opened = async (variant: Variant): Promise<ReadonlyArray<Engine.Timed>> =>
  Promise.all(makers.map(async ({ name, open }) => Engine.timed(await open(fileOf(name, variant)))))

const closed = async (engines: ReadonlyArray<Engine.Engine>): Promise<void> => {
  for (const engine of engines) await engine.close()
}

const texts = await Texts.read(resolve(path), settings)
const documents = new Set(texts.sections.map(({ document }) => document.identity)).size
console.log(
  `${texts.sections.length} sections of ${documents} documents; seed ${how.seed}, at most ${how.most} trials a row`
)
for (const broken of texts.broken) console.log(`  broken: ${broken}`)
for (const absent of lacking(texts)) console.log(`  not in the corpus, so not asked: ${absent}`)

const loading: Record<string, Figures.Figures> = {}
for (const engine of ["reading", ...makers.map(({ name }) => name)]) {
  const { cpu, peak, wall } = (loading[engine] = load(engine, "whole"))
  console.log(`loading, ${engine}: ${wall.toFixed(1)} s, CPU ${cpu.toFixed(1)} s, ${peak.toFixed(0)} MB`)
}

const rows: Array<Trial.Row> = []
const tell = (some: ReadonlyArray<Trial.Row>): void => {
  for (const row of some) {
    if (row.trials === 0) continue
    rows.push(row)
    console.log(lineOf(row))
    if (values.misses) {
      for (const { first, query, wanted } of row.figures[makers[0]?.name ?? ""]?.misses ?? [])
        console.log(`    ${JSON.stringify(query)} wants ${wanted}, gives ${first}`)
    }
  }
}

const percent = (share: number): string => (100 * share).toFixed(1).padStart(5)

function lineOf({ figures, name, target, trials }: Trial.Row): string {
  const told = Object.entries(figures).map(
    ([engine, { first, mrr, within }]) =>
      `${engine}: first ${percent(first)} %, MRR ${mrr.toFixed(3)}, in ten ${percent(within)} %`
  )
  const aim =
    target === undefined ? "" : `  [${target.figure} >= ${target.least}: ${isMet(target, figures) ? "met" : "missed"}]`
  return `${name} (${trials})\n    ${told.join("\n    ")}${aim}`
}

function isMet(target: NonNullable<Trial.Row["target"]>, figures: Trial.Row["figures"]): boolean {
  return (figures[makers[0]?.name ?? ""]?.[target.figure] ?? 0) >= target.least
}

const own = await opened("whole")
const engines = values.service === undefined ? own : [...own, Engine.timed(served(values.service))]
if (parts.has("a")) tell(await citations(texts, engines, how))
if (parts.has("b")) {
  for (const [variant, name] of [
    ["bodies", "heading in its own field"],
    ["headless", "no heading in the index"]
  ] as const) {
    for (const maker of makers) load(maker.name, variant)
    const others = await opened(variant)
    tell(await headings(texts, others, { ...how, name, isHarder: variant === "headless" }))
    await closed(others)
  }
}
if (parts.has("c")) tell(await references(texts, engines, how))
if (parts.has("d")) tell(await versions(texts, engines, how))
if (parts.has("e")) tell(await jurisdictions(texts, engines, how))
if (parts.has("f")) tell(await questions(texts, engines))
if (parts.has("g")) tell(await copied(texts, engines, how))
if (parts.has("h")) tell(await otherwise(texts, engines, how))

const times = Object.fromEntries(
  engines.map(({ cpu, name, times }) => [
    name,
    {
      asked: times.length,
      cpu: cpu.reduce((sum, one) => sum + one, 0) / Math.max(1, cpu.length),
      median: Engine.quantile(times, 0.5),
      p95: Engine.quantile(times, 0.95),
      p99: Engine.quantile(times, 0.99)
    }
  ])
)
for (const [name, { asked, cpu, median, p95, p99 }] of Object.entries(times))
  console.log(
    `answers, ${name}: ${asked} asked, CPU ${cpu.toFixed(1)} ms, median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  )
await closed(engines)

if (values.json !== undefined) {
  const result = {
    path,
    ...how,
    sections: texts.sections.length,
    documents,
    broken: texts.broken,
    loading,
    times,
    rows
  }
  writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`)
}
