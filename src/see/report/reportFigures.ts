/** The sections of a report that are about the run as a whole: where everything went, its pages, and runs over time. */
import { count, seconds, size } from "../summary.ts"
import { figure, moment, number, type Section, table, text } from "./html.ts"
import type { HistoryPoint, ReportModel } from "./ReportModel.ts"
import * as Charts from "./reportCharts.ts"

export const ledgerSection = ({ checks, ledger }: ReportModel): Section => ({
  id: "ledger",
  title: "Where everything went",
  html: [
    ledger === null ? "<p>The source of this pipeline does not count what it discovers.</p>" : ledgerFigure(ledger),
    checks.length === 0
      ? "<p>No checks were made.</p>"
      : table(
          "Checks",
          ["check", "table", "result", "found"],
          checks.map(({ check, found, passed, table: of }) => ({
            isUnusual: !passed,
            cells: [
              { html: text(check) },
              { html: text(of) },
              { html: passed ? "passed" : "<strong>failed</strong>" },
              { html: text(found), kind: "text" }
            ]
          }))
        )
  ].join("\n")
})

const ledgerFigure = ({ discovered, dropped, parts }: NonNullable<ReportModel["ledger"]>): string => {
  const sum = `${count(discovered)} discovered = ${parts.map((part) => `${count(part.count)} ${part.name}`).join(" + ")}`
  const colorOf = (name: string) =>
    name === "failed" || name === "rejected"
      ? "var(--bad)"
      : name === "loaded" || name === "read"
        ? "var(--c3)"
        : "var(--c6)"
  const drawn = Charts.bars(
    "Where everything went",
    sum,
    parts.map(({ count: value, name }) => ({ name, value, color: colorOf(name) }))
  )
  const rows = parts.map((part) => ({
    cells: [
      { html: text(part.name) },
      number(count(part.count)),
      number(Charts.percent(part.count / Math.max(1, discovered)))
    ]
  }))
  return `<p>${text(sum)}${dropped === 0 ? "" : text(`; steps removed ${count(dropped)} of the loaded rows`)}</p>
${figure(drawn, table("The sum of the run", ["part", { number: "count" }, { number: "share" }], rows))}`
}

export const pagesSection = (model: ReportModel): Section => {
  const { latency_ms: latency, run, status_codes: codes, tables } = model
  const name = tables[0]?.name ?? "the main table"
  const parts: Array<string> = []
  if (codes !== null && codes.length > 0) {
    const of = codes
      .toSorted((a, b) => a.value.localeCompare(b.value))
      .map(({ count, value }) => ({
        name: value,
        value: count,
        color: /^[45]/.test(value) ? "var(--bad)" : value.startsWith("3") ? "var(--c2)" : "var(--c1)"
      }))
    const description = of.map(({ name, value }) => `${count(value)} with ${name}`).join(", ")
    parts.push(
      `<h3>Status codes</h3><p>Of the pages that this run handed to its destinations. URLs that failed are in <a href="#problems">Rejects and errors</a>.</p>`,
      figure(
        Charts.bars("Status codes", description, of),
        table(
          "Status codes",
          ["code", { number: "pages" }],
          of.map(({ name, value }) => ({ cells: [{ html: text(name) }, number(count(value))] }))
        )
      )
    )
  }
  if (latency !== null) {
    const spread = (["min", "p50", "p95", "p99", "max"] as const).map((of) => ({ name: of, value: latency[of] }))
    const description = spread.map(({ name, value }) => `${name} ${Charts.numeral(value)} ms`).join(", ")
    parts.push(
      `<h3>Latencies</h3><p>Milliseconds until a page had answered; mean ${Charts.numeral(latency.mean)}.</p>`,
      figure(
        Charts.bars("Latencies in milliseconds", description, spread),
        table(
          "Latencies",
          ["share of the pages", { number: "milliseconds" }],
          spread.map(({ name, value }) => ({ cells: [{ html: text(name) }, number(Charts.numeral(value))] }))
        )
      )
    )
  }
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
  return { id: "pages", title: "Pages", html: parts.join("\n") }
}

/** What the pages cost to download, and what a page does. */
const downloadFigure = (download: ReportModel["download"]): string => {
  const title = "<h3>Downloaded</h3>"
  if (download === null)
    return `${title}<p>Bytes on the wire are not reported: the service that read the pages does not count them.</p>`
  const { body_bytes: body, of, page_wire_bytes: page, wire_bytes: wire } = download
  const each =
    page === null ? [] : (["p50", "p95", "max"] as const).map((of) => ({ name: `a page, ${of}`, value: page[of] }))
  const all = [
    { name: "on the wire", value: wire },
    ...(body === null ? [] : [{ name: "decompressed", value: body, color: "var(--c6)" }])
  ]
  const description = [...all, ...each].map(({ name, value }) => `${name} ${size(value)}`).join(", ")
  const whose = of === "run" ? "all pages that this run has read" : "the rows that this run handed to its destinations"
  const rows = [...all, ...each].map(({ name, value }) => ({ cells: [{ html: text(name) }, number(count(value))] }))
  return `${title}<p>Bodies of ${whose}, and of redirects that led to them; headers are not counted.</p>
${figure(Charts.bars("Bytes downloaded", description, all), table("Bytes downloaded", ["what", { number: "bytes" }], rows))}`
}

export const historySection = ({ credits, history, tables }: ReportModel): Section => {
  const names = tables.map(({ name }) => name)
  const charts = chartsOf(history, names).map(({ points, title, unit }) => {
    const [first, last] = [points[0], points.at(-1)]
    const description = `${title} of ${history.length} runs, from ${moment(first?.at.toISOString() ?? "")} to ${moment(last?.at.toISOString() ?? "")}`
    return `<div><h3>${text(title)}</h3><figure>${Charts.lines(title, description, points, unit)}</figure>${title === "Credits" ? creditsText(credits) : ""}</div>`
  })
  return {
    id: "history",
    title: "Runs over time",
    // A line of one run is a dot in an empty chart.
    html: `${
      history.length === 1
        ? `<p>This is the first run: there is nothing to compare it with.</p>${creditsText(credits)}`
        : `<div class="charts">${charts.join("\n")}</div>`
    }
${historyTable(history, names[0] ?? "")}`
  }
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
  const figures = [
    "took",
    `rows of ${main}`,
    "pages a second",
    "p95 ms",
    "downloaded",
    "characters",
    "stored",
    "credits"
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
      number(point.credits === null ? "" : count(point.credits))
    ]
  }))
  return table(`This run and ${history.length - 1} before it`, head, rows)
}

const creditsText = (credits: ReportModel["credits"]): string => {
  if (credits === null) return ""
  const { changed_rows: changed, per_changed_row: each, used } = credits
  if (changed === null) return `<p>${count(used)} credits. How many rows changed is not known.</p>`
  return `<p>${count(used)} credits for ${count(changed)} new or changed rows${each === null ? "" : `: ${each} for each`}.</p>`
}
