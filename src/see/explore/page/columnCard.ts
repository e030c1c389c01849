/** All about a column: what it is, what its values are, and what can be done with it; each by a button, for every key and finger. */
import type { ColumnSummary, Filter } from "../ExploreApi.ts"
import { isNested } from "../gridSql.ts"
import { kindWord, type ShownColumn } from "./columnContent.ts"
import { binFilter, distinctWords, shareWords } from "./columnHead.ts"
import { button, count, counted, el } from "./dom.ts"
import { rangeWords, valueWords } from "./filterWords.ts"

interface Card {
  readonly shown: ShownColumn
  readonly summary: ColumnSummary | undefined
  /** Where the figures are from. */
  readonly basis: string
  readonly choose: (filter: Filter) => void
  /** The order of a column: `name` or `-name`. */
  readonly sort: (order: string) => void
}

export const columnCard = ({ basis, choose, shown, sort, summary }: Card): HTMLDialogElement => {
  const { column } = shown
  const dialog = el("dialog", { class: "card", "aria-label": `Column ${column.name}` })
  const doing = (work: () => void) => (): void => {
    dialog.close()
    work()
  }
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["type", `${kindWord(shown)} (${column.type})`],
    ...(summary === undefined ? [] : factsOf(summary))
  ]
  dialog.append(
    el(
      "div",
      { class: "tools" },
      el("h3", {}, column.name),
      button("Close", () => dialog.close())
    ),
    ...(column.description === undefined ? [] : [el("p", {}, column.description)]),
    el(
      "div",
      { class: "tools" },
      button(
        "Sort ascending",
        doing(() => sort(column.name))
      ),
      button(
        "Sort descending",
        doing(() => sort(`-${column.name}`))
      )
    ),
    el("dl", { class: "facts" }, ...facts.flatMap(([name, fact]) => [el("dt", {}, name), el("dd", {}, fact)])),
    ...(summary === undefined
      ? []
      : [valuesOf(shown, summary, (filter) => doing(() => choose(filter))), el("p", { class: "soft" }, basis)])
  )
  dialog.addEventListener("click", ({ target }) => {
    // The dialog itself is what is clicked beside its content.
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  return dialog
}

const factsOf = (summary: ColumnSummary): ReadonlyArray<readonly [string, string]> => {
  const number = (value: number) => value.toLocaleString("en-US", { maximumSignificantDigits: 6 })
  const { filled, mean, median, rows } = summary
  return [
    ["filled", `${count(filled)} of ${counted(rows)} (${shareWords(filled, rows)})`],
    ...(summary.distinct === null ? [] : [["distinct", distinctWords(summary)] as const]),
    ...(mean === null ? [] : [["mean", number(mean)] as const]),
    ...(median === null ? [] : [["median", number(median)] as const])
  ]
}

/** One line for each value or range: it is a button that shows its rows. */
const valuesOf = (
  shown: ShownColumn,
  { bins, filled, rows, top }: ColumnSummary,
  choosing: (filter: Filter) => () => void
): HTMLElement => {
  const { column } = shown
  const lines: ReadonlyArray<readonly [string, number, Filter]> = [
    ...bins.flatMap((bin, at): ReadonlyArray<readonly [string, number, Filter]> => {
      const filter = binFilter(shown, bin, at === bins.length - 1)
      return bin.count === 0 ? [] : [[rangeWords(filter.from, filter.to, column), bin.count, filter]]
    }),
    ...top.map(
      ({ count: n, value }) => [valueWords(value, column), n, { column: column.name, kind: "is", value }] as const
    ),
    ...(filled === rows || filled === 0
      ? []
      : [
          ["empty", rows - filled, { column: column.name, kind: "is", value: null }] as const,
          ["not empty", filled, { column: column.name, kind: "filled" }] as const
        ])
  ]
  if (lines.length === 0)
    return el("p", { class: "soft" }, isNested(column) ? "Lists and objects are not counted." : "No value is frequent.")
  const most = lines.reduce((max, [, n]) => Math.max(max, n), 1)
  const list = el("ul", { class: "list values" })
  for (const [label, n, filter] of lines) {
    const line = button(el("span", {}, label), choosing(filter), { title: `Only rows with this` })
    line.append(el("small", {}, count(n)))
    line.style.setProperty("--share", String(n / most))
    list.append(el("li", {}, line))
  }
  return list
}
