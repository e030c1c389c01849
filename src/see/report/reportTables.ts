/** The section of a report about tables: their schema, and what the values of each column are beside runs before. */
import type { ColumnProfile } from "#engine/ColumnProfile"
import { count, size } from "../summary.ts"
import { type Cell, link, number, pieces, type Section, table, text } from "./html.ts"
import type { ColumnReport, Problem, ReportModel, TableChanges, TableReport } from "./ReportModel.ts"
import { changeCounts, counted, isChanged, sumOf } from "./reportAnswers.ts"
import * as Charts from "./reportCharts.ts"

export const tablesSection = ({ compared_with: compared, tables }: ReportModel): Section => ({
  id: "tables",
  title: "Tables and columns",
  says: `${counted(tables.length, "table")}, ${counted(
    tables.reduce((n, { columns }) => n + columns.length, 0),
    "column"
  )}`,
  html: `<p>${
    compared.length === 0
      ? "No good run before this one has a profile to compare with."
      : `Compared with ${compared.length === 1 ? "the good run" : `the last ${compared.length} good runs`} before it. A column is marked as unusual when it is outside of what at least three of them had.`
  } Profiles describe the rows that a run handed over, not the whole stored table.</p>
${tables.map((of, at) => tableHtml(of, at === 0)).join("\n")}`
})

/** The columns of the main table are open; those of others open where something is unusual. */
const tableHtml = (of: TableReport, isMain: boolean): string => {
  const { columns, description, key, name, rows, stored_bytes: bytes, stored_rows: stored } = of
  const facts = [
    ...(rows === null ? [] : [`${counted(rows, "row")} in this run`]),
    ...(stored === null ? [] : [`${count(stored)} stored${bytes === null ? "" : ` in ${size(bytes)}`}`]),
    `key: ${key.length === 0 ? "none" : key.join(", ")}`
  ]
  const empty = columns.filter(isEmpty)
  const others = columns.filter((column) => !isEmpty(column))
  const isOpen = isMain || columns.some(({ unusual }) => unusual.length > 0)
  return `<h4>${text(name)}</h4>
<p>${text(description)}; ${text(facts.join("; "))}.</p>
<details${isOpen ? " open" : ""}><summary>${counted(others.length, "column")}</summary>
${columnsTable(`Columns of ${name}`, others)}
${
  empty.length === 0
    ? ""
    : `<details><summary>${counted(empty.length, "column")} without a value, as in the runs before</summary>${columnsTable(`Empty columns of ${name}`, empty)}</details>`
}</details>`
}

/** A column that has no value and had none says nothing about this run. */
const isEmpty = ({ fill, unusual, usual_fill: usual }: ColumnReport): boolean =>
  fill === 0 && unusual.length === 0 && (usual === null || usual.max === 0)

const columnsTable = (caption: string, columns: ReadonlyArray<ColumnReport>): string => {
  const isAny = columns.some(({ unusual }) => unusual.length > 0)
  return table(
    caption,
    [
      "column",
      "type",
      { number: "filled" },
      { number: "usually" },
      { number: "distinct" },
      { number: "length" },
      "values",
      ...(isAny ? ["unusual"] : [])
    ],
    columns.map((column) => ({
      cells: isAny ? [...cellsOf(column), { html: text(column.unusual.join("; ")) }] : cellsOf(column),
      isUnusual: column.unusual.length > 0
    }))
  )
}

/** A bar below the number, from a base line at its left. */
const fillBar = (fill: number): string =>
  `${Charts.percent(fill)}<span class="fill"><span style="width:${(fill * 100).toFixed(1)}%"></span></span>`

const cellsOf = ({
  description,
  fill,
  name,
  nullable,
  profile,
  type,
  usual_fill: usual
}: ColumnReport): ReadonlyArray<Cell> => [
  {
    kind: "name",
    html: `${text(name)}${description === null ? "" : `<br><span class="soft">${text(description)}</span>`}`
  },
  { html: text(`${type}${nullable ? "" : " NOT NULL"}`) },
  number(fill === null ? "" : fillBar(fill)),
  number(usual === null ? "" : [...new Set([Charts.percent(usual.min), Charts.percent(usual.max)])].join(" to ")),
  number(
    profile === null || profile.distinct === null
      ? ""
      : `${profile.distinct_exact ? "" : "about "}${count(profile.distinct)}`
  ),
  number(profile?.length == null ? "" : rangeOf(profile.length)),
  { html: profile === null ? "" : valuesOf(profile) }
]

const valuesOf = ({ max, mean, min, quantiles, top, type }: ColumnProfile): string => {
  if (min !== null && min === max) return text(typeof min === "number" ? Charts.numeral(min) : min)
  if (type === "TIMESTAMP" || type === "DATE") return min === null ? "" : text(`${String(min)} to ${String(max)}`)
  if (quantiles !== null && typeof min === "number" && typeof max === "number") {
    const numbers = `${Charts.numeral(min)} to ${Charts.numeral(max)}, half below ${Charts.numeral(quantiles.p50)}, mean ${Charts.numeral(mean ?? 0)}`
    return text(numbers)
  }
  if (top !== null && top.length > 0) {
    const shown = top.slice(0, 5).map(({ count: n, value }) => `${short(value)} (${count(n)})`)
    return text(`${shown.join(", ")}${top.length > 5 ? " …" : ""}`)
  }
  return ""
}

const rangeOf = ({ max, mean, min }: { readonly min: number; readonly mean: number; readonly max: number }): string =>
  min === max ? count(min) : `${count(min)} – ${Charts.numeral(mean)} – ${count(max)}`

const short = (value: string): string => (value.length <= 40 ? value : `${value.slice(0, 39)}…`)

/** The parts of a report about single rows: what changed word by word, and rejects and errors with examples. */
export const problemsSection = ({ errors, rejects, run }: ReportModel): Section => ({
  id: "problems",
  title: "Rejects and errors",
  says: `${counted(sumOf(rejects), "reject")}, ${counted(sumOf(errors), "error")}`,
  html: (run.sinks.length === 0
    ? ["<p>This run has committed nothing, so no destination has its rejects and errors.</p>"]
    : [
        rejects.length === 0
          ? "<p>No row was rejected.</p>"
          : table(
              "Rejects by their reason",
              ["reason", "table", { number: "rows" }, "examples"],
              rejects.map(problemRow)
            ),
        errors.length === 0
          ? "<p>No errors are recorded.</p>"
          : table("Errors by their code", ["error", "table", { number: "count" }, "examples"], errors.map(problemRow))
      ]
  ).join("\n")
})

const problemRow = ({ count: n, examples, reason, table: of }: Problem) => {
  const shown = examples.map(({ text: words, where }) =>
    [link(where), text(words)].filter((part) => part !== "").join("\n")
  )
  const cells: ReadonlyArray<Cell> = [
    { html: text(reason), kind: "text" },
    { html: text(of) },
    number(count(n)),
    { html: shown.join("\n\n"), kind: "text" }
  ]
  return { cells }
}

export const changesSection = ({ changes }: ReportModel): Section => ({
  id: "changes",
  title: "Every row that changed",
  says: saysOf(changes),
  html:
    changes.length === 0
      ? "<p>There is no earlier load that this run could be compared with.</p>"
      : changes.map((of, at) => tableChanges(of, at === 0)).join("\n")
})

const saysOf = (changes: ReportModel["changes"]): string => {
  if (changes.length === 0) return "nothing to compare with"
  const changed = changes.filter(isChanged).map((of) => `${of.table}: ${changeCounts(of)}`)
  return changed.length === 0 ? "none" : changed.join("; ")
}

/** The rows of the main table are open, and those of others where they are few. */
const tableChanges = (of: TableChanges, isMain: boolean): string => {
  const { basis, counts, fields, from, shown, sink, table: name, whole } = of
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const changed = Object.entries(fields).map(([field, n]) => `${field} ${count(n)}`)
  return `<h4>${text(name)}</h4>
<p>${text(changeCounts(of))} since run <code>${text(from)}</code>, ${whole ? "" : "<strong>not the whole difference:</strong> "}by ${text(basis)} (sink ${text(sink)}).</p>
${changed.length === 0 ? "" : `<p>Fields that changed: ${text(changed.join(", "))}.</p>`}
${
  shown.length === 0
    ? ""
    : `<details${isMain || all <= 20 ? " open" : ""}><summary>${shown.length === all ? `${count(all)} rows` : `The first ${count(shown.length)} of ${count(all)} rows`} of ${text(name)}</summary>
${shown.map(change).join("\n")}
${shown.length < all ? `<p>All of them: <code>millrace diff ${text(name)}</code></p>` : ""}</details>`
}`
}

const change = ({ fields, key, kind }: TableChanges["shown"][number]): string => {
  const names = key.map(([column, value]) =>
    key.length === 1 ? link(value) : `<small>${text(column)}</small> ${link(value)}`
  )
  const rows = fields.map(
    (field) => `<tr><th scope="row">${text(field.name)}</th><td>${pieces(field.pieces)}</td></tr>`
  )
  return `<div class="change ${kind}"><h5><span class="kind">${kind}</span> ${names.join(" ")}</h5>
${rows.length === 0 ? "" : `<table>${rows.join("\n")}</table>`}</div>`
}
