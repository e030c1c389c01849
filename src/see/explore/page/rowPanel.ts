/** One row beside its grid: each value with its name, and a way to where it comes from. */
import type { CellValue, Filter, TableInfo } from "../ExploreApi.ts"
import { marksOf } from "../findWords.ts"
import { isText, longestCell } from "../gridSql.ts"
import type { Answers } from "./Answers.ts"
import { isLink, type ShownColumn } from "./columnContent.ts"
import { button, count, el, linked, problem } from "./dom.ts"
import { valueFilter } from "./Grid.ts"
import { isMarkdown, markdownNodes } from "./markdownNodes.ts"
import { fromFirstMark, markedNodes } from "./marked.ts"
import { hashOf } from "./route.ts"
import type { Row, TableQuestion } from "./rows.ts"

/** Characters of a value that are shown before somebody asks for all of them. */
const longest = 1500
/** Of them, before a word that is looked for. */
const beforeMark = 300
/** Characters that a click adds: a browser stalls over a megabyte. */
const step = 50_000
/** The same of Markdown, which becomes many elements. */
const markdownStep = 8000
/** Characters of a value that stands beside its name. */
const longestBeside = 160
/** More items of a list stand as text. */
const mostItems = 100

interface Opened {
  readonly table: TableInfo
  readonly question: TableQuestion
  /** Which of the rows of the question. */
  readonly at: number
  readonly total: number
  /** Its values as the grid has them, of which long ones are cut; undefined: the grid does not have them. */
  readonly known: Row | undefined
  /** The columns in the order of the grid, and those that are empty behind them. */
  readonly shown: ReadonlyArray<ShownColumn>
  readonly empty: ReadonlySet<string>
}

interface PanelActions {
  readonly close: () => void
  /** Opens another row. */
  readonly move: (at: number) => void
  readonly choose: (filter: Filter) => void
}

export const rowPanel = (answers: Answers, opened: Opened, { choose, close, move }: PanelActions): HTMLElement => {
  const { at, question, table, total } = opened
  const title = `Row ${count(at + 1)} of ${table.name}`
  const step = (label: string, by: number) =>
    button(label, () => move(at + by), { disabled: at + by < 0 || at + by >= total, "aria-label": `${label} row` })
  const panel = el(
    "section",
    { class: "panel", tabindex: 0, "aria-label": title },
    el("div", { class: "tools" }, el("h3", {}, title), step("Previous", -1), step("Next", 1), button("Close", close))
  )
  panel.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey } = event
    if (altKey || ctrlKey || metaKey) return
    if (key === "n" && at + 1 < total) move(at + 1)
    else if (key === "p" && at > 0) move(at - 1)
    else return
    event.preventDefault()
  })
  const { known } = opened
  const begun = known === undefined ? undefined : valuesOf(opened, known, choose)
  if (begun !== undefined) {
    panel.append(...begun.nodes)
    if (begun.cut.size === 0) return panel
  }
  answers.rows({ ...question, offset: at, limit: 1, whole: true }).then(
    ({ rows: [row = []] }) => {
      // What is there stays, since somebody may be at it: only values that were cut are shown anew.
      if (begun === undefined) panel.append(...valuesOf(opened, row, choose).nodes)
      else for (const [shown, place] of begun.cut) place.replaceWith(saidOf(opened, shown, row))
      panel.querySelector("mark")?.scrollIntoView({ block: "center" })
    },
    (error: unknown) => panel.append(problem(error))
  )
  return panel
}

interface Values {
  readonly nodes: ReadonlyArray<Node>
  /** Where values are that are not whole. */
  readonly cut: ReadonlyMap<ShownColumn, HTMLElement>
}

const valuesOf = (opened: Opened, row: Row, choose: (filter: Filter) => void): Values => {
  const filled = opened.shown.filter(({ column }) => !opened.empty.has(column.name))
  const rest = opened.shown.filter(({ column }) => opened.empty.has(column.name))
  const cut = new Map<ShownColumn, HTMLElement>()
  const list = (columns: ReadonlyArray<ShownColumn>) =>
    el(
      "dl",
      {},
      ...columns.flatMap((column) => {
        const value = row[column.at]
        const isBegin = row === opened.known && isCut(value)
        const said = isBegin ? el("dd", { class: "soft wide" }, String(value)) : saidOf(opened, column, row)
        if (isBegin) cut.set(column, said)
        return entry(opened, column, row, said, choose)
      })
    )
  if (rest.length === 0) return { nodes: [list(filled)], cut }
  const words = `${count(rest.length)} empty ${rest.length === 1 ? "column" : "columns"}`
  return { nodes: [list(filled), el("details", {}, el("summary", {}, words), list(rest))], cut }
}

/** A grid has the beginning of a text, or the place of a word in it. */
const isCut = (value: CellValue | undefined): boolean => typeof value === "string" && value.length > longestCell

const valueIn = (columns: ReadonlyArray<ShownColumn>, row: Row, name: string): CellValue =>
  row[columns.find(({ column }) => column.name === name)?.at ?? -1] ?? null

const entry = (
  { shown: columns, table }: Opened,
  shown: ShownColumn,
  row: Row,
  said: HTMLElement,
  choose: (filter: Filter) => void
): ReadonlyArray<Node> => {
  const { column } = shown
  const value = row[shown.at] ?? null
  const term = el("dt", column.description === undefined ? {} : { title: column.description }, column.name)
  const actions = el("dd", { class: "actions" })
  // `millrace why` answers for the version of a row that is current.
  const isCurrent = valueIn(columns, row, "valid_to") === null
  if (table.key.length > 0 && isCurrent) {
    const key = Object.fromEntries(table.key.map((name) => [name, valueIn(columns, row, name)]))
    const href = hashOf("why", "", { table: table.name, column: column.name, key: JSON.stringify(key) })
    actions.append(el("a", { href, "aria-label": `Why ${column.name}` }, "why"))
  }
  const filter = valueFilter(shown, value)
  if (filter !== undefined)
    actions.append(button("filter", () => choose(filter), { class: "plain", "aria-label": `Filter by ${column.name}` }))
  // A text for reading has the whole width, below its name.
  return said.classList.contains("wide") ? [term, actions, said] : [term, said, actions]
}

const saidOf = ({ question, shown: columns }: Opened, shown: ShownColumn, row: Row): HTMLElement => {
  const value = row[shown.at] ?? null
  if (value === null) return el("dd", { class: "soft" }, "null")
  const marks = isText(shown.column) ? marksOf(question.find) : undefined
  const base = ["url", "_source_url"].map((name) => valueIn(columns, row, name)).find((url) => isLink(String(url)))
  const said = shownValue(shown, row, { marks, base: typeof base === "string" ? base : undefined })
  said.classList.toggle("wide", String(value).length > longestBeside && shown.kind !== "link")
  return said
}

interface Shown {
  readonly marks: RegExp | undefined
  /** Where links of Markdown begin that name no host. */
  readonly base: string | undefined
}

const shownValue = (shown: ShownColumn, row: Row, { base, marks }: Shown): HTMLElement => {
  const value = String(row[shown.at])
  const nodes = (text: string) => (marks === undefined ? [text] : markedNodes(text, marks))
  switch (shown.kind) {
    case "number":
    case "money":
    case "boolean":
      return el("dd", { title: value }, shown.text(row))
    case "time":
      return el("dd", { title: value }, shown.text(row), / \d\d:\d\d/.test(shown.text(row)) ? " UTC" : "")
    case "nested":
      return nestedValue(value)
    case "link":
      return el("dd", {}, ...(marks === undefined ? [linked(value)] : nodes(value)))
    case "text":
      if (isMarkdown(value)) return markdownValue(value, { base, nodes })
      return textValue(value, marks === undefined ? (text) => [linked(text)] : nodes, marks)
  }
}

/** A list as its items, and an object as JSON with a line for each member. */
const nestedValue = (text: string): HTMLElement => {
  const value = jsonOf(text)
  if (Array.isArray(value) && value.length <= mostItems && value.every((item: unknown) => typeof item !== "object")) {
    return value.length === 0
      ? el("dd", { class: "soft" }, "an empty list")
      : el("dd", {}, el("ul", {}, ...value.map((item: unknown) => el("li", {}, linked(String(item))))))
  }
  const lines = value === undefined ? text : JSON.stringify(value, null, 2)
  return textValue(lines, (part) => [part], undefined, "code")
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** It can be read as it is written, too. */
const markdownValue = (
  value: string,
  { base, nodes }: { readonly base: string | undefined; readonly nodes: (text: string) => ReadonlyArray<Node | string> }
): HTMLElement => {
  const read = el("div", { class: "markdown" })
  const source = el("div", { hidden: true })
  let shown = 0
  const more = button("", () => add())
  const add = (): void => {
    const end = pieceEnd(value, shown)
    more.remove()
    read.append(...markdownNodes(value.slice(shown, end), { base, nodes }))
    shown = end
    more.textContent = `Show more of ${count(value.length)} characters`
    if (shown < value.length) read.append(more)
  }
  add()
  const turn = button(
    "as text",
    () => {
      source.hidden = !source.hidden
      read.hidden = !source.hidden
      turn.textContent = source.hidden ? "as text" : "as a page"
      if (source.childElementCount === 0) source.append(...textValue(value, nodes, undefined).childNodes)
    },
    { class: "plain turn" }
  )
  return el("dd", { class: "read" }, turn, read, source)
}

/** The end of a piece of Markdown: between two paragraphs, if there is such a place. */
const pieceEnd = (text: string, from: number): number => {
  if (text.length - from <= markdownStep) return text.length
  const end = text.lastIndexOf("\n\n", from + markdownStep)
  return end > from ? end : from + markdownStep
}

const textValue = (
  value: string,
  nodes: (text: string) => ReadonlyArray<Node | string>,
  marks: RegExp | undefined,
  kind = ""
): HTMLElement => {
  if (value.length <= longest) return el("dd", { class: kind }, ...nodes(value))
  const all = el("button", { type: "button" })
  const begin = marks === undefined ? value : fromFirstMark(value, marks, longest - beforeMark, beforeMark)
  const place = el("dd", { class: kind }, ...nodes(begin.slice(0, longest).toWellFormed()), "… ", all)
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
    all.parentElement?.replaceChildren(...nodes(value.slice(0, shown).toWellFormed()), ...(isAll ? [] : ["… ", all]))
  })
  return place
}
