/** The section of a report about tables: their schema, and what the values of each column are beside runs before. */
import type { ColumnProfile } from "#engine/ColumnProfile"
import { count, size } from "../summary.ts"
import { type Cell, number, type Section, table, text } from "./html.ts"
import type { ColumnReport, ReportModel, TableReport } from "./ReportModel.ts"
import { counted } from "./reportAnswers.ts"
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
  const counted = [
    ...(rows === null ? [] : [`${count(rows)} ${rows === 1 ? "row" : "rows"} in this run`]),
    ...(stored === null ? [] : [`${count(stored)} stored${bytes === null ? "" : ` in ${size(bytes)}`}`]),
    `key: ${key.length === 0 ? "none" : key.join(", ")}`
  ]
  const filled = columns.flatMap(({ fill, name: column, unusual, usual_fill: usual }) =>
    fill === null ? [] : [{ column, fill, usual, isUnusual: unusual.some((what) => what.startsWith("fill")) }]
  )
  const lowest = filled.toSorted((a, b) => a.fill - b.fill)[0]
  const isFull = filled.every(({ fill, usual }) => fill === 1 && (usual === null || usual.min === 1))
  return `<h4>${text(name)}</h4>
<p>${text(description)}; ${text(counted.join("; "))}.</p>
<details${isMain || columns.some(({ unusual }) => unusual.length > 0) ? " open" : ""}><summary>${count(columns.length)} columns</summary>
${
  filled.length === 0
    ? ""
    : isFull
      ? "<p>Every column has a value in every row.</p>"
      : `<figure>${Charts.fills(
          `Fill rate of the columns of ${name}`,
          `${filled.length} columns; the emptiest is ${lowest?.column ?? ""} with ${Charts.percent(lowest?.fill ?? 0)}`,
          filled
        )}<figcaption class="soft">The dot is this run; the bar behind it is what the runs before had.</figcaption></figure>`
}
${table(
  `Columns of ${name}`,
  [
    "column",
    "type",
    { number: "filled" },
    { number: "usually" },
    { number: "distinct" },
    { number: "length" },
    "values",
    "unusual"
  ],
  columns.map((column) => ({ cells: cellsOf(column), isUnusual: column.unusual.length > 0 }))
)}</details>`
}

const cellsOf = ({
  description,
  fill,
  name,
  nullable,
  profile,
  type,
  unusual,
  usual_fill: usual
}: ColumnReport): ReadonlyArray<Cell> => [
  { html: `${text(name)}${description === null ? "" : `<br><span class="soft">${text(description)}</span>`}` },
  { html: text(`${type}${nullable ? "" : " NOT NULL"}`) },
  number(fill === null ? "" : Charts.percent(fill)),
  number(
    usual === null
      ? ""
      : usual.min === usual.max
        ? Charts.percent(usual.min)
        : `${Charts.percent(usual.min)} to ${Charts.percent(usual.max)}`
  ),
  number(
    profile === null || profile.distinct === null
      ? ""
      : `${profile.distinct_exact ? "" : "about "}${count(profile.distinct)}`
  ),
  number(profile?.length == null ? "" : rangeOf(profile.length)),
  { html: profile === null ? "" : valuesOf(profile) },
  { html: text(unusual.join("; ")) }
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
