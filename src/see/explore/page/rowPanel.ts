/** One row with all of its values, and a way to where each comes from. */
import type { CellValue, TableInfo } from "../ExploreApi.ts"
import { marksOf } from "../findWords.ts"
import { isText } from "../gridSql.ts"
import type { Answers } from "./Answers.ts"
import { count, el, linked, problem } from "./dom.ts"
import { fromFirstMark, markedNodes } from "./marked.ts"
import { hashOf } from "./route.ts"
import type { TableQuestion } from "./rows.ts"

/** Characters of a value that are shown before somebody asks for all of them. */
const longest = 1500
/** Of them, before a word that is looked for. */
const beforeMark = 300
/** Characters that a click adds: a browser stalls over a megabyte. */
const step = 100_000

export const rowPanel = (
  answers: Answers,
  table: TableInfo,
  question: TableQuestion,
  at: number,
  close: () => void
): HTMLElement => {
  const button = el("button", { type: "button" }, "Close")
  button.addEventListener("click", close)
  const marks = marksOf(question.find)
  const title = `Row ${count(at + 1)} of ${table.name}`
  const panel = el(
    "section",
    { class: "panel", tabindex: 0, "aria-label": title },
    el("div", { class: "tools" }, el("h3", {}, title), button)
  )
  panel.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close()
  })
  answers.rows({ ...question, offset: at, limit: 1, whole: true }).then(
    ({ columns, rows: [row = []] }) => {
      const values = Object.fromEntries(columns.map(({ name }, column) => [name, row[column] ?? null]))
      panel.append(el("dl", {}, ...columns.flatMap(({ name }) => entry(table, name, values, marks))))
      panel.querySelector("mark")?.scrollIntoView({ block: "center" })
    },
    (error: unknown) => panel.append(problem(error))
  )
  return panel
}

const entry = (
  table: TableInfo,
  name: string,
  values: Readonly<Record<string, CellValue>>,
  marks: RegExp | undefined
): ReadonlyArray<Node> => {
  const value = values[name] ?? null
  const column = table.columns.find((one) => one.name === name)
  const description = column?.description
  const term = el("dt", description === undefined ? {} : { title: description }, name)
  const looked = column !== undefined && isText(column) ? marks : undefined
  // `millrace why` answers for the version of a row that is current.
  const isCurrent = (values["valid_to"] ?? null) === null
  if (table.key.length > 0 && isCurrent) {
    const key = Object.fromEntries(table.key.map((column) => [column, values[column] ?? null]))
    const href = hashOf("why", "", { table: table.name, column: name, key: JSON.stringify(key) })
    term.append(" ", el("a", { href, "aria-label": `Why ${name}` }, "why"))
  }
  return [term, value === null ? el("dd", { class: "soft" }, "null") : shown(String(value), looked)]
}

const shown = (value: string, marks: RegExp | undefined): HTMLElement => {
  const nodes = (text: string) => (marks === undefined ? [linked(text)] : markedNodes(text, marks))
  if (value.length <= longest) return el("dd", {}, ...nodes(value))
  const all = el("button", { type: "button" })
  const begin = marks === undefined ? value : fromFirstMark(value, marks, longest - beforeMark, beforeMark)
  const place = el("dd", {}, ...nodes(begin.slice(0, longest).toWellFormed()), "… ", all)
  let shown = 0
  const label = (): void => {
    const next = Math.min(value.length, shown + step)
    all.textContent = `Show ${next === value.length ? "all" : `${count(next)} of`} ${count(value.length)} characters`
  }
  label()
  all.addEventListener("click", () => {
    shown = Math.min(value.length, shown + step)
    const isAll = shown === value.length
    label()
    place.replaceChildren(...nodes(value.slice(0, shown).toWellFormed()), ...(isAll ? [] : ["… ", all]))
  })
  return place
}
