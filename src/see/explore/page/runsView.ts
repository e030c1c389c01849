/** The runs of the pipeline, and one of them: its figures, its checks, its errors and rejects. */
import type { ReportModel } from "../../report/ReportModel.ts"
import type { RunInfo } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"
import { count, el, linked, tableOf } from "./dom.ts"
import { hashOf, type Route, type View } from "./route.ts"

export const runsView = ({ name }: Route, answers: Answers): Promise<View> =>
  name === "" ? allRuns(answers) : oneRun(name, answers)

const allRuns = async (answers: Answers): Promise<View> => {
  const { notes, runs } = await answers.runs()
  const elements: Array<Node> = [el("h2", {}, "Runs"), ...notes.map((note) => el("p", { class: "error" }, note))]
  if (runs.length === 0) return { elements: [...elements, el("p", {}, "The pipeline has not run yet.")] }
  const rows = runs.map((run) => [
    el("a", { href: hashOf("runs", run.run_id) }, run.run_id),
    badge(run.status),
    moment(run.started_at),
    run.seconds === null ? "" : `${run.seconds.toFixed(1)} s`,
    Object.entries(run.rows)
      .filter(([, n]) => n > 0)
      .map(([table, n]) => `${table} ${count(n)}`)
      .join(", "),
    [run.sinks.join(", "), run.message ?? ""].filter((text) => text !== "").join("; ")
  ])
  elements.push(tableOf("The newest first; times are UTC", ["run", "status", "began", "took", "rows", "sinks"], rows))
  return { elements }
}

const oneRun = async (name: string, answers: Answers): Promise<View> => {
  const { checks, errors, ledger, notes, rejects, run, tables } = await answers.run(name)
  const problems = (title: string, none: string, all: ReportModel["errors"]): Node =>
    all.length === 0
      ? el("p", {}, none)
      : tableOf(
          title,
          ["reason", "table", "count", "examples"],
          all.map(({ count: n, examples, reason, table }) => [reason, table, n, examplesOf(examples)])
        )
  return {
    elements: [
      el("p", {}, el("a", { href: hashOf("runs") }, "All runs")),
      el("h2", {}, `Run ${run.run_id} `, badge(run.status)),
      el("p", { class: "soft" }, lineOf(run)),
      ...(run.message === null ? [] : [el("p", { class: "error" }, run.message)]),
      el(
        "p",
        {},
        el("a", { href: answers.reportUrl(run.run_id), target: "_blank", rel: "noopener" }, "The whole report"),
        " · ",
        el("a", { href: hashOf("diff", "", { to: run.run_id }) }, "What changed")
      ),
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
        tables.map((table) => [table.name, table.rows ?? "", table.stored_rows ?? ""])
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
      el("h3", {}, "Errors and rejects"),
      problems("Errors by their code", "No errors are recorded.", errors),
      problems("Rejects by their reason", "No row was rejected.", rejects),
      ...(notes.length === 0 ? [] : [el("h3", {}, "Notes"), el("ul", {}, ...notes.map((note) => el("li", {}, note)))])
    ]
  }
}

const examplesOf = (examples: ReportModel["errors"][number]["examples"]): HTMLElement =>
  el(
    "ul",
    { class: "list" },
    ...examples.map(({ text, where }) => el("li", {}, linked(where), text === "" ? "" : ` ${text}`))
  )

const lineOf = ({ ended_at: ended, started_at: began }: ReportModel["run"]): string =>
  `began ${moment(began)}${ended === null ? ", has not ended" : `, ended ${moment(ended)}`} (UTC)`

export const moment = (text: string): string => text.slice(0, 19).replace("T", " ")

const badge = (status: RunInfo["status"]): HTMLElement => {
  const isWarning = ["partial", "held", "behind", "stopped", "reading", "read"].includes(status)
  return el("span", { class: `status ${status === "done" ? "ok" : isWarning ? "warn" : "bad"}` }, status)
}
