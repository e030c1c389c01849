/** The runs of the pipeline over time, and one of them: its figures, its checks, its errors and rejects by their reasons. */

import { gapsOf } from "../../gapsOf.ts"
import type { ReportModel } from "../../report/ReportModel.ts"
import type { RunInfo, RunsAnswer } from "../ExploreApi.ts"
import { filtersText } from "../filters.ts"
import type { Answers } from "./Answers.ts"
import { count, el, linked, problem, tableOf } from "./dom.ts"
import { hashOf, type Route, type View } from "./route.ts"
import { durationText, nextTask, timeElement, timeText, timeZone } from "./times.ts"

export const runsView = ({ name }: Route, answers: Answers): Promise<View> =>
  name === "" ? allRuns(answers) : oneRun(name, answers)

const allRuns = async (answers: Answers): Promise<View> => {
  const { notes, runs } = await answers.runs()
  const elements: Array<Node> = [el("h2", {}, "Runs"), ...notes.map((note) => el("p", { class: "error" }, note))]
  if (runs.length === 0) return { elements: [...elements, el("p", {}, "The pipeline has not run yet.")] }
  const newest = runs.slice(0, mostRuns)
  const timeline = timelineOf(newest)
  const rows = newest.map((run) => [
    el("a", { href: hashOf("runs", run.run_id) }, timeElement(run.started_at)),
    badge(run.status),
    run.seconds === null ? "" : durationText(run.seconds),
    Object.entries(run.rows)
      .filter(([, n]) => n > 0)
      .map(([table, n]) => `${table} ${count(n)}`)
      .join(", "),
    [run.sinks.join(", "), run.message ?? ""].filter((text) => text !== "").join("; "),
    el("code", {}, run.run_id)
  ])
  const all =
    runs.length > mostRuns
      ? `The newest ${mostRuns} of ${count(runs.length)}; millrace runs lists all`
      : "The newest first"
  const caption = `${all}; times are in ${timeZone()}`
  const table = tableOf(caption, ["began", "status", "took", "rows", "sinks and message", "run"], rows)
  table.classList.add("runs")
  elements.push(timeline.element, table)
  return { elements, close: timeline.close }
}

/** More of them nobody looks through, and a page would wait for them. */
const mostRuns = 200

/** How many runs ended how, and their rows and lengths over time. */
const timelineOf = (runs: RunsAnswer["runs"]): { readonly element: HTMLElement; readonly close: () => void } => {
  const statuses = [...new Set(runs.map(({ status }) => status))]
  const sums = statuses.map((status) =>
    el("li", {}, badge(status), ` ${count(runs.filter((run) => run.status === status).length)}`)
  )
  const element = el("div", {}, el("ul", { class: "sums", "aria-label": "Runs by their status" }, ...sums))
  // One run has no course.
  if (runs.length < 2) return { element, close: () => undefined }
  const picture = el("div", { class: "picture" })
  element.append(picture)
  const points = runs.map((run) => ({
    at: new Date(run.started_at),
    rows: Object.values(run.rows).reduce((sum, n) => sum + n, 0),
    seconds: run.seconds,
    kind: kindOf(run.status),
    says: `${timeText(run.started_at)}, ${run.status}`
  }))
  const draw = async (width: number): Promise<void> => {
    const { runCharts } = await import("./plotDrawing.ts")
    await nextTask()
    picture.replaceChildren(...runCharts(points, width))
  }
  let width = 0
  const sizes = new ResizeObserver(([entry]) => {
    const next = Math.floor(entry?.contentRect.width ?? 0)
    if (next === width) return
    width = next
    draw(width).catch((error: unknown) => picture.replaceChildren(problem(error)))
  })
  sizes.observe(picture)
  return { element, close: () => sizes.disconnect() }
}

const oneRun = async (name: string, answers: Answers): Promise<View> => {
  const { checks, errors, ledger, notes, rejects, run, tables } = await answers.run(name)
  const gaps = gapsOf(run.facts)
  return {
    elements: [
      el("p", {}, el("a", { href: hashOf("runs") }, "All runs")),
      el("h2", {}, "Run of ", timeElement(run.started_at), " ", badge(run.status)),
      el("p", { class: "soft" }, ...lineOf(run), " ", el("code", {}, run.run_id)),
      ...(run.message === null ? [] : [el("p", { class: "error" }, run.message)]),
      el(
        "p",
        {},
        el("a", { href: answers.reportUrl(run.run_id), target: "_blank", rel: "noopener" }, "The whole report"),
        " · ",
        el("a", { href: hashOf("diff", "", { to: run.run_id }) }, "What changed")
      ),
      el("h3", {}, "Errors"),
      problemsOf("Errors by their code, the most frequent first", "No errors are recorded.", errors),
      el("h3", {}, "Rejects"),
      problemsOf("Rejected rows by their reason, the most frequent first", "No row was rejected.", rejects),
      ...(gaps.length === 0
        ? []
        : [
            el("h3", {}, "Required values that were not found"),
            tableOf(
              "Their pages were read; a column leads to its jobs, whose sheets say why, and what was considered",
              ["column", "rows without it"],
              gaps.map(([column, rows]) => [sheetsOf(column, run.run_id, tables), rows])
            )
          ]),
      ...(ledger === null
        ? []
        : [
            el("h3", {}, "Where everything went"),
            tableOf(
              "Discovered is the sum of its parts",
              ["part", "count"],
              [["discovered", ledger.discovered], ...ledger.parts.map((part) => [part.name, part.count])]
            )
          ]),
      el("h3", {}, "Tables"),
      tableOf(
        "Rows of this run, and rows that are stored now",
        ["table", "rows of the run", "stored rows"],
        tables.map((table) => [
          el("a", { href: hashOf("tables", table.name) }, table.name),
          table.rows ?? "",
          table.stored_rows ?? ""
        ])
      ),
      ...(checks.length === 0
        ? []
        : [
            el("h3", {}, "Checks"),
            tableOf(
              "Checks of this run",
              ["check", "found", "result"],
              checks.map(({ check, found, passed }) => [check, found, passed ? "passed" : "failed"])
            )
          ]),
      ...(notes.length === 0 ? [] : [el("h3", {}, "Notes"), el("ul", {}, ...notes.map((note) => el("li", {}, note)))])
    ]
  }
}

/** Where the jobs stand that lack values of a column: their sheets are in their table. */
const sheetsOf = (column: string, run: string, tables: ReadonlyArray<{ readonly name: string }>): Node | string => {
  const jobs = tables.find(({ name }) => /_(?:jobs|runs)$/.test(name))
  const where = filtersText([
    { column: "_run_id", kind: "is", value: run },
    { column: "missing_count", kind: "range", from: 1, to: mostMissing, isClosed: true }
  ])
  return jobs === undefined ? column : el("a", { href: hashOf("tables", jobs.name, { where }) }, column)
}

const mostMissing = 1_000_000_000

type Problems = ReportModel["errors"]

/** Each reason once, with one example; the others are there on request. */
const problemsOf = (title: string, none: string, all: Problems): HTMLElement => {
  if (all.length === 0) return el("p", {}, none)
  const most = all.reduce((greatest, { count: n }) => Math.max(greatest, n), 1)
  const reason = ({ count: n, examples, reason, table }: Problems[number]): HTMLElement => {
    const [first, ...rest] = examples
    const bar = el("span", { class: "bar" })
    bar.style.width = `${(n / most) * 100}%`
    return el(
      "li",
      {},
      el(
        "div",
        { class: "sum" },
        el("b", {}, count(n)),
        bar,
        el("span", {}, el("strong", {}, reason), " ", el("small", {}, table))
      ),
      ...(first === undefined ? [] : [exampleOf(first)]),
      ...(rest.length === 0
        ? []
        : [el("details", {}, el("summary", {}, `${count(rest.length)} more examples`), ...rest.map(exampleOf))])
    )
  }
  const sorted = all.toSorted((a, b) => b.count - a.count)
  return el("ul", { class: "reasons", "aria-label": title }, ...sorted.map(reason))
}

const exampleOf = ({ text, where }: Problems[number]["examples"][number]): HTMLElement =>
  el("div", { class: "example" }, linked(where), text === "" ? "" : ` ${text}`)

const lineOf = ({ ended_at: ended, seconds }: ReportModel["run"]): ReadonlyArray<Node | string> =>
  ended === null
    ? ["It has not ended."]
    : ["ended ", timeElement(ended), seconds === null ? "" : ` after ${durationText(seconds)}`, `, in ${timeZone()}.`]

/** How a status is meant: good, worth a look, or bad. */
const kindOf = (status: RunInfo["status"]): "ok" | "warn" | "bad" => {
  const isWarning = ["partial", "held", "behind", "stopped", "reading", "read"].includes(status)
  return status === "done" ? "ok" : isWarning ? "warn" : "bad"
}

const badge = (status: RunInfo["status"]): HTMLElement => el("span", { class: `status ${kindOf(status)}` }, status)
