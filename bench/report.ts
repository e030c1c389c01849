/**
 * `bench/README.md` and its plots, from the results of all claims that there are.
 *
 * Everything in it comes from `bench/results`; a target that is missed is reported as plainly as one that is met.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Judged, type JudgedWork, judged } from "./judged.ts"
import * as plot from "./plot.ts"
import { quotientOf, type Standing, type Verdict, type WorkResult } from "./Result.ts"

const intro = `# How fast, and how much it takes

\`npm run bench\` writes this page. All figures were measured on one machine, and all contestants of a table in the same run.

    npm ci --prefix bench                # the peers from npm; apt-get install python3-scrapy wget for the others
    apt-get install postgresql-doc-15 python3.11-doc    # the two sites that are crawled
    npm run bench                        # all claims; npm run bench -- crawl --rounds 5, or --quick for a first look
    npm run bench -- compare OLD NEW     # do the ratios of two runs agree within 15%? (a file or a folder of results each)
    npm run bench -- report              # this page again, from bench/results
    MILLRACE_BENCH_SITES=FOLDER npm run bench -- markdown    # with the built sites of a folder beside the manuals

How it is measured: each contestant is a process of its own, in an empty folder. The first round is not counted. Then all
contestants take turns, and each round begins with another contestant (where no time is measured, they run side by side). The
rounds of each table are spread over the whole run. So if others use the machine for some minutes, this spoils one round and
not most of them. CPU seconds are user + system time of the whole tree of processes, start-up included. Memory is the largest
sum of resident memory over the tree, measured ten times a second, or the peak of one of its processes. Tables have medians
of rounds. Ratios are the Hodges-Lehmann estimate of the ratios of the rounds (the median of the means of all pairs), and
stand beside the figure that they compare. \`bench/results\` has every round. Compare CPU seconds; for requests to the service,
compare requests/s, because the CPU of a service that crawls is mostly the CPU of the crawl. Wall times are true only for a
machine that does nothing else. A contestant that does less than the work requires is marked, and cannot win.
`

const others = `## Other measurements

These are separate scripts. The header of each says how to run it: \`bench/gov.ts\` (government search),
\`bench/extract.ts\`, \`bench/values.ts\` and \`bench/structuredData.ts\` (data out of pages), \`bench/article.ts\` (main
content), \`bench/longCrawl.ts\` (a million pages, killed on the way), \`bench/service.ts\` (fifty crawls at once), \`bench/serviceLoad.ts\` (two hundred crawls, two thousand callers,
dead receivers), \`bench/serviceFairness.ts\` (one team behind another), \`bench/processes.ts\` (one to three processes on one Postgres), \`bench/placement.ts\` (how hosts are spread),
\`bench/monitor.ts\` (what has changed on a site), \`bench/receiver.ts\` (webhooks received), \`bench/jsonSchemaSuite.ts\` (JSON Schema).

Government search, on 8,730 sections (six corpora), seed 1, at most 300 trials a row; FTS5's bm25 over heading and text, one row a
section, in the same run. Mean reciprocal rank at ten:

| query | millrace | bm25 | millrace before |
|---|---|---|---|
| twelve words of a body, any section that has them | 0.998 | 0.939 | 0.781 |
| twelve words of a body, that very section | 0.957 | 0.901 | 0.753 |
| five words of a body, any section that has them | 0.988 | 0.695 | 0.399 |
| twelve words, one of them replaced, any section that has them | 0.991 | 0.949 | 0.815 |
| a unique heading | 0.997 | 0.829 | 0.979 |
| a sentence that cites, without the citation | 0.728 | 0.448 | 0.485 |
| a question in plain words | 0.721 | 0.313 | 0.709 |

The index of a section contains the sentences that cite it. So the row of citing sentences shows that the index has them, and not
how well it finds the section by other sentences.
`

export const writeReport = async (root: string): Promise<void> => {
  const folder = join(root, "bench/results")
  const plots = join(root, "bench/plots")
  mkdirSync(plots, { recursive: true })
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"))
  const results = await Promise.all(
    files.sort().map((file) => judged(JSON.parse(readFileSync(join(folder, file), "utf8"))))
  )
  for (const result of results) {
    for (const work of result.works) {
      const drawn = drawingOf(work)
      if (drawn !== undefined) writeFileSync(join(plots, plotName(result, work)), drawn)
    }
  }
  const parts = [intro, targetsOf(results), ...results.map(sectionOf), others]
  writeFileSync(join(root, "bench/README.md"), parts.join("\n"))
}

/** All targets of all claims at one look. */
const targetsOf = (results: ReadonlyArray<Judged>): string => {
  const rows = results.flatMap((result) =>
    result.works.flatMap((work) =>
      work.verdicts.map((verdict) => [
        result.claim,
        work.name,
        verdict.says,
        ratioOf(verdict),
        verdict.limit,
        wordOf(verdict)
      ])
    )
  )
  return `## Targets\n\n${table(["claim", "work", "target", "ours / theirs", "limit", ""], rows)}\n`
}

const sectionOf = (result: Judged): string => {
  const { cores, memoryGB, pinned, processor } = result.machine
  const versions = Object.entries(result.versions).map(([name, version]) => `${name} ${version}`)
  return [
    `## ${result.claim}: ${result.title}\n`,
    ...result.works.map((work) => workOf(result, work)),
    `Measured ${result.at.slice(0, 16).replace("T", " ")} UTC${result.quick ? ", with `--quick`: one round" : ""}: ${processor}, ${cores} cores, ${memoryGB} GB; ${pinned}. ${versions.join(", ")}.\n`
  ].join("\n")
}

const workOf = (result: Judged, work: JudgedWork): string => {
  if (work.missing !== undefined) return `### ${work.name}\n\nNot measured: ${work.missing}.\n`
  const present = work.standings.filter(({ missing }) => missing === undefined)
  const absent = work.standings.filter(({ missing }) => missing !== undefined)
  const drawn = drawingOf(work) === undefined ? [] : [`![${work.name}](plots/${plotName(result, work)})\n`]
  return [
    `### ${work.name}\n`,
    standingsOf(work, present),
    ...absent.map(({ missing, name }) => `- ${name}: not measured, ${(missing ?? "").split("\n")[0]}`),
    ...(absent.length === 0 ? [] : [""]),
    ...drawn,
    ...(work.verdicts.length === 0 ? [] : [`${work.verdicts.map(sentenceOf).join("\n")}\n`]),
    "How each is set up:\n",
    ...work.standings.map(({ how, name }) => `- **${name}**: ${how}`),
    ""
  ].join("\n")
}

/** A heading, and what stands below it for a contestant. */
type Column = readonly [head: string, told: (standing: Standing) => string]

const standingsOf = (work: WorkResult, standings: ReadonlyArray<Standing>): string => {
  const [ours] = work.standings
  const known = new Set(["cpu", "wall", "rss", "perSecond", "count"])
  const figures = [...new Set(standings.flatMap(({ medians }) => Object.keys(medians)))].filter(
    (name) => !known.has(name)
  )
  const column = (head: string, name: string): Column => [head, ({ medians }) => cell(medians[name])]
  const ratio: Column = ["of ours", (each) => cell(ours === undefined ? undefined : quotientOf(each, ours, work.shown))]
  // The ratio stands beside what the work is about.
  const withRatio = (head: string, name: string) =>
    name === work.shown && work.isUntimed !== true ? [column(head, name), ratio] : [column(head, name)]
  const unit = work.per === 1 ? `CPU s for each of the ${work.units}` : `CPU s / ${work.per} ${work.units}`
  const rate = `${work.units}/s`
  const costs: ReadonlyArray<Column> = [
    ...withRatio(unit, "cpu"),
    ["least-most", ({ spread }) => `${cell(spread["cpu"]?.[0])}-${cell(spread["cpu"]?.[1])}`],
    column("wall s", "wall"),
    // A contestant that measures its rate itself, without its start, knows better.
    ...(figures.includes(rate) ? [] : [column(rate, "perSecond")]),
    column("peak MB", "rss")
  ]
  const columns: ReadonlyArray<Column> = [
    ["", ({ didLess, name }) => `${name}${didLess ? " **(did less)**" : ""}`],
    [work.units, ({ medians }) => (medians["count"] ?? 0).toLocaleString("en")],
    ...(work.isUntimed === true ? [] : costs),
    ...figures.flatMap((name) => withRatio(name, name))
  ]
  const rows = standings.map((standing) => columns.map(([, told]) => told(standing)))
  return `${table(
    columns.map(([head]) => head),
    rows
  )}\n`
}

const sentenceOf = (verdict: Verdict): string => {
  const found = verdict.ratio === undefined ? (verdict.missing ?? "") : `${ratioOf(verdict)}, ${verdict.limit} wanted`
  return `- ${wordOf(verdict)}: ${verdict.says} (${verdict.of}: ${found})`
}

const wordOf = ({ met }: Verdict): string => (met === undefined ? "not measured" : met ? "met" : "**missed**")
const ratioOf = ({ ratio }: Verdict): string => (ratio === undefined ? "" : plot.figure(ratio))

const drawingOf = (work: WorkResult): string | undefined => {
  const standings = work.standings.filter(({ missing, rounds }) => missing === undefined && rounds.length > 0)
  if (standings.length < 2) return undefined
  const unit = work.per === 1 ? "CPU seconds" : `CPU seconds per ${work.per} ${work.units}`
  if (work.plot === "growth") {
    const line = (name: string, unit: string, of: string) => ({
      name,
      unit,
      points: standings.map(({ medians }) => ({ count: medians["count"] ?? 1, value: medians[of] ?? 0 }))
    })
    return plot.growth(work.name, [line("cost", unit, "cpu"), line("memory", "peak MB", "rss")])
  }
  const shown = work.shown === "cpu" ? `${unit}: median, least and most` : `${work.shown}: median, least and most`
  const bars = standings.map(({ medians, name, spread }, index) => ({
    name,
    value: medians[work.shown] ?? 0,
    isOurs: index === 0 || name.startsWith("millrace"),
    spread: spread[work.shown] ?? [0, 0]
  }))
  return plot.bars(work.name, shown, bars)
}

const plotName = (result: Judged, work: WorkResult): string =>
  `${result.claim}-${work.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.svg`

const cell = (value: number | undefined): string => plot.figure(value ?? Number.NaN)

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
