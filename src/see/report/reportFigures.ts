/** The folded parts of a report that are about the run as a whole: its pages, and runs over time. */
import { count, seconds, size } from "../summary.ts"
import { figure, moment, number, type Section, table, text } from "./html.ts"
import type { HistoryPoint, ReportModel } from "./ReportModel.ts"
import { counted } from "./reportAnswers.ts"
import * as Charts from "./reportCharts.ts"

export const pagesSection = (model: ReportModel): Section => {
  const { download, latency_ms: latency, run, status_codes: codes, tables } = model
  const name = tables[0]?.name ?? "the main table"
  const parts: Array<string> = []
  if (codes !== null && codes.length > 0) parts.push(codesFigure(codes))
  if (latency !== null) parts.push(latencyFigure(latency))
  if (parts.length > 0 || model.download !== null) parts.push(downloadFigure(model.download))
  if (run.facts["revalidated"] !== undefined) {
    parts.push(
      `<p>${count(run.facts["revalidated"])} more pages had not changed, as their servers said, and were not read again.</p>`
    )
  }
  if (parts.length === 0) {
    parts.push(
      `<p>Rows of ${text(name)} have no status code and no time of an answer, or no profile of them is kept.</p>`
    )
  }
  const says = [
    ...(codes === null ? [] : [counted(codes.length, "status code")]),
    ...(latency === null ? [] : [`half within ${Charts.numeral(latency.p50)} ms`]),
    ...(download === null ? [] : [`${size(download.wire_bytes)} downloaded`])
  ]
  return {
    id: "pages",
    title: "Pages",
    says: says.length === 0 ? "no figures of pages" : says.join(", "),
    html: `<div class="charts">${parts.map((part) => `<div>${part}</div>`).join("\n")}</div>`
  }
}

const codesFigure = (codes: NonNullable<ReportModel["status_codes"]>): string => {
  const of = codes
    .toSorted((a, b) => a.value.localeCompare(b.value))
    .map(({ count, value }) => ({
      name: value,
      value: count,
      color: /^[45]/.test(value) ? "var(--bad)" : value.startsWith("3") ? "var(--c2)" : "var(--c1)"
    }))
  const description = of.map(({ name, value }) => `${count(value)} with ${name}`).join(", ")
  const [only, ...others] = of
  const head = `<h4>Status codes</h4><p>Of the pages that this run handed to its destinations. URLs that failed are in Rejects and errors.</p>`
  // One bar compares nothing.
  if (only !== undefined && others.length === 0) {
    return `${head}<p>${text(`All ${count(only.value)} answered with ${only.name}.`)}</p>`
  }
  const rows = of.map(({ name, value }) => ({ cells: [{ html: text(name) }, number(count(value))] }))
  const drawn = Charts.bars("Status codes", description, of)
  return `${head}${figure(drawn, table("Status codes", ["code", { number: "pages" }], rows))}`
}

const latencyFigure = (latency: NonNullable<ReportModel["latency_ms"]>): string => {
  const spread = (["min", "p50", "p95", "p99", "max"] as const).map((of) => ({ name: of, value: latency[of] }))
  const description = spread.map(({ name, value }) => `${name} ${Charts.numeral(value)} ms`).join(", ")
  const head = `<h4>Latencies</h4><p>Milliseconds until a page had answered; mean ${Charts.numeral(latency.mean)}.</p>`
  if (latency.min === latency.max) return `${head}<p>All pages took ${Charts.numeral(latency.min)} ms.</p>`
  const rows = spread.map(({ name, value }) => ({ cells: [{ html: text(name) }, number(Charts.numeral(value))] }))
  const drawn = Charts.bars("Latencies in milliseconds", description, spread)
  return `${head}${figure(drawn, table("Latencies", ["share of the pages", { number: "milliseconds" }], rows))}`
}

/** What the pages cost to download, and what a page does. */
const downloadFigure = (download: ReportModel["download"]): string => {
  const title = "<h4>Downloaded</h4>"
  if (download === null)
    return `${title}<p>Bytes on the wire are not reported: the service that read the pages does not count them.</p>`
  const { body_bytes: body, of, page_wire_bytes: page, wire_bytes: wire } = download
  const each =
    page === null ? [] : (["p50", "p95", "max"] as const).map((of) => ({ name: `a page, ${of}`, value: page[of] }))
  const all = [
    { name: "on the wire", value: wire, said: size(wire) },
    ...(body === null ? [] : [{ name: "decompressed", value: body, said: size(body), color: "var(--c6)" }])
  ]
  const description = [...all, ...each].map(({ name, value }) => `${name} ${size(value)}`).join(", ")
  const whose = of === "run" ? "all pages that this run has read" : "the rows that this run handed to its destinations"
  const rows = [...all, ...each].map(({ name, value }) => ({ cells: [{ html: text(name) }, number(count(value))] }))
  const figures = table("Bytes downloaded", ["what", { number: "bytes" }], rows)
  const drawn = all.length < 2 ? figures : figure(Charts.bars("Bytes downloaded", description, all), figures)
  return `${title}<p>Bodies of ${whose}, and of redirects that led to them; headers are not counted.</p>
${drawn}`
}

export const historySection = ({ credits, history, tables }: ReportModel): Section => {
  const names = tables.map(({ name }) => name)
  const all = chartsOf(history, names)
  const charts = all.filter(isVaried).map(({ points, title, unit }) => {
    const [first, last] = [points[0], points.at(-1)]
    const description = `${title} of ${history.length} runs, from ${moment(first?.at.toISOString() ?? "")} to ${moment(last?.at.toISOString() ?? "")}`
    return `<div><h4>${text(title)}</h4><figure>${Charts.lines(title, description, points, unit)}</figure></div>`
  })
  const constant = all
    .filter((chart) => !isVaried(chart) && chart.points.length > 1)
    .map(({ points: [first], title, unit }) => {
      const value = Charts.numeral(first?.value ?? 0)
      return unit === "rows" ? `${title}: ${value}` : `${title}: ${value} ${unit}`
    })
  return {
    id: "history",
    title: "Runs over time",
    says: history.length === 1 ? "this is the first run" : `${counted(history.length, "run")}, the newest first`,
    html: [
      charts.length === 0 ? "" : `<div class="charts">${charts.join("\n")}</div>`,
      constant.length === 0 ? "" : `<p>The same in every run: ${text(constant.join("; "))}.</p>`,
      creditsText(credits),
      historyTable(history, names[0] ?? "")
    ].join("\n")
  }
}

/** A line of one run, or of runs that are all the same, says no more than its figure. */
const isVaried = ({ points }: HistoryChart): boolean => {
  const ofSeries = Map.groupBy(points, ({ series }) => series)
  return [...ofSeries.values()].some((of) => of.some(({ value }) => value !== of[0]?.value))
}

interface HistoryChart {
  readonly title: string
  readonly unit: string
  readonly points: ReadonlyArray<Charts.Point>
}

const chartsOf = (history: ReportModel["history"], names: ReadonlyArray<string>): ReadonlyArray<HistoryChart> => {
  const series = (
    valueOf: (point: HistoryPoint) => number | null | undefined,
    name: string
  ): ReadonlyArray<Charts.Point> =>
    history.flatMap((point) => {
      const value = valueOf(point)
      return value === null || value === undefined ? [] : [{ at: new Date(point.started_at), value, series: name }]
    })
  /** A chart of one line. */
  const chart = (title: string, unit: string, valueOf: (point: HistoryPoint) => number | null | undefined) => ({
    title,
    unit,
    points: series(valueOf, unit)
  })
  return [
    ...names.slice(0, 6).map((name) => chart(`Rows of ${name}`, "rows", ({ rows }) => rows[name])),
    chart("Duration", "seconds", (point) => point.seconds),
    chart("Pages a second", "pages a second", (point) => point.pages_per_second),
    {
      title: "Latencies over time",
      unit: "milliseconds",
      points: [
        ...series((point) => point.latency_p50_ms, "half of the pages"),
        ...series((point) => point.latency_p95_ms, "95% of the pages")
      ]
    },
    {
      title: "Bytes downloaded",
      unit: "bytes",
      points: [
        ...series((point) => point.wire_bytes, "on the wire"),
        ...series((point) => point.body_bytes, "decompressed")
      ]
    },
    chart("Text", "characters", (point) => point.characters),
    chart("Bytes stored", "bytes", (point) => point.bytes),
    chart("Credits", "credits", (point) => point.credits)
  ].filter(({ points }) => points.length > 0)
}

const historyTable = (history: ReportModel["history"], main: string): string => {
  const isPaid = history.some(({ credits }) => credits !== null)
  const figures = [
    "took",
    `rows of ${main}`,
    "pages a second",
    "p95 ms",
    "downloaded",
    "characters",
    "stored",
    ...(isPaid ? ["credits"] : [])
  ]
  const head = ["began", "run", "status", ...figures.map((name) => ({ number: name }))]
  const rows = history.toReversed().map((point) => ({
    cells: [
      { html: text(moment(point.started_at)) },
      { html: `<code>${text(point.run_id)}</code>` },
      { html: text(point.status) },
      number(point.seconds === null ? "" : seconds(point.seconds * 1000)),
      number(count(point.rows[main] ?? 0)),
      number(point.pages_per_second === null ? "" : Charts.numeral(point.pages_per_second)),
      number(point.latency_p95_ms === null ? "" : Charts.numeral(point.latency_p95_ms)),
      number(point.wire_bytes === null ? "" : size(point.wire_bytes)),
      number(point.characters === null ? "" : count(point.characters)),
      number(point.bytes === null ? "" : size(point.bytes)),
      ...(isPaid ? [number(point.credits === null ? "" : count(point.credits))] : [])
    ]
  }))
  return table(history.length === 1 ? "This run" : `This run and ${history.length - 1} before it`, head, rows)
}

const creditsText = (credits: ReportModel["credits"]): string => {
  if (credits === null) return ""
  const { changed_rows: changed, per_changed_row: each, used } = credits
  if (changed === null) return `<p>${count(used)} credits. How many rows changed is not known.</p>`
  return `<p>${count(used)} credits for ${count(changed)} new or changed rows${each === null ? "" : `: ${each} for each`}.</p>`
}
