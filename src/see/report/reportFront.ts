/**
 * The first screen of a report, in the order that people ask: is the run good, what changed since the run before, and what is
 * missing and why.
 */
import { escape } from "#base/HtmlPage"
import type { Piece } from "#base/wordDiff"
import { count } from "../summary.ts"
import { link, moment, number, pieces, table, text } from "./html.ts"
import type { ReportModel, TableChanges } from "./ReportModel.ts"
import {
  changeCounts,
  changedTables,
  comparedOf,
  counted,
  type Missing,
  missingOf,
  noChecks,
  nothingMissing,
  type Sign,
  signsOf,
  sumLine,
  sumOf,
  type Tone,
  verdictOf
} from "./reportAnswers.ts"
import * as Charts from "./reportCharts.ts"

/** How many of each are on the first screen; the others are folded away below them. */
const mostSigns = 6
const mostReasons = 6
const mostRows = 3

export const verdictHtml = (model: ReportModel): string => {
  const { commands, says, title, tone } = verdictOf(model)
  const next = commands.map((command) => `<br><code>${text(command)}</code>`).join("")
  return `<p class="verdict ${tone}"><b>${mark(tone)} ${text(title)}</b> ${text(says)}${next}</p>`
}

const marks: Readonly<Record<Tone, string>> = { good: "✓", warn: "!", bad: "✕" }
const spoken: Readonly<Record<Tone, string>> = { good: "good", warn: "look at it", bad: "failed" }

const mark = (tone: Tone): string =>
  `<span class="mark ${tone}" role="img" aria-label="${spoken[tone]}">${marks[tone]}</span>`

export const goodHtml = (model: ReportModel): string => {
  const all = signsOf(model)
  const [shown, others] = [all.slice(0, mostSigns), all.slice(mostSigns)]
  return [
    all.length === 0 ? "" : signList(shown),
    others.length === 0 ? "" : `<details><summary>${count(others.length)} more</summary>${signList(others)}</details>`,
    model.checks.length > 0 ? "" : `<p>${noChecks(model)}</p>`,
    model.ledger === null ? "<p>The source of this pipeline does not count what it discovers.</p>" : ""
  ].join("\n")
}

const signList = (signs: ReadonlyArray<Sign>): string =>
  `<ul class="signs">${signs.map(({ found, tone, what }) => `<li>${mark(tone)} <span><b>${text(what)}</b> <span class="soft">${text(found)}</span></span></li>`).join("\n")}</ul>`

export const changedHtml = (model: ReportModel): string => {
  const { changes, history } = model
  const before = history.at(-2)
  const changed = changedTables(model)
  const [main] = changes
  return [
    before === undefined
      ? "<p>This is the first run: there is nothing to compare it with.</p>"
      : `<p class="soft">The run before began ${escape(moment(before.started_at))} UTC.</p>`,
    before !== undefined && changes.length === 0
      ? "<p>There is no earlier load that this run could be compared with row by row.</p>"
      : "",
    changes.length > 0 && changed.length === 0 ? "<p>No row was added, removed or changed.</p>" : "",
    ...changed.map((of) => `<p><b>${text(of.table)}</b>: ${text(changeCounts(of))}${fieldsOf(of)}</p>`),
    main === undefined || main.shown.length === 0 ? "" : someRows(main),
    comparedTable(model),
    rowsChart(model)
  ].join("\n")
}

const fieldsOf = ({ fields }: TableChanges): string => {
  const all = Object.entries(fields).toSorted(([, a], [, b]) => b - a)
  const more = all.length > mostRows ? `, and ${counted(all.length - mostRows, "other column")}` : ""
  const first = all.slice(0, mostRows).map(([field, n]) => `${field} of ${count(n)}`)
  return all.length === 0 ? "" : ` <span class="soft">(${text(first.join(", ") + more)})</span>`
}

/** The first of each kind of change, and then the next ones. */
const someRows = ({ shown }: TableChanges): string => {
  const kinds = shown.filter(({ kind }, at) => shown.findIndex((one) => one.kind === kind) === at)
  const some = [...kinds, ...shown.filter((one) => !kinds.includes(one))].slice(0, mostRows)
  const first = some.map(({ fields, key, kind }) => {
    const [field] = fields
    const change = field === undefined ? "" : firstChange(field.pieces)
    const how =
      field === undefined || change === "" ? "" : `<br><span class="soft">${text(field.name)}</span> ${change}`
    return `<li><span class="kind ${kind}">${kind}</span> ${key.map(([, value]) => link(value)).join(" ")}${how}</li>`
  })
  return `<ul class="some">${first.join("\n")}</ul>`
}

/** The first words that went, and those that came for them; of a row that is new or gone, how its text begins. */
const firstChange = (all: ReadonlyArray<Piece>): string => {
  const at = all.findIndex(({ kind }) => kind === "removed" || kind === "added")
  const [first, second] = all.slice(at, at + 2)
  if (first === undefined || at < 0) return text(short(all.map((piece) => piece.text).join("")))
  const shortened = (piece: Piece) => pieces([{ ...piece, text: short(piece.text) }])
  return first.kind === "removed" && second?.kind === "added"
    ? `${shortened(first)} → ${shortened(second)}`
    : shortened(first)
}

const longestChange = 60
const short = (words: string): string =>
  words.length <= longestChange ? words : `${words.slice(0, longestChange - 1).toWellFormed()}…`

const comparedTable = (model: ReportModel): string => {
  const rows = comparedOf(model).map(({ before, difference, name, now }) => ({
    cells: [{ html: text(name) }, number(text(now)), number(text(before)), number(text(difference))]
  }))
  const head = ["figure", { number: "this run" }, { number: "before" }, { number: "difference" }]
  return rows.length === 0 ? "" : table("This run and the run before", head, rows)
}

/** The rows of the main table in each run: what one looks at first to see a break. */
const rowsChart = ({ history, tables }: ReportModel): string => {
  const name = tables[0]?.name
  if (name === undefined) return ""
  const runs = history
    .flatMap((point) => {
      const value = point.rows[name]
      return value === undefined ? [] : [{ at: new Date(point.started_at), value, status: point.status }]
    })
    .slice(-mostBars)
  const values = runs.map(({ value }) => value)
  if (runs.length < fewestBars) return ""
  const range = `from ${count(Math.min(...values))} to ${count(Math.max(...values))}`
  const isPartial = runs.some(({ status }) => status === "partial")
  return `<figure>${Charts.runBars(`Rows of ${name}, run by run`, `${runs.length} runs, ${range}`, runs)}<figcaption class="soft">Rows of ${text(name)} in the last ${count(runs.length)} runs, ${range}${isPartial ? "; orange: partial" : ""}.</figcaption></figure>`
}

/** Two figures are in the table already. */
const fewestBars = 3
const mostBars = 30

export const missingHtml = (model: ReportModel): string => {
  const all = missingOf(model)
  const sum = sumLine(model)
  const [shown, others] = [all.slice(0, mostReasons), all.slice(mostReasons)]
  return [
    sum === undefined ? "" : `<p>${text(sum)}</p>`,
    all.length === 0 ? `<p>${nothingMissing(model)}</p>` : reasons(shown),
    others.length === 0
      ? ""
      : `<details><summary>${counted(others.length, "more reason")}, ${count(sumOf(others))} in all</summary>${reasons(others)}</details>`
  ].join("\n")
}

const reasons = (all: ReadonlyArray<Missing>): string => {
  const items = all.map(({ code, count: n, example, why }) => {
    const named = code === "" ? "" : ` <small>${text(code)}</small>`
    return `<li><b>${count(n)}</b> <span>${text(why)}${named}</span>${example === "" ? "" : ` <span class="example">${link(example)}</span>`}</li>`
  })
  return `<ul class="reasons">${items.join("\n")}</ul>`
}
