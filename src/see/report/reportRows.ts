/** The parts of a report about single rows: what changed word by word, and rejects and errors with examples. */
import { count } from "../summary.ts"
import { type Cell, link, number, pieces, type Section, table, text } from "./html.ts"
import type { Problem, ReportModel, TableChanges } from "./ReportModel.ts"
import { changeCounts, counted, isChanged, sumOf } from "./reportAnswers.ts"

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
