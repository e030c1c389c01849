/** The tables, and one of them as a grid: sorted, searched, with a row opened beside it. */
import type { RowsAnswer, TableInfo } from "../ExploreApi.ts"
import { longestFind, marksOf } from "../findWords.ts"
import { isText } from "../gridSql.ts"
import type { Answers } from "./Answers.ts"
import { count, counted, el, problem, status, tableOf } from "./dom.ts"
import { type Grid, makeGrid } from "./Grid.ts"
import { hashOf, type Route, remember, type View } from "./route.ts"
import { rowPanel } from "./rowPanel.ts"
import { firstRows, rowsOfTable, type TableQuestion } from "./rows.ts"

export const tablesView = async ({ name, params }: Route, answers: Answers): Promise<View> => {
  const { sink, tables } = await answers.tables()
  const table = tables.find((one) => one.name === name) ?? (name === "" ? tables[0] : undefined)
  const link = (one: TableInfo) =>
    el(
      "li",
      {},
      el("a", { href: hashOf("tables", one.name), "aria-current": one === table && "true" }, one.name),
      " ",
      el("small", {}, count(one.rows))
    )
  const own = tables.filter(({ isOwn }) => isOwn)
  const others = tables.filter(({ isOwn }) => !isOwn)
  const side = el("nav", { class: "side", "aria-label": "Tables" }, el("ul", { class: "list" }, ...own.map(link)))
  if (others.length > 0) {
    side.append(
      el("p", { class: "soft" }, "Other tables of the sink"),
      el("ul", { class: "list" }, ...others.map(link))
    )
  }
  if (table === undefined) {
    const message =
      name === "" ? `Sink ${sink} has no tables yet: run the pipeline first.` : `There is no table ${name}.`
    return { elements: [el("div", { class: "split" }, side, el("p", {}, message))] }
  }
  const shown = tableContent(answers, table, params)
  return { elements: [el("div", { class: "split" }, side, shown.element)], close: shown.close }
}

const tableContent = (answers: Answers, table: TableInfo, params: URLSearchParams) => {
  const find = el("input", {
    type: "search",
    value: params.get("find") ?? "",
    size: 30,
    maxlength: longestFind,
    placeholder: `words, or "a phrase"`
  })
  const place = el("div", { class: "place" })
  const state = status()
  let order = params.get("order") ?? ""
  let grid: Grid | undefined
  let asking: AbortController | undefined

  const openPanel = (question: TableQuestion, at: number, isByKey: boolean): void => {
    const panel = rowPanel(answers, table, question, at, () => {
      panel.remove()
      grid?.element.focus()
    })
    const old = place.querySelector(".panel")
    if (old === null) place.append(panel)
    else old.replaceWith(panel)
    if (isByKey) panel.focus()
  }
  const show = (question: TableQuestion, first: RowsAnswer, hasFocus: boolean): void => {
    const rows = rowsOfTable(answers, question, first, (error) => {
      state.textContent = error instanceof Error ? error.message : String(error)
    })
    grid?.close()
    const marks = marksOf(question.find)
    grid = makeGrid({
      label: table.name,
      columns: first.columns,
      rows,
      order,
      marks,
      open: (at, isByKey) => {
        if (at < rows.total) openPanel(question, at, isByKey)
      },
      sort: (column) => {
        order = order === column ? `-${column}` : order === `-${column}` ? "" : column
        void fill(true)
      }
    })
    place.replaceChildren(grid.element)
    const marked = marks === undefined ? -1 : markedColumn(first, marks)
    if (marked !== -1) grid.go(0, marked)
    state.textContent = `${counted(rows.total)}${find.value === "" ? "" : ` with “${find.value}”`}`
    if (hasFocus) grid.element.focus()
  }
  const fill = async (hasFocus: boolean): Promise<void> => {
    asking?.abort()
    const own = new AbortController()
    asking = own
    const question = { table: table.name, find: find.value, order }
    remember(hashOf("tables", table.name, { find: find.value, order }))
    state.textContent = "Loading…"
    try {
      const first = await firstRows(answers, question, own.signal)
      if (own === asking) show(question, first, hasFocus)
    } catch (error) {
      if (own !== asking || own.signal.aborted) return
      state.textContent = ""
      place.replaceChildren(problem(error))
    }
  }
  const close = (): void => {
    grid?.close()
    asking?.abort()
  }
  void fill(false)
  return {
    element: sectionOf(
      table,
      findForm(find, state, () => void fill(false)),
      place
    ),
    close
  }
}

const findForm = (find: HTMLElement, state: HTMLElement, submit: () => void): HTMLElement => {
  const form = el(
    "form",
    { class: "tools", role: "search" },
    el("label", {}, "Find", find),
    el("button", {}, "Find"),
    state
  )
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    submit()
  })
  return form
}

const sectionOf = (table: TableInfo, form: HTMLElement, place: HTMLElement): HTMLElement =>
  el(
    "section",
    { class: "content", "aria-label": table.name },
    el("h2", {}, table.name),
    el("p", { class: "soft" }, [table.description, keyText(table)].filter((text) => text !== "").join("; ")),
    columnsOf(table),
    form,
    el(
      "p",
      { class: "soft" },
      "Arrow keys, Page Up, Page Down, Home and End move; with Ctrl, Home and End go to the first and the last row. Enter opens a row, s sorts by its column."
    ),
    place
  )

/** The column that shows why the first row was found: it may stand far to the right. */
const markedColumn = ({ columns, rows: [row = []] }: RowsAnswer, marks: RegExp): number =>
  columns.findIndex((column, at) => {
    const value = row[at]
    return typeof value === "string" && isText(column) && value.search(marks) !== -1
  })

const keyText = ({ key }: TableInfo): string => (key.length === 0 ? "" : `key: ${key.join(", ")}`)

const columnsOf = ({ columns, name }: TableInfo): HTMLElement =>
  el(
    "details",
    {},
    el("summary", {}, `${count(columns.length)} ${columns.length === 1 ? "column" : "columns"}`),
    tableOf(
      `Columns of ${name}`,
      ["column", "type", "description"],
      columns.map((column) => [column.name, column.type, column.description ?? ""])
    )
  )
